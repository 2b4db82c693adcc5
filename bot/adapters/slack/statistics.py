"""Figures for whoever runs it: no names, no questions, nothing that was answered."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.adapters.slack.database import Database
from bot.present import printable

__all__ = ["Statistics", "read_statistics"]

_MOST_REASONS = 20


@dataclass(frozen=True, slots=True)
class Statistics:
    """What happened.

    Attributes:
        counts: How often each thing happened, by name, in alphabetical order.
        helpful: How many found an answer helpful.
        unhelpful: How many did not.
        reasons: What they said was wrong, the latest first.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    helpful: int = 0
    unhelpful: int = 0
    reasons: tuple[str, ...] = ()

    def as_object(self) -> dict[str, object]:
        """Return the figures ready for `json.dumps`."""
        opinions = {"helpful": self.helpful, "not_helpful": self.unhelpful, "reasons": list(self.reasons)}
        return {"counts": dict(self.counts), "feedback": opinions}


def read_statistics(path: Path, *, days: int, now: datetime) -> Statistics:
    """Return the figures of the last *days* days from the file at *path*; none when there is no file.

    Raises:
        InboxError: If the file cannot be read.
    """
    if not path.exists():
        return Statistics()
    since = now.astimezone(UTC) - timedelta(days=days)

    def work(db: sqlite3.Connection) -> Statistics:
        sql = "SELECT name, sum(count) AS n FROM tally WHERE day >= ? GROUP BY name ORDER BY name"
        counts = {str(row["name"]): int(row["n"]) for row in db.execute(sql, (since.date().isoformat(),))}
        sql = "SELECT coalesce(sum(helpful), 0) AS good, count(*) AS n FROM opinion WHERE at >= ?"
        row = db.execute(sql, (since.timestamp(),)).fetchone()
        sql = "SELECT reason FROM opinion WHERE at >= ? AND reason != '' ORDER BY at DESC LIMIT ?"
        reasons = tuple(printable(r["reason"]) for r in db.execute(sql, (since.timestamp(), _MOST_REASONS)))
        return Statistics(counts, int(row["good"]), int(row["n"] - row["good"]), reasons)

    database = Database(path)
    try:
        return database.run_now(work)
    finally:
        database.close_now()
