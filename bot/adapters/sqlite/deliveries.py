"""What was posted where: claims, leases and proofs, in a file that several processes use at once."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.adapters.sqlite.database import Database
from bot.subscription import Delivery, Part, RunState, Sent

__all__ = ["SqliteDeliveries"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS progress (owner_id TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS delivery (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    holder TEXT NOT NULL, -- the process that works on it; empty while it waits
    held_until REAL NOT NULL, -- seconds since 1970, as everything here that is compared
    begun_at TEXT NOT NULL,
    ended_at TEXT,
    upto INTEGER NOT NULL DEFAULT 0,
    parts TEXT NOT NULL DEFAULT '[]',
    posted TEXT NOT NULL DEFAULT '[]',
    trying INTEGER NOT NULL DEFAULT 0,
    looks INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    facts TEXT NOT NULL DEFAULT '{}',
    UNIQUE (owner_id, key)
) STRICT;
CREATE INDEX IF NOT EXISTS delivery_open ON delivery (held_until) WHERE is_open;
CREATE TABLE IF NOT EXISTS pending (
    owner_id TEXT NOT NULL,
    key TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (owner_id, key, entry_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (
    owner_id TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (owner_id, entry_id)
) STRICT, WITHOUT ROWID;
"""
_NO_PARTS = "'[]'"
_COLUMNS = "owner_id, key, state, begun_at, upto, parts, posted, trying, looks, attempts, error, ended_at, facts"
_UPDATE = (
    "UPDATE delivery SET state = ?, is_open = ?, upto = ?, parts = ?, posted = ?, trying = ?, looks = ?, attempts = ?,"
    " error = ?, facts = ?, ended_at = ?, holder = ?, held_until = ?"
    " WHERE owner_id = ? AND key = ? AND holder = ? AND is_open"
)
_TAKE = (
    "UPDATE delivery SET holder = ?, held_until = ? WHERE number ="  # noqa: S608  # nothing in it is from outside
    f" (SELECT number FROM delivery WHERE is_open AND held_until <= ? ORDER BY number LIMIT 1) RETURNING {_COLUMNS}"
)
_LATEST = (
    f"SELECT {_COLUMNS.replace('parts', _NO_PARTS)} FROM delivery WHERE owner_id = coalesce(?, owner_id)"  # noqa: S608
    " ORDER BY number DESC LIMIT ?"
)
_HAVING = f"SELECT {_COLUMNS} FROM delivery WHERE owner_id = ? AND instr(posted, ?) ORDER BY number DESC"  # noqa: S608
_PROVE = (
    "INSERT OR REPLACE INTO sent (owner_id, entry_id, content)"
    " SELECT owner_id, entry_id, content FROM pending WHERE owner_id = ? AND key = ?"
)
_KEPT_PER_OWNER = 400


class SqliteDeliveries:
    """Deliveries that survive a restart, and are worked on by one process at a time."""

    def __init__(self, path: Path) -> None:
        """Keep them in *path*, working on them under a name of this object's own."""
        self._database = Database(path, _SCHEMA, durable=True)
        self._holder = secrets.token_hex(8)

    def start(self, owner_id: str, sequence: int, *, again: bool = False) -> None:
        """Let the first window of a subscription or watch begin after change *sequence*, if it has none yet."""
        how = "REPLACE" if again else "IGNORE"
        with self._database.transaction() as db:
            db.execute(f"INSERT OR {how} INTO progress VALUES (?, ?)", (owner_id, sequence))  # noqa: S608

    def progress(self, owner_id: str) -> int | None:
        """Return the change after which the next window begins; None before `start`."""
        rows = self._rows("SELECT sequence FROM progress WHERE owner_id = ?", owner_id)
        return int(rows[0][0]) if rows else None

    def claim(self, owner_id: str, key: str, *, now: datetime, lease_s: float) -> Delivery | None:
        """Begin the delivery of that key; None when it was ever begun, by whomever."""
        row = (owner_id, key, RunState.CLAIMED.value, 1, self._holder, now.timestamp() + lease_s, now.isoformat())
        with self._database.transaction() as db:
            claimed = db.execute(
                "INSERT OR IGNORE INTO delivery (owner_id, key, state, is_open, holder, held_until, begun_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            return Delivery(owner_id, key, RunState.CLAIMED, now) if claimed.rowcount == 1 else None

    def take_over(self, *, now: datetime, lease_s: float) -> Delivery | None:
        """Claim an open delivery whose lease has ended and whose wait is over, the oldest; None when there is none."""
        if not self._database.path.exists():
            return None
        with self._database.transaction() as db:
            rows = db.execute(_TAKE, (self._holder, now.timestamp() + lease_s, now.timestamp())).fetchall()
            return _delivery(rows[0]) if rows else None

    def keep(
        self,
        delivery: Delivery,
        *,
        now: datetime,
        lease_s: float,
        wait_s: float = 0.0,
        to_send: Sequence[Sent] = (),
        proven: Sequence[str] = (),
    ) -> bool:
        """Write *delivery* down as it is now; return whether it is still ours."""
        until = now.timestamp() + (wait_s or lease_s)
        with self._database.transaction() as db:
            if not self._write(db, delivery, "" if wait_s else self._holder, until):
                return False
            where = (delivery.owner_id, delivery.key)
            rows = [(*where, one.entry_id, _sent_text(one)) for one in to_send]
            db.executemany("INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)", rows)
            db.executemany(f"{_PROVE} AND entry_id = ?", [(*where, entry_id) for entry_id in proven])
            return True

    def finish(self, delivery: Delivery, *, now: datetime, advance: bool) -> bool:
        """Write down how *delivery* ended; return whether it was still ours."""
        where = (delivery.owner_id, delivery.key)
        with self._database.transaction() as db:
            if not self._write(db, delivery, "", now.timestamp()):
                return False
            if advance:
                db.execute(_PROVE, where)
                db.execute(
                    "UPDATE progress SET sequence = max(sequence, ?) WHERE owner_id = ?",
                    (delivery.upto, delivery.owner_id),
                )
            db.execute("DELETE FROM pending WHERE owner_id = ? AND key = ?", where)
            db.execute(
                "DELETE FROM delivery WHERE owner_id = ? AND NOT is_open AND number NOT IN"
                " (SELECT number FROM delivery WHERE owner_id = ? ORDER BY number DESC LIMIT ?)",
                (delivery.owner_id, delivery.owner_id, _KEPT_PER_OWNER),
            )
            return True

    def sent(self, owner_id: str) -> Mapping[str, Sent]:
        """Return what was posted, by entry id."""
        rows = self._rows("SELECT content FROM sent WHERE owner_id = ? ORDER BY entry_id", owner_id)
        found = [_sent(content) for (content,) in rows]
        return {one.entry_id: one for one in found}

    def deliveries(self, owner_id: str | None = None, *, limit: int = 20) -> tuple[Delivery, ...]:
        """Return the latest deliveries, of one owner or of all, the latest first; without their parts."""
        columns = _COLUMNS.replace("parts", "'[]'")
        rows = self._rows(
            f"SELECT {columns} FROM delivery WHERE owner_id = coalesce(?, owner_id) ORDER BY number DESC LIMIT ?",  # noqa: S608
            owner_id,
            limit,
        )
        return tuple(map(_delivery, rows))

    def shown_by(self, owner_id: str, name: str) -> tuple[str, ...]:
        """Return the entries that the message which the platform calls *name* shows; none when it is not known."""
        rows = self._rows(_HAVING, owner_id, json.dumps(name))
        return next((found for row in rows if (found := _delivery(row).shown_by(name))), ())

    def forget(self, owner_id: str) -> None:
        """Forget everything of a subscription or watch."""
        if self._database.path.exists():
            with self._database.transaction() as db:
                for table in ("progress", "delivery", "pending", "sent"):
                    db.execute(f"DELETE FROM {table} WHERE owner_id = ?", (owner_id,))  # noqa: S608

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _write(self, db: sqlite3.Connection, delivery: Delivery, holder: str, until: float) -> bool:
        row = (*_columns(delivery), holder, until, delivery.owner_id, delivery.key, self._holder)
        return db.execute(_UPDATE, row).rowcount == 1

    def _rows(self, sql: str, *arguments: object) -> list[Any]:
        if not self._database.path.exists():
            return []
        with self._database.transaction() as db:
            return db.execute(sql, arguments).fetchall()


def _columns(delivery: Delivery) -> tuple[object, ...]:
    return (
        delivery.state.value,
        int(delivery.state.is_open),
        delivery.upto,
        json.dumps([[part.content, part.entry_ids] for part in delivery.parts], ensure_ascii=False),
        json.dumps(delivery.posted),
        int(delivery.trying),
        delivery.looks,
        delivery.attempts,
        delivery.error,
        json.dumps(delivery.facts, ensure_ascii=False),
        None if delivery.ended_at is None else delivery.ended_at.isoformat(),
    )


def _delivery(row: Sequence[Any]) -> Delivery:
    owner_id, key, state, begun_at, upto, parts, posted, trying, looks, attempts, error, ended_at, facts = row
    return Delivery(
        owner_id,
        key,
        RunState(state),
        datetime.fromisoformat(begun_at),
        upto=upto,
        parts=tuple(Part(content, tuple(entry_ids)) for content, entry_ids in json.loads(parts)),
        posted=tuple(json.loads(posted)),
        trying=bool(trying),
        looks=looks,
        attempts=attempts,
        error=error,
        ended_at=None if ended_at is None else datetime.fromisoformat(ended_at),
        facts=json.loads(facts),
    )


def _sent_text(sent: Sent) -> str:
    return json.dumps(asdict(sent) | {"at": sent.at.isoformat()}, ensure_ascii=False)


def _sent(content: str) -> Sent:
    fields: dict[str, Any] = json.loads(content)
    return Sent(
        **fields | {"at": datetime.fromisoformat(fields["at"]), "authors": tuple(fields["authors"])},
    )
