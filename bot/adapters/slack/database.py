"""The one SQLite file in which the Slack adapter keeps what must survive a crash."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from bot.adapters.files import private_file
from bot.errors import InboxError

__all__ = ["Database"]

_T = TypeVar("_T")

# Every key carries the workspace: one installation may serve several.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS inbox (
    id INTEGER PRIMARY KEY,
    event_id TEXT UNIQUE,
    message_key TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    conversation TEXT NOT NULL,
    sort REAL NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'ready', 'posting', 'done', 'dropped', 'refused', 'failed', 'unknown')),
    owner TEXT,
    question TEXT NOT NULL,
    before TEXT,
    reply TEXT,
    after TEXT,
    verdict TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    received_at REAL NOT NULL,
    not_before REAL NOT NULL DEFAULT 0,
    done_at REAL
) STRICT;
CREATE INDEX IF NOT EXISTS inbox_open ON inbox (conversation, sort) WHERE state IN ('new', 'ready', 'posting');
CREATE INDEX IF NOT EXISTS inbox_done ON inbox (done_at) WHERE done_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS thread (
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (team, channel, thread)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answered (
    team TEXT NOT NULL,
    key TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread TEXT NOT NULL,
    conversation TEXT NOT NULL,
    after TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (team, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answered_thread ON answered (team, channel, thread, at);
CREATE TABLE IF NOT EXISTS opinion (
    team TEXT NOT NULL,
    key TEXT NOT NULL,
    person TEXT NOT NULL,
    helpful INTEGER NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL,
    PRIMARY KEY (team, key, person)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tally (
    day TEXT NOT NULL,
    team TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, team, name)
) STRICT, WITHOUT ROWID;
"""


class Database:
    """One connection, used by one thread of its own so that the event loop never waits for the disk.

    Several processes may share the file. What `run` has returned from is on the disk.
    """

    def __init__(self, path: Path) -> None:
        """Use the file at *path*, made with its folder when first needed."""
        self._path = path
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="slack-inbox")
        self._connection: sqlite3.Connection | None = None

    async def run(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do *work* in one transaction that is on the disk, or never was, when this returns or raises.

        Raises:
            InboxError: If the file cannot be read or written.
        """
        future = asyncio.get_running_loop().run_in_executor(self._thread, self.run_now, work)
        # A transaction that has begun is not left half-known because whoever asked was cancelled.
        return await asyncio.shield(future)

    def run_now(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do the same in the calling thread, for programs without an event loop.

        Raises:
            InboxError: If the file cannot be read or written.
        """
        try:
            db = self._connection or self._open()
            with db:
                db.execute("BEGIN IMMEDIATE")
                return work(db)
        except (OSError, sqlite3.Error) as exc:
            raise InboxError(f"{self._path}: {exc}") from exc

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(private_file(self._path), timeout=10, isolation_level=None, check_same_thread=False)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")  # an ack is a promise, also over a power cut
        db.executescript(_SCHEMA)
        self._connection = db
        return db

    async def close(self) -> None:
        """Close the file once everything asked for is done."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self.close_now)
        self._thread.shutdown(wait=False)

    def close_now(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
