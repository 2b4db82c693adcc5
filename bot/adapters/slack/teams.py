"""The workspaces that the app is installed in: whose token to use, and who the bot is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from slack_bolt.authorization import AuthorizeResult

from bot.errors import PlatformError

__all__ = ["OneTeam", "Team", "Teams"]


@dataclass(frozen=True, slots=True)
class Team:
    """One installation.

    Attributes:
        team_id: Empty for an installation in a whole organisation.
        scopes: What the token may do; empty when it is not known.
    """

    team_id: str
    bot_user_id: str
    bot_id: str
    token: str = field(repr=False)
    name: str = ""
    url: str = ""
    scopes: frozenset[str] = frozenset()

    def authorization(self, enterprise_id: str | None) -> AuthorizeResult:
        """Return what Bolt wants to know of the installation."""
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=self.team_id or None,
            bot_user_id=self.bot_user_id,
            bot_id=self.bot_id,
            bot_token=self.token,
        )


class Teams(Protocol):
    """Find installations."""

    async def find(self, *, team_id: str, enterprise_id: str) -> Team | None:
        """Return the installation that a delivery belongs to; None when the app is not installed there."""
        ...

    async def forget(self, *, team_id: str, enterprise_id: str) -> None:
        """Forget an installation that was taken back."""
        ...


class OneTeam:
    """The one workspace whose token is in the settings."""

    def __init__(self, team: Team) -> None:
        """Serve *team* alone.

        Raises:
            PlatformError: If Slack did not say who the bot is.
        """
        if not team.bot_user_id:
            raise PlatformError("auth.test names no bot user; SLACK_BOT_TOKEN must be a bot token (xoxb-)")
        self.team = team

    async def find(self, *, team_id: str, enterprise_id: str) -> Team | None:
        """Return the workspace; events of shared channels may carry the other organisation's id."""
        del team_id, enterprise_id
        return self.team

    async def forget(self, *, team_id: str, enterprise_id: str) -> None:
        """Do nothing: a token in the settings is taken back by whoever put it there."""
