"""A collection that is read from compiled parts, each entry when it is asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from retrieval.collection import Collection
from retrieval.errors import EntryNotFoundError
from retrieval.index.keys import Kind, key
from retrieval.index.parts import Parts
from retrieval.index.records import entry_from
from retrieval.model import Entry

__all__ = ["StoredCollection"]

_REMEMBERED = 2_048


class StoredCollection(Collection):
    """Entries by id ascending, of which none is in memory before it is looked at."""

    def __init__(self, parts: Parts) -> None:
        """Read the entries of *parts*, at least one."""
        self._parts = parts
        self.entries = _StoredEntries(parts)
        self._numbers: dict[str, int] = {}  # of what was found, as several parties look it up

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._numbers or self._parts.number(entry_id) >= 0

    def number(self, entry_id: str) -> int:
        """Return an entry's place in the order of ids, from 0.

        Raises:
            EntryNotFoundError: If there is none of that id.
        """
        known = self._numbers.get(entry_id)
        number = self._parts.number(entry_id) if known is None else known
        if number < 0:
            raise EntryNotFoundError(entry_id)
        return number

    def entry_id(self, number: int) -> str:
        """Return the id of the entry at *number*."""
        segment, row = self._parts.place(number)
        return segment.ids[row]

    def entry_ids(self, numbers: NDArray[np.intp]) -> list[str]:
        """Return the ids of the entries at *numbers*, in that order, and remember these for `number`."""
        found = self._parts.ids(numbers)
        if len(self._numbers) > _REMEMBERED:
            self._numbers = {}
        self._numbers.update(zip(found, numbers.tolist(), strict=True))
        return found

    def bounds(self, number: int) -> Sequence[int]:
        """Return where each of `passages` starts and ends, in turn."""
        segment, row = self._parts.place(number)
        found: list[int] = segment.bounds[segment.bound_starts[row] : segment.bound_starts[row + 1]].tolist()
        return found

    @cached_property
    def fingerprint(self) -> str:
        """Return 12 hexadecimal digits that change when any title or abstract does."""
        if self._parts.places is None:
            digests = self._parts.segments[0].digests
        else:
            owners, rows = self._parts.places
            digests = np.zeros((len(self), self._parts.segments[0].digests.shape[1]), np.uint8)
            for at, segment in enumerate(self._parts.segments):
                digests[owners == at] = segment.digests[rows[owners == at]]
        return hashlib.sha256(np.ascontiguousarray(digests).data).hexdigest()[:12]

    @cached_property
    def _lacking(self) -> int:
        return len(self._parts.rows_of(key(Kind.LACKING, "")))

    @cached_property
    def _by_venue(self) -> dict[tuple[str, str], int]:
        found = {}
        for written, rows in self._parts.keys_starting_with(key(Kind.VENUE, "")).items():
            venue, _, year = written.partition("\0")
            found[venue, year] = len(rows)
        return found


class _StoredEntries(Sequence[Entry]):
    """The entries, each made when it is asked for; those asked for last are remembered."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._entry = lru_cache(maxsize=_REMEMBERED)(self._read)

    def __len__(self) -> int:
        return self._parts.size

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._entry(int(place) % len(self))

    def __iter__(self) -> Iterator[Entry]:
        return map(self._read, range(len(self)))  # all of them would only drive out what was asked for

    def _read(self, number: int) -> Entry:
        segment, row = self._parts.place(number)
        return entry_from(segment.records[row])
