"""The write-ahead inbox: a question is on the disk before Slack is told that it came, and stays until it is answered.

A question goes through new, ready (its answer is on the disk), posting (it may stand in Slack already), and one of
the ends: done; dropped (too old); refused (over a quota); failed (Slack will not take it); unknown (it may stand in
Slack and there is no way to look). Whoever works on it is its owner; a dead owner's questions are taken over.
"""

from __future__ import annotations

import hmac
import logging
import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from bot.adapters.slack.blocks import Content
from bot.adapters.slack.database import Database
from bot.adapters.slack.events import Opinion, Question
from bot.adapters.slack.policy import Usage
from bot.conversation import Conversation
from bot.ports import Clock

__all__ = ["End", "Inbox", "Job"]

End: TypeAlias = Literal["done", "dropped", "refused", "failed", "unknown"]

log = logging.getLogger(__name__)

_OPEN = "state IN ('new', 'ready', 'posting')"
_KEEP_ROWS_S = 48 * 3600  # longer than Slack delivers again
_KEEP_OPINIONS_S = 400 * 24 * 3600  # a year to compare with the year before
_KEEP_TABLES_S = 30 * 24 * 3600  # buttons of older answers begin anew


@dataclass(frozen=True, slots=True)
class Job:
    """A question being worked on.

    Attributes:
        posting: Whether its answer may stand in Slack already.
        before: What lay on the table when it was first looked at, if it was.
        reply: Its answer, if there is one.
        attempts: How often posting has been tried.
    """

    id: int
    question: Question
    posting: bool
    before: Conversation | None
    reply: Content | None
    received_at: float
    attempts: int


class Inbox:
    """Keeps questions; see the module."""

    def __init__(self, database: Database, clock: Clock, *, owner: str) -> None:
        """Keep questions in *database*, working on them as *owner*."""
        self._database = database
        self._clock = clock
        self._owner = owner

    def _now(self) -> float:
        return self._clock.now().timestamp()

    async def accept(self, question: Question) -> bool:
        """Keep *question*; return whether it is new rather than delivered again.

        Raises:
            InboxError: If it cannot be kept; then Slack must not be told that it came.
        """
        now = self._now()

        def work(db: sqlite3.Connection) -> bool:
            new = db.execute(
                "INSERT OR IGNORE INTO inbox (event_id, message_key, key, team, channel, thread, user, conversation,"
                " sort, state, question, received_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'new', ?, ?)",
                (*_columns(question), question.sort or now, question.to_json(), now),
            ).rowcount
            if new and not question.private:
                row = (question.team, question.channel, question.thread, question.user, now)
                db.execute("INSERT OR REPLACE INTO thread VALUES (?, ?, ?, ?, ?)", row)
            _count(db, now, question.team, f"asked: {question.kind}" if new else "duplicates dropped")
            return bool(new)

        return await self._database.run(work)

    async def thread_user(self, question: Question) -> str | None:
        """Return whom the bot last took a question from in the thread; None when it has not joined it."""
        where = (question.team, question.channel, question.thread)
        sql = "SELECT user FROM thread WHERE team = ? AND channel = ? AND thread = ?"
        row = await self._database.run(lambda db: db.execute(sql, where).fetchone())
        return None if row is None else str(row["user"])

    async def claim(self) -> Job | None:
        """Return a question to work on, the oldest whose conversation nobody works on; None when there is none."""
        now = self._now()
        sql = (
            f"UPDATE inbox SET owner = ? WHERE id = (SELECT id FROM inbox AS one WHERE {_OPEN} AND owner IS NULL"  # noqa: S608
            f" AND not_before <= ? AND NOT EXISTS (SELECT 1 FROM inbox AS other WHERE other.{_OPEN}"
            " AND other.conversation = one.conversation"
            " AND (other.owner IS NOT NULL OR (other.sort, other.id) < (one.sort, one.id)))"
            " ORDER BY received_at, id LIMIT 1) RETURNING *"
        )

        def work(db: sqlite3.Connection) -> Job | None:
            while (row := _row(db.execute(sql, (self._owner, now)))) is not None:
                try:
                    return _job(row)
                except (ValueError, TypeError, KeyError) as exc:
                    # Written by another version, it would stop every start; it cannot be answered.
                    log.error("question unreadable", extra={"id": row["id"], "reason": str(exc)})  # noqa: TRY400
                    db.execute(
                        "UPDATE inbox SET state = 'failed', owner = NULL, done_at = ? WHERE id = ?", (now, row["id"])
                    )
            return None

        return await self._database.run(work)

    async def keep_before(self, job: Job, before: Conversation) -> None:
        """Keep what lies on the table, so that a crash from now on does not change what the question is about."""
        await self._update(job, before=before.to_json())

    async def ready(self, job: Job, reply: Content, after: Conversation | None, verdict: str) -> None:
        """Keep the answer."""
        kept = None if after is None else after.to_json()
        await self._update(job, state="ready", reply=reply.to_json(), after=kept, verdict=verdict)

    async def posting(self, job: Job) -> None:
        """Note that from now on the answer may stand in Slack."""
        await self._update(job, state="posting", attempts=job.attempts + 1)

    async def not_posted(self, job: Job) -> None:
        """Note that the answer certainly does not stand in Slack after all."""
        await self._update(job, state="ready")

    async def later(self, job: Job, *, wait_s: float) -> None:
        """Let go of a question; anybody may take it up again after *wait_s* seconds."""
        await self._update(job, owner=None, not_before=self._now() + wait_s)

    async def finish(self, job: Job, end: End) -> None:
        """Note how it ended. What was typed and answered is kept no longer than a new message needs it."""
        now, question = self._now(), job.question

        def work(db: sqlite3.Connection) -> None:
            row = db.execute("SELECT after, verdict FROM inbox WHERE id = ?", (job.id,)).fetchone()
            said = row["verdict"] if end == "done" else end
            state = said if said in {"dropped", "refused"} else end
            if end == "done" and row["after"] is not None:
                kept = (question.team, question.key, question.channel, question.thread, question.conversation_id)
                db.execute("INSERT OR REPLACE INTO answered VALUES (?, ?, ?, ?, ?, ?, ?)", (*kept, row["after"], now))
            db.execute(
                "UPDATE inbox SET state = ?, owner = NULL, question = '{}', before = NULL, reply = NULL, after = NULL,"
                " done_at = ? WHERE id = ?",
                (state, now, job.id),
            )
            _count(db, now, question.team, f"answer: {said}")

        await self._database.run(work)

    async def _update(self, job: Job, **values: object) -> None:
        columns = ", ".join(f"{name} = ?" for name in values)  # names are ours, values are bound
        sql = f"UPDATE inbox SET {columns} WHERE id = ?"  # noqa: S608
        await self._database.run(lambda db: db.execute(sql, (*values.values(), job.id)))

    async def owners(self) -> frozenset[str]:
        """Return who works on something, or died working on it."""
        sql = f"SELECT DISTINCT owner FROM inbox WHERE {_OPEN} AND owner IS NOT NULL"  # noqa: S608
        rows = await self._database.run(lambda db: db.execute(sql).fetchall())
        return frozenset(row["owner"] for row in rows)

    async def take_over(self, dead: Iterable[str]) -> int:
        """Let go of what dead owners worked on; return how many questions that was."""
        owners = [(owner,) for owner in dead]
        sql = f"UPDATE inbox SET owner = NULL WHERE {_OPEN} AND owner = ?"  # noqa: S608
        return await self._database.run(lambda db: db.executemany(sql, owners).rowcount if owners else 0)

    async def usage(self, question: Question, *, quota_s: float, fuse_s: float) -> Usage:
        """Return how much was answered to the person, in the channel and in the thread lately."""
        now, quota, fuse = self._now(), quota_s, fuse_s
        sql = """SELECT
            count(*) FILTER (WHERE user = :user AND state != 'refused' AND done_at > :quota) AS by_user,
            count(*) FILTER (WHERE channel = :channel AND state != 'refused' AND done_at > :quota) AS in_channel,
            count(*) FILTER (WHERE channel = :channel AND thread = :thread AND thread != '' AND state != 'refused'
                             AND done_at > :fuse) AS in_thread,
            count(*) FILTER (WHERE user = :user AND channel = :channel AND state = 'refused'
                             AND done_at > :quota) AS told
            FROM inbox WHERE team = :team AND done_at > :oldest"""
        values = {
            "user": question.user,
            "channel": question.channel,
            "thread": question.thread,
            "team": question.team,
            "quota": now - quota,
            "fuse": now - fuse,
            "oldest": now - max(quota, fuse),
        }
        row = await self._database.run(lambda db: db.execute(sql, values).fetchone())
        return Usage(row["by_user"], row["in_channel"], row["in_thread"], bool(row["told"]))

    async def table_of(self, question: Question) -> Conversation | None:
        """Return what lies on the table of an earlier answer: the one whose button it was, or the thread's last."""
        by_key = "SELECT after FROM answered WHERE team = ? AND key = ?"
        in_thread = "SELECT after FROM answered WHERE team = ? AND channel = ? AND thread = ? ORDER BY at DESC LIMIT 1"

        def work(db: sqlite3.Connection) -> sqlite3.Row | None:
            if question.table:
                return _row(db.execute(by_key, (question.team, question.table)))
            return _row(db.execute(in_thread, (question.team, question.channel, question.thread)))

        row = await self._database.run(work)
        return None if row is None else Conversation.from_json(row["after"])

    async def opine(self, opinion: Opinion) -> None:
        """Keep an opinion, in place of the same person's earlier one of the same answer."""
        now = self._now()

        def work(db: sqlite3.Connection) -> None:
            row = (opinion.team, opinion.key, _person(db, opinion.team, opinion.user), int(opinion.helpful), now)
            db.execute(
                "INSERT INTO opinion (team, key, person, helpful, at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET helpful = excluded.helpful, at = excluded.at",
                row,
            )

        await self._database.run(work)

    async def explain(self, *, team: str, key: str, user: str, reason: str) -> None:
        """Keep what somebody says was wrong with an answer."""
        sql = (
            "INSERT INTO opinion VALUES (?, ?, ?, 0, ?, ?)"
            " ON CONFLICT DO UPDATE SET reason = excluded.reason, at = excluded.at"
        )
        now = self._now()

        def work(db: sqlite3.Connection) -> None:
            db.execute(sql, (team, key, _person(db, team, user), reason[:3000], now))

        await self._database.run(work)

    async def count(self, counted: Mapping[str, int]) -> None:
        """Add to the statistics what was *counted* by name."""
        now = self._now()

        def work(db: sqlite3.Connection) -> None:
            for name, times in counted.items():
                _count(db, now, "", name, times)

        if counted:
            await self._database.run(work)

    async def depth(self) -> tuple[int, float]:
        """Return how many questions are open, and for how many seconds the oldest has been."""
        sql = f"SELECT count(*) AS n, min(received_at) AS oldest FROM inbox WHERE {_OPEN}"  # noqa: S608
        row = await self._database.run(lambda db: db.execute(sql).fetchone())
        return int(row["n"]), 0.0 if row["oldest"] is None else max(0.0, self._now() - row["oldest"])

    async def prune(self) -> None:
        """Forget what nothing needs any more."""
        now = self._now()

        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM inbox WHERE done_at < ?", (now - _KEEP_ROWS_S,))
            db.execute("DELETE FROM answered WHERE at < ?", (now - _KEEP_TABLES_S,))
            db.execute("DELETE FROM thread WHERE at < ?", (now - _KEEP_TABLES_S,))
            db.execute("DELETE FROM opinion WHERE at < ?", (now - _KEEP_OPINIONS_S,))

        await self._database.run(work)

    async def forget_team(self, team: str) -> None:
        """Forget everything of a workspace that has taken the app out."""

        def work(db: sqlite3.Connection) -> None:
            for table in ("inbox", "thread", "answered", "opinion", "tally"):
                db.execute(f"DELETE FROM {table} WHERE team = ?", (team,))  # noqa: S608  # names are ours

        await self._database.run(work)


def _columns(question: Question) -> tuple[str | None, ...]:
    place = (question.team, question.channel, question.thread, question.user)
    return question.event_id or None, question.message_key, question.key, *place, question.conversation_id


def _job(row: sqlite3.Row) -> Job:
    return Job(
        id=row["id"],
        question=Question.from_json(row["question"]),
        posting=row["state"] == "posting",
        before=None if row["before"] is None else Conversation.from_json(row["before"]),
        reply=None if row["reply"] is None else Content.from_json(row["reply"]),
        received_at=row["received_at"],
        attempts=row["attempts"],
    )


def _row(cursor: sqlite3.Cursor) -> sqlite3.Row | None:
    row = cursor.fetchone()
    return row if isinstance(row, sqlite3.Row) else None


def _person(db: sqlite3.Connection, team: str, user: str) -> str:
    """Return a name for a person that statistics can count by and nobody can read without this file."""
    db.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", (os.urandom(32),))
    (key,) = db.execute("SELECT value FROM secret").fetchone()
    return hmac.digest(key, f"{team}:{user}".encode(), "sha256").hex()[:16]


def _count(db: sqlite3.Connection, now: float, team: str, name: str, times: int = 1) -> None:
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    sql = "INSERT INTO tally VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"
    db.execute(sql, (day, team, name, times))
