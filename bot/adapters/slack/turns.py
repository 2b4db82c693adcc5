"""One message at a time in each channel, as fast as Slack takes them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.ports import Clock

__all__ = ["Turns"]


@dataclass(slots=True)
class Turns:
    """Whose turn it is.

    Attributes:
        pace_s: Seconds between two posts in one channel; 0 for no pause.
    """

    clock: Clock
    pace_s: float = 1.05
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    _locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    _next: dict[str, float] = field(default_factory=dict)

    async def take(self, team: str, channel: str) -> None:
        """Wait until it is this channel's turn again."""
        if self.pace_s <= 0:
            return
        place = f"{team}:{channel}"
        async with self._locks[place]:
            now = self.clock.monotonic_s()
            wait_s = self._next.get(place, now) - now
            if wait_s > 0:
                await self.sleep(wait_s)
            self._next[place] = max(now, self._next.get(place, now)) + self.pace_s
