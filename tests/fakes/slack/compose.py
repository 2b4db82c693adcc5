"""What Slack's own client makes of what a person types: entities, mentions, links, a rich_text twin."""

from __future__ import annotations

import re

from tests.fakes.slack.mrkdwn import Token, parse
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject

__all__ = ["as_rich_text", "as_typed"]

_NAME = re.compile(r"(?<![\w<])([@#])([\w.-]*\w)")
_URL = re.compile(r"https?://[^\s<>|]+[^\s<>|.,;:!?'\")\]}]")


def _named(match: re.Match[str], store: Store) -> str:
    sign, name = match.groups()
    if sign == "@":
        if name in ("here", "channel", "everyone"):
            return f"<!{name}>"
        user = store.find_user(name)
        return f"<@{user.id}>" if user else match[0]
    channel = store.find_channel(name)
    return f"<#{channel.id}|{channel.name}>" if channel and channel.kind == "public" else match[0]


def as_typed(text: str, store: Store) -> str:
    """Return *text* as Slack stores it when a person types it.

    "@ada" becomes a mention when there is an ada, "#papers" a channel, "@here" a broadcast, an address a link,
    and `& < >` become entities.
    """
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    parts: list[str] = []
    end = 0
    for url in _URL.finditer(safe):
        parts += [_NAME.sub(lambda m: _named(m, store), safe[end : url.start()]), f"<{url[0]}>"]
        end = url.end()
    return "".join([*parts, _NAME.sub(lambda m: _named(m, store), safe[end:])])


def _part(token: Token) -> JsonObject:
    if token.kind == "user":
        return {"type": "user", "user_id": token.target}
    if token.kind == "channel":
        return {"type": "channel", "channel_id": token.target}
    if token.kind == "broadcast":
        return {"type": "broadcast", "range": token.target}
    if token.kind in ("link", "autolink"):
        return {"type": "link", "url": token.target}
    return {"type": "text", "text": token.label}


def as_rich_text(text: str, block_id: str) -> JsonObject:
    """Return the block that Slack's client sends beside the text."""
    section = {"type": "rich_text_section", "elements": [_part(token) for token in parse(text)]}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}
