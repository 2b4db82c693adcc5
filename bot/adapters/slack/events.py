"""What Slack delivers, read into values: questions, opinions, and what is none of our business. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from bot.adapters.slack.mrkdwn import mentions, plain
from bot.adapters.slack.names import ASK, COMMAND, FEEDBACK, FIND

__all__ = ["Ignored", "Kind", "Opinion", "Question", "asks_for_settings", "id_of", "read"]

Kind: TypeAlias = Literal["mention", "direct", "follow_up", "command", "button", "shortcut"]

_SETTINGS = frozenset({"subscribe", "settings", "digest settings"})
_SUBTYPES = frozenset({None, "", "file_share", "thread_broadcast"})


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be answered, once.

    Attributes:
        event_id: The same over every redelivery; empty where Slack does not deliver again.
        name: What it is in its channel: a message's ts, or what an interaction has in its place.
        thread: The root of the thread to answer in; empty for a private answer.
        text: As typed, without markup.
        others: Whether somebody else than the bot is mentioned.
        response_url: Where a private answer goes.
        table: The key of the answered message whose button was pressed.
        external: Whether the person belongs to another organisation.
        sort: Orders the questions of one conversation, seconds.
    """

    kind: Kind
    event_id: str
    team: str
    enterprise: str
    channel: str
    user: str
    name: str
    text: str
    thread: str = ""
    others: bool = False
    response_url: str = ""
    table: str = ""
    external: bool = False
    sort: float = 0.0

    @property
    def message_key(self) -> str:
        """What makes two deliveries the same question, whatever their event ids."""
        return f"{self.team}:{self.channel}:{self.name}"

    @property
    def key(self) -> str:
        """A short opaque name for the question, for metadata and buttons."""
        return hashlib.sha256(self.message_key.encode()).hexdigest()[:16]

    @property
    def private(self) -> bool:
        """Whether only the person who asked sees the answer."""
        return not self.thread

    @property
    def conversation_id(self) -> str:
        """The conversation that it belongs to: the thread, the direct messages, or one person's commands here."""
        if self.private:
            return f"slack:{self.team}:{self.channel}:{self.user}:private"
        place = f"slack:{self.team}:{self.channel}"
        return place if self.kind == "direct" and self.thread == self.name else f"{place}:{self.thread}"

    def to_json(self) -> str:
        """Return the question as JSON, for the inbox."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Question:
        """Return the question that `to_json` wrote."""
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Opinion:
    """What somebody thinks of an answer.

    Attributes:
        key: The question's key.
    """

    team: str
    channel: str
    user: str
    key: str
    helpful: bool
    response_url: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """A delivery that needs nothing but the ack; *reason* is counted."""

    reason: str


def read(body: Mapping[str, Any], *, bot_user_id: str) -> Question | Opinion | Ignored | None:
    """Return what *body* asks for; None for what a listener takes care of, or what is not known."""
    match body:
        case {"type": "event_callback", "event": {"type": "app_mention" | "message"} as event}:
            return _message(body, event, bot_user_id)
        case {"type": "block_actions", "actions": [{"action_id": str(action)} as pressed, *_]}:
            return _action(body, action, pressed)
        case {"command": str(command)} if command == COMMAND:
            return _command(body, bot_user_id)
        case {"type": "message_action", "callback_id": callback} if callback == FIND:
            return _shortcut(body, bot_user_id)
        case _:
            return None


def asks_for_settings(body: Mapping[str, Any]) -> bool:
    """Tell whether *body* is the command that opens the modal of the digest's settings."""
    return body.get("command") == COMMAND and str(body.get("text") or "").strip().lower() in _SETTINGS


def _message(body: Mapping[str, Any], event: Mapping[str, Any], bot_user_id: str) -> Question | Ignored:
    if event.get("subtype") not in _SUBTYPES:
        return Ignored("subtype")
    user, ts, channel = (str(event.get(name) or "") for name in ("user", "ts", "channel"))
    if event.get("bot_id") or event.get("bot_profile") or user in {"", "USLACKBOT", bot_user_id}:
        return Ignored("bot")
    if not ts or not channel:
        return Ignored("incomplete")
    text, thread = str(event.get("text") or ""), str(event.get("thread_ts") or "")
    mentioned = mentions(text)
    team = str(body.get("team_id") or event.get("team") or "")
    kind: Kind | None = _kind(event, bot_user_id, mentioned, in_thread=bool(thread))
    if kind is None:
        return Ignored("not addressed")
    return Question(
        kind,
        str(body.get("event_id") or ""),
        team,
        str(body.get("enterprise_id") or ""),
        channel,
        user,
        ts,
        plain(text, bot_user_id=bot_user_id),
        thread=thread or ts,
        others=bool(mentioned - {bot_user_id}),
        external=_external(body, event, team),
        sort=_seconds(ts),
    )


def _kind(event: Mapping[str, Any], bot_user_id: str, mentioned: frozenset[str], *, in_thread: bool) -> Kind | None:
    # A direct message that mentions the bot is a direct message: its twin never comes.
    if event.get("channel_type") == "im":
        return "direct"
    if event["type"] == "app_mention" or bot_user_id in mentioned:
        return "mention"
    return "follow_up" if in_thread and event.get("channel_type") != "mpim" else None


def _external(body: Mapping[str, Any], event: Mapping[str, Any], team: str) -> bool:
    home = str(event.get("user_team") or event.get("team") or team)
    return bool(body.get("is_ext_shared_channel")) and home != team


def _command(body: Mapping[str, Any], bot_user_id: str) -> Question:
    name = str(body.get("trigger_id") or "")
    return Question(
        "command",
        "",
        id_of(body, "team"),
        id_of(body, "enterprise"),
        str(body.get("channel_id") or ""),
        str(body.get("user_id") or ""),
        name,
        plain(str(body.get("text") or ""), bot_user_id=bot_user_id) or "help",
        response_url=str(body.get("response_url") or ""),
    )


def _shortcut(body: Mapping[str, Any], bot_user_id: str) -> Question:
    message = body.get("message") or {}
    return Question(
        "shortcut",
        "",
        id_of(body, "team"),
        id_of(body, "enterprise"),
        id_of(body, "channel"),
        id_of(body, "user"),
        f"{body.get('action_ts', '')}:{id_of(body, 'user')}",
        plain(str(message.get("text") or ""), bot_user_id=bot_user_id),
        response_url=str(body.get("response_url") or ""),
        sort=_seconds(str(body.get("action_ts") or "")),
    )


def _action(body: Mapping[str, Any], action: str, pressed: Mapping[str, Any]) -> Question | Opinion | None:
    name, _, key = str(pressed.get("block_id") or "").partition(":")
    if action == FEEDBACK and name == FEEDBACK:
        helpful = pressed.get("value") == "good"
        where = (id_of(body, "team"), id_of(body, "channel"), id_of(body, "user"))
        return Opinion(*where, key, helpful, str(body.get("response_url") or ""))
    if not action.startswith(f"{ASK}:") or name != ASK:
        return None
    place = body.get("container") or {}
    private = bool(place.get("is_ephemeral"))
    return Question(
        "button",
        "",
        id_of(body, "team"),
        id_of(body, "enterprise"),
        id_of(body, "channel"),
        id_of(body, "user"),
        # One button of one answer is carried out once, however often and by whomever it is pressed.
        f"{key}:{pressed.get('value', '')}",
        str(pressed.get("value") or ""),
        thread="" if private else str(place.get("thread_ts") or place.get("message_ts") or ""),
        response_url=str(body.get("response_url") or ""),
        table=key,
        sort=_seconds(str(pressed.get("action_ts") or "")),
    )


def id_of(body: Mapping[str, Any], name: str) -> str:
    """Return an id that Slack gives as an object's "id", or flat beside it."""
    part = body.get(name)
    return str((part.get("id") if isinstance(part, Mapping) else None) or body.get(f"{name}_id") or "")


def _seconds(ts: str) -> float:
    try:
        return float(ts)
    except ValueError:
        return 0.0
