"""Slack's markup: what people typed as plain text, and plain text so that nothing in it becomes markup."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urlsplit

__all__ = ["cut", "escaped", "mentions", "plain", "safe_url", "unlinked"]

_CONTROL = re.compile(r"<([^<>]*)>")
_MENTION = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s<>]*", re.IGNORECASE)
_INVISIBLE = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)))


def escaped(text: str) -> str:
    """Return *text* as mrkdwn that reads the same: the three characters that Slack gives a meaning are entities."""
    return text.translate(_INVISIBLE).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unlinked(text: str, *, keep: Collection[str] = ()) -> str:
    """Return *text* with an invisible break in every address but those to *keep*, so that Slack links none of them."""
    return _ADDRESS.sub(lambda found: found[0] if found[0] in keep else found[0].replace("://", ":\u200b//", 1), text)


def plain(text: str, *, bot_user_id: str = "") -> str:
    """Return what a person typed, from the markup that Slack made of it.

    Mentions of the bot are left out, other mentions and channels keep their names where Slack gives them, links keep
    their text, and entities become characters.
    """

    def shown(match: re.Match[str]) -> str:
        target, _, label = match[1].partition("|")
        if target.startswith("@") and target[1:] == bot_user_id:
            return " "
        if target.startswith(("@", "#", "!")):
            return f" {label.lstrip('@#')} " if label else " "
        return label or target

    text = _CONTROL.sub(shown, text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()


def mentions(text: str) -> frozenset[str]:
    """Return the ids of the users that *text*, as Slack delivers it, mentions."""
    return frozenset(_MENTION.findall(text))


def safe_url(url: str | None) -> str | None:
    """Return an address that may be made a link, whole and on one line; None when *url* is not http(s)."""
    if not url or len(url) > 3000 or any(character.isspace() for character in url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname else None


def cut(text: str, most: int) -> str:
    """Return *text*, or its beginning with "…" when it is longer than *most* characters, ending at a blank."""
    if len(text) <= most:
        return text
    head = text[: most - 2]
    if not text[most - 2].isspace() and " " in head[-80:]:
        head = head.rsplit(maxsplit=1)[0]
    return f"{head.rstrip()} …"
