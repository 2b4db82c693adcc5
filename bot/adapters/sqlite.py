"""What is kept between runs, in one SQLite file in the data folder."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from bot.adapters.files import private_file
from bot.conversation import Conversation
from bot.errors import StoreError, UnknownAnswerError
from bot.model import Verdict
from bot.ports import Clock
from bot.records import AnswerRecord, Gap, QuoteRecord

__all__ = ["SqliteAnswers", "SqliteConversations"]

_CONVERSATIONS = """
CREATE TABLE IF NOT EXISTS conversation (
    conversation_id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    turned_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conversation_turned_at ON conversation (turned_at);
"""
_ANSWERS = """
CREATE TABLE IF NOT EXISTS answer (
    answer_id TEXT PRIMARY KEY,
    question TEXT NOT NULL,
    state TEXT NOT NULL,
    k INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    quotes TEXT NOT NULL,
    missing TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    version TEXT NOT NULL,
    times INTEGER NOT NULL,
    answered_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answer_answered_at ON answer (answered_at);
"""


class _Database:
    """One connection to one file, opened at the first use, so that reading a file that is not there leaves no trace."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._schema = schema
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
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(self._schema)
        except sqlite3.Error:
            connection.close()
            raise
        self._connection = connection
        return connection


class SqliteConversations:
    """Conversations that survive a restart; two processes may share the file."""

    def __init__(self, path: Path, clock: Clock, *, keep: int = 10_000) -> None:
        """Keep conversations in *path*, at most *keep* of them."""
        self._database = _Database(path, _CONVERSATIONS)
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


class SqliteAnswers:
    """The answers given, by id, so that they can be checked and given again; nothing says who asked."""

    def __init__(self, path: Path, clock: Clock, *, keep: int = 50_000) -> None:
        """Keep answers in *path*, at most *keep* of them."""
        self._database = _Database(path, _ANSWERS)
        self._clock = clock
        self._keep = keep

    def record(self, record: AnswerRecord) -> None:
        """Keep *record*; an answer given again counts once more. The oldest make room."""
        quotes = json.dumps([[q.entry_id, q.start, q.end, q.text] for q in record.quotes], ensure_ascii=False)
        row = (
            record.answer_id,
            record.question,
            record.state,
            record.k,
            record.verdict.value,
            quotes,
            json.dumps(record.missing, ensure_ascii=False),
            record.fingerprint,
            record.version,
            self._clock.now().isoformat(),
        )
        with self._database.transaction() as db:
            db.execute(
                "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (answer_id)"
                " DO UPDATE SET times = times + 1, answered_at = excluded.answered_at",
                row,
            )
            db.execute(
                "DELETE FROM answer WHERE answer_id IN"
                " (SELECT answer_id FROM answer ORDER BY answered_at DESC LIMIT -1 OFFSET ?)",
                (self._keep,),
            )

    def find(self, answer_id: str) -> AnswerRecord:
        """Return the answer of that id.

        Raises:
            UnknownAnswerError: If none is kept.
        """
        columns = "question, state, k, verdict, quotes, missing, fingerprint, version"
        row = None
        if self._database.path.exists():
            with self._database.transaction() as db:
                row = db.execute(f"SELECT {columns} FROM answer WHERE answer_id = ?", (answer_id,)).fetchone()  # noqa: S608
        if row is None:
            raise UnknownAnswerError(answer_id)
        question, state, k, verdict, quotes, missing, fingerprint, version = row
        return AnswerRecord(
            answer_id,
            question,
            state,
            k,
            Verdict(verdict),
            tuple(QuoteRecord(*quote) for quote in json.loads(quotes)),
            tuple(json.loads(missing)),
            fingerprint,
            version,
        )

    def gaps(self) -> tuple[Gap, ...]:
        """Return the questions that were not answered, the most asked first, then by their text."""
        if not self._database.path.exists():
            return ()
        with self._database.transaction() as db:
            rows = db.execute(
                "SELECT lower(trim(question)), verdict, sum(times), max(missing) FROM answer"
                " WHERE verdict IN ('nothing', 'related') GROUP BY 1, 2 ORDER BY 3 DESC, 1"
            ).fetchall()
        return tuple(
            Gap(question, Verdict(v), times, tuple(json.loads(missing))) for question, v, times, missing in rows
        )

    def counts(self) -> dict[Verdict, int]:
        """Return how many answers of each verdict were given."""
        if not self._database.path.exists():
            return {}
        with self._database.transaction() as db:
            rows = db.execute("SELECT verdict, sum(times) FROM answer GROUP BY 1 ORDER BY 1").fetchall()
        return {Verdict(verdict): times for verdict, times in rows}

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
