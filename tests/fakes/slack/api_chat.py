"""chat.*: writing, changing and deleting messages."""

from __future__ import annotations

from tests.fakes.slack.events import announce_removal
from tests.fakes.slack.methods import Call, method
from tests.fakes.slack.model import Channel
from tests.fakes.slack.posting import post, read_content, rewrite
from tests.fakes.slack.wire import JsonObject, RefusedError, compact

__all__ = ["writable_channel"]


def writable_channel(call: Call) -> Channel:
    """Return the channel to post in; a user's id stands for the direct-message channel.

    Raises:
        RefusedError: `channel_not_found`, `is_archived` or `not_in_channel`.
    """
    name = call.text("channel")
    user = call.store.users.get(name)
    if user is not None and not user.is_bot:
        return call.store.dm(user.id)
    channel = call.channel()
    if channel.archived:
        raise RefusedError("is_archived")
    if not call.store.bot_in(channel) and "chat:write.public" not in call.store.scopes:
        raise RefusedError("not_in_channel")
    return channel


@method("chat.postMessage", "chat:write")
def _post_message(call: Call) -> JsonObject:
    channel = writable_channel(call)
    metadata = call.arguments.get("metadata")
    if metadata is not None and len(compact(metadata)) > 8_000:
        raise RefusedError("metadata_too_large")
    content = read_content(call.hub, call.arguments)
    message = post(call.hub, call.store, channel, content, arguments=call.arguments)
    wire = {key: value for key, value in message.wire().items() if key != "attachments" or not message.unfurled}
    return {"channel": channel.id, "ts": message.ts, "message": wire}


@method("chat.postEphemeral", "chat:write")
def _post_ephemeral(call: Call) -> JsonObject:
    channel, user = writable_channel(call), call.user()
    if user.id not in channel.members:
        raise RefusedError("user_not_in_channel")
    content = read_content(call.hub, call.arguments)
    message = post(call.hub, call.store, channel, content, arguments=call.arguments, visible_to=user.id)
    return {"message_ts": message.ts}


@method("chat.update", "chat:write")
def _update(call: Call) -> JsonObject:
    channel = call.channel()
    message = call.message(channel)
    if message.bot_id != call.store.bot.bot_id:
        raise RefusedError("cant_update_message")
    if (channel.id, message.ts) in call.store.streaming:
        raise RefusedError("streaming_state_conflict")
    content = read_content(call.hub, call.arguments, most=4_000)
    after = rewrite(call.hub, call.store, message, content, call.arguments)
    return {"channel": channel.id, "ts": after.ts, "text": after.text, "message": after.wire()}


@method("chat.delete", "chat:write")
def _delete(call: Call) -> JsonObject:
    channel = call.channel()
    message = call.message(channel)
    if message.bot_id != call.store.bot.bot_id:
        raise RefusedError("cant_delete_message")
    call.store.remove(message)
    announce_removal(call.hub, call.store, message)
    return {"channel": channel.id, "ts": message.ts}


@method("chat.getPermalink")
def _permalink(call: Call) -> JsonObject:
    channel = call.channel()
    message = call.message(channel, "message_ts")
    return {"channel": channel.id, "permalink": message.permalink}
