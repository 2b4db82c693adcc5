"""conversations.*: reading channels, their members and their history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.fakes.slack.methods import Call, method
from tests.fakes.slack.model import Channel, ChannelKind, Message
from tests.fakes.slack.wire import JsonObject, RefusedError

__all__: list[str] = []

_READ: Mapping[ChannelKind, str] = {
    "public": "channels:read",
    "private": "groups:read",
    "im": "im:read",
    "mpim": "mpim:read",
}
_TYPES: Mapping[str, ChannelKind] = {
    "public_channel": "public",
    "private_channel": "private",
    "im": "im",
    "mpim": "mpim",
}


def _page(call: Call, items: Sequence[JsonObject], key: str, *, most: int, usual: int = 100) -> JsonObject:
    limit = max(1, min(call.number("limit", usual), most))
    start = call.number("cursor", 0)
    rest = len(items) > start + limit
    cursor = {"next_cursor": str(start + limit) if rest else ""}
    return {key: list(items[start : start + limit]), "has_more": rest, "response_metadata": cursor}


def _between(call: Call, messages: Sequence[Message]) -> list[Message]:
    oldest, latest = call.text("oldest", "0"), call.text("latest", "99999999999.999999")
    if call.flag("inclusive"):
        return [m for m in messages if float(oldest) <= float(m.ts) <= float(latest)]
    return [m for m in messages if float(oldest) < float(m.ts) < float(latest)]


def _shown(call: Call, messages: Sequence[Message]) -> list[JsonObject]:
    return [message.wire(with_metadata=call.flag("include_all_metadata")) for message in messages]


@method("conversations.history")
def _history(call: Call) -> JsonObject:
    channel = call.readable_channel()
    top = [m for m in call.store.messages(channel.id) if m.thread_ts is None or m.reply_broadcast]
    newest_first = list(reversed(_between(call, top)))
    return _page(call, _shown(call, newest_first), "messages", most=999)


@method("conversations.replies")
def _replies(call: Call) -> JsonObject:
    channel = call.readable_channel()
    message = call.message(channel, error="thread_not_found")
    thread = call.store.thread(channel.id, message.root_ts)
    root, replies = thread[:1], _between(call, thread[1:])
    shown = _shown(call, [*root, *replies])
    if root and replies:
        shown[0] |= {"thread_ts": root[0].ts, "reply_count": len(thread) - 1}
    return _page(call, shown, "messages", most=1000, usual=1000)


@method("conversations.info")
def _info(call: Call) -> JsonObject:
    channel = call.channel()
    call.needs(_READ[channel.kind])
    return {"channel": {**channel.wire(), "is_member": call.store.bot_in(channel)}}


@method("conversations.members")
def _members(call: Call) -> JsonObject:
    channel = call.channel()
    call.needs(_READ[channel.kind])
    ids = sorted(channel.members)
    limit, start = max(1, call.number("limit", 100)), call.number("cursor", 0)
    rest = len(ids) > start + limit
    cursor = {"next_cursor": str(start + limit) if rest else ""}
    return {"members": ids[start : start + limit], "response_metadata": cursor}


def _visible(call: Call) -> list[Channel]:
    kinds = [_TYPES.get(t.strip(), "public") for t in call.text("types", "public_channel").split(",")]
    for kind in kinds:
        call.needs(_READ[kind])
    channels = [c for c in call.store.channels.values() if c.kind in kinds]
    channels = [c for c in channels if c.kind == "public" or call.store.bot_in(c)]
    return [c for c in channels if not (c.archived and call.flag("exclude_archived"))]


@method("conversations.list", "channels:read", "groups:read", "im:read", "mpim:read")
def _list(call: Call) -> JsonObject:
    found = [{**c.wire(), "is_member": call.store.bot_in(c)} for c in _visible(call)]
    return _page(call, found, "channels", most=1000)


@method("users.conversations", "channels:read", "groups:read", "im:read", "mpim:read")
def _mine(call: Call) -> JsonObject:
    who = call.text("user", call.store.bot.id)
    return _page(call, [c.wire() for c in _visible(call) if who in c.members], "channels", most=999)


@method("conversations.open", "im:write", "mpim:write")
def _open(call: Call) -> JsonObject:
    users = [call.store.users.get(user) for user in call.text("users").split(",")]
    if len(users) != 1 or users[0] is None or users[0].is_bot:
        raise RefusedError("user_not_found")
    channel = call.store.dm(users[0].id)
    return {"channel": {"id": channel.id}}


@method("conversations.join", "channels:join")
def _join(call: Call) -> JsonObject:
    channel = call.channel()
    if channel.kind != "public":
        raise RefusedError("method_not_supported_for_channel_type")
    if channel.archived:
        raise RefusedError("is_archived")
    joined = call.store.set_members(channel, channel.members | {call.store.bot.id})
    return {"channel": joined.wire()}
