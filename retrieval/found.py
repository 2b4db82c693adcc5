"""Some entries of a collection, of which none is read before it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from operator import eq
from typing import overload

import numpy as np
from numpy.typing import NDArray

from retrieval.model import Entry

__all__ = ["Found"]


class Found(Sequence[Entry]):
    """Entries in an order; each once."""

    def __init__(self, entries: Sequence[Entry], numbers: NDArray[np.intp] | NDArray[np.int32]) -> None:
        """Choose those of *entries* that have *numbers*, in their order."""
        self._entries = entries
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Found: ...
    def __getitem__(self, place: int | slice) -> Entry | Found:
        if isinstance(place, slice):
            return Found(self._entries, self.numbers[place])
        return self._entries[int(self.numbers[place])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __or__(self, other: Found) -> Found:
        """Return what is in either, by entry id."""
        return Found(self._entries, np.union1d(self.numbers, other.numbers))

    def __sub__(self, other: Found) -> Found:
        """Return what is in this one and not in the other, by entry id."""
        return Found(self._entries, np.setdiff1d(self.numbers, other.numbers))
