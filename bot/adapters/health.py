"""A health check over HTTP, for whatever supervises the program."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from bot.adapters.listening import listen

__all__ = ["HealthServer"]


class HealthServer:
    """Answers GET /healthz with facts as JSON: 200 when all is well, 503 when not.

    Attributes:
        port: 0 for any free one; then the one that was taken.
    """

    def __init__(self, facts: Callable[[], Awaitable[Mapping[str, object]]], *, host: str, port: int) -> None:
        """Answer with *facts*, of which "ok" says whether all is well."""
        self._facts, self._host, self.port = facts, host, port
        self.started = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Answer until *stop* is set.

        Raises:
            PlatformError: If the port is not to be had.
        """
        server = web.Application()
        server.router.add_get("/healthz", self._answer)
        runner, self.port = await listen(server, host=self._host, port=self.port)
        try:
            self.started.set()
            await stop.wait()
        finally:
            await runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        del request
        facts = await self._facts()
        return web.json_response(dict(facts), status=200 if facts.get("ok") else 503)
