"""The loops of the program: they start together, end together, and say how they are."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from bot.adapters.health import HealthServer
from bot.app import run_until_stopped
from bot.errors import PlatformError


class Loop:
    """Runs until stopped, or fails at once."""

    def __init__(self, failure: PlatformError | None = None) -> None:
        self.failure, self.ended = failure, False

    async def run(self, stop: asyncio.Event) -> None:
        try:
            if self.failure is not None:
                raise self.failure
            await stop.wait()
        finally:
            self.ended = True


async def test_all_loops_end_when_told_to() -> None:
    loops, stop = [Loop(), Loop()], asyncio.Event()
    running = asyncio.create_task(run_until_stopped(loops, stop=stop))

    stop.set()
    await running

    assert [loop.ended for loop in loops] == [True, True]


async def test_a_loop_that_fails_ends_the_others_and_its_error_is_the_programs() -> None:
    loops = [Loop(), Loop(PlatformError("no socket"))]

    with pytest.raises(PlatformError, match="no socket"):
        await run_until_stopped(loops)

    assert loops[0].ended


@pytest.mark.parametrize(("ok", "status"), [(True, 200), (False, 503)])
async def test_health_is_answered_over_http(*, ok: bool, status: int) -> None:
    async def facts() -> dict[str, object]:
        return {"ok": ok, "open": 3}

    server, stop = HealthServer(facts, host="127.0.0.1", port=0), asyncio.Event()
    running = asyncio.create_task(server.run(stop))
    await server.started.wait()

    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{server.port}/healthz") as answer,
    ):
        found = (answer.status, await answer.json())
    stop.set()
    await running

    assert found == (status, {"ok": ok, "open": 3})


async def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    async def facts() -> dict[str, object]:
        return {}

    first, stop = HealthServer(facts, host="127.0.0.1", port=0), asyncio.Event()
    running = asyncio.create_task(first.run(stop))
    await first.started.wait()

    with pytest.raises(PlatformError, match="cannot listen on"):
        await HealthServer(facts, host="127.0.0.1", port=first.port).run(asyncio.Event())

    stop.set()
    await running
