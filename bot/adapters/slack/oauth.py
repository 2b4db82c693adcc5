"""Installing by OAuth: any workspace can install the app, and its token is kept in the data folder."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path

from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store.models.bot import Bot
from slack_sdk.oauth.installation_store.sqlite3 import SQLite3InstallationStore
from slack_sdk.oauth.state_store.sqlite3 import SQLite3OAuthStateStore

from bot.adapters.files import private_file
from bot.adapters.slack.manifest import SCOPES
from bot.adapters.slack.teams import Team
from bot.errors import InboxError

__all__ = ["InstalledTeams", "Installing", "oauth_settings"]

log = logging.getLogger(__name__)

_KNOWN_FOR_S = 60
_STATE_LIFE_S = 600


@dataclass(frozen=True, slots=True)
class Installing:
    """The app's own credentials, with which workspaces install it."""

    client_id: str
    client_secret: str = field(repr=False)


def oauth_settings(installing: Installing, folder: Path) -> AsyncOAuthSettings:
    """Return Bolt's settings: installing begins at /slack/install and comes back to /slack/oauth_redirect."""
    states = SQLite3OAuthStateStore(database=_file(folder), expiration_seconds=_STATE_LIFE_S, logger=log)
    states.init()  # type: ignore[no-untyped-call]
    return AsyncOAuthSettings(
        client_id=installing.client_id,
        client_secret=installing.client_secret,
        scopes=list(SCOPES),
        user_scopes=[],
        installation_store=_store(installing, folder),
        installation_store_bot_only=True,
        state_store=states,
        logger=log,
    )


class InstalledTeams:
    """The workspaces that have installed the app."""

    def __init__(self, folder: Path, installing: Installing) -> None:
        """Know the installations kept in *folder*."""
        self._store = _store(installing, folder)
        self._known: dict[tuple[str, str], tuple[float, Team]] = {}

    async def find(self, *, team_id: str, enterprise_id: str) -> Team | None:
        """Return the installation; None when there is none. What was found is believed for a minute.

        Raises:
            InboxError: If the installations cannot be read.
        """
        key = (enterprise_id, team_id)
        at, team = self._known.get(key, (0.0, None))
        if team is not None and time.monotonic() - at < _KNOWN_FOR_S:
            return team
        bot = await asyncio.to_thread(self._bot, team_id, enterprise_id)
        if bot is None or not bot.bot_token:
            return None
        found = Team(bot.team_id or "", bot.bot_user_id or "", bot.bot_id or "", bot.bot_token, bot.team_name or "")
        self._known[key] = (time.monotonic(), found)
        return found

    def _bot(self, team_id: str, enterprise_id: str) -> Bot | None:
        enterprise, team = enterprise_id or None, team_id or None
        bot = self._store.find_bot(enterprise_id=enterprise, team_id=team)
        if bot is None and enterprise is not None:
            # An organisation that installed the app as a whole has one installation for all of its workspaces.
            bot = self._store.find_bot(enterprise_id=enterprise, team_id=team, is_enterprise_install=True)
        if bot is None:
            self._check_readable()
        return bot

    def _check_readable(self) -> None:
        """Tell "not installed" from "cannot be read", which the store answers alike."""
        try:
            with contextlib.closing(self._store.connect()) as connection:
                connection.execute("SELECT 1 FROM slack_bots LIMIT 1")
        except sqlite3.Error as exc:
            raise InboxError(f"{self._store.database}: {exc}") from exc

    async def forget(self, *, team_id: str, enterprise_id: str) -> None:
        """Forget an installation that was taken back."""
        self._known.pop((enterprise_id, team_id), None)
        await asyncio.to_thread(self._store.delete_all, enterprise_id=enterprise_id or None, team_id=team_id or None)


def _store(installing: Installing, folder: Path) -> SQLite3InstallationStore:
    store = SQLite3InstallationStore(database=_file(folder), client_id=installing.client_id, logger=log)
    store.init()  # type: ignore[no-untyped-call]
    return store


def _file(folder: Path) -> str:
    return str(private_file(folder / "slack-installations.sqlite3"))
