"""One connection to one SQLite file, for the stores that keep something between runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from bot.adapters.files import private_file
from bot.errors import StoreError

__all__ = ["Database"]


class Database:
    """One connection to one file, opened at the first use, so that reading a file that is not there leaves no trace."""

    def __init__(self, path: Path, schema: str, *, durable: bool = False) -> None:
        """Use the file at *path*, in which *schema* makes what is not there yet.

        Args:
            durable: Whether what is kept survives a power cut too, not only the end of the process.
        """
        self.path = path
        self._schema = schema
        self._durable = durable
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection; what is done with it is kept whole or not at all.

        Raises:
            StoreError: If the file cannot be used.
        """
        try:
            with self._lock:
                connection = self._connection or self._open()
                with connection:
                    yield connection
        except (OSError, UnicodeEncodeError, sqlite3.Error) as exc:
            raise StoreError(self.path, str(exc)) from exc

    def close(self) -> None:
        """Close the connection; a later use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(private_file(self.path), timeout=10, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            connection.executescript(self._schema)
        except sqlite3.Error:
            connection.close()
            raise
        self._connection = connection
        return connection
