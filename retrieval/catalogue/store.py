"""The catalogue as others use it: one SQLite file in the data folder."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from retrieval.catalogue.ingest import Import, Outcome
from retrieval.catalogue.rows import entry_of
from retrieval.catalogue.schema import migrate
from retrieval.errors import CatalogueError, EntryNotFoundError
from retrieval.model import Entry
from retrieval.records import Record

__all__ = ["Batches", "Catalogue", "EntryHistory", "SeenSource", "Version"]

_ENTRIES = """
SELECT entry_id, content, file, ordinal,
    (SELECT min(seen_at) FROM change WHERE change.entry_id = entry.entry_id AND kind = 'new')
FROM entry WHERE withdrawn = 0
"""
_ARRIVED = """
SELECT change.entry_id FROM change JOIN entry ON entry.entry_id = change.entry_id
WHERE change.kind = 'new' AND change.sequence > :after AND change.sequence <= :upto AND NOT entry.withdrawn
AND NOT EXISTS (
    SELECT 1 FROM former JOIN change AS old ON old.entry_id = former.entry_id
    WHERE former.entry = entry.number AND old.kind = 'new' AND old.sequence <= :after
)
GROUP BY change.entry_id ORDER BY min(change.sequence)
"""
_CHANGED = """
SELECT DISTINCT coalesce(entry.entry_id, change.entry_id) FROM change
LEFT JOIN former ON former.entry_id = change.entry_id LEFT JOIN entry ON entry.number = former.entry
WHERE change.sequence > :after AND change.sequence <= :upto
"""


@dataclass(frozen=True, slots=True)
class SeenSource:
    """One source of an entry.

    Attributes:
        number: Its place in the order in which everything was taken in.
        current: False for one that a later record of the same source replaced.
        alone: Whether it was split off by hand.
    """

    number: int
    format: str
    file: str
    ordinal: int
    line: int | None
    title: str
    current: bool
    alone: bool
    seen_at: str


@dataclass(frozen=True, slots=True)
class Version:
    """What an entry's text once was, from 1."""

    number: int
    title: str
    abstract: str
    seen_at: str


@dataclass(frozen=True, slots=True)
class EntryHistory:
    """Everything that is known of one entry; sources and versions the oldest first."""

    entry: Entry
    withdrawn: bool
    sources: tuple[SeenSource, ...]
    versions: tuple[Version, ...]
    former_ids: tuple[str, ...]


class Catalogue:
    """Entries, their sources and versions, in a file that several processes may read while one writes.

    What a committed import kept survives the process being killed.
    """

    def __init__(self, path: Path | None, *, scratch: bool = False, wait_s: float = 30) -> None:
        """Open the catalogue at *path*, making it where there is none; None keeps it in memory.

        Args:
            scratch: Work on a copy that ends with this object; what is at *path* stays as it is, and nothing is made.
            wait_s: How long to wait while another process writes.

        Raises:
            CatalogueError: If the file cannot be opened, or is none of ours.
        """
        self._path = path
        try:
            if path is not None and not scratch:
                path.parent.mkdir(parents=True, exist_ok=True)
            # An empty name stands for a file that SQLite deletes by itself.
            place = "" if scratch else path or ":memory:"
            self._db = sqlite3.connect(place, timeout=wait_s, isolation_level=None, check_same_thread=False)
            if path is not None and scratch and path.exists():
                with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as original:
                    original.backup(self._db)
            with self._translated():
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.execute("PRAGMA foreign_keys = ON")
                migrate(self._db)
                self._let_others_read()
        except (OSError, ValueError, sqlite3.Error) as exc:
            raise CatalogueError(path, str(exc)) from exc

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was not committed is dropped."""
        self._db.close()

    @contextmanager
    def importing(self, now: datetime, *, batch: int = 500) -> Iterator[Batches]:
        """Give what takes records in; what it was given is committed every *batch* records and at the end.

        Raises:
            CatalogueError: If the file cannot be written.
        """
        with self._translated():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                batches = Batches(self._db, now, batch)
                yield batches
            except BaseException:
                if self._db.in_transaction:  # it is not where the next batch could not begin
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
            batches.kept = batches.taken

    def entries(self) -> Iterator[Entry]:
        """Yield every entry that was not withdrawn, the oldest first, each with when it arrived."""
        with self._translated():
            for row in self._db.execute(f"{_ENTRIES} ORDER BY number"):
                yield _arrived(*row)

    def history(self, entry_id: str) -> EntryHistory:
        """Return what is known of an entry; an id that it had before it was merged will do.

        Raises:
            EntryNotFoundError: If there is none.
        """
        with self._translated():
            number = self._number(entry_id)
            found, content, withdrawn, file, ordinal = self._db.execute(
                "SELECT entry_id, content, withdrawn, file, ordinal FROM entry WHERE number = ?", (number,)
            ).fetchone()
            former = self._db.execute("SELECT entry_id FROM former WHERE entry = ? ORDER BY entry_id", (number,))
            versions = self._db.execute(
                "SELECT number, title, abstract, seen_at FROM version WHERE entry = ? ORDER BY number", (number,)
            )
            return EntryHistory(
                entry=entry_of(found, content, file, ordinal),
                withdrawn=bool(withdrawn),
                sources=self._sources(number),
                versions=tuple(Version(*row) for row in versions),
                former_ids=tuple(name for (name,) in former),
            )

    def split(self, entry_id: str, now: datetime, *, source: int | None = None) -> tuple[str, ...]:
        """Undo merging: make each source of an entry, or only the one of that number, an entry of its own for good.

        Returns:
            The ids of the entries that the sources are now, in the order of the sources.

        Raises:
            EntryNotFoundError: If there is no such entry, or it has no such source.
            CatalogueError: If there is nothing to split.
        """
        with self._translated():
            number = self._number(entry_id)
            every = [one.number for one in self._sources(number) if one.current]
            apart = [one for one in every if source in {None, one}]
            if not apart:
                raise EntryNotFoundError(f"{entry_id}, source {source}")
            if len(every) < 2:
                raise CatalogueError(
                    self._path, f'the entry "{entry_id}" has one source only; there is nothing to split'
                )
            self._db.execute("BEGIN IMMEDIATE")
            try:
                ids = self._split(number, every, apart, now)
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
            return ids

    def last_change(self) -> int:
        """Return the number of the latest change of the collection; 0 before the first."""
        with self._translated():
            return int(self._db.execute("SELECT coalesce(max(sequence), 0) FROM change").fetchone()[0])

    def position(self) -> str:
        """Return where the collection stands: its latest change, the number of that first; nothing before any."""
        with self._translated():
            return self._position("SELECT * FROM change ORDER BY sequence DESC LIMIT 1", ())

    def has_been_at(self, position: str) -> bool:
        """Tell whether *position* is one of this catalogue, and not of another that had its place."""
        with self._translated():
            number = position.partition(" ")[0]
            return not position or position == self._position("SELECT * FROM change WHERE sequence = ?", (number,))

    def changed_since(self, position: str) -> list[tuple[str, Entry | None]]:
        """Return the ids of the entries that changed after *position*, as they are now; None for what is there no more.

        A withdrawn entry is there no more.
        """
        after = int(position.partition(" ")[0] or 0)
        with self._translated():
            query = "SELECT DISTINCT entry_id FROM change WHERE sequence > ? ORDER BY entry_id"
            listed = [entry_id for (entry_id,) in self._db.execute(query, (after,))]
            return [(entry_id, self._entry(entry_id)) for entry_id in listed]

    def arrived(self, *, after: int, upto: int) -> tuple[str, ...]:
        """Return the ids of the entries that came with the changes after *after* up to *upto*, in their order.

        An entry that was withdrawn, or became part of another, is none of them, nor is one that holds what came before.
        """
        with self._translated():
            rows = self._db.execute(_ARRIVED, {"after": after, "upto": upto}).fetchall()
            return tuple(entry_id for (entry_id,) in rows)

    def changed(self, *, after: int, upto: int) -> frozenset[str]:
        """Return the ids, as they are today, of the entries that the changes after *after* up to *upto* were about."""
        with self._translated():
            rows = self._db.execute(_CHANGED, {"after": after, "upto": upto}).fetchall()
            return frozenset(entry_id for (entry_id,) in rows)

    def todays_ids(self, entry_ids: Iterable[str]) -> dict[str, str]:
        """Return what those of *entry_ids* that became part of another entry go by today."""
        query = "SELECT entry.entry_id FROM former JOIN entry ON entry.number = former.entry WHERE former.entry_id = ?"
        with self._translated():
            found = ((entry_id, self._db.execute(query, (entry_id,)).fetchone()) for entry_id in entry_ids)
            return {entry_id: str(row[0]) for entry_id, row in found if row is not None}

    def withdrawn(self, entry_ids: Iterable[str]) -> frozenset[str]:
        """Return those of *entry_ids* that were withdrawn."""
        query = "SELECT 1 FROM entry WHERE entry_id = ? AND withdrawn"
        with self._translated():
            return frozenset(one for one in entry_ids if self._db.execute(query, (one,)).fetchone())

    def feeds(self) -> dict[str, str]:
        """Return what is kept of each feed, by its name."""
        with self._translated():
            return dict(self._db.execute("SELECT name, content FROM feed"))

    def put_feed(self, name: str, content: str) -> None:
        """Keep *content* of the feed of that name, in place of what was kept."""
        with self._translated():
            self._db.execute("INSERT OR REPLACE INTO feed VALUES (?, ?)", (name, content))

    def update_feed(self, name: str, content: str, *, before: str) -> None:
        """Keep *content* of the feed of that name if what is kept of it is *before*; one that was removed stays so."""
        with self._translated():
            self._db.execute("UPDATE feed SET content = ? WHERE name = ? AND content = ?", (content, name, before))

    def remove_feed(self, name: str) -> None:
        """Forget the feed of that name."""
        with self._translated():
            self._db.execute("DELETE FROM feed WHERE name = ?", (name,))

    def lookups(self) -> dict[str, datetime]:
        """Return when each entry was last looked up in vain, by its id."""
        with self._translated():
            found = self._db.execute("SELECT entry_id, tried_at FROM lookup")
            return {entry_id: datetime.fromisoformat(tried_at) for entry_id, tried_at in found}

    def put_lookup(self, entry_id: str, tried_at: datetime) -> None:
        """Remember that an entry was looked up in vain."""
        with self._translated():
            self._db.execute("INSERT OR REPLACE INTO lookup VALUES (?, ?)", (entry_id, tried_at.isoformat()))

    def _position(self, query: str, values: tuple[str, ...]) -> str:
        row = self._db.execute(query, values).fetchone()
        return "" if row is None else " ".join(map(str, row))

    def _entry(self, entry_id: str) -> Entry | None:
        row = self._db.execute(f"{_ENTRIES} AND entry_id = ?", (entry_id,)).fetchone()
        return None if row is None else _arrived(*row)

    def _split(self, entry: int, every: Sequence[int], apart: Sequence[int], now: datetime) -> tuple[str, ...]:
        again = Import(self._db, at=now.isoformat())
        self._db.executemany("UPDATE source SET alone = 1 WHERE number = ?", [(number,) for number in apart])
        for number in apart[1 if len(apart) == len(every) else 0 :]:
            again.set_apart(number)
        again.rewrite(entry)
        query = "SELECT entry_id FROM source JOIN entry ON entry.number = source.entry WHERE source.number = ?"
        return tuple(dict.fromkeys(self._db.execute(query, (number,)).fetchone()[0] for number in every))

    def _sources(self, entry: int) -> tuple[SeenSource, ...]:
        query = (
            "SELECT number, format, file, ordinal, line, content, state, alone, seen_at FROM source"
            " WHERE entry = ? ORDER BY number"
        )
        return tuple(
            SeenSource(
                number, kind, file, ordinal, line, json.loads(content)["title"], state == "current", bool(alone), at
            )
            for number, kind, file, ordinal, line, content, state, alone, at in self._db.execute(query, (entry,))
        )

    def _number(self, entry_id: str) -> int:
        query = "SELECT number FROM entry WHERE entry_id = ? UNION ALL SELECT entry FROM former WHERE entry_id = ?"
        row = self._db.execute(query, (entry_id, entry_id)).fetchone()
        if row is None:
            raise EntryNotFoundError(entry_id)
        return int(row[0])

    def _let_others_read(self) -> None:
        """Let others read while one writes; where others use the file just now, one of them sees to it."""
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if not _is_busy(exc):
                raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as exc:
            if _is_busy(exc):
                raise CatalogueError(self._path, "another import is running; try again when it is done") from exc
            raise CatalogueError(self._path, str(exc)) from exc


def _is_busy(exc: sqlite3.Error) -> bool:
    return getattr(exc, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _arrived(entry_id: str, content: str, file: str, ordinal: int, arrived_at: str | None) -> Entry:
    """Return an entry with when it came."""
    entry = entry_of(entry_id, content, file, ordinal)
    return entry if arrived_at is None else replace(entry, arrived_at=datetime.fromisoformat(arrived_at))


class Batches:
    """Takes records in, and commits now and then.

    Attributes:
        taken: How many records were given.
        kept: How many of them are committed, and so survive whatever comes.
    """

    def __init__(self, db: sqlite3.Connection, now: datetime, batch: int) -> None:
        """Commit every *batch* records."""
        self._db = db
        self._batch = batch
        self._import = Import(db, at=now.isoformat())
        self.taken = 0
        self.kept = 0

    def add(self, record: Record, *, file: str, folder: str = "") -> Outcome:
        """Take *record*, which was read in *file*, in; see `Import.add`."""
        outcome = self._import.add(record, file=file, folder=folder)
        self.taken += 1
        if self.taken % self._batch == 0:
            self._db.execute("COMMIT")
            self.kept = self.taken
            self._db.execute("BEGIN IMMEDIATE")
        return outcome

    def take_back(self) -> list[tuple[Outcome, Record]]:
        """Let what the files no longer say be replaced by what they say in its place; see `Import.take_back`."""
        return list(self._import.take_back())
