"""Find the sources that may be the same paper as a new one, and divide them into entries again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from retrieval.catalogue.rows import record_of
from retrieval.matching import Described, clusters, keys_of

__all__ = ["StoredSource", "neighbours", "reassigned"]

_MAX_NEIGHBOURS: Final = 300


@dataclass(frozen=True, slots=True)
class StoredSource:
    """One source of an entry, as far as merging needs it.

    Attributes:
        entry: 0 for none yet.
        since: The number of the first that it replaces, directly or not; its own where it replaces none.
    """

    number: int
    entry: int
    described: Described
    since: int


def neighbours(db: sqlite3.Connection, start: Described) -> list[StoredSource]:
    """Return the current sources that share a key with *start*, or with one of those, and so on; by number.

    What was split off by hand is no neighbour. A key that more sources share than anything real would is not followed.
    """
    found: dict[int, StoredSource] = {}
    seen: set[tuple[str, str]] = set()
    waiting = keys_of(start)
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        numbers = _sharing(db, key)
        if len(numbers) > _MAX_NEIGHBOURS:
            continue
        for source in stored(db, (number for number in numbers if number not in found)):
            found[source.number] = source
            waiting += keys_of(source.described)
    return [found[number] for number in sorted(found)]


def stored(db: sqlite3.Connection, numbers: Iterable[int]) -> list[StoredSource]:
    """Return the sources of these numbers."""
    query = (
        "SELECT number, entry, format, ordinal, line, content, (SELECT min(number) FROM source AS old"
        " WHERE old.source_key = source.source_key AND old.entry = source.entry) FROM source WHERE number = ?"
    )
    rows = [db.execute(query, (number,)).fetchone() for number in numbers]
    return [
        StoredSource(number, entry, Described(record_of(content, kind=kind, number=ordinal, line=line)), since)
        for number, entry, kind, ordinal, line, content, since in rows
    ]


def reassigned(sources: list[StoredSource]) -> list[tuple[int | None, list[StoredSource]]]:
    """Return the groups that *sources* make, each with the entry that it goes on as, or None for a new one.

    An entry goes on as the group that has its oldest source, or what replaced that; a group goes on as the oldest entry
    that it can.
    """
    groups = [[sources[position] for position in group] for group in clusters([one.described for one in sources])]
    heirs: dict[int, int] = {}
    for source in sorted(sources, key=lambda one: (one.since, one.number)):
        if source.entry:
            heirs.setdefault(source.entry, next(n for n, group in enumerate(groups) if source in group))
    goes_on: dict[int, int] = {}
    for entry, group_number in sorted(heirs.items()):
        goes_on.setdefault(group_number, entry)
    return [(goes_on.get(number), group) for number, group in enumerate(groups)]


def _sharing(db: sqlite3.Connection, key: tuple[str, str]) -> list[int]:
    query = (
        "SELECT source.number FROM identifier JOIN source ON source.number = identifier.source"
        " WHERE scheme = ? AND value = ? AND state = 'current' AND alone = 0 LIMIT ?"
    )
    return [number for (number,) in db.execute(query, (*key, _MAX_NEIGHBOURS + 1))]
