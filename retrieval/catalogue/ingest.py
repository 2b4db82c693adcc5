"""One import: records in, entries made, changed and merged, in one transaction at a time."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum

from retrieval.catalogue.clustering import StoredSource, neighbours, reassigned, stored
from retrieval.catalogue.merging import entry_id_of, merged
from retrieval.catalogue.rows import merged_text, record_text
from retrieval.matching import Described, corrects, keys_of
from retrieval.records import Record

__all__ = ["Import", "Outcome"]


class Outcome(StrEnum):
    """What a record did to the catalogue."""

    NEW = "new"
    UPDATED = "updated"
    MERGED = "merged"
    UNCHANGED = "unchanged"


class Import:
    """Adds records to the catalogue.

    A record that was seen before, word for word, changes nothing. One whose like was seen in an earlier import replaces
    that one, unless it says itself that it is older; so does what a file says in place of what it said (`take_back`).
    All others stand beside each other, and which of them are one entry depends on what they say, not on their order.
    """

    def __init__(self, db: sqlite3.Connection, *, at: str) -> None:
        """Begin an import at the instant *at*, as ISO 8601 text."""
        self._db = db
        self._at = at
        self._number = int(db.execute("INSERT INTO import (began_at) VALUES (?)", (at,)).lastrowid or 0)
        self._given: dict[tuple[str, str], set[int]] = defaultdict(set)
        self._outcomes: dict[int, Outcome] = {}

    def add(self, record: Record, *, file: str, folder: str = "") -> Outcome:
        """Keep *record*, which was read in *file*, and return what that changed.

        Args:
            record: What was read.
            file: The file's name.
            folder: Tells files of one name apart.
        """
        digest = record.digest()
        known = self._db.execute("SELECT number FROM source WHERE digest = ?", (digest,)).fetchone()
        number, outcome = (known[0], Outcome.UNCHANGED) if known else self._add(record, digest, (file, folder))
        self._given[file, folder].add(number)
        if outcome is not Outcome.UNCHANGED:
            self._outcomes[number] = outcome
        return outcome

    def _add(self, record: Record, digest: str, origin: tuple[str, str]) -> tuple[int, Outcome]:
        described = Described(record)
        key = _source_key(described)
        earlier = self._earlier(key)
        if earlier is not None and _is_older(record, earlier.described.record):
            number = self._insert(described, digest, key, origin, earlier.entry, state="superseded")
            return number, Outcome.UNCHANGED
        near = neighbours(self._db, described)
        if earlier is not None:
            number = self._insert(described, digest, key, origin, earlier.entry)
            self._replace(earlier, StoredSource(number, earlier.entry, described, number), near)
            return number, Outcome.UPDATED
        before = {one.entry for one in near}
        entry = 0 if near else self._new_entry(record, digest, origin[0])
        number = self._insert(described, digest, key, origin, entry or near[0].entry)
        self._settle([*near, StoredSource(number, entry, described, number)], touched=before | ({entry} - {0}))
        return number, Outcome.MERGED if self._joined(number) else Outcome.NEW

    def take_back(self) -> Iterator[tuple[Outcome, Record]]:
        """Replace what the files said in earlier imports, and no longer do, by what they say in its place now.

        To be called when everything that the files hold was added. What a file no longer says and nothing in it is like
        stays.

        Yields:
            Each record that turned out to be such a correction, and the outcome that it had when it was added.
        """
        given = frozenset(number for numbers in self._given.values() for number in numbers)
        query = (
            "SELECT number FROM source WHERE file = ? AND folder = ? AND state = 'current' AND import < ?"
            " ORDER BY number"
        )
        for origin, numbers in self._given.items():
            kept = self._db.execute(query, (*origin, self._number)).fetchall()
            for number in [one for (one,) in kept if one not in given]:
                (old,) = stored(self._db, [number])
                new = self._correction(old, numbers)
                if new is None:
                    continue
                near = [*neighbours(self._db, old.described), *neighbours(self._db, new.described)]
                self._replace(old, new, list({one.number: one for one in near}.values()))
                was = self._outcomes.get(new.number, Outcome.UNCHANGED)
                self._outcomes[new.number] = Outcome.UPDATED
                if was is not Outcome.UPDATED:
                    yield was, new.described.record

    def _correction(self, old: StoredSource, given: set[int]) -> StoredSource | None:
        """Return which of the sources *given* is what *old* was corrected to; the one that came last of several."""
        record = old.described.record
        query = "SELECT source FROM identifier WHERE scheme = ? AND value = ?"
        near = {number for key in keys_of(old.described) for (number,) in self._db.execute(query, key)}
        for new in stored(self._db, sorted(near & given, reverse=True)):
            later = new.described.record
            if later.format != record.format or _is_older(later, record) or self._was_set_apart(new, old):
                continue
            if corrects(new.described, old.described):
                return new
        return None

    def _was_set_apart(self, new: StoredSource, old: StoredSource) -> bool:
        """Tell whether two sources stand beside each other because one of them was split off by hand."""
        query = "SELECT state = 'current', alone FROM source WHERE number = ?"
        (current, alone), (_, old_alone) = (self._db.execute(query, (one.number,)).fetchone() for one in (new, old))
        return bool(current and (alone or (old_alone and new.number not in self._outcomes)))

    def _replace(self, old: StoredSource, new: StoredSource, near: Iterable[StoredSource]) -> None:
        """Put *new* in the place of *old*, in its entry and among the sources *near* both."""
        alone = self._db.execute("SELECT alone FROM source WHERE number = ?", (old.number,)).fetchone()[0]
        self._db.execute(
            "UPDATE source SET state = 'superseded', source_key = (SELECT source_key FROM source WHERE number = ?)"
            " WHERE entry = ? AND source_key = (SELECT source_key FROM source WHERE number = ?)"
            " AND (number = ? OR state = 'superseded')",
            (new.number, old.entry, old.number, old.number),
        )
        self._db.execute(
            "UPDATE source SET state = 'current', alone = ?, entry = ?, import = ? WHERE number = ?",
            (alone, old.entry, self._number, new.number),
        )
        others = [] if alone else [one for one in near if one.number not in {old.number, new.number}]
        sources = [*others, replace(new, entry=old.entry, since=old.since)]
        self._settle(sources, touched={old.entry, new.entry, *(one.entry for one in others)})

    def set_apart(self, source: int) -> None:
        """Make the source of that number an entry of its own, with what it replaced."""
        (one,) = stored(self._db, [source])
        entry = self._new_entry_for([one])
        self._db.execute(
            "UPDATE source SET entry = ? WHERE entry = ? AND (number = ? OR state = 'superseded')"
            " AND source_key = (SELECT source_key FROM source WHERE number = ?)",
            (entry, one.entry, source, source),
        )
        self._write(entry, [])

    def rewrite(self, entry: int) -> None:
        """Make the entry of that number anew from the sources that it has."""
        self._write(entry, [])

    def _settle(self, sources: list[StoredSource], *, touched: set[int]) -> None:
        """Give every source its entry, then write every entry anew that has other sources than before."""
        for entry, group in reassigned(sources):
            number = entry if entry is not None else self._new_entry_for(group)
            touched.add(number)
            moved = [(number, one.number) for one in group if one.entry != number]
            self._db.executemany("UPDATE source SET entry = ? WHERE number = ?", moved)
            touched |= {one.entry for one in group if one.entry}
        for number in sorted(touched):
            self._write(number, sources)

    def _write(self, entry: int, sources: list[StoredSource]) -> None:
        query = "SELECT number, import FROM source WHERE entry = ? AND state = 'current' ORDER BY number"
        known = {one.number: one for one in sources}
        imports = dict(self._db.execute(query, (entry,)).fetchall())
        numbers = list(imports)
        missing = {one.number: one for one in stored(self._db, (number for number in numbers if number not in known))}
        if not numbers:
            self._remove(entry, sources)
            return
        records = [(known.get(number) or missing[number]).described.record for number in numbers]
        made = merged(records, imports=list(imports.values()))
        content = merged_text(made)
        entry_id, old, was_withdrawn = self._db.execute(
            "SELECT entry_id, content, withdrawn FROM entry WHERE number = ?", (entry,)
        ).fetchone()
        if content == old:
            return
        self._db.execute(
            "UPDATE entry SET content = ?, withdrawn = ? WHERE number = ?", (content, int(made.withdrawn), entry)
        )
        self._remember(entry, made.title, made.abstract)
        seen = old or self._db.execute("SELECT 1 FROM change WHERE entry_id = ? LIMIT 1", (entry_id,)).fetchone()
        kind = "withdrawn" if made.withdrawn and not was_withdrawn else "updated" if seen else "new"
        self._log(entry_id, kind)

    def _remove(self, entry: int, sources: list[StoredSource]) -> None:
        """Let an entry end whose sources all became part of another; its id leads there from now on."""
        heir = self._db.execute(
            "SELECT now.entry FROM source AS now JOIN source AS old ON old.source_key = now.source_key"
            " WHERE old.entry = ? AND now.state = 'current' AND now.entry != ? LIMIT 1", (entry, entry),
        ).fetchone()  # fmt: skip
        to = heir[0] if heir else next((self._entry_of(one.number) for one in sources if one.entry == entry), None)
        (entry_id,) = self._db.execute("SELECT entry_id FROM entry WHERE number = ?", (entry,)).fetchone()
        if to is None or to == entry:
            to = self._entry_of(sources[-1].number)
        self._db.execute("UPDATE source SET entry = ? WHERE entry = ?", (to, entry))
        self._db.execute("UPDATE former SET entry = ? WHERE entry = ?", (to, entry))
        self._db.execute("DELETE FROM version WHERE entry = ?", (entry,))
        self._db.execute("DELETE FROM entry WHERE number = ?", (entry,))
        self._db.execute("INSERT OR REPLACE INTO former VALUES (?, ?)", (entry_id, to))
        self._log(entry_id, "removed")

    def _remember(self, entry: int, title: str, abstract: str) -> None:
        last = self._db.execute(
            "SELECT number, title, abstract FROM version WHERE entry = ? ORDER BY number DESC LIMIT 1", (entry,)
        ).fetchone()
        if last is None or last[1:] != (title, abstract):
            number = last[0] + 1 if last else 1
            self._db.execute("INSERT INTO version VALUES (?, ?, ?, ?, ?)", (entry, number, title, abstract, self._at))

    def _earlier(self, key: str) -> StoredSource | None:
        """Return the one current source of an earlier import that goes by *key*; None when there are several."""
        rows = self._db.execute(
            "SELECT number FROM source WHERE source_key = ? AND state = 'current' AND import < ? LIMIT 2",
            (key, self._number),
        ).fetchall()
        return stored(self._db, rows[0])[0] if len(rows) == 1 else None

    def _insert(
        self,
        described: Described,
        digest: str,
        key: str,
        origin: tuple[str, str],
        entry: int,
        *,
        state: str = "current",
    ) -> int:
        record = described.record
        row = (digest, key, entry, state, self._number, record.format, *origin, record.number, record.line)
        number = self._db.execute(
            "INSERT INTO source (digest, source_key, entry, state, import, format, file, folder, ordinal, line,"
            " content, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, record_text(record), self._at),
        ).lastrowid
        keys = [(scheme, value, number) for scheme, value in keys_of(described)]
        self._db.executemany("INSERT OR IGNORE INTO identifier VALUES (?, ?, ?)", keys)
        return int(number or 0)

    def _new_entry(self, record: Record, digest: str, file: str) -> int:
        entry_id = entry_id_of(record)
        taken = "SELECT 1 FROM entry WHERE entry_id = ? UNION SELECT 1 FROM former WHERE entry_id = ?"
        if self._db.execute(taken, (entry_id, entry_id)).fetchone():
            entry_id = f"{entry_id}-{digest[:8]}"
        row = (entry_id, file, record.number - 1)
        query = "INSERT INTO entry (entry_id, content, withdrawn, file, ordinal) VALUES (?, '', 0, ?, ?)"
        return int(self._db.execute(query, row).lastrowid or 0)

    def _new_entry_for(self, group: list[StoredSource]) -> int:
        """Make an entry for sources that were part of others; an id that it lost by that is its own again."""
        record = group[0].described.record
        left = [(entry_id_of(record), entry) for entry in {one.entry for one in group}]
        self._db.executemany("DELETE FROM former WHERE entry_id = ? AND entry = ?", left)
        file = self._db.execute("SELECT file FROM source WHERE number = ?", (group[0].number,)).fetchone()[0]
        return self._new_entry(record, record.digest(), file)

    def _joined(self, number: int) -> bool:
        query = (
            "SELECT count(*) FROM source WHERE state = 'current'"
            " AND entry = (SELECT entry FROM source WHERE number = ?)"
        )
        return int(self._db.execute(query, (number,)).fetchone()[0]) > 1

    def _entry_of(self, number: int) -> int:
        return int(self._db.execute("SELECT entry FROM source WHERE number = ?", (number,)).fetchone()[0])

    def _log(self, entry_id: str, kind: str) -> None:
        self._db.execute("INSERT INTO change (entry_id, kind, seen_at) VALUES (?, ?, ?)", (entry_id, kind, self._at))


def _source_key(described: Described) -> str:
    """Return what a record goes by when it comes again with other words: its own identifier, else title or opening."""
    record = described.record
    named = next((f"{scheme}={value}" for scheme, value in sorted(record.ids.items()) if scheme != "doi"), None)
    named = named or (f"doi={record.ids['doi']}" if "doi" in record.ids else None)
    if named is None and described.title_words:
        named = f"title={' '.join(sorted(described.title_words))}|{'|'.join(sorted(described.people))}|{record.year}"
    return f"{record.format}|{named or f'opening={described.opening or record.digest()}'}"


def _is_older(record: Record, than: Record) -> bool:
    if record.version and than.version and record.version != than.version:
        return record.version < than.version
    return bool(record.updated and than.updated and record.updated < than.updated)
