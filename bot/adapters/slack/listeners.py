"""What happens to each delivery: taken in before the ack, or acked and answered at once; nothing is left unacked."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse

from bot.adapters.slack.digest_listeners import DigestListeners
from bot.adapters.slack.entry_listeners import EntryListeners
from bot.adapters.slack.events import Ignored, Opinion, Question, asks_for_settings, read
from bot.adapters.slack.home import Shelf, home_view, prompts
from bot.adapters.slack.inbox import Inbox
from bot.adapters.slack.modal import offer, reason_in, reason_modal
from bot.adapters.slack.names import ASK, COMMAND, FEEDBACK, FIND, REASON, REASON_MODAL
from bot.adapters.slack.policy import RulesFile, ignores, wants_follow_up
from bot.adapters.slack.teams import Teams
from bot.adapters.slack.web import Web
from bot.errors import BotError
from bot.incidents import new_incident, safely

__all__ = ["Listeners"]

log = logging.getLogger(__name__)

_AGAIN = "That was asked before; the answer is in the same place."


@dataclass(slots=True)
class Listeners:
    """Take deliveries in.

    Attributes:
        shelf: Looks at what is searched, in a thread of its own.
        taken_in: Told when there is something new in the inbox.
        digests: Take what is done about digests; None where there are none.
        entries: Take what is done with entries of them.
        counted: What happened since the last time somebody wrote it down and cleared it.
    """

    inbox: Inbox
    rules: RulesFile
    teams: Teams
    web: Web
    shelf: Callable[[], Shelf]
    taken_in: Callable[[], None]
    digests: DigestListeners | None = None
    entries: EntryListeners | None = None
    counted: Counter[str] = field(default_factory=Counter)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def register(self, app: AsyncApp, *, installs: bool) -> None:
        """Add everything to *app*; what happens to installations only where the app can be installed."""
        app.middleware(self.take_in)
        app.error(self.failed)
        # One listener for each type that is subscribed to: what no listener matches is not acked, and comes again.
        app.event("app_mention")(_nothing)
        app.event("message")(_nothing)
        app.event("app_home_opened")(self.home_opened)
        if installs:
            app.event("app_uninstalled")(self.uninstalled)
            app.event("tokens_revoked")(self.uninstalled)
        app.action(REASON)(self.reason_wanted)
        app.view(REASON_MODAL)(self.reason_given)
        if self.digests is not None:
            self.digests.register(app)
        if self.entries is not None:
            self.entries.register(app)
        # These are taken in above, so that what is left here is acked and passed over.
        app.command(COMMAND)(_acked)
        app.message_shortcut(FIND)(_acked)
        app.action(re.compile(f"^{ASK}:"))(_acked)
        app.action(FEEDBACK)(_acked)

    @property
    def busy(self) -> bool:
        """Whether something is under way that nobody waits for."""
        return bool(self._tasks)

    async def finish(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._tasks)

    async def take_in(
        self,
        body: dict[str, Any],
        ack: AsyncAck,
        context: AsyncBoltContext,
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: A002  # Bolt injects by this name
    ) -> BoltResponse:
        """Keep a question before the ack, without a call to anywhere."""
        if self.digests is not None and asks_for_settings(body):
            return await next()  # a modal opens within three seconds or not at all
        match read(body, bot_user_id=context.bot_user_id or ""):
            case Question() as question:
                await self._keep(question)
            case Opinion() as opinion:
                await self.inbox.opine(opinion)
                if not opinion.helpful:
                    self.soon(self.web.respond(opinion.response_url, offer(opinion.key)), "offer to say more")
            case Ignored(reason):
                self.counted[f"passed over: {reason}"] += 1
            case None:
                return await next()
        return await ack()

    async def _keep(self, question: Question) -> None:
        reason = ignores(self.rules.current(), question)
        if reason is None and question.kind == "follow_up" and not await self._wanted(question):
            reason = "not addressed"
        if reason is not None:
            self.counted[f"passed over: {reason}"] += 1
        elif await self.inbox.accept(question):
            self.taken_in()
        elif question.kind == "button" and question.response_url:
            again = {"response_type": "ephemeral", "replace_original": False, "text": _AGAIN}
            self.soon(self.web.respond(question.response_url, again), "say that it was asked before")

    async def _wanted(self, question: Question) -> bool:
        rules = self.rules.current()
        if not wants_follow_up(rules, question, joined=True, answered_last=True):
            return False  # nobody need look who wrote in the thread
        user = await self.inbox.thread_user(question)
        return wants_follow_up(rules, question, joined=user is not None, answered_last=user == question.user)

    async def failed(self, error: Exception, body: dict[str, Any]) -> BoltResponse:
        """Ack what nobody handles; what could not be kept is not acked, so that Slack delivers it again."""
        if isinstance(error, BoltUnhandledRequestError):
            self.counted["passed over: unknown"] += 1
            return BoltResponse(status=200, body="")
        facts = {"incident": new_incident(), "type": str(body.get("type")), "event_id": str(body.get("event_id"))}
        log.error("delivery failed", extra=facts, exc_info=error if not isinstance(error, BotError) else None)
        return BoltResponse(status=503, body="")

    async def home_opened(self, event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Show the Home tab, or suggest what to ask."""
        token, bot = str(context.bot_token), str(context.bot_user_id)
        if event.get("tab") == "home":
            self.soon(self._show_home(token, bot, str(context.team_id), str(event["user"])), "show Home")
        elif event.get("tab") == "messages":
            self.soon(self._suggest(token, str(event["channel"])), "suggest prompts")

    async def _suggest(self, token: str, channel: str) -> None:
        asked = prompts(await asyncio.to_thread(self.shelf))
        await self.web.call("assistant.threads.setSuggestedPrompts", token, channel_id=channel, prompts=asked)

    async def _show_home(self, token: str, bot: str, team: str, user: str) -> None:
        lines = None if self.digests is None else await self.digests.lines(team, user)
        shelf = await asyncio.to_thread(self.shelf)
        view = home_view(shelf, bot_user_id=bot, subscriptions=lines)
        await self.web.call("views.publish", token, user_id=user, view=view)

    async def reason_wanted(self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Open the modal."""
        await ack()
        view = reason_modal(str(body["actions"][0].get("value") or ""))
        call = self.web.call("views.open", str(context.bot_token), trigger_id=body["trigger_id"], view=view)
        self.soon(_only(call), "open a modal")

    async def reason_given(self, ack: AsyncAck, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Keep what was said, and close the modal."""
        key, reason = reason_in(view)
        if reason:
            await self.inbox.explain(team=str(body["team"]["id"]), key=key, user=str(body["user"]["id"]), reason=reason)
        await ack()

    async def uninstalled(self, body: dict[str, Any]) -> None:
        """Forget a workspace that took the app out."""
        team, enterprise = str(body.get("team_id") or ""), str(body.get("enterprise_id") or "")
        self.soon(self._forget(team, enterprise), "forget a workspace")

    async def _forget(self, team: str, enterprise: str) -> None:
        await self.inbox.forget_team(team)
        await self.teams.forget(team_id=team, enterprise_id=enterprise)
        log.warning("app taken out of a workspace", extra={"team": team})

    def soon(self, work: Coroutine[Any, Any, None], what: str) -> None:
        """Do something after the ack; its failure reaches nobody but the log."""
        task = asyncio.create_task(safely(work, what))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _only(call: Awaitable[Mapping[str, Any]]) -> None:
    await call


async def _nothing() -> None:
    """Do nothing: what there is to do was done before."""


async def _acked(ack: AsyncAck) -> None:
    await ack()
