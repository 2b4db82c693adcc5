"""The answers given, and what was not answered."""

from __future__ import annotations

import json
from pathlib import Path

from bot.adapters.sqlite.database import Database
from bot.errors import UnknownAnswerError
from bot.model import Verdict
from bot.ports import Clock
from bot.records import AnswerRecord, Gap, QuoteRecord

__all__ = ["SqliteAnswers"]

_SCHEMA = """
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


class SqliteAnswers:
    """The answers given, by id, so that they can be checked and given again; nothing says who asked."""

    def __init__(self, path: Path, clock: Clock, *, keep: int = 50_000) -> None:
        """Keep answers in *path*, at most *keep* of them."""
        self._database = Database(path, _SCHEMA)
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
