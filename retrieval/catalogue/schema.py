"""The catalogue's tables, and how a file made by an earlier release becomes one of today."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

__all__ = ["MIGRATIONS", "migrate"]

MIGRATIONS: Final = (
    """
    CREATE TABLE entry (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        entry_id TEXT NOT NULL UNIQUE,
        content TEXT NOT NULL, -- retrieval.catalogue.merging.Merged as JSON
        withdrawn INTEGER NOT NULL,
        file TEXT NOT NULL,
        ordinal INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE source (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest TEXT NOT NULL UNIQUE,
        source_key TEXT NOT NULL, -- what the same record goes by when it comes again, changed
        entry INTEGER NOT NULL REFERENCES entry (number),
        state TEXT NOT NULL CHECK (state IN ('current', 'superseded')),
        alone INTEGER NOT NULL DEFAULT 0, -- split off by hand: never merged
        import INTEGER NOT NULL,
        format TEXT NOT NULL,
        file TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        line INTEGER,
        content TEXT NOT NULL, -- retrieval.records.Record as JSON
        seen_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX source_by_key ON source (source_key);
    CREATE INDEX source_by_entry ON source (entry);
    CREATE TABLE identifier (
        scheme TEXT NOT NULL, -- "doi", "arxiv", …; "title" and "opening" for what else papers are found by
        value TEXT NOT NULL,
        source INTEGER NOT NULL REFERENCES source (number),
        PRIMARY KEY (scheme, value, source)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identifier_by_source ON identifier (source);
    CREATE TABLE version (
        entry INTEGER NOT NULL REFERENCES entry (number),
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        abstract TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (entry, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE former (
        entry_id TEXT PRIMARY KEY, -- of an entry that became part of another
        entry INTEGER NOT NULL REFERENCES entry (number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE change (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in which the collection changed, without end
        entry_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('new', 'updated', 'withdrawn', 'removed')),
        seen_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE import (number INTEGER PRIMARY KEY AUTOINCREMENT, began_at TEXT NOT NULL) STRICT;
    """,
    """
    CREATE TABLE feed (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE INDEX change_by_entry ON change (entry_id);
    """,
    """
    CREATE TABLE lookup (
        entry_id TEXT PRIMARY KEY,
        tried_at TEXT NOT NULL -- when services were last asked for its title, and none knew it
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE source ADD COLUMN folder TEXT NOT NULL DEFAULT ''; -- a digest of where the file lay
    CREATE INDEX source_by_file ON source (file, folder);
    """,
)
"""Each brings a file from the version of its position to the next; what was released is never edited."""


def migrate(db: sqlite3.Connection) -> int:
    """Bring *db* to today's version, all or nothing, and return the version that it had.

    Raises:
        ValueError: If a later release made it.
    """
    found = _version(db)
    if found > len(MIGRATIONS):
        raise ValueError(f"was made by a later release (version {found}; this one knows {len(MIGRATIONS)})")
    if found < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        try:
            found = _version(db)  # another process may have been first
            for script in MIGRATIONS[found:]:
                for statement in _statements(script):
                    db.execute(statement)
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
    return found


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of *script*; running it as a whole would end the transaction that is open."""
    statement = ""
    for part in script.split(";"):
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
