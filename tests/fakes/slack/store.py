"""What a workspace holds. Only state: nobody is told of a change here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from tests.fakes.slack.clock import Clock
from tests.fakes.slack.manifest import Manifest
from tests.fakes.slack.model import Channel, ChannelKind, Message, User, View
from tests.fakes.slack.wire import Ids, JsonObject

__all__ = ["Prompt", "Store"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Something a person did that the app may answer.

    Attributes:
        ts: When, in the order of messages.
        addressed: Whether the app must answer: a mention in a joined channel, or a direct message.
    """

    kind: Literal["message", "click", "slash", "shortcut", "submission"]
    channel_id: str
    root_ts: str
    ts: str
    user_id: str
    text: str
    addressed: bool


@dataclass(slots=True)
class Store:
    """The state of one workspace in which the app is installed.

    Attributes:
        scopes: What the bot token was given; the manifest's, unless the installation is older.
        revoked: Whether the bot token was taken back.
        written: Every version of every message that the app wrote, in order.
        prompts: Everything that the app may answer, in order.
        dropped: ts of the questions that the app or the test declared unanswered on purpose.
        statuses: Loading status by channel and thread.
        suggested: Suggested prompts by channel.
        titles: Thread title by channel and thread.
    """

    team_id: str
    name: str
    clock: Clock
    ids: Ids
    bot: User
    bot_token: str
    scopes: frozenset[str]
    revoked: bool = False
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    written: list[Message] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    statuses: dict[tuple[str, str], str] = field(default_factory=dict)
    suggested: dict[str, list[JsonObject]] = field(default_factory=dict)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    streaming: dict[tuple[str, str], float] = field(default_factory=dict)
    _messages: dict[str, dict[str, Message]] = field(default_factory=dict)
    _last_micros: int = 0

    @classmethod
    def install(cls, name: str, *, manifest: Manifest, clock: Clock, ids: Ids) -> Store:
        """Make a workspace in which the app has just been installed."""
        team_id = ids.next("T")
        bot = User(ids.next("U"), manifest.bot_name, team_id, is_bot=True, bot_id=ids.next("B"))
        token = f"xoxb-fake-{team_id}"
        store = cls(team_id, name, clock, ids, bot, token, manifest.scopes)
        store.users[bot.id] = bot
        return store

    def new_ts(self) -> str:
        """Return a message time that is later than every one before."""
        self._last_micros = max(int(self.clock.now() * 1_000_000), self._last_micros + 100)
        seconds, micros = divmod(self._last_micros, 1_000_000)
        return f"{seconds}.{micros:06d}"

    def find_channel(self, reference: str) -> Channel | None:
        """Return a channel by id, or by name with or without "#"."""
        name = reference.removeprefix("#")
        named = (channel for channel in self.channels.values() if channel.name == name and channel.kind != "im")
        return self.channels.get(reference) or next(named, None)

    def find_user(self, name: str) -> User | None:
        """Return a user by name."""
        return next((user for user in self.users.values() if user.name.lower() == name.lower()), None)

    def add_channel(self, name: str, kind: ChannelKind, members: Iterable[str], *, shared: bool = False) -> Channel:
        """Make a channel and return it."""
        channel = Channel(self.ids.next("D" if kind == "im" else "C"), name, kind, frozenset(members), shared=shared)
        self.channels[channel.id] = channel
        return channel

    def dm(self, user_id: str) -> Channel:
        """Return the direct-message channel between the bot and a user, made when there is none."""
        members = frozenset((self.bot.id, user_id))
        found = (c for c in self.channels.values() if c.kind == "im" and c.members == members)
        return next(found, None) or self.add_channel(f"dm-{user_id}", "im", members)

    def bot_in(self, channel: Channel) -> bool:
        """Tell whether the bot is a member of *channel*."""
        return self.bot.id in channel.members

    def set_members(self, channel: Channel, members: frozenset[str]) -> Channel:
        """Replace the members of a channel."""
        return self.set_channel(replace(channel, members=members))

    def set_channel(self, channel: Channel) -> Channel:
        """Keep a changed channel."""
        self.channels[channel.id] = channel
        return channel

    def keep(self, message: Message) -> Message:
        """Add or replace a message; an ephemeral one is only remembered as written."""
        if message.via != "person":
            self.written.append(message)
        if message.visible_to is None:
            self._messages.setdefault(message.channel_id, {})[message.ts] = message
        return message

    def amend(self, message: Message) -> None:
        """Replace a message without counting it as written again: a reaction, a preview."""
        self._messages[message.channel_id][message.ts] = message

    def remove(self, message: Message) -> None:
        """Delete a message."""
        self._messages[message.channel_id].pop(message.ts, None)

    def message(self, channel_id: str, ts: str) -> Message | None:
        """Return a message that still stands."""
        return self._messages.get(channel_id, {}).get(ts)

    def messages(self, channel_id: str) -> list[Message]:
        """Return what stands in a channel, threads included, in order."""
        return sorted(self._messages.get(channel_id, {}).values(), key=lambda message: message.ts)

    def thread(self, channel_id: str, root_ts: str) -> list[Message]:
        """Return a thread, its root first, in order."""
        return [message for message in self.messages(channel_id) if message.root_ts == root_ts]

    def ephemerals(self, user_id: str) -> list[Message]:
        """Return what only one person sees, in order, those included that no client shows."""
        return [message for message in self.written if message.visible_to == user_id]
