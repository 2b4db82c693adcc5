"""What is kept between runs, in one SQLite file in the data folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.conversation import Conversation
from bot.errors import ConversationStoreError
from bot.ports import Clock

__all__ = ["SqliteConversations"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS conversation (
    conversation_id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    turned_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conversation_turned_at ON conversation (turned_at);
"""


class SqliteConversations:
    """Conversations that survive a restart; two processes may share the file.

    The file is made when the first conversation is saved, so that reading leaves no trace.
    """

    def __init__(self, path: Path, clock: Clock, *, keep: int = 10_000) -> None:
        """Keep conversations in *path*, at most *keep* of them."""
        self._path = path
        self._clock = clock
        self._keep = keep

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept, or what is kept is damaged."""
        if not self._path.exists():
            return Conversation(conversation_id)
        with self._connection() as db:
            row = db.execute("SELECT state FROM conversation WHERE conversation_id = ?", (conversation_id,)).fetchone()
        try:
            return Conversation(conversation_id) if row is None else Conversation.from_json(row[0])
        except ValueError:
            return Conversation(conversation_id)

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*; those longest without a turn make room."""
        row = (conversation.conversation_id, conversation.to_json(), self._clock.now().isoformat())
        with self._connection() as db:
            db.execute("INSERT OR REPLACE INTO conversation VALUES (?, ?, ?)", row)
            db.execute(
                "DELETE FROM conversation WHERE conversation_id IN"
                " (SELECT conversation_id FROM conversation ORDER BY turned_at DESC LIMIT -1 OFFSET ?)",
                (self._keep,),
            )

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self._path, timeout=10)
            try:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
                db.executescript(_SCHEMA)
                with db:
                    yield db
            finally:
                db.close()
        except (OSError, sqlite3.Error) as exc:
            raise ConversationStoreError(
                f"{self._path}: {exc}. Move the file away, or set PULLQUOTE_DATA_DIR to a folder that can be written."
            ) from exc
