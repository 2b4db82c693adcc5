"""What people want to hear of, in a file that several processes use at once."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime, time
from pathlib import Path
from typing import Any

from bot.adapters.sqlite.database import Database
from bot.schedule import Schedule
from bot.subscription import Breadth, Place, Subscription, Watch

__all__ = ["SqliteSubscriptions"]

# Every key carries the workspace: one installation may serve several.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS subscription (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription_id TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (team, channel)
) STRICT;
CREATE TABLE IF NOT EXISTS watch (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    watch_id TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread TEXT NOT NULL,
    person TEXT NOT NULL,
    question TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (team, channel, thread, question)
) STRICT;
"""


class SqliteSubscriptions:
    """Subscriptions and watches that survive a restart."""

    def __init__(self, path: Path) -> None:
        """Keep them in *path*, which is not made before something is kept."""
        self._database = Database(path, _SCHEMA, durable=True)

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Return every subscription, the oldest first."""
        rows = self._rows("SELECT subscription_id, team, channel, content FROM subscription ORDER BY number")
        return tuple(_subscription(*row) for row in rows)

    def at(self, place: Place) -> Subscription | None:
        """Return the subscription of a place; None when it has none."""
        sql = "SELECT subscription_id, team, channel, content FROM subscription WHERE team = ? AND channel = ?"
        rows = self._rows(sql, place.team, place.channel)
        return _subscription(*rows[0]) if rows else None

    def save(self, subscription: Subscription) -> None:
        """Keep *subscription*, in place of the one that its place had."""
        place = subscription.place
        row = (subscription.subscription_id, place.team, place.channel, _content(subscription))
        with self._database.transaction() as db:
            db.execute(
                "INSERT INTO subscription (subscription_id, team, channel, content) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (team, channel) DO UPDATE SET"
                " subscription_id = excluded.subscription_id, content = excluded.content",
                row,
            )

    def remove(self, subscription_id: str) -> None:
        """Forget a subscription."""
        self._forget("subscription", "subscription_id", subscription_id)

    def watches(self) -> tuple[Watch, ...]:
        """Return every watch, the oldest first."""
        rows = self._rows(
            "SELECT watch_id, team, channel, thread, person, question, created_at FROM watch ORDER BY number"
        )
        return tuple(
            Watch(watch_id, Place(team, channel, thread), person, question, datetime.fromisoformat(at))
            for watch_id, team, channel, thread, person, question, at in rows
        )

    def add_watch(self, watch: Watch) -> bool:
        """Keep *watch*; return False, and do nothing, when the same question is watched there already."""
        place = watch.place
        row = (watch.watch_id, place.team, place.channel, place.thread, watch.person, watch.question)
        with self._database.transaction() as db:
            kept = db.execute(
                "INSERT OR IGNORE INTO watch (watch_id, team, channel, thread, person, question, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, watch.created_at.isoformat()),
            )
            return kept.rowcount == 1

    def remove_watch(self, watch_id: str) -> None:
        """Forget a watch."""
        self._forget("watch", "watch_id", watch_id)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _forget(self, table: str, column: str, name: str) -> None:
        if self._database.path.exists():
            with self._database.transaction() as db:
                db.execute(f"DELETE FROM {table} WHERE {column} = ?", (name,))  # noqa: S608  # both from above

    def _rows(self, sql: str, *arguments: str) -> list[Any]:
        if not self._database.path.exists():
            return []
        with self._database.transaction() as db:
            return db.execute(sql, arguments).fetchall()


def _content(subscription: Subscription) -> str:
    schedule = subscription.schedule
    fields = asdict(subscription) | {
        "created_at": subscription.created_at.isoformat(),
        "schedule": {"at": f"{schedule.at:%H:%M}", "zone": schedule.zone, "weekdays": sorted(schedule.weekdays)},
    }
    for column in ("subscription_id", "place"):
        del fields[column]
    return json.dumps(fields, ensure_ascii=False)


def _subscription(subscription_id: str, team: str, channel: str, content: str) -> Subscription:
    fields: dict[str, Any] = json.loads(content)
    when = fields.pop("schedule")
    return Subscription(
        subscription_id,
        Place(team, channel),
        created_at=datetime.fromisoformat(fields.pop("created_at")),
        topics=tuple(fields.pop("topics")),
        without=tuple(fields.pop("without")),
        breadth=Breadth(fields.pop("breadth")),
        schedule=Schedule(time.fromisoformat(when["at"]), when["zone"], frozenset(when["weekdays"])),
        **fields,
    )
