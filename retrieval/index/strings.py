"""Many strings in two arrays: a million of them are mapped from a file, and read when they are asked for.

Where one is looked up, one of every few is taken into memory first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["Strings", "encoded"]

_MARKED = 32  # one string of so many is at hand where they are looked up


def encoded(text: str) -> bytes:
    """Return *text* as UTF-8, whose order is that of the characters; half of a surrogate pair passes."""
    return text.encode("utf-8", "surrogatepass")


class Strings(Sequence[str]):
    """A sequence of strings; where they ascend, one can be looked up."""

    __slots__ = ("_data", "_marks", "_starts", "data", "starts")

    def __init__(self, data: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        """Read the strings of *data*, which begin at *starts*; one more of these at the end."""
        self.data, self.starts = data, starts
        self._data, self._starts = data.data, starts.data  # a fraction of the cost of numpy's scalars
        self._marks: list[bytes] | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """Return *texts* in their order."""
        return cls.of_bytes([encoded(text) for text in texts])

    @classmethod
    def of_bytes(cls, texts: Sequence[bytes]) -> Strings:
        """Return *texts*, encoded already, in their order."""
        starts = np.fromiter(accumulate(map(len, texts), initial=0), np.int64, len(texts) + 1)
        return cls(np.frombuffer(b"".join(texts), np.uint8), starts)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[n] for n in range(*place.indices(len(self)))]
        return str(self.encoded(place), "utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[place] for place in range(len(self)))

    def encoded(self, place: int) -> bytes:
        """Return the string at *place* as UTF-8."""
        if place < 0:
            place += len(self)
        return bytes(self._data[self._starts[place] : self._starts[place + 1]])

    def listed(self, places: Iterable[int]) -> list[str]:
        """Return the strings at *places*, none of which counts from the end; faster than one by one."""
        data, starts = self._data, self._starts
        return [str(data[starts[place] : starts[place + 1]], "utf-8", "surrogatepass") for place in places]

    def all_encoded(self) -> list[bytes]:
        """Return every string as UTF-8."""
        data, starts = self.data.tobytes(), self.starts.tolist()
        return [data[start:end] for start, end in pairwise(starts)]

    def lower_bound(self, text: bytes) -> int:
        """Return the first place whose string is not below *text*. The strings must ascend."""
        if self._marks is None:
            self._marks = [self.encoded(place) for place in range(0, len(self), _MARKED)]
        data, starts = self._data, self._starts
        after = bisect_left(self._marks, text) * _MARKED
        low, high = max(after - _MARKED + 1, 0), min(after, len(self))
        while low < high:
            middle = (low + high) // 2
            if bytes(data[starts[middle] : starts[middle + 1]]) < text:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, text: str) -> int:
        """Return the place of *text*, -1 when it is not there. The strings must ascend."""
        wanted = encoded(text)
        place = self.lower_bound(wanted)
        return place if place < len(self) and self.encoded(place) == wanted else -1

    def find_phrase(self, text: str) -> tuple[int, bool]:
        """Return the place of *text*, -1 when it is not there, and whether a string goes on after it with a blank.

        The strings must ascend, and none may go on after *text* with a character below a blank.
        """
        wanted = encoded(text)
        place = self.lower_bound(wanted)
        there = place < len(self) and self.encoded(place) == wanted
        after = place + there
        longer = after < len(self) and self.encoded(after).startswith(wanted + b" ")
        return (place if there else -1), longer

    def has_starting_with(self, prefix: str) -> bool:
        """Tell whether a string starts with *prefix*. The strings must ascend."""
        start = encoded(prefix)
        place = self.lower_bound(start)
        return place < len(self) and self.encoded(place).startswith(start)

    def starting_with(self, prefix: str) -> range:
        """Return the places of the strings that start with *prefix*. The strings must ascend."""
        start = encoded(prefix)
        # No UTF-8 has this byte, so that it stands behind everything that goes on after the prefix.
        return range(self.lower_bound(start), self.lower_bound(start + b"\xff"))
