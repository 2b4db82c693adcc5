"""Who is told of what: a message, an edit, a reaction become events in Slack's own shapes."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Message
from tests.fakes.slack.mrkdwn import links_in, parse
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject

__all__ = ["announce", "announce_change", "announce_removal", "mentions", "preview", "react"]


def mentions(text: str, user_id: str) -> bool:
    """Tell whether *text* holds a live mention of a user."""
    return any(token.kind == "user" and token.target == user_id for token in parse(text))


def _event(store: Store, message: Message) -> JsonObject:
    event = message.wire()
    event |= {"channel": message.channel_id, "event_ts": message.ts}
    event |= {"channel_type": store.channels[message.channel_id].type}
    if message.via == "person":
        event["client_msg_id"] = f"cmid-{message.ts}"
    if message.thread_ts:
        root = store.message(message.channel_id, message.thread_ts)
        event["parent_user_id"] = root.user_id if root else message.user_id
    return event


def announce(hub: Hub, store: Store, message: Message) -> None:
    """Tell the app of a new message: as a mention, as a message, or both with different event ids.

    The app hears nothing of a channel it is not in. Its own posts come back to it as messages, never as mentions.
    """
    channel = store.channels[message.channel_id]
    if not store.bot_in(channel):
        return
    event = _event(store, message)
    own = message.bot_id == store.bot.bot_id
    if channel.kind != "im" and not own and message.subtype is None and mentions(message.text, store.bot.id):
        mention = {k: v for k, v in event.items() if k not in ("channel_type", "parent_user_id")}
        hub.publish(store, "app_mention", {**mention, "type": "app_mention"}, channel=channel)
    hub.publish(store, channel.subscription, event, channel=channel)


def _hidden(hub: Hub, store: Store, message: Message, subtype: str, details: JsonObject) -> None:
    channel = store.channels[message.channel_id]
    if not store.bot_in(channel):
        return
    ts = store.new_ts()
    event: JsonObject = {"type": "message", "subtype": subtype, "channel": channel.id, "channel_type": channel.type}
    event |= {"ts": ts, "event_ts": ts, "hidden": True, **details}
    hub.publish(store, channel.subscription, event, channel=channel)


def announce_change(hub: Hub, store: Store, before: Message, after: Message) -> None:
    """Tell the app that a message reads differently now."""
    _hidden(hub, store, after, "message_changed", {"message": after.wire(), "previous_message": before.wire()})


def announce_removal(hub: Hub, store: Store, message: Message) -> None:
    """Tell the app that a message is gone."""
    _hidden(hub, store, message, "message_deleted", {"deleted_ts": message.ts, "previous_message": message.wire()})


def preview(hub: Hub, store: Store, message: Message) -> None:
    """Let Slack add previews of the links in a message, as it does unless both flags are off."""
    arguments = message.arguments
    flags = [arguments.get(name, name == "unfurl_media") for name in ("unfurl_links", "unfurl_media")]
    if message.via == "api" and "unfurl_links" not in arguments:
        flags[0] = True
    links = [link for link in links_in(message) if link.startswith("http")]
    if not links or all(flag in (False, "false", "0", 0) for flag in flags):
        return
    cards = tuple({"from_url": link, "title": link, "id": n} for n, link in enumerate(links, start=1))
    after = replace(message, attachments=(*message.attachments, *cards), unfurled=True)
    store.amend(after)
    announce_change(hub, store, message, after)


def react(hub: Hub, store: Store, message: Message, name: str, user_id: str, *, added: bool) -> None:
    """Add or take away a reaction, and tell the app."""
    store.amend(message.with_reaction(name, user_id, added=added))
    item = {"type": "message", "channel": message.channel_id, "ts": message.ts}
    kind = "reaction_added" if added else "reaction_removed"
    event = {"type": kind, "user": user_id, "reaction": name, "item": item, "item_user": message.user_id}
    channel = store.channels[message.channel_id]
    if store.bot_in(channel):
        hub.publish(store, kind, {**event, "event_ts": store.new_ts()}, channel=channel)
    hub.activity.note()
