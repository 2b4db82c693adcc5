"""chat.startStream, appendStream, stopStream: a message that grows, for at most five minutes."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.slack.api_chat import writable_channel
from tests.fakes.slack.methods import Call, method
from tests.fakes.slack.model import Channel, Message
from tests.fakes.slack.posting import Content, post, read_content
from tests.fakes.slack.wire import JsonObject, RefusedError

__all__ = ["LIFE_S"]

LIFE_S = 300.0


def _piece(call: Call) -> str:
    text = str(call.arguments.get("markdown_text", ""))
    chunks = call.arguments.get("chunks") or []
    text += "".join(str(c.get("text", "")) for c in chunks if isinstance(c, dict))
    if len(text) > 12_000:
        raise RefusedError("msg_too_long")
    return text


def _streaming(call: Call) -> tuple[Channel, Message]:
    channel = call.channel()
    message = call.message(channel)
    started = call.store.streaming.get((channel.id, message.ts))
    if started is None or call.hub.clock.now() - started > LIFE_S:
        raise RefusedError("message_not_in_streaming_state")
    return channel, message


def _grow(call: Call, message: Message, piece: str) -> Message:
    text = message.text + piece
    blocks = ({"type": "markdown", "text": text, "block_id": call.hub.ids.next("b")},) if text else ()
    return call.store.keep(replace(message, text=text, blocks=blocks))


@method("chat.startStream", "chat:write")
def _start(call: Call) -> JsonObject:
    channel = writable_channel(call)
    if channel.kind != "im" and not call.arguments.get("recipient_user_id"):
        raise RefusedError("missing_recipient_user_id")
    call.text("thread_ts")
    text = _piece(call)
    message = post(call.hub, call.store, channel, Content(text), arguments=call.arguments)
    call.store.streaming[channel.id, message.ts] = call.hub.clock.now()
    return {"channel": channel.id, "ts": message.ts}


@method("chat.appendStream", "chat:write")
def _append(call: Call) -> JsonObject:
    channel, message = _streaming(call)
    _grow(call, message, _piece(call))
    return {"channel": channel.id, "ts": message.ts}


@method("chat.stopStream", "chat:write")
def _stop(call: Call) -> JsonObject:
    channel, message = _streaming(call)
    after = _grow(call, message, _piece(call))
    if call.arguments.get("blocks"):
        content = read_content(call.hub, {key: call.arguments[key] for key in ("blocks",)})
        after = call.store.keep(replace(after, blocks=(*after.blocks, *content.blocks)))
    del call.store.streaming[channel.id, message.ts]
    return {"channel": channel.id, "ts": message.ts, "message": after.wire()}
