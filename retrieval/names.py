"""Which entries a text names: by the name of their system, its initials, or their whole title."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from retrieval.index.keys import Kind, key, words_of_name
from retrieval.index.parts import Parts

__all__ = ["Names"]

_REMEMBERED = 64


class Names:
    """The names of a collection's entries, each a sequence of terms."""

    def __init__(self, parts: Parts) -> None:
        """Read the names of the entries of *parts*."""
        self._parts = parts
        self.in_text = lru_cache(maxsize=_REMEMBERED)(self._in_text)  # a message is asked about several times

    def _in_text(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the entries named in *text*, in the order of the names, the longer name first."""
        asked = words_of_name(text)
        found = (number for first in range(len(asked)) for number in self._starting(asked[first:]))
        return tuple(dict.fromkeys(found))

    def _starting(self, asked: Sequence[str]) -> Sequence[int]:
        """Return the numbers of the entries whose names *asked* starts with, the longest name's first."""
        found: list[list[int]] = []
        for length in range(1, len(asked) + 1):
            rows, longer = self._parts.rows_of_phrase(key(Kind.NAME, " ".join(asked[:length])))
            found.append(rows.tolist())
            if not longer:
                break
        return [number for numbers in reversed(found) for number in numbers]
