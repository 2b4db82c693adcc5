"""Conversations that survive a restart."""

from __future__ import annotations

from pathlib import Path

from bot.adapters.sqlite.database import Database
from bot.conversation import Conversation
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
    """Conversations that survive a restart; two processes may share the file."""

    def __init__(self, path: Path, clock: Clock, *, keep: int = 10_000) -> None:
        """Keep conversations in *path*, at most *keep* of them."""
        self._database = Database(path, _SCHEMA)
        self._clock = clock
        self._keep = keep

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept, or what is kept is damaged."""
        if not self._database.path.exists():
            return Conversation(conversation_id)
        with self._database.transaction() as db:
            row = db.execute("SELECT state FROM conversation WHERE conversation_id = ?", (conversation_id,)).fetchone()
        try:
            return Conversation(conversation_id) if row is None else Conversation.from_json(row[0])
        except ValueError:
            return Conversation(conversation_id)

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*; those longest without a turn make room."""
        row = (conversation.conversation_id, conversation.to_json(), self._clock.now().isoformat())
        with self._database.transaction() as db:
            db.execute("INSERT OR REPLACE INTO conversation VALUES (?, ?, ?)", row)
            db.execute(
                "DELETE FROM conversation WHERE conversation_id IN"
                " (SELECT conversation_id FROM conversation ORDER BY turned_at DESC LIMIT -1 OFFSET ?)",
                (self._keep,),
            )

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
