"""What runs until it is told to stop: every loop in one task group, started together and ended cleanly."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from typing import Protocol

from bot.errors import BotError

__all__ = ["Loop", "run_until_stopped"]


class Loop(Protocol):
    """Something that runs beside others."""

    async def run(self, stop: asyncio.Event) -> None:
        """Run until *stop* is set; then finish what is under way and return."""
        ...


async def run_until_stopped(loops: Sequence[Loop], *, stop: asyncio.Event | None = None) -> None:
    """Run *loops* until an interrupt, a termination signal, or *stop*. The first that fails ends them all.

    Raises:
        BotError: What the first loop failed with, when that was on purpose.
    """
    stop = stop or asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    try:
        async with asyncio.TaskGroup() as tasks:
            for each in loops:
                tasks.create_task(each.run(stop))
    except* BotError as group:
        raise _first(group) from None
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


def _first(group: BaseExceptionGroup[BotError]) -> BotError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
