"""The values of a workspace: people, channels, messages, views. Frozen; a change makes a new value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from tests.fakes.slack.wire import JsonObject

__all__ = ["CHANNEL_TYPES", "Channel", "ChannelKind", "Message", "User", "Via", "View"]

ChannelKind: TypeAlias = Literal["public", "private", "im", "mpim"]
Via: TypeAlias = Literal["person", "api", "response_url", "ack"]

# Slack's word in `channel_type`, and the end of the event's name, for each kind of channel.
CHANNEL_TYPES: Mapping[ChannelKind, tuple[str, str]] = {
    "public": ("channel", "message.channels"),
    "private": ("group", "message.groups"),
    "im": ("im", "message.im"),
    "mpim": ("mpim", "message.mpim"),
}


@dataclass(frozen=True, slots=True)
class User:
    """A person or a bot. `team_id` differs from the workspace's for guests of a shared channel."""

    id: str
    name: str
    team_id: str
    tz: str = "UTC"
    is_bot: bool = False
    deleted: bool = False
    bot_id: str | None = None

    def wire(self) -> JsonObject:
        """Return the user as `users.info` shows one."""
        profile = {"real_name": self.name.title(), "display_name": self.name}
        user = {"id": self.id, "team_id": self.team_id, "name": self.name, "real_name": self.name.title()}
        return {**user, "tz": self.tz, "is_bot": self.is_bot, "deleted": self.deleted, "profile": profile}


@dataclass(frozen=True, slots=True)
class Channel:
    """Where messages stand. `members` holds user ids; `shared` means with another organisation."""

    id: str
    name: str
    kind: ChannelKind
    members: frozenset[str] = frozenset()
    archived: bool = False
    shared: bool = False

    @property
    def type(self) -> str:
        """Slack's `channel_type`."""
        return CHANNEL_TYPES[self.kind][0]

    @property
    def subscription(self) -> str:
        """The event to subscribe to for this channel's messages."""
        return CHANNEL_TYPES[self.kind][1]

    def wire(self) -> JsonObject:
        """Return the channel as `conversations.info` shows one."""
        kinds = {"is_channel": self.kind == "public", "is_group": False, "is_private": self.kind != "public"}
        kinds |= {"is_im": self.kind == "im", "is_mpim": self.kind == "mpim"}
        return {"id": self.id, "name": self.name, **kinds, "is_archived": self.archived, "is_ext_shared": self.shared}


@dataclass(frozen=True, slots=True)
class Message:
    """A message as Slack keeps it.

    Attributes:
        ts: Identifies the message in its channel, and orders it.
        user_id: Who wrote it.
        thread_ts: The root it answers; equal to `ts` never, None at the top level.
        visible_to: The one person who sees it, for an ephemeral message.
        rendered: False for an ephemeral message that no client shows.
        unfurl: Whether links in it became previews.
        arguments: What the app sent to make it, for the oracles.
        reactions: User ids by emoji name.
    """

    ts: str
    channel_id: str
    team_id: str
    user_id: str
    text: str
    blocks: tuple[JsonObject, ...] = ()
    attachments: tuple[JsonObject, ...] = ()
    thread_ts: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    subtype: str | None = None
    metadata: JsonObject | None = None
    edited_ts: str | None = None
    reply_broadcast: bool = False
    visible_to: str | None = None
    rendered: bool = True
    unfurled: bool = False
    via: Via = "person"
    arguments: JsonObject = field(default_factory=dict)
    reactions: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def root_ts(self) -> str:
        """The ts of the thread that the message stands in, its own when it stands alone."""
        return self.thread_ts or self.ts

    @property
    def permalink(self) -> str:
        """An address that names the message."""
        return f"https://lab.slack.example/archives/{self.channel_id}/p{self.ts.replace('.', '')}"

    def wire(self, *, with_metadata: bool = True) -> JsonObject:
        """Return the message as Slack's API and events show one."""
        optional: JsonObject = {"subtype": self.subtype, "bot_id": self.bot_id, "app_id": self.app_id}
        optional |= {"thread_ts": self.thread_ts, "attachments": list(self.attachments)}
        optional |= {"blocks": list(self.blocks), "metadata": self.metadata if with_metadata else None}
        if self.edited_ts:
            optional["edited"] = {"user": self.user_id, "ts": self.edited_ts}
        if self.reactions:
            names = self.reactions.items()
            optional["reactions"] = [{"name": n, "users": list(users), "count": len(users)} for n, users in names]
        always = {"type": "message", "user": self.user_id, "text": self.text, "ts": self.ts, "team": self.team_id}
        return {**always, **{key: value for key, value in optional.items() if value}}

    def with_reaction(self, name: str, user_id: str, *, added: bool) -> Message:
        """Return the message with one reaction more or one less."""
        users = tuple(u for u in self.reactions.get(name, ()) if u != user_id)
        reactions = {**self.reactions, name: (*users, user_id) if added else users}
        return replace(self, reactions=MappingProxyType({n: u for n, u in reactions.items() if u}))


@dataclass(frozen=True, slots=True)
class View:
    """A modal or a Home tab that somebody looks at.

    Attributes:
        body: What the app sent: type, title, blocks, callback_id, private_metadata.
        hash: Changes with each update.
    """

    id: str
    user_id: str
    team_id: str
    hash: str
    body: JsonObject
    root_id: str
    previous_id: str | None = None

    def wire(self, *, app_id: str, bot_id: str, state: JsonObject | None = None) -> JsonObject:
        """Return the view as Slack's answers and payloads show one."""
        blank = {"private_metadata": "", "callback_id": "", "close": None, "submit": None, "external_id": ""}
        ids = {"id": self.id, "team_id": self.team_id, "hash": self.hash, "app_id": app_id, "bot_id": bot_id}
        chain = {"root_view_id": self.root_id, "previous_view_id": self.previous_id}
        return {**blank, **self.body, **ids, **chain, "state": {"values": state or {}}}
