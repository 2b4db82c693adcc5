"""What is done about digests with buttons, menus, the modal and the shortcut: acked at once, then carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext

from bot.adapters.slack.digest_modal import digest_modal, read_modal
from bot.adapters.slack.mrkdwn import escaped, unlinked
from bot.adapters.slack.names import COMMAND, DIGEST_ENTRY, DIGEST_MODAL, DIGEST_MUTE, DIGEST_SETTINGS, DIGEST_SHORTCUT
from bot.adapters.slack.policy import RulesFile, may_change
from bot.adapters.slack.web import Web
from bot.errors import BotError
from bot.orders import subscription_line
from bot.subscribing import Subscribing
from bot.subscription import Place
from bot.wishes import Wish, wish_of
from retrieval.errors import QuerySyntaxError

__all__ = ["DigestListeners", "Entries"]


class Entries(Protocol):
    """What can be done with an entry of a digest; each returns what to say."""

    def opine(self, place: Place, person: str, entry_id: str, *, liked: bool) -> str:
        """Note what *person* thinks of an entry."""
        ...

    def save(self, team: str, person: str, entry_id: str) -> str:
        """Put an entry on the reading list of *person*."""
        ...


@dataclass(slots=True)
class DigestListeners:
    """Take what people do about digests.

    Attributes:
        entries: Carries out what is done with single entries; None carries out nothing.
        soon: Does something after the ack.
    """

    subscribing: Subscribing
    entries: Entries | None
    rules: RulesFile
    web: Web
    soon: Callable[[Coroutine[Any, Any, None], str], None]

    def register(self, app: AsyncApp) -> None:
        """Add everything to *app*."""
        app.shortcut(DIGEST_SHORTCUT)(self.settings_wanted)
        app.command(COMMAND)(self.settings_wanted)  # only what is left to it: what else is typed is a question
        app.action(DIGEST_SETTINGS)(self.settings_wanted)
        app.action(DIGEST_MUTE)(self.muted)
        app.action(DIGEST_ENTRY)(self.entry_chosen)
        app.view(DIGEST_MODAL)(self.settings_given)

    async def settings_wanted(self, ack: AsyncAck, body: dict[str, Any], context: AsyncBoltContext) -> None:
        """Open the modal, for the channel that it is asked for in."""
        await ack()
        place = _place(body)
        before = await asyncio.to_thread(self.subscribing.of, place) if place.channel else None
        wish = Wish() if before is None else wish_of(before)
        view = digest_modal(wish, channel=place.channel if before is not None else "")
        call = self.web.call("views.open", str(context.bot_token), trigger_id=body["trigger_id"], view=view)
        self.soon(_only(call), "open a modal")

    async def settings_given(self, ack: AsyncAck, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Keep what was set, or say in the modal what cannot be."""
        team, person = str((body.get("team") or {}).get("id") or ""), str(body["user"]["id"])
        channel, wish, errors = read_modal(view, Wish())
        place = Place(team, channel)
        if not errors:
            errors = await asyncio.to_thread(self._problems, place, person, wish)
        if errors:
            await ack(response_action="errors", errors=errors)
            return
        await asyncio.to_thread(self.subscribing.put, place, person, wish)
        await ack()

    def _problems(self, place: Place, person: str, wish: Wish) -> dict[str, str]:
        refused = self._refused(place, person)
        if refused is not None:
            return {"channel": refused}
        try:
            self.subscribing.check(wish)
        except (BotError, QuerySyntaxError) as exc:
            return {"topics": str(exc)}
        return {}

    def _refused(self, place: Place, person: str) -> str | None:
        rules = self.rules.current()
        if place.channel in rules.deny_channels or (
            rules.allow_channels and place.channel not in rules.allow_channels and not place.channel.startswith("D")
        ):
            return "I may not write in that channel."
        return may_change(rules, self.subscribing.of(place), person)

    async def muted(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Pause the digest of the channel."""
        await ack()

        def pause(place: Place, person: str) -> str:
            return self._refused(place, person) or self.subscribing.pause(place, person)

        self.soon(self._said(body, pause), "pause a digest")

    async def entry_chosen(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Note what somebody thinks of an entry, or save it."""
        await ack()
        chosen = str((body["actions"][0].get("selected_option") or {}).get("value") or "")
        action, _, entry_id = chosen.partition(":")

        def note(place: Place, person: str) -> str:
            if self.entries is None:
                return "Nothing is noted here."
            if action == "save":
                return self.entries.save(place.team, person, entry_id)
            return self.entries.opine(place, person, entry_id, liked=action == "more")

        self.soon(self._said(body, note), "note an opinion")

    async def _said(self, body: Mapping[str, Any], work: Callable[[Place, str], str]) -> None:
        """Do *work*, and tell the person alone what it said."""
        place, person = _place(body), str(body["user"]["id"])
        try:
            said = await asyncio.to_thread(work, place, person)
        except (BotError, QuerySyntaxError) as exc:
            said = str(exc)
        await self._tell(body, said)

    async def _tell(self, body: Mapping[str, Any], said: str) -> None:
        if url := str(body.get("response_url") or ""):
            answer = {"response_type": "ephemeral", "replace_original": False, "text": escaped(unlinked(said))}
            await self.web.respond(url, answer)

    async def lines(self, team: str, person: str) -> tuple[str, ...]:
        """Return what *person* subscribes to, a line each, with how the last digest went."""

        def look() -> tuple[str, ...]:
            found = self.subscribing.of_person(team, person)
            return tuple(subscription_line(one, self.subscribing.last_run(one)) for one in found)

        return await asyncio.to_thread(look)


def _place(body: Mapping[str, Any]) -> Place:
    """Return the channel that an interaction comes from; without one, where it is a global shortcut or from Home."""
    team = str((body.get("team") or {}).get("id") or body.get("team_id") or "")
    channel = str((body.get("channel") or {}).get("id") or body.get("channel_id") or "")
    return Place(team, channel)


async def _only(call: Awaitable[Mapping[str, Any]]) -> None:
    await call
