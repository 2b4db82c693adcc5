"""How Slack reads mrkdwn: what becomes a mention, a broadcast, a link, and what stays text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tests.fakes.slack.model import Message

__all__ = ["Live", "Token", "links_in", "live_in", "parse", "to_html", "unescape"]

Kind: TypeAlias = Literal["text", "user", "broadcast", "group", "channel", "link", "autolink", "date"]

_CONTROL = re.compile(r"<([^<>\n]+)>|(https?://[^\s<>|]+[^\s<>|.,;:!?'\")\]}])")
_BROADCASTS = ("here", "channel", "everyone", "group")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of mrkdwn. `target` is the id, range or address; `label` is what is shown, unescaped."""

    kind: Kind
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class Live:
    """Something in a message that acts: it notifies somebody or leads somewhere."""

    kind: Kind
    target: str
    where: str


def unescape(text: str) -> str:
    """Turn the only three entities that Slack knows back into characters."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _bang(target: str, shown: str) -> Token | None:
    if target.startswith("!subteam^"):
        return Token("group", target.removeprefix("!subteam^"), shown or "@group")
    if target.startswith("!date^"):
        return Token("date", target, shown)
    return Token("broadcast", target[1:], f"@{target[1:]}") if target[1:] in _BROADCASTS else None


def _control(body: str) -> Token:
    target, _, label = body.partition("|")
    shown = unescape(label)
    if re.fullmatch(r"@[UW][A-Z0-9]+", target):
        return Token("user", target[1:], shown or target)
    if re.fullmatch(r"#[CG][A-Z0-9]+", target):
        return Token("channel", target[1:], f"#{shown}" if shown else target)
    if re.match(r"(https?://|mailto:|tel:)", target):
        return Token("link", unescape(target), shown or unescape(target))
    special = _bang(target, shown) if target.startswith("!") else None
    return special or Token("text", "", unescape(f"<{body}>"))


def parse(text: str) -> list[Token]:
    """Split mrkdwn into plain text and things that act, in reading order."""
    tokens: list[Token] = []
    end = 0
    for match in _CONTROL.finditer(text):
        if match.start() > end:
            tokens.append(Token("text", "", unescape(text[end : match.start()])))
        bare = match[2]
        tokens.append(Token("autolink", unescape(bare), unescape(bare)) if bare else _control(match[1]))
        end = match.end()
    return [*tokens, Token("text", "", unescape(text[end:]))] if end < len(text) else tokens


def _in_text(text: str, where: str) -> Iterator[Live]:
    return (Live(token.kind, token.target, where) for token in parse(text) if token.kind not in ("text", "date"))


_RICH: Mapping[str, tuple[Kind, str]] = {
    "user": ("user", "user_id"),
    "usergroup": ("group", "usergroup_id"),
    "channel": ("channel", "channel_id"),
    "broadcast": ("broadcast", "range"),
    "link": ("link", "url"),
}


def _in_blocks(value: object, where: str) -> Iterator[Live]:
    if isinstance(value, Mapping):
        kind = value.get("type")
        if kind in ("mrkdwn", "markdown") and isinstance(value.get("text"), str):
            yield from _in_text(str(value["text"]), where)
        elif kind in _RICH and _RICH[str(kind)][1] in value:
            name, key = _RICH[str(kind)]
            yield Live(name, str(value[key]), where)
        elif isinstance(value.get("url"), str):
            yield Live("link", str(value["url"]), where)
        for key, part in value.items():
            yield from _in_blocks(part, f"{where}/{key}")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, part in enumerate(value):
            yield from _in_blocks(part, f"{where}/{index}")


def _named(text: str, users: Mapping[str, str]) -> Iterator[Live]:
    """Yield what `link_names` or `parse=full` would turn into mentions."""
    for name in re.findall(r"@([\w.-]+)", text):
        if name in _BROADCASTS:
            yield Live("broadcast", name, "text")
        elif name in users:
            yield Live("user", users[name], "text")


def live_in(message: Message, *, users: Mapping[str, str]) -> list[Live]:
    """Return everything in *message* that acts.

    Args:
        message: Any message; its raw arguments tell whether names are linked.
        users: User id by name, for `link_names` and `parse=full`.
    """
    found = [*_in_text(message.text, "text"), *_in_blocks(list(message.blocks), "blocks")]
    found += _in_blocks(list(message.attachments), "attachments")
    if message.arguments.get("link_names") in (True, "1", 1) or message.arguments.get("parse") == "full":
        found += _named(message.text, users)
    return found


def links_in(message: Message) -> list[str]:
    """Return the addresses that the message leads to, in reading order, those of previews left out."""
    return [live.target for live in live_in(message, users={}) if live.kind in ("link", "autolink")]


def _styled(text: str) -> str:
    safe = html.escape(text)
    safe = re.sub(r"```(.+?)```", r"<pre>\1</pre>", safe, flags=re.DOTALL)
    safe = re.sub(r"(?<![\w`])`([^`\n]+)`(?!\w)", r"<code>\1</code>", safe)
    for mark, tag in (("*", "strong"), ("_", "em"), ("~", "del")):
        sign = re.escape(mark)
        safe = re.sub(rf"(?<!\w){sign}(?=\S)([^{sign}\n]+?)(?<=\S){sign}(?!\w)", rf"<{tag}>\1</{tag}>", safe)
    safe = re.sub(r"(?m)^&gt; ?(.*)$", r"<blockquote>\1</blockquote>", safe)
    return safe.replace("</blockquote>\n", "</blockquote>").replace("\n", "<br>")


def _token_html(token: Token, names: Mapping[str, str]) -> str:
    if token.kind == "text":
        return _styled(token.label)
    if token.kind in ("link", "autolink") and token.target.startswith(("http://", "https://")):
        return f'<a href="{html.escape(token.target)}" rel="noreferrer">{html.escape(token.label)}</a>'
    label = f"@{names.get(token.target, token.target)}" if token.kind == "user" else token.label
    return f'<span class="mention">{html.escape(label)}</span>'


def to_html(text: str, names: Mapping[str, str]) -> str:
    """Return mrkdwn as HTML, everything escaped; *names* gives a name by user id."""
    return "".join(_token_html(token, names) for token in parse(text))
