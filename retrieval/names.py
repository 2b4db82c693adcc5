"""Which entries a text names: by the name of their system, its initials, or their whole title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.model import Entry
from retrieval.text.analysis import chunk_tokens, chunks, initials

__all__ = ["Names"]

_LONGEST_HEAD_WORDS = 2  # "MARS: …" names a system; a longer head is a subtitle's other half
_FEWEST_INITIALS = 3


class Names:
    """The names of a collection's entries, each a sequence of terms."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Collect the names of *entries*, which go by their number in the order given."""
        self._numbers: dict[tuple[str, ...], list[int]] = {}
        self._longest = 0
        for number, entry in enumerate(entries):
            for name in _names_of(entry):
                key = _words(name)
                if key and number not in self._numbers.setdefault(key, []):
                    self._numbers[key].append(number)
                    self._longest = max(self._longest, len(key))

    def in_text(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the entries named in *text*, in the order of the names, the longer name first."""
        asked = _words(text)
        found = (
            number
            for first in range(len(asked))
            for length in range(min(self._longest, len(asked) - first), 0, -1)
            for number in self._numbers.get(asked[first : first + length], ())
        )
        return tuple(dict.fromkeys(found))


def _names_of(entry: Entry) -> Iterator[str]:
    name = entry.name or ""
    yield from name.split(",")
    if len(name.split()) >= _FEWEST_INITIALS:
        yield initials(name)
    if not entry.title_derived:
        yield entry.title
        head, colon, _ = entry.title.partition(":")
        if colon and len(head.split()) <= _LONGEST_HEAD_WORDS:
            yield head


def _words(text: str) -> tuple[str, ...]:
    return tuple(token.term for chunk in chunks(text) for token in chunk_tokens(chunk) if token.kind == "word")
