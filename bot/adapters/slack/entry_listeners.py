"""What is done with single entries of a digest, by menus and reactions: noted, and said to whoever did it alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext

from bot.adapters.slack.events import id_of
from bot.adapters.slack.mrkdwn import escaped, unlinked
from bot.adapters.slack.names import DIGEST_ENTRY
from bot.adapters.slack.policy import RulesFile, shuts_out
from bot.adapters.slack.web import Web
from bot.errors import BotError, PlatformError
from bot.subscribing import Subscribing
from bot.subscription import Place

__all__ = ["Entries", "EntryListeners"]

log = logging.getLogger(__name__)

_LIKED = {"+1": True, "thumbsup": True, "heart": True, "star": True, "-1": False, "thumbsdown": False}
_SAVED = "bookmark"
_WHICH = "That message shows {count} entries: the menu beside each of them says which one is meant."


class Entries(Protocol):
    """What can be done with an entry of a digest; each returns what to say."""

    def opine(self, place: Place, person: str, entry_id: str, *, liked: bool | None) -> str:
        """Note what *person* thinks of an entry; None takes that back."""
        ...

    def save(self, team: str, person: str, entry_id: str) -> str:
        """Put an entry on the reading list of *person*."""
        ...


@dataclass(slots=True)
class EntryListeners:
    """Note what people think of entries.

    Attributes:
        entries: Carries it out; None carries out nothing.
        soon: Does something after the ack.
    """

    subscribing: Subscribing
    entries: Entries | None
    rules: RulesFile
    web: Web
    soon: Callable[[Coroutine[Any, Any, None], str], None]

    def register(self, app: AsyncApp) -> None:
        """Add everything to *app*."""
        app.action(DIGEST_ENTRY)(self.chosen)
        app.event("reaction_added")(self.reacted)
        app.event("reaction_removed")(self.reacted)

    async def chosen(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Take what was chosen in the menu of an entry."""
        await ack()
        self.soon(self._choose(body), "note an opinion")

    async def _choose(self, body: Mapping[str, Any]) -> None:
        place, person = Place(id_of(body, "team"), id_of(body, "channel")), id_of(body, "user")
        value = str((body["actions"][0].get("selected_option") or {}).get("value") or "")
        action, _, entry_id = value.partition(":")
        liked = None if action == "save" else action == "more"
        said = await asyncio.to_thread(self._noted, place, person, entry_id, liked=liked, save=action == "save")
        answer = {"response_type": "ephemeral", "replace_original": False, "text": escaped(unlinked(said))}
        await self.web.respond(str(body.get("response_url") or ""), answer)

    async def reacted(self, body: dict[str, Any], event: dict[str, Any], context: AsyncBoltContext) -> None:
        """Take a reaction to a message of ours, if it is one that says something of an entry."""
        name, item = str(event.get("reaction") or "").partition("::")[0], event.get("item") or {}
        says_something = name in _LIKED or (name == _SAVED and event.get("type") == "reaction_added")
        if event.get("item_user") == context.bot_user_id and item.get("type") == "message" and says_something:
            place = Place(id_of(body, "team"), str(item.get("channel") or ""))
            self.soon(self._react(event, name, place, str(context.bot_token)), "note a reaction")

    async def _react(self, event: Mapping[str, Any], name: str, place: Place, token: str) -> None:
        person, added = str(event.get("user") or ""), event.get("type") == "reaction_added"
        shown = await asyncio.to_thread(self.subscribing.shown_by, place, str(event["item"].get("ts") or ""))
        if not shown or self.entries is None:
            return
        if len(shown) == 1:
            liked = _LIKED.get(name) if added else None
            said = await asyncio.to_thread(self._noted, place, person, shown[0], liked=liked, save=name == _SAVED)
        elif added:
            said = _WHICH.format(count=len(shown))
        else:
            return
        try:
            text = escaped(unlinked(said))
            await self.web.call("chat.postEphemeral", token, channel=place.channel, user=person, text=text)
        except PlatformError as exc:  # it is noted all the same
            log.warning("cannot tell the person", extra={"reason": str(exc)})

    def _noted(self, place: Place, person: str, entry_id: str, *, liked: bool | None, save: bool) -> str:
        """Note what *person* thinks of an entry, or save it; return what to say."""
        if refused := shuts_out(self.rules.current(), place.channel, person):
            return refused
        if self.entries is None:
            return "Nothing is noted here."
        try:
            if save:
                return self.entries.save(place.team, person, entry_id)
            return self.entries.opine(place, person, entry_id, liked=liked)
        except BotError as exc:
            return str(exc)
