"""Use case: poll the feeds by the hour, beside everything else that runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from bot.errors import BotError
from bot.feeds import Feeds
from retrieval.errors import RetrievalError

__all__ = ["Polling"]

log = logging.getLogger(__name__)

_LONG_ENOUGH: Final = 0.9
"""Of the time between two looks: the clock that feeds are polled by need not agree with the one that sleeps."""


class Polling:
    """Polls every feed whose last poll is long enough ago, also those that are added later."""

    def __init__(
        self,
        opened: Callable[[], AbstractAsyncContextManager[Feeds]],
        *,
        every_s: float,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Look every *every_s* seconds at the feeds that *opened* gives."""
        self._opened = opened
        self._every_s = every_s
        self._sleep = sleep

    async def run(self, stop: asyncio.Event) -> None:
        """Poll until *stop* is set; what is being kept then is kept first."""
        async with asyncio.TaskGroup() as tasks:
            polling = tasks.create_task(self._again_and_again())
            await stop.wait()
            polling.cancel()

    async def _again_and_again(self) -> None:
        while True:
            try:
                await self._poll()
            except (BotError, RetrievalError) as exc:
                log.warning("feeds not polled", extra={"reason": str(exc)})
            except Exception:  # answering goes on without news
                log.exception("feeds not polled")
            await self._sleep(self._every_s)

    async def _poll(self) -> None:
        async with self._opened() as feeds:
            due = feeds.due(self._every_s * _LONG_ENOUGH)
            for polled in await feeds.poll(due) if due else ():
                if polled.feed.error:
                    log.warning("feed failed", extra={"feed": polled.feed.name, "reason": polled.feed.error})
