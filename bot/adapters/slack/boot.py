"""What is asked of Slack before anything else: who are we, what may we do, where is the socket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.adapters.slack.manifest import SCOPES, lost_without
from bot.adapters.slack.teams import Team
from bot.adapters.slack.web import AmbiguousError, LimitedError, RefusedError, UnreachableError, Web
from bot.errors import PlatformError, SettingsError

__all__ = [
    "TOKEN_REFUSED",
    "granted_scopes",
    "identify",
    "missing_scopes",
    "open_socket_address",
    "warn_of_missing_scopes",
]

log = logging.getLogger(__name__)

_BACKOFF_S = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
TOKEN_REFUSED = {
    "invalid_auth": "Slack does not know this token",
    "not_authed": "Slack does not know this token",
    "not_allowed_token_type": "this is the wrong kind of token",
    "token_revoked": "the token was revoked: install the app again",
    "token_expired": "the token has expired: install the app again",
    "account_inactive": "the app was taken out of the workspace: install it again",
    "missing_scope": 'the token lacks the scope "connections:write"',
    "access_denied": "Socket Mode is off: switch it on in the app's settings",
}


async def identify(web: Web, token: str, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> Team:
    """Return the installation that *token* belongs to.

    Raises:
        SettingsError: If Slack does not take the token.
        PlatformError: If it cannot be reached for a while.
    """
    answer = await _insist(web, "auth.test", token, setting="SLACK_BOT_TOKEN", sleep=sleep)
    return Team(
        team_id=str(answer.get("team_id") or ""),
        bot_user_id=str(answer.get("user_id") or ""),
        bot_id=str(answer.get("bot_id") or ""),
        token=token,
        name=str(answer.get("team") or ""),
        url=str(answer.get("url") or ""),
        scopes=granted_scopes(answer),
    )


async def open_socket_address(
    web: Web, app_token: str, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> str:
    """Return the address of a socket; it is good for one handshake within half a minute.

    Raises:
        SettingsError: If Slack does not take the token.
        PlatformError: If it cannot be reached for a while.
    """
    answer = await _insist(web, "apps.connections.open", app_token, setting="SLACK_APP_TOKEN", sleep=sleep)
    return str(answer["url"])


def granted_scopes(answer: Mapping[str, Any]) -> frozenset[str]:
    """Return the scopes that a token has, by the headers of an *answer* to a call with it; empty when unknown."""
    headers = {str(name).lower(): str(value) for name, value in answer["headers"].items()}
    return frozenset(scope.strip() for scope in headers.get("x-oauth-scopes", "").split(",")) - {""}


def missing_scopes(granted: frozenset[str]) -> list[str]:
    """Return the scopes that the app wants and were not *granted*, in the manifest's order; none when none is known."""
    return [scope for scope in SCOPES if granted and scope not in granted]


def warn_of_missing_scopes(team: Team) -> None:
    """Log what does not work for want of a scope."""
    for scope in missing_scopes(team.scopes):
        log.warning("scope missing", extra={"scope": scope, "lost": lost_without(scope)})


async def _insist(
    web: Web, method: str, token: str, *, setting: str, sleep: Callable[[float], Awaitable[None]]
) -> Mapping[str, Any]:
    """Call *method* until Slack answers, a few minutes at most."""
    for backoff_s in _BACKOFF_S:
        try:
            return await web.call(method, token)
        except LimitedError as exc:
            wait_s = exc.wait_s
        except (AmbiguousError, UnreachableError) as exc:
            log.warning("Slack does not answer", extra={"reason": str(exc), "again_in_s": backoff_s})
            wait_s = backoff_s
        except RefusedError as exc:
            if exc.error in TOKEN_REFUSED:
                raise SettingsError(setting, "", f"{TOKEN_REFUSED[exc.error]} ({method}: {exc.error})") from exc
            raise
        await sleep(wait_s)
    raise PlatformError(f"{method}: Slack at {web.api_url} does not answer; is the network there?")
