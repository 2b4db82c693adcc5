"""A workspace as a test sees it: its people, channels and messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tests.fakes.slack.events import announce_change
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Channel, ChannelKind, Message, User
from tests.fakes.slack.people import Person
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject

__all__ = ["Workspace"]


class Workspace:
    """One workspace in which the app is installed."""

    def __init__(self, hub: Hub, store: Store) -> None:
        self.hub, self.store = hub, store
        self._people: dict[str, Person] = {}

    @property
    def team_id(self) -> str:
        """The workspace's id."""
        return self.store.team_id

    @property
    def bot(self) -> User:
        """The app's bot user."""
        return self.store.bot

    @property
    def bot_token(self) -> str:
        """The token that the installation gave."""
        return self.store.bot_token

    def user(
        self, name: str, *, tz: str = "UTC", is_bot: bool = False, deleted: bool = False, team_id: str | None = None
    ) -> Person:
        """Return the person of that name, who joins the workspace when new.

        Args:
            name: Also what others type after "@".
            tz: Their time zone.
            is_bot: Whether it is another app's bot.
            deleted: Whether the account was closed.
            team_id: Their own workspace, for a guest in a shared channel.
        """
        found = self.store.find_user(name)
        if found is None:
            user_id = self.hub.ids.next("U")
            bot_id = self.hub.ids.next("B") if is_bot else None
            found = User(user_id, name, team_id or self.team_id, tz, is_bot, deleted, bot_id)
            self.store.users[user_id] = found
        return self._people.setdefault(found.id, Person(self.hub, self.store, found.id))

    def channel(
        self,
        name: str,
        *,
        kind: ChannelKind = "public",
        bot: bool = True,
        people: Iterable[Person] = (),
        shared: bool = False,
    ) -> Channel:
        """Return the channel of that name, made when new: with or without the bot in it."""
        found = self.store.find_channel(name)
        if found is not None:
            return found
        members = [person.id for person in people] + ([self.bot.id] if bot else [])
        return self.store.add_channel(name.removeprefix("#"), kind, members, shared=shared)

    def _existing(self, name: str) -> Channel:
        channel = self.store.find_channel(name)
        if channel is None:
            raise LookupError(f"there is no channel {name}")
        return channel

    def messages(self, channel: str) -> list[Message]:
        """Return what stands in a channel, threads included, in order."""
        return self.store.messages(self._existing(channel).id)

    def thread(self, message: Message) -> list[Message]:
        """Return the thread that a message stands in, its root first."""
        return self.store.thread(message.channel_id, message.root_ts)

    def replies(self, message: Message) -> list[Message]:
        """Return what the app wrote in a message's thread after that message, as it reads now."""
        own = self.bot.bot_id
        return [m for m in self.thread(message) if m.bot_id == own and m.ts > message.ts]

    def current(self, message: Message) -> Message | None:
        """Return a message as it reads now; None when it is gone."""
        return self.store.message(message.channel_id, message.ts)

    @property
    def posts(self) -> list[Message]:
        """Every version of every message that the app wrote, in order, ephemeral ones included."""
        return self.store.written

    def drop(self, message: Message) -> None:
        """Declare that a question may stay without an answer."""
        self.store.dropped.add(message.ts)

    def archive(self, channel: str) -> None:
        """Archive a channel."""
        place = self.store.set_channel(replace(self._existing(channel), archived=True))
        self._tell_members("channel_archive", place)

    def invite_bot(self, channel: str) -> None:
        """Let the bot into a channel."""
        place = self._existing(channel)
        self.store.set_members(place, place.members | {self.bot.id})
        self._tell_members("member_joined_channel", place)

    def kick_bot(self, channel: str) -> None:
        """Take the bot out of a channel."""
        place = self._existing(channel)
        self.store.set_members(place, place.members - {self.bot.id})
        self._tell_members("member_left_channel", place)

    def _tell_members(self, kind: str, channel: Channel) -> None:
        event: JsonObject = {"type": kind, "channel": channel.id, "user": self.bot.id, "team": self.team_id}
        event |= {"channel_type": channel.type[0].upper(), "event_ts": self.store.new_ts()}
        self.hub.publish(self.store, kind, event, channel=channel)
        self.hub.activity.note()

    def uninstall(self) -> None:
        """Take the app out of the workspace: the token dies, and the app is told if it asked to be."""
        self.hub.publish(self.store, "tokens_revoked", {"type": "tokens_revoked", "tokens": {"bot": [self.bot.id]}})
        self.hub.publish(self.store, "app_uninstalled", {"type": "app_uninstalled"})
        self.store.revoked = True
        self.hub.activity.note()

    def grant(self, *scopes: str) -> None:
        """Give the bot token exactly these scopes, as an older installation has."""
        self.store.scopes = frozenset(scopes)

    def touch(self, message: Message) -> None:
        """Let Slack report a change of a message that changes nothing people see, as after a preview."""
        announce_change(self.hub, self.store, message, message)
