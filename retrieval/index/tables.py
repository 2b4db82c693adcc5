"""Two tables by ascending keys: what is counted for a key, and which rows have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from retrieval.index.strings import Strings, encoded

__all__ = ["Counts", "Keyed", "added"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers by key.

    Attributes:
        keys: Ascending.
        numbers: int64, one row a key.
    """

    keys: Strings
    numbers: NDArray[np.int64]

    @classmethod
    def of(cls, counted: Mapping[str, tuple[int, ...]], columns: int) -> Counts:
        """Return *counted*, each with as many numbers as there are *columns*; keys of zeros alone are left out."""
        listed = sorted((encoded(key), numbers) for key, numbers in counted.items() if any(numbers))
        numbers = np.array([numbers for _, numbers in listed], np.int64).reshape(len(listed), columns)
        return cls(Strings.of_bytes([key for key, _ in listed]), numbers)

    def of_key(self, key: str) -> tuple[int, ...]:
        """Return the numbers of *key*; none when it is not there."""
        place = self.keys.find(key)
        return () if place < 0 else tuple(self.numbers[place].tolist())

    def items(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield every key with its numbers."""
        return zip(self.keys, map(tuple, self.numbers.tolist()), strict=True)


def added(parts: Iterable[Iterable[tuple[str, tuple[int, ...]]]], signs: Iterable[int]) -> dict[str, tuple[int, ...]]:
    """Return the sums of *parts* by key, each part counted with its sign; zeros are left out."""
    total: dict[str, tuple[int, ...]] = {}
    for part, sign in zip(parts, signs, strict=True):
        for key, numbers in part:
            known = total.get(key)
            signed = numbers if sign > 0 else tuple(-number for number in numbers)
            total[key] = signed if known is None else tuple(a + b for a, b in zip(known, signed, strict=True))
    return {key: numbers for key, numbers in total.items() if any(numbers)}


@dataclass(frozen=True, slots=True)
class Keyed:
    """Rows by key.

    Attributes:
        keys: Ascending.
        starts: int64, where the rows of each key begin in `rows`; one more at the end.
        rows: int32, those of one key ascending.
    """

    keys: Strings
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, listed: Mapping[str, Iterable[int]]) -> Keyed:
        """Return *listed*, the rows of each key."""
        ordered = sorted((encoded(key), sorted(rows)) for key, rows in listed.items())
        return cls(
            Strings.of_bytes([key for key, _ in ordered]),
            np.fromiter(accumulate((len(rows) for _, rows in ordered), initial=0), np.int64, len(ordered) + 1),
            np.array([row for _, rows in ordered for row in rows], np.int32),
        )

    def of_key(self, key: str) -> NDArray[np.int32]:
        """Return the rows of *key*; none when it is not there."""
        place = self.keys.find(key)
        return self.rows[:0] if place < 0 else self.at(place)

    def of_phrase(self, key: str) -> tuple[NDArray[np.int32], bool]:
        """Return the rows of *key*, and whether another key goes on after it with a blank (see `Strings`)."""
        place, longer = self.keys.find_phrase(key)
        return (self.rows[:0] if place < 0 else self.at(place)), longer

    def at(self, place: int) -> NDArray[np.int32]:
        """Return the rows of the key at *place*."""
        return self.rows[self.starts[place] : self.starts[place + 1]]
