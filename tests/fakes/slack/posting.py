"""How something that the app writes gets into a channel, whichever way it came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.fakes.slack.blocks import check_blocks, too_long, with_ids
from tests.fakes.slack.events import announce, announce_change, announce_removal, preview
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Channel, Message, Via
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject, RefusedError, as_object

__all__ = ["Content", "answer_privately", "post", "read_content", "refused_blocks", "rewrite"]


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says, checked."""

    text: str
    blocks: tuple[JsonObject, ...] = ()
    attachments: tuple[JsonObject, ...] = ()
    metadata: JsonObject | None = None
    has_text: bool = True
    has_blocks: bool = False
    has_attachments: bool = False


def refused_blocks(error: str, misfits: Sequence[object]) -> RefusedError:
    """Return Slack's answer to blocks that it does not take: the reasons with JSON pointers."""
    reasons = [str(misfit) for misfit in misfits]
    return RefusedError(
        error, errors=reasons, response_metadata={"messages": [f"[ERROR] {reason}" for reason in reasons]}
    )


def _blocks(hub: Hub, arguments: JsonObject, *, counted: bool) -> tuple[JsonObject, ...]:
    blocks = arguments.get("blocks") or []
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise RefusedError("invalid_blocks_format")
    misfits = check_blocks(blocks)
    if misfits:
        raise refused_blocks("invalid_blocks", misfits)
    if counted and too_long(blocks):
        raise RefusedError("msg_blocks_too_long")
    return tuple(with_ids(block, hub.ids) for block in blocks)


def _metadata(arguments: JsonObject) -> JsonObject | None:
    metadata = arguments.get("metadata")
    if metadata is None:
        return None
    if not isinstance(metadata, dict):
        raise RefusedError("invalid_metadata_format")
    if not isinstance(metadata.get("event_type"), str) or "event_payload" not in metadata:
        raise RefusedError("invalid_metadata_schema")
    return metadata


def read_content(hub: Hub, arguments: JsonObject, *, most: int | None = None, counted: bool = True) -> Content:
    """Check what a message is to say, as Slack does before it posts.

    Args:
        hub: Hands out block ids.
        arguments: text, blocks, attachments, markdown_text, metadata.
        most: Refuse a longer text with `msg_too_long`; None cuts it at 40,000 characters.
        counted: Whether the blocks' sizes are added up; over a response_url they are not.

    Raises:
        RefusedError: With Slack's word for the first thing wrong.
    """
    markdown, text = arguments.get("markdown_text"), arguments.get("text")
    if markdown is not None and (text or arguments.get("blocks")):
        raise RefusedError("markdown_text_conflict")
    if markdown is not None:
        return _markdown(hub, str(markdown), arguments)
    text = "" if text is None else str(text)
    blocks = _blocks(hub, arguments, counted=counted)
    attachments = tuple(as_object(a) for a in arguments.get("attachments") or [])
    if len(attachments) > 100:
        raise RefusedError("too_many_attachments")
    if not text.strip() and not blocks and not attachments:
        raise RefusedError("no_text")
    if most is not None and len(text) > most:
        raise RefusedError("msg_too_long")
    flags = {"has_text": bool(text.strip()), "has_blocks": "blocks" in arguments}
    return Content(
        text[:40_000], blocks, attachments, _metadata(arguments), **flags, has_attachments="attachments" in arguments
    )


def _markdown(hub: Hub, markdown: str, arguments: JsonObject) -> Content:
    if not markdown.strip():
        raise RefusedError("no_text")
    if len(markdown) > 12_000:
        raise RefusedError("msg_too_long")
    block = {"type": "markdown", "text": markdown, "block_id": hub.ids.next("b")}
    return Content(markdown, (block,), (), _metadata(arguments), has_blocks=True)


def _in_thread(store: Store, channel: Channel, thread_ts: str | None) -> str | None:
    if not thread_ts:
        return None
    if store.message(channel.id, thread_ts) is None and not store.thread(channel.id, thread_ts):
        raise RefusedError("thread_not_found")
    message = store.message(channel.id, thread_ts)
    return message.root_ts if message else thread_ts


def post(
    hub: Hub,
    store: Store,
    channel: Channel,
    content: Content,
    *,
    arguments: JsonObject,
    via: Via = "api",
    visible_to: str | None = None,
) -> Message:
    """Write a message as the app and tell whoever listens.

    Raises:
        RefusedError: `thread_not_found` when the arguments name a thread that is not there.
    """
    thread_ts = _in_thread(store, channel, arguments.get("thread_ts"))
    ts = store.new_ts()
    message = Message(
        ts=ts,
        channel_id=channel.id,
        team_id=store.team_id,
        user_id=store.bot.id,
        text=content.text,
        blocks=content.blocks,
        attachments=content.attachments,
        thread_ts=thread_ts,
        bot_id=store.bot.bot_id,
        app_id=hub.app_id,
        metadata=content.metadata,
        reply_broadcast=arguments.get("reply_broadcast") in (True, "1", "true", 1),
        visible_to=visible_to,
        rendered=visible_to is None or not thread_ts or len(store.thread(channel.id, thread_ts)) > 1,
        via=via,
        arguments=arguments,
    )
    store.keep(message)
    if visible_to is None:
        store.statuses.pop((channel.id, message.root_ts), None)
        announce(hub, store, message)
        preview(hub, store, message)
    hub.activity.note()
    return store.message(channel.id, ts) or message


def rewrite(hub: Hub, store: Store, before: Message, content: Content, arguments: JsonObject) -> Message:
    """Replace what a message of the app says. A text without blocks removes the blocks it had."""
    keeps_blocks = not content.has_blocks and not content.has_text
    after = replace(
        before,
        text=content.text if content.has_text or content.has_blocks else before.text,
        blocks=before.blocks if keeps_blocks else content.blocks,
        attachments=content.attachments if content.has_attachments else before.attachments,
        metadata=content.metadata or before.metadata,
        edited_ts=store.new_ts(),
        arguments={**before.arguments, **arguments},
        via="api",
    )
    store.keep(after)
    announce_change(hub, store, before, after)
    hub.activity.note()
    return after


def answer_privately(
    hub: Hub, store: Store, user_id: str, channel: Channel, body: JsonObject, *, via: Via, ts: str | None = None
) -> None:
    """Do what an ack's payload or a post to a response_url asks for.

    Args:
        hub: The shared parts.
        store: The workspace.
        user_id: Who did what is being answered.
        channel: Where.
        body: text, blocks, response_type, replace_original, delete_original, thread_ts.
        via: How the answer came.
        ts: The message that the interaction happened on, if it did on one.

    Raises:
        RefusedError: When the content is not valid.
    """
    original = store.message(channel.id, ts) if ts else None
    if body.get("delete_original"):
        if original is not None:
            store.remove(original)
            announce_removal(hub, store, original)
        return
    if not any(body.get(key) for key in ("text", "blocks", "attachments")):
        return
    content = read_content(hub, body, counted=False)
    if body.get("replace_original") and original is not None:
        rewrite(hub, store, original, content, body)
        return
    everybody = body.get("response_type") == "in_channel"
    post(hub, store, channel, content, arguments=body, via=via, visible_to=None if everybody else user_id)
