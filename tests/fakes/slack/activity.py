"""Waiting for something to become true, woken by every change instead of by polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Activity", "StillWaitingError"]


_LOOK_AGAIN_S = 0.02


class StillWaitingError(AssertionError):
    """What a test waited for did not come true; the message says what was going on instead."""


class Activity:
    """Counts changes and wakes those who wait for one.

    Attributes:
        count: How many changes there have been.
    """

    def __init__(self) -> None:
        self.count = 0
        self._changed = asyncio.Event()

    def note(self) -> None:
        """Record a change and wake everybody who waits."""
        self.count += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def until(self, true: Callable[[], bool], *, timeout_s: float, describe: Callable[[], str]) -> None:
        """Wait until *true* returns true, looking again after each change.

        What *true* looks at may belong to the app, which tells nobody here: so it is also asked now and then.

        Raises:
            StillWaitingError: If that takes longer than *timeout_s* of real time.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while not true():
                    await self.pause(idle_s=_LOOK_AGAIN_S)
        except TimeoutError:
            raise StillWaitingError(f"waited {timeout_s:g} s; {describe()}") from None

    async def pause(self, *, idle_s: float) -> bool:
        """Return true when nothing changes for *idle_s* of real time, false at the first change."""
        try:
            await asyncio.wait_for(self._changed.wait(), idle_s)
        except TimeoutError:
            return True
        return False
