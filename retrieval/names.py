"""Which entries a text names: by the name of their system, its initials, or their whole title."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.index.keys import Kind, key, words_of_name
from retrieval.index.parts import Parts

__all__ = ["Names"]


class Names:
    """The names of a collection's entries, each a sequence of terms."""

    def __init__(self, parts: Parts) -> None:
        """Read the names of the entries of *parts*."""
        self._parts = parts

    def in_text(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the entries named in *text*, in the order of the names, the longer name first."""
        asked = words_of_name(text)
        found = (number for first in range(len(asked)) for number in self._starting(asked[first:]))
        return tuple(dict.fromkeys(found))

    def _starting(self, asked: Sequence[str]) -> Sequence[int]:
        """Return the numbers of the entries whose names *asked* starts with, the longest name's first."""
        found: list[list[int]] = []
        for length in range(1, len(asked) + 1):
            name = key(Kind.NAME, " ".join(asked[:length]))
            found.append(self._parts.rows_of(name).tolist())
            if not self._parts.has_key_starting_with(f"{name} "):
                break
        return [number for numbers in reversed(found) for number in numbers]
