"""A web server on the loopback that plays answers and faults in the order given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer

__all__ = ["Play", "WebStage", "answer", "cut_off", "endless", "moved", "silent", "web_stage", "wrongly_packed"]

Play = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebStage:
    """What the server was asked, and where it is."""

    def __init__(self, server: TestServer, plays: dict[str, list[Play]]) -> None:
        self._server = server
        self._plays = plays
        self.asked: list[web.BaseRequest] = []

    def plays(self, path: str, *plays: Play) -> str:
        """Play these in turn at *path*, the last one for ever; return its address."""
        self._plays[path] = list(plays)
        return str(self._server.make_url(path))

    def asked_at(self, path: str) -> list[web.BaseRequest]:
        """Return the requests for *path*, in order."""
        return [request for request in self.asked if request.path == path]


@asynccontextmanager
async def web_stage() -> AsyncIterator[WebStage]:
    """Give a server that runs as long as the block."""
    plays: dict[str, list[Play]] = {}

    async def handle(request: web.Request) -> web.StreamResponse:
        stage.asked.append(request)
        waiting = plays.get(request.path)
        if not waiting:
            raise web.HTTPNotFound
        return await (waiting.pop(0) if len(waiting) > 1 else waiting[0])(request)

    app = web.Application()
    app.router.add_get("/{path:.*}", handle)
    server = TestServer(app)
    stage = WebStage(server, plays)
    await server.start_server()
    try:
        yield stage
    finally:
        await server.close()


def answer(body: str | bytes = b"", *, status: int = 200, **headers: str) -> Play:
    """Answer with *body*; an underscore in a header's name stands for a hyphen."""
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def play(request: web.Request) -> web.StreamResponse:
        tag = named.get("ETag")
        if tag is not None and request.headers.get("If-None-Match") == tag:
            return web.Response(status=304)
        return web.Response(body=data, status=status, headers=named)

    return play


def moved(target: str) -> Play:
    """Send to *target*."""
    return answer(status=302, Location=target)


def cut_off(body: str) -> Play:
    """Promise more than is sent, then hang up."""

    async def play(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(len(body) + 1_000)})
        await response.prepare(request)
        await response.write(body.encode())
        if request.transport is not None:
            request.transport.close()
        return response

    return play


def silent() -> Play:
    """Never answer."""

    async def play(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError(request)

    return play


def endless() -> Play:
    """Send a body that does not end."""

    async def play(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b"x" * 65_536)
        except ConnectionError:
            return response

    return play


def wrongly_packed() -> Play:
    """Say that the body is gzip, which it is not."""

    async def play(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Encoding": "gzip"})
        await response.prepare(request)
        await response.write(b"this is not gzip")
        return response

    return play
