"""Several segments read as one collection, as if it had been compiled in one go.

A segment whose entries were replaced or withdrawn since stays as it is: the rows that are gone have no number, and what
they counted for is taken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.index.segment import Segment
from retrieval.index.tables import added

__all__ = ["Part", "Parts"]


@dataclass(frozen=True, slots=True)
class Part:
    """A segment, and which of its rows count.

    Attributes:
        gone: The rows that were replaced or withdrawn.
        gone_words: What `Segment.words` counts for them.
        gone_forms: What `Segment.forms` counts for them.
    """

    segment: Segment
    gone: frozenset[int] = frozenset()
    gone_words: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    gone_forms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.segment) - len(self.gone)

    def row(self, entry_id: str) -> int:
        """Return the row of that entry; -1 when it is not here, or gone."""
        row = self.segment.ids.find(entry_id)
        return -1 if row in self.gone else row

    def without(self, rows: Iterable[int], compiled: Segment | None) -> Part:
        """Return this part without *rows* as well, of which *compiled* is the segment of their own."""
        if compiled is None:
            return self
        return Part(
            self.segment,
            self.gone | frozenset(rows),
            added([self.gone_words.items(), compiled.words.items()], (1, 1)),
            added([self.gone_forms.items(), compiled.forms.items()], (1, 1)),
        )

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows count."""
        alive = np.ones(len(self.segment), np.bool_)
        alive[list(self.gone)] = False
        return alive


class Parts:
    """Entries by id ascending, wherever they are kept.

    Attributes:
        size: How many entries count.
        numbers: For each part, int32: the number of each row in the whole; -1 for one that is gone. None stands for
            rows that are the numbers.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        """Read *parts*, in which no id counts twice."""
        self.parts = tuple(part for part in parts if len(part))
        self.segments = tuple(part.segment for part in self.parts)
        self.size = sum(map(len, self.parts))
        self.whole = len(self.parts) == 1 and not self.parts[0].gone
        self.numbers: tuple[NDArray[np.int32] | None, ...] = (None,) if self.whole else tuple(self._numbered())

    @cached_property
    def places(self) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
        """For each number, which part it is of and its row there; None where the one part's rows are the numbers."""
        if self.whole:
            return None
        owners, rows = np.zeros(self.size, np.int32), np.zeros(self.size, np.int32)
        for at, numbers in enumerate(self.numbers):
            if numbers is not None:
                there = np.flatnonzero(numbers >= 0)
                owners[numbers[there]], rows[numbers[there]] = at, there
        return owners, rows

    def place(self, number: int) -> tuple[Segment, int]:
        """Return the segment of an entry, and its row there."""
        owner, row = self.owner(number)
        return self.segments[owner], row

    def owner(self, number: int) -> tuple[int, int]:
        """Return which part an entry is of, and its row there."""
        if self.places is None:
            return 0, number
        owners, rows = self.places
        return int(owners[number]), int(rows[number])

    def ids(self, numbers: NDArray[np.intp]) -> list[str]:
        """Return the ids of the entries of *numbers*, in their order."""
        if self.places is None:
            return self.segments[0].ids.listed(numbers.tolist())
        owners, rows = (column[numbers] for column in self.places)
        listed = [iter(segment.ids.listed(rows[owners == at].tolist())) for at, segment in enumerate(self.segments)]
        return [next(listed[owner]) for owner in owners.tolist()]

    def number(self, entry_id: str) -> int:
        """Return the number of that entry; -1 when there is none."""
        for part, numbers in zip(self.parts, self.numbers, strict=True):
            row = part.row(entry_id)
            if row >= 0:
                return row if numbers is None else int(numbers[row])
        return -1

    def gathered(self, columns: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
        """Return *columns*, one for each part with a value a row, as one with a value a number."""
        if self.whole:
            return columns[0]
        found = np.zeros(self.size, np.int32)
        for column, numbers in zip(columns, self.numbers, strict=True):
            if numbers is not None:
                found[numbers[numbers >= 0]] = column[numbers >= 0]
        return found

    def rows_of(self, key: str) -> NDArray[np.int32]:
        """Return the numbers of the entries that have *key*, ascending."""
        return self._merged([part.segment.keys.of_key(key) for part in self.parts])

    def rows_of_phrase(self, key: str) -> tuple[NDArray[np.int32], bool]:
        """Return the same, and whether a key may go on after *key* with a blank; one whose entries are gone still does.

        None may go on with a character below a blank.
        """
        rows, longer = zip(*(segment.keys.of_phrase(key) for segment in self.segments), strict=True)
        return self._merged(rows), any(longer)

    def has_form_starting_with(self, prefix: str) -> bool:
        """Tell whether a definition may start so."""
        return any(segment.forms.keys.has_starting_with(prefix) for segment in self.segments)

    def keys_starting_with(self, prefix: str) -> dict[str, NDArray[np.int32]]:
        """Return the rest of each key that starts so, with the numbers of the entries that have it; in no order."""
        found: dict[str, list[NDArray[np.int32]]] = {}
        for at, segment in enumerate(self.segments):
            for place in segment.keys.keys.starting_with(prefix):
                name = segment.keys.keys[place][len(prefix) :]
                found.setdefault(name, [segment.keys.rows[:0]] * len(self.segments))[at] = segment.keys.at(place)
        merged = {name: self._merged(rows) for name, rows in found.items()}
        return {name: rows for name, rows in merged.items() if len(rows)}

    def words(self, word: str) -> tuple[int, ...]:
        """Return how often *word* is written: as a word of its own, and as any but a part of another."""
        known = [counts for part in self.parts if (counts := part.segment.words.of_key(word))]
        known += [tuple(-n for n in part.gone_words[word]) for part in self.parts if word in part.gone_words]
        return known[0] if len(known) == 1 else tuple(map(sum, zip(*known, strict=True))) or (0, 0)

    def words_starting_with(self, prefix: str) -> dict[str, tuple[int, ...]]:
        """Return each word that starts so, with what `words` says of it."""
        segments = [
            [(words.keys[place], tuple(words.numbers[place].tolist())) for place in words.keys.starting_with(prefix)]
            for words in (segment.words for segment in self.segments)
        ]
        gone = [[item for item in part.gone_words.items() if item[0].startswith(prefix)] for part in self.parts]
        return added([*segments, *gone], [*(1 for _ in segments), *(-1 for _ in gone)])

    def forms(self, prefix: str) -> dict[str, int]:
        """Return the rest of each definition that starts so, with how often it is given; in no order."""
        found: dict[str, int] = {}
        for part in self.parts:
            forms = part.segment.forms
            for place in forms.keys.starting_with(prefix):
                key = forms.keys[place]
                count = int(forms.numbers[place, 0]) - part.gone_forms.get(key, (0,))[0]
                found[key[len(prefix) :]] = found.get(key[len(prefix) :], 0) + count
        return {key: count for key, count in found.items() if count > 0}

    def _merged(self, rows: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
        if self.whole:
            return rows[0]
        found = [
            listed if numbers is None else numbers[listed]
            for listed, numbers in zip(rows, self.numbers, strict=True)
            if len(listed)
        ]
        if not found:
            return np.zeros(0, np.int32)
        if len(found) == 1:
            return found[0][found[0] >= 0]
        together = np.concatenate(found)
        return np.sort(together[together >= 0])

    def _numbered(self) -> list[NDArray[np.int32]]:
        """Return the numbers of each part's rows: how many entries of any part come before."""
        alive = [part.alive for part in self.parts]
        before: list[NDArray[np.int64]] = [np.cumsum(mask) - mask for mask in alive]
        numbers: list[NDArray[np.int64]] = [counts.copy() for counts in before]
        for small, big in _pairs([len(part.segment) for part in self.parts]):
            ids, others = self.segments[small].ids, self.segments[big].ids
            places = np.fromiter((others.lower_bound(ids.encoded(row)) for row in range(len(ids))), np.int64, len(ids))
            totals = np.append(before[big], np.count_nonzero(alive[big]))
            numbers[small] += totals[places]
            counts = np.bincount(places[alive[small]], minlength=len(others) + 1)
            numbers[big] += np.cumsum(counts)[: len(others)]
        return [np.where(mask, listed, -1).astype(np.int32) for mask, listed in zip(alive, numbers, strict=True)]


def _pairs(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return each two of the parts of *sizes*, the smaller one first."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    return [(small, big) for n, small in enumerate(order) for big in order[n + 1 :]]
