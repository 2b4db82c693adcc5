"""Time that a test moves by hand, and real time for a workspace run by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Clock", "ManualClock", "RealClock", "Timer"]

_MONDAY_MORNING_S = 1_796_029_200.0  # 30 November 2026, 09:00 UTC


@dataclass(slots=True)
class Timer:
    """A callback due at an instant; `cancel` makes it do nothing."""

    callback: Callable[[], object]
    cancelled: bool = False

    def cancel(self) -> None:
        """Make sure that the callback does not run any more."""
        self.cancelled = True

    def fire(self) -> None:
        """Run the callback, once, unless cancelled."""
        if not self.cancelled:
            self.cancelled = True
            self.callback()


class Clock(Protocol):
    """Seconds since 1970 UTC, and callbacks at an instant."""

    def now(self) -> float:
        """Return the present instant."""
        ...

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Run *callback* once the clock shows *when* or later."""
        ...


class ManualClock:
    """Stands still until told to move."""

    def __init__(self, start: float = _MONDAY_MORNING_S) -> None:
        self._now = start
        self._due: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()

    def now(self) -> float:
        """Return the instant that the clock stands at."""
        return self._now

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Run *callback* when `advance` reaches *when*; ties in the order of asking."""
        timer = Timer(callback)
        heapq.heappush(self._due, (when, next(self._order), timer))
        return timer

    def next_due(self, until: float) -> Timer | None:
        """Move to the next callback that is due by *until* and return it; None when there is none."""
        while self._due and self._due[0][0] <= until:
            when, _, timer = heapq.heappop(self._due)
            if not timer.cancelled:
                self._now = max(self._now, when)
                return timer
        return None

    def set(self, when: float) -> None:
        """Jump to *when*, backwards too, without running anything."""
        self._now = when


class RealClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the present instant."""
        return time.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Run *callback* on the running loop at *when*."""
        timer = Timer(callback)
        asyncio.get_running_loop().call_later(max(0.0, when - time.time()), timer.fire)
        return timer
