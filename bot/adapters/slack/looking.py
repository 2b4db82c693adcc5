"""Whether a message of ours stands where it was to be posted: what to do after an answer of Slack's was lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.adapters.slack.web import Web

__all__ = ["look_for"]

_PAGES = 5
_ON_PAGE = 200


async def look_for(key: str, web: Web, token: str, *, channel: str, thread: str = "", oldest: str) -> str | None:
    """Return what Slack calls the message whose metadata has *key*.

    Args:
        key: As it was posted with.
        web: Asked once for each page.
        token: Of the bot.
        channel: Where it was to be posted.
        thread: In which thread; empty for the channel itself.
        oldest: Nothing that is older is looked at; a time as Slack writes it.

    Returns:
        Its name; empty when it does not stand there, None when more was said since then than is looked through.

    Raises:
        LimitedError: If Slack asks to wait.
        RefusedError: If there is no leave to look, or nothing to look at.
        AmbiguousError: If no answer came.
        UnreachableError: If there is no connection.
    """
    method = "conversations.replies" if thread else "conversations.history"
    where, cursor = {"ts": thread} if thread else {}, ""
    for _ in range(_PAGES):
        more = {"cursor": cursor} if cursor else {}
        answer = await web.call(
            method,
            token,
            channel=channel,
            oldest=oldest,
            include_all_metadata=True,
            limit=_ON_PAGE,
            **where,
            **more,
        )
        for message in answer.get("messages") or ():
            if _key_of(message) == key:
                return str(message.get("ts") or "")
        cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            return ""
    return None


def _key_of(message: Mapping[str, Any]) -> object:
    payload = (message.get("metadata") or {}).get("event_payload") or {}
    return payload.get("key") if isinstance(payload, Mapping) else None
