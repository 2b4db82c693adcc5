"""The way out for what nobody asked for just now: digests, and new answers to watched questions."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.adapters.slack.blocks import Content, content_of
from bot.adapters.slack.digest_blocks import digest_parts, notice_part
from bot.adapters.slack.looking import look_for
from bot.adapters.slack.names import DIGEST_METADATA
from bot.adapters.slack.poster import CONTENT_REFUSED
from bot.adapters.slack.teams import Team, Teams
from bot.adapters.slack.turns import Turns
from bot.adapters.slack.web import AmbiguousError, LimitedError, RefusedError, UnreachableError, Web
from bot.model import Answer
from bot.subscription import Digest, Part, Place, Posted, Watch

__all__ = ["SlackOutlet"]

log = logging.getLogger(__name__)

_BEFORE = timedelta(seconds=60)  # clocks differ
_REASONS = {
    "not_in_channel": "I am not in the channel; /invite lets me in",
    "channel_not_found": "I cannot see the channel; /invite lets me in",
    "is_archived": "the channel is archived",
    "account_inactive": "the app was taken out of the workspace",
    "token_revoked": "the app was taken out of the workspace",
    "thread_not_found": "the thread is gone",
}
_NEITHER = Posted("refused", reason="Slack takes neither its blocks nor its text")
_TOKEN = frozenset({"invalid_auth", "not_authed"})
_PASSING = _TOKEN | {"missing_scope"}
"""What somebody is likely to put right: it is tried again. A look without leave is not: it would never come."""


@dataclass(slots=True)
class _Connected:
    web: Web
    teams: Teams
    turns: Turns


class SlackOutlet:
    """Posts in Slack, while there is a connection."""

    def __init__(self) -> None:
        """Begin without a connection: no place is served."""
        self._connected: _Connected | None = None
        self._under_way = 0
        self._idle = asyncio.Event()

    def connect(self, web: Web, teams: Teams, turns: Turns) -> None:
        """Post through *web* from now on, in the installations of *teams*, at the pace of *turns*."""
        self._connected = _Connected(web, teams, turns)

    async def disconnect(self, *, within_s: float = 20) -> None:
        """Serve no place from now on; what is under way may take *within_s* seconds yet, so that its end is known."""
        self._connected = None
        if self._under_way:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await self._idle.wait()

    def serves(self, place: Place) -> bool:
        """Tell whether *place* is in Slack, and there is a connection."""
        return self._connected is not None and not place.is_local

    def render(self, digest: Digest) -> tuple[Part, ...]:
        """Return the messages of *digest*."""
        return digest_parts(digest)

    def render_answer(self, watch: Watch, answer: Answer) -> Part:
        """Return *answer* as any answer is shown, without buttons: what they refer to is not on the thread's table."""
        shown = [quote.entry.entry_id for quote in answer.quotes] or [entry.entry_id for entry in answer.listing]
        content = content_of(answer, watch.watch_id)
        blocks = tuple(block for block in content.blocks if block["type"] not in {"actions", "context_actions"})
        return Part(Content(content.text, blocks).to_json(), tuple(shown))

    def render_notice(self, text: str, *, by: str = "") -> Part:
        """Return a message of plain words."""
        return notice_part(text, by=by)

    async def post(self, place: Place, part: Part, *, key: str, root: str) -> Posted:
        """Post *part* once; blocks that Slack refuses are left out of a second try."""
        async with self._at(place) as (connected, team):
            if connected is None or team is None:
                return Posted("absent", reason="there is no connection to the workspace")
            content = Content.from_json(part.content)
            ended = await self._try(connected, team, place, content, key=key, root=root)
            bare = Content(content.text)
            return ended or await self._try(connected, team, place, bare, key=key, root=root) or _NEITHER

    @staticmethod
    async def _try(
        connected: _Connected, team: Team, place: Place, content: Content, *, key: str, root: str
    ) -> Posted | None:
        """Post *content* once; None when Slack refuses its blocks."""
        await connected.turns.take(place.team, place.channel)
        try:
            answer = await connected.web.call(
                "chat.postMessage",
                team.token,
                channel=place.channel,
                **_thread(place, root),
                **content.arguments(),
                metadata={"event_type": DIGEST_METADATA, "event_payload": {"key": key}},
            )
        except RefusedError as exc:
            if content.blocks and exc.error in CONTENT_REFUSED:
                log.error("blocks refused", extra={"error": exc.error, "details": "; ".join(exc.details)})  # noqa: TRY400
                return None
            return _refused(exc)
        except (LimitedError, AmbiguousError, UnreachableError) as exc:
            return _failed(exc)
        return Posted("posted", name=str(answer.get("ts") or ""))

    async def find(self, place: Place, *, key: str, root: str, since: datetime) -> Posted:
        """Look for the message of *key* in the channel, or in the thread where it belongs."""
        async with self._at(place) as (connected, team):
            if connected is None or team is None:
                return Posted("later", reason="there is no connection to the workspace")
            try:
                found = await look_for(
                    key,
                    connected.web,
                    team.token,
                    channel=place.channel,
                    thread=root or place.thread,
                    oldest=f"{(since - _BEFORE).timestamp():.6f}",
                )
            except (LimitedError, AmbiguousError, UnreachableError) as exc:
                return replace(_failed(exc), outcome="later")
            except RefusedError as exc:
                outcome = "later" if exc.error in _TOKEN else "unknowable"
                return Posted(outcome, reason=str(exc))
            if found is None:
                return Posted("unknowable", reason="too much was said since to look through")
            return Posted("posted", name=found) if found else Posted("absent")

    async def tell(self, place: Place, person: str, text: str) -> None:
        """Tell *person* in their messages with the bot."""
        async with self._at(place) as (connected, team):
            if connected is None or team is None or not person:
                return
            try:
                said = Content.from_json(notice_part(text).content)
                await connected.web.call("chat.postMessage", team.token, channel=person, **said.arguments())
            except (LimitedError, AmbiguousError, UnreachableError, RefusedError) as exc:
                log.warning("cannot tell the person", extra={"reason": str(exc)})

    @asynccontextmanager
    async def _at(self, place: Place) -> AsyncIterator[tuple[_Connected | None, Team | None]]:
        """Yield the connection and the installation of *place*, which are used until the end of the block."""
        connected = self._connected
        self._under_way += 1
        self._idle.clear()
        try:
            team = None if connected is None else await connected.teams.find(team_id=place.team, enterprise_id="")
            yield connected, team
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()


def _thread(place: Place, root: str) -> dict[str, str]:
    thread = root or place.thread
    return {"thread_ts": thread} if thread else {}


def _failed(exc: LimitedError | AmbiguousError | UnreachableError) -> Posted:
    match exc:
        case LimitedError():
            return Posted("later", wait_s=exc.wait_s, reason=str(exc))
        case AmbiguousError():
            return Posted("uncertain", reason=str(exc))
        case _:
            return Posted("absent", reason=str(exc))


def _refused(exc: RefusedError) -> Posted:
    if exc.error in _PASSING:
        return Posted("absent", reason=str(exc))
    return Posted("refused", reason=_REASONS.get(exc.error, str(exc)))
