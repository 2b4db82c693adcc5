"""What somebody writes: messages, threads, edits, deletions, reactions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.fakes.slack.compose import as_rich_text, as_typed
from tests.fakes.slack.events import announce, announce_change, announce_removal, mentions, react
from tests.fakes.slack.model import Channel, Message
from tests.fakes.slack.seat import NotPossibleError, Seat
from tests.fakes.slack.store import Prompt

__all__ = ["Writer"]


@dataclass(slots=True)
class Writer(Seat):
    """Somebody who writes. Each verb takes effect at once; the app hears of it over its transport."""

    def says(
        self, channel: str, text: str, *, thread: Message | None = None, broadcast: bool = False, raw: bool = False
    ) -> Message:
        """Write in a channel, joining it first if need be.

        Args:
            channel: A name with "#", or an id.
            text: As typed: "@pullquote" is a mention, "&" an ampersand.
            thread: Any message of the thread to write in.
            broadcast: Also send to the channel.
            raw: Take *text* as Slack's own markup instead, entities and all.

        Raises:
            NotPossibleError: If the person sees no such channel, or it is archived.
        """
        place = self.channel(channel)
        if self.id not in place.members:
            place = self.store.set_members(place, place.members | {self.id})
        written = text if raw else as_typed(text, self.store)
        block = as_rich_text(written, self.hub.ids.next("b"))
        message = Message(
            ts=self.store.new_ts(),
            channel_id=place.id,
            team_id=self.user.team_id,
            user_id=self.id,
            text=written,
            blocks=(block,) if written else (),
            thread_ts=thread.root_ts if thread else None,
            subtype="thread_broadcast" if broadcast and thread else None,
            reply_broadcast=broadcast,
        )
        return self._send(place, message)

    def _send(self, place: Channel, message: Message) -> Message:
        self.store.keep(message)
        tagged = place.kind == "im" or mentions(message.text, self.store.bot.id)
        addressed = self.store.bot_in(place) and tagged and not self.user.is_bot
        self.store.prompts.append(
            Prompt("message", place.id, message.root_ts, message.ts, self.id, message.text, addressed)
        )
        announce(self.hub, self.store, message)
        self.hub.activity.note()
        return message

    def dm(self, text: str, *, thread: Message | None = None, raw: bool = False) -> Message:
        """Write to the app directly."""
        return self.says(self.dm_channel.id, text, thread=thread, raw=raw)

    def posts_as_bot(self, channel: str, text: str, *, thread: Message | None = None) -> Message:
        """Write as another bot would: the message carries a bot id."""
        place = self.channel(channel)
        written = as_typed(text, self.store)
        bot_id = self.user.bot_id or f"B{self.id[1:]}"
        root = thread.root_ts if thread else None
        message = Message(
            self.store.new_ts(), place.id, self.user.team_id, self.id, written, thread_ts=root, bot_id=bot_id
        )
        self.store.keep(message)
        announce(self.hub, self.store, message)
        return message

    def edits(self, message: Message, text: str) -> Message:
        """Change one of the person's own messages."""
        before = self.store.message(message.channel_id, message.ts)
        if before is None or before.user_id != self.id:
            raise NotPossibleError("only one's own messages can be edited")
        written = as_typed(text, self.store)
        block = as_rich_text(written, self.hub.ids.next("b"))
        after = replace(before, text=written, blocks=(block,), edited_ts=self.store.new_ts())
        self.store.keep(after)
        announce_change(self.hub, self.store, before, after)
        return after

    def deletes(self, message: Message) -> None:
        """Delete one of the person's own messages."""
        self.store.remove(message)
        announce_removal(self.hub, self.store, message)
        self.hub.activity.note()

    def reacts(self, message: Message, name: str, *, added: bool = True) -> None:
        """Add a reaction, or take it away."""
        current = self.store.message(message.channel_id, message.ts)
        if current is None:
            raise NotPossibleError("the message is gone")
        react(self.hub, self.store, current, name, self.id, added=added)
