"""The words that a collection uses: to correct, split and abbreviate a question's words by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrieval.text.acronyms import defined_acronyms
from retrieval.text.analysis import Token, initials, stem, tokens

__all__ = ["Lexicon"]

_SHORTEST_CORRECTED = 5
_TWO_EDITS_FROM = 9
_FAR_EDITS = 2
_SHORTEST_SPLIT = 7
_SHORTEST_HALF = 3
_SHORTEST_NAME = 3  # words that make initials


class Lexicon:
    """The vocabulary of a collection, with how often each word is written.

    Attributes:
        words: How often each folded word is written.
        forms: For each term, the words that it stands for, with how often each is written.
        long_forms: For the term of an acronym, the terms of its long form, all in the collection.
        short_forms: The same from long to short.
    """

    def __init__(self) -> None:
        """Begin with no word known."""
        self.words: Counter[str] = Counter()
        self.forms: dict[str, dict[str, int]] = {}
        self.long_forms: Mapping[str, tuple[str, ...]] = {}
        self.short_forms: Mapping[tuple[str, ...], str] = {}
        self._buckets: dict[tuple[str, int], list[str]] = {}

    def learn(self, listed: Iterable[Token], *, times: int = 1) -> None:
        """Count the words of *listed* tokens, each written *times* over."""
        for token in listed:
            forms = self.forms.setdefault(token.term, {})
            forms[token.word] = forms.get(token.word, 0) + (times if token.kind == "word" else 0)
            if token.kind != "part":
                self.words[token.word] += times

    def learn_acronyms(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        """Take the most frequent long form of each acronym that *sentences* define; ties by spelling.

        The *names* of systems are long forms of their initials, where nothing else has those for an acronym or a word:
        "NES" is Neural Effect Search, though its abstract does not say so.
        """
        found: dict[str, Counter[str]] = {}
        for sentence in sentences:
            for short, long in defined_acronyms(sentence):
                found.setdefault(short, Counter())[long] += 1
        long_forms: dict[str, tuple[str, ...]] = {}
        short_forms: dict[tuple[str, ...], str] = {}
        for short, longs in found.items():
            long = min(longs, key=lambda text, counts=longs: (-counts[text], text))  # type: ignore[misc]
            key = stem(short.casefold())
            listed = tuple(token.term for token in tokens(long) if token.kind == "word")
            if len(listed) > 1 and key in self.forms and all(term in self.forms for term in listed):
                long_forms.setdefault(key, listed)
                short_forms.setdefault(listed, key)
        for name in names:
            listed = tuple(token.term for token in tokens(name) if token.kind == "word")
            if len(listed) >= _SHORTEST_NAME and (key := stem(initials(name))) not in self.forms:
                long_forms.setdefault(key, listed)
        self.long_forms, self.short_forms = long_forms, short_forms

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
            known = left in self.words and (right in self.words or right.removesuffix("s") in self.words)
            if known and {stem(left), stem(right)} <= self.forms.keys():
                return stem(left), stem(right)
        return None

    def acronym_of(self, listed: Sequence[str]) -> str | None:
        """Return the acronym's term whose long form is exactly the terms *listed*; None when none is."""
        return self.short_forms.get(tuple(listed))

    def _nearest(self, word: str, edits: int) -> str | None:
        lengths = range(len(word) - edits, len(word) + edits + 1)
        known = [other for length in lengths for other in self._bucket(word[0], length)]
        found = process.extract(word, known, scorer=OSA.distance, score_cutoff=edits, limit=None)
        best = min(found, key=lambda match: (match[1], -self.words[match[0]], match[0]), default=None)
        return None if best is None or stem(best[0]) not in self.forms else str(best[0])

    def _bucket(self, initial: str, length: int) -> Sequence[str]:
        if not self._buckets:
            for word in self.words:
                if not any(c.isdigit() for c in word):
                    self._buckets.setdefault((word[0], len(word)), []).append(word)
        return self._buckets.get((initial, length), ())
