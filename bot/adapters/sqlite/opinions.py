"""What people liked, disliked and saved, until they have it forgotten."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from bot.adapters.sqlite.database import Database
from bot.subscription import Opinion, Place

__all__ = ["SqliteOpinions"]

# Every key carries the workspace: one installation may serve several.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS opinion (
    team TEXT NOT NULL,
    channel TEXT NOT NULL,
    person TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    liked INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (team, channel, person, entry_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS saved (
    team TEXT NOT NULL,
    person TEXT NOT NULL,
    entry_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (team, person, entry_id)
) STRICT, WITHOUT ROWID;
"""


class SqliteOpinions:
    """Opinions and reading lists that survive a restart."""

    def __init__(self, path: Path) -> None:
        """Keep them in *path*, which is not made before something is kept."""
        self._database = Database(path, _SCHEMA)

    def put(self, opinion: Opinion) -> None:
        """Keep *opinion*, in place of what the person thought of the entry there before."""
        who = (opinion.team, opinion.channel, opinion.person, opinion.entry_id)
        row = (*who, opinion.title, opinion.abstract, int(opinion.liked), opinion.at.isoformat())
        with self._database.transaction() as db:
            db.execute("INSERT OR REPLACE INTO opinion VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def take_back(self, place: Place, person: str, entry_id: str) -> None:
        """Forget what *person* thought of an entry there."""
        where = (place.team, place.channel, person, entry_id)
        with self._database.transaction() as db:
            db.execute("DELETE FROM opinion WHERE team = ? AND channel = ? AND person = ? AND entry_id = ?", where)

    def of(self, team: str, channel: str) -> tuple[Opinion, ...]:
        """Return what people think at a place, the oldest first."""
        if not self._database.path.exists():
            return ()
        with self._database.transaction() as db:
            rows = db.execute(
                "SELECT * FROM opinion WHERE team = ? AND channel = ? ORDER BY at, person, entry_id", (team, channel)
            ).fetchall()
        return tuple(
            Opinion(team, channel, person, entry_id, title, abstract, bool(liked), datetime.fromisoformat(at))
            for team, channel, person, entry_id, title, abstract, liked, at in rows
        )

    def save(self, team: str, person: str, entry_id: str, *, at: datetime) -> bool:
        """Put an entry on the reading list of *person*; return False when it is there already."""
        row = (team, person, entry_id, at.isoformat())
        with self._database.transaction() as db:
            return db.execute("INSERT OR IGNORE INTO saved VALUES (?, ?, ?, ?)", row).rowcount == 1

    def saved(self, team: str, person: str) -> tuple[str, ...]:
        """Return the entries on the reading list of *person*, the latest first."""
        if not self._database.path.exists():
            return ()
        with self._database.transaction() as db:
            query = "SELECT entry_id FROM saved WHERE team = ? AND person = ? ORDER BY at DESC, entry_id"
            return tuple(entry_id for (entry_id,) in db.execute(query, (team, person)))

    def forget(self, team: str, person: str) -> int:
        """Forget everything of *person* in a workspace; return how many things that was."""
        if not self._database.path.exists():
            return 0
        with self._database.transaction() as db:
            who = (team, person)
            return (
                db.execute("DELETE FROM opinion WHERE team = ? AND person = ?", who).rowcount
                + db.execute("DELETE FROM saved WHERE team = ? AND person = ?", who).rowcount
            )

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
