"""What is done about digests with buttons, the modal and the shortcut: acked at once, then carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext

from bot.adapters.slack.digest_modal import CHANNEL, TOPICS, WITHOUT, Filled, digest_modal, filled_in
from bot.adapters.slack.events import id_of
from bot.adapters.slack.mrkdwn import escaped, unlinked
from bot.adapters.slack.names import COMMAND, DIGEST_MODAL, DIGEST_MUTE, DIGEST_SETTINGS, DIGEST_SHORTCUT
from bot.adapters.slack.outlet import SlackOutlet
from bot.adapters.slack.policy import RulesFile, may_change_there
from bot.adapters.slack.web import Web
from bot.errors import BotError
from bot.orders import subscription_line
from bot.subscribing import Subscribing
from bot.subscription import Place
from bot.wishes import Wish
from retrieval.errors import QuerySyntaxError

__all__ = ["DigestListeners"]

_CHECKED_WITHIN_S = 0.7  # an ack has three seconds, and a collection that is just being read holds the check up


@dataclass(slots=True)
class DigestListeners:
    """Take what people do about digests.

    Attributes:
        soon: Does something after the ack.
    """

    subscribing: Subscribing
    outlet: SlackOutlet
    rules: RulesFile
    web: Web
    soon: Callable[[Coroutine[Any, Any, None], str], None]

    def register(self, app: AsyncApp) -> None:
        """Add everything to *app*."""
        app.shortcut(DIGEST_SHORTCUT)(self.settings_wanted)
        app.command(COMMAND)(self.settings_wanted)  # only what is left to it: what else is typed is a question
        app.action(DIGEST_SETTINGS)(self.settings_wanted)
        app.action(DIGEST_MUTE)(self.muted)
        app.view(DIGEST_MODAL)(self.settings_given)

    async def settings_wanted(self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Open the modal, for the channel that it is asked for in or that the button names."""
        await ack()
        self.soon(self._open(body, str(context.bot_token)), "open the settings of a digest")

    async def _open(self, body: Mapping[str, Any], token: str) -> None:
        place, person = _place(body), _person(body)
        before = await asyncio.to_thread(self.subscribing.of, place) if place.channel else None
        if refused := may_change_there(self.rules.current(), place.channel, before, person):
            await self._tell(body, refused)
            return
        view = digest_modal(before, channel=place.channel)
        await self.web.call("views.open", token, trigger_id=str(body.get("trigger_id") or ""), view=view)

    async def settings_given(self, ack: AsyncAck, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Say in the modal what cannot be kept; keep the rest, after the ack."""
        filled, person = filled_in(view), _person(body)
        place = Place(_place(body).team, filled.channel)
        errors = dict(filled.errors) or await self._refused(place, person, filled) or await self._misread(filled.wish)
        if errors:
            await ack(response_action="errors", errors={name: said[:300] for name, said in errors.items()})
            return
        await ack()
        self.soon(self._keep(place, person, filled.wish), "keep the settings of a digest")

    async def _refused(self, place: Place, person: str, filled: Filled) -> dict[str, str]:
        there = await asyncio.to_thread(self.subscribing.of, place)
        if refused := may_change_there(self.rules.current(), place.channel, there, person):
            return {CHANNEL if filled.is_new else TOPICS: refused}
        if filled.is_new and there is not None:
            return {CHANNEL: f"There is a digest already; “{COMMAND} settings”, typed there, changes it."}
        return {}

    async def _misread(self, wish: Wish) -> dict[str, str]:
        """Return what cannot be read of the topics, as far as that is known in time for the ack."""
        for name, part in ((TOPICS, replace(wish, without=())), (WITHOUT, replace(wish, topics=()))):
            try:
                async with asyncio.timeout(_CHECKED_WITHIN_S):
                    await asyncio.to_thread(self.subscribing.check, part)
            except TimeoutError:
                return {}  # what is wrong is said in a direct message then
            except (BotError, QuerySyntaxError) as exc:
                return {name: str(exc)}
        return {}

    async def _keep(self, place: Place, person: str, wish: Wish) -> None:
        try:
            await asyncio.to_thread(self.subscribing.put, place, person, wish)
        except (BotError, QuerySyntaxError) as exc:
            await self.outlet.tell(place, person, f"I could not keep the settings of the digest: {exc}")

    async def muted(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Pause the digest of the channel."""
        await ack()

        def pause(place: Place, person: str) -> str:
            there = self.subscribing.of(place)
            refused = may_change_there(self.rules.current(), place.channel, there, person)
            return refused or self.subscribing.pause(place, person)

        self.soon(self._said(body, pause), "pause a digest")

    async def _said(self, body: Mapping[str, Any], work: Callable[[Place, str], str]) -> None:
        """Do *work*, and tell the person alone what it said."""
        place, person = _place(body), _person(body)
        try:
            said = await asyncio.to_thread(work, place, person)
        except (BotError, QuerySyntaxError) as exc:
            said = str(exc)
        await self._tell(body, said)

    async def _tell(self, body: Mapping[str, Any], said: str) -> None:
        """Tell the person alone: where they are, or in their messages with the bot."""
        if url := str(body.get("response_url") or ""):
            answer = {"response_type": "ephemeral", "replace_original": False, "text": escaped(unlinked(said))}
            await self.web.respond(url, answer)
        else:
            await self.outlet.tell(_place(body), _person(body), said)

    async def lines(self, team: str, person: str) -> tuple[tuple[str, str], ...]:
        """Return where *person* has set up digests, each with a line on what it is and how the last one went."""

        def look() -> tuple[tuple[str, str], ...]:
            found = self.subscribing.of_person(team, person)
            return tuple((one.place.channel, subscription_line(one, self.subscribing.last_run(one))) for one in found)

        return await asyncio.to_thread(look)


def _place(body: Mapping[str, Any]) -> Place:
    """Return the channel that an interaction comes from, or that a button on the Home tab names; else none."""
    pressed = (body.get("actions") or [{}])[0]
    return Place(id_of(body, "team"), id_of(body, "channel") or str(pressed.get("value") or ""))


def _person(body: Mapping[str, Any]) -> str:
    return id_of(body, "user")
