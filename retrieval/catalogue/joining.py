"""One collection of the lists that it began with and what was imported since, each paper once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from retrieval.matching import Described, clusters, keys_of
from retrieval.model import Entry
from retrieval.people import family_first
from retrieval.records import Record

__all__ = ["Joined"]


class Joined:
    """The entries that a collection begins with, ready to be compared with others."""

    def __init__(self, base: Sequence[Entry]) -> None:
        """Begin with *base*, whose entries keep their ids and their words."""
        self._base = base
        self._ids = frozenset(entry.entry_id for entry in base)
        self._described = [Described(_record(entry)) for entry in base]
        self._by_key: dict[tuple[str, str], list[int]] = defaultdict(list)
        for position, described in enumerate(self._described):
            for key in keys_of(described):
                self._by_key[key].append(position)

    def has(self, record: Record) -> bool:
        """Tell whether one of the entries is the paper that *record* describes."""
        described = Described(record)
        near = sorted({position for key in keys_of(described) for position in self._by_key.get(key, ())})
        if not near:
            return False
        groups = clusters([self._described[position] for position in near] + [described])
        return any(len(near) in group and len(group) > 1 for group in groups)

    def entries(self, imported: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries of the beginning, then those of *imported* that are none of them."""
        yield from self._base
        for entry in imported:
            if entry.entry_id not in self._ids and not self.has(_record(entry)):
                yield entry

    def changed(self, imported: Iterable[tuple[str, Entry | None]]) -> Iterator[tuple[str, Entry | None]]:
        """Yield those of *imported*, by id, as far as they are not hidden by an entry of the beginning.

        One that turns out to be the same paper as one of these is none any more.
        """
        for entry_id, entry in imported:
            if entry_id not in self._ids:
                yield entry_id, None if entry is None or self.has(_record(entry)) else entry


def _record(entry: Entry) -> Record:
    return Record(
        format="entry",
        number=1,
        title="" if entry.title_derived else entry.title,
        abstract=entry.abstract,
        authors=tuple(family_first(name) for name in entry.authors),
        venue=entry.venue,
        year=entry.year,
        ids=entry.ids,
    )
