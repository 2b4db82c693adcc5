"""Rate limits per method, per workspace and per channel, in calls of the last minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

__all__ = ["DEFAULT_PER_MINUTE", "Rates"]

_TIER_1, _TIER_2, _TIER_3, _TIER_4 = 20, 20, 50, 100

# Slack's published tiers. apps.connections.open is tier 1 (once a minute, bursts tolerated): the burst is
# what is counted here, so that a refresh right after a start goes through; a test can set it to 1.
DEFAULT_PER_MINUTE: Mapping[str, int] = {
    "apps.connections.open": _TIER_1,
    "chat.postMessage": 300,
    "chat.postMessage/channel": 60,
    "chat.postEphemeral": _TIER_4,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "chat.startStream": _TIER_2,
    "chat.stopStream": _TIER_2,
    "chat.appendStream": _TIER_4,
    "assistant.threads.setStatus": 60,
    "assistant.threads.setSuggestedPrompts": _TIER_3,
    "views.open": _TIER_4,
    "views.update": _TIER_4,
    "views.publish": _TIER_4,
    "views.push": _TIER_4,
    "conversations.replies": _TIER_3,
    "conversations.history": _TIER_3,
    "conversations.info": _TIER_3,
    "conversations.list": _TIER_2,
    "conversations.members": _TIER_4,
    "conversations.open": _TIER_3,
    "users.info": _TIER_4,
    "reactions.add": _TIER_3,
    "auth.test": 600,
}


class Rates:
    """Counts calls in a sliding minute.

    Attributes:
        per_minute: Calls allowed in a minute by method; "chat.postMessage/channel" counts per channel.
            A test may change it; a method that is not in it is not limited.
    """

    def __init__(self, per_minute: Mapping[str, int] | None = None) -> None:
        self.per_minute = dict(DEFAULT_PER_MINUTE if per_minute is None else per_minute)
        self._calls: dict[tuple[str, ...], deque[float]] = {}

    def wait_s(self, method: str, *, team: str, channel: str | None, now: float) -> int | None:
        """Count a call; return None when it may pass, else in how many whole seconds to try again."""
        keys: list[tuple[str, ...]] = [(method, team)]
        if channel is not None:
            keys.append((f"{method}/channel", team, channel))
        limited = [(key, self.per_minute[key[0]]) for key in keys if key[0] in self.per_minute]
        waits = [wait for key, most in limited if (wait := self._full_for(key, most, now)) is not None]
        if waits:
            return max(waits)
        for key, _ in limited:
            self._calls[key].append(now)
        return None

    def _full_for(self, key: tuple[str, ...], most: int, now: float) -> int | None:
        calls = self._calls.setdefault(key, deque())
        while calls and calls[0] <= now - 60:
            calls.popleft()
        return max(1, int(calls[0] + 60 - now)) if len(calls) >= most else None
