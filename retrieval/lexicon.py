"""The words that a collection uses: to correct, split and abbreviate a question's words by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrieval.index.acronyms import words_of_long_form
from retrieval.index.keys import Kind, key
from retrieval.index.parts import Parts
from retrieval.text.analysis import stem

__all__ = ["Lexicon"]

_SHORTEST_CORRECTED = 5
_TWO_EDITS_FROM = 9
_FAR_EDITS = 2
_SHORTEST_SPLIT = 7
_SHORTEST_HALF = 3
_REMEMBERED = 4_096
_INITIALS = 64


class Lexicon:
    """The vocabulary of a collection, with how often each word is written."""

    def __init__(self, parts: Parts, knows: Callable[[str], bool]) -> None:
        """Read the words of *parts*; *knows* tells whether a term is indexed."""
        self._parts = parts
        self.knows = knows
        self.long_form = lru_cache(maxsize=_REMEMBERED)(self._long_form)
        self._written = lru_cache(maxsize=_REMEMBERED)(lambda word: parts.words(word)[1])
        self._by_length = lru_cache(maxsize=_INITIALS)(self._read_by_length)
        self._best_long = lru_cache(maxsize=_REMEMBERED)(self._find_best_long)

    def written(self, word: str) -> int:
        """Return how often the folded *word* is written, not counting where it is part of another."""
        return self._written(word)

    def corrected(self, word: str) -> str | None:
        """Return the collection's word one edit away from *word* (two from nine letters on); None when there is none.

        The most written one is taken; ties by spelling. Short words and those with digits are left as they are, and
        the first letter is taken to be right.
        """
        if len(word) < _SHORTEST_CORRECTED or any(c.isdigit() for c in word):
            return None
        return self._nearest(word, 1 if len(word) < _TWO_EDITS_FROM else 2)

    def meant(self, word: str) -> str | None:
        """Return the word of the collection that *word* may be a slip of, further off than `corrected` goes."""
        if len(word) < _SHORTEST_CORRECTED or any(c.isdigit() for c in word):
            return None
        return self._nearest(word, _FAR_EDITS)

    def halves(self, word: str) -> tuple[str, str] | None:
        """Return the terms of two words of the collection that *word* writes as one; None when there are none."""
        if len(word) < _SHORTEST_SPLIT:
            return None
        for at in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
            left, right = word[:at], word[at:]
            known = self.written(left) and (self.written(right) or self.written(right.removesuffix("s")))
            if known and self.knows(stem(left)) and self.knows(stem(right)):
                return stem(left), stem(right)
        return None

    def _long_form(self, term: str) -> tuple[str, ...]:
        """Return the terms of the long form of the acronym whose term is *term*, all in the collection; else none.

        The most frequent one; ties by spelling. The name of a system is the long form of its initials, where nothing
        else has those for an acronym or a word: "NES" is Neural Effect Search, though its abstract does not say so.
        Of several acronyms that are one term, or systems with the same initials, the first entry's counts.
        """
        shorts = {defined.partition("\0")[0] for defined in self._parts.forms(f"s\0{term}\0")}
        for short in sorted(shorts, key=lambda short: (self._first(Kind.SHORT, f"{term}\0{short}"), short)):
            if found := self._best_long(term, short):
                return found
        if self.knows(term):
            return ()
        names = self._parts.keys_starting_with(key(Kind.INITIALS, f"{term}\0"))
        return tuple(min(names, key=lambda listed: (int(names[listed][0]), listed), default="").split())

    def acronym_of(self, listed: Sequence[str]) -> str | None:
        """Return the acronym's term whose long form is exactly the terms *listed*; None when none is."""
        found = []
        for defined in self._parts.forms(f"l\0{' '.join(listed)}\0"):
            term, short, _ = defined.split("\0")
            if self._best_long(term, short) == tuple(listed):
                found.append((self._first(Kind.SHORT, f"{term}\0{short}"), short, term))
        return min(found)[2] if found else None

    def _first(self, kind: Kind, text: str) -> int:
        """Return the number of the first entry that has a key."""
        return int(self._parts.rows_of(key(kind, text))[0])

    def _find_best_long(self, term: str, short: str) -> tuple[str, ...]:
        """Return the terms of the long form that *short* most often has; none unless they are two, and all indexed."""
        longs = self._parts.forms(f"s\0{term}\0{short}\0")
        if not longs:
            return ()
        long = min(longs, key=lambda text: (-longs[text], text))
        listed = words_of_long_form(long)
        return listed if len(listed) > 1 and self.knows(term) and all(map(self.knows, listed)) else ()

    def _nearest(self, word: str, edits: int) -> str | None:
        known: dict[str, int] = {}
        by_length = self._by_length(word[0])
        for length in range(len(word) - edits, len(word) + edits + 1):
            known |= by_length.get(length, {})
        found = process.extract(word, list(known), scorer=OSA.distance, score_cutoff=edits, limit=None)
        best = min(found, key=lambda match: (match[1], -known[match[0]], match[0]), default=None)
        return None if best is None or not self.knows(stem(best[0])) else str(best[0])

    def _read_by_length(self, initial: str) -> Mapping[int, Mapping[str, int]]:
        """Return the words that start with *initial*, by their length, with how often each is written."""
        found: dict[int, dict[str, int]] = {}
        for word, (_, written) in self._parts.words_starting_with(initial).items():
            if written and not any(c.isdigit() for c in word):
                found.setdefault(len(word), {})[word] = written
        return found
