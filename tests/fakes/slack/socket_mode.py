"""Socket Mode: single-use addresses, hello, one envelope to one socket, and sockets that go bad."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias

from aiohttp import WSMsgType, web

from tests.fakes.slack.courier import Attempt, Delivery
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.wire import JsonObject, compact

__all__ = ["TICKET_LIFE_S", "Connection", "Reason", "Sockets"]

TICKET_LIFE_S = 30.0
_MOST = 10

Reason: TypeAlias = Literal["warning", "refresh_requested", "too_many_websockets", "link_disabled"]


@dataclass(slots=True)
class Connection:
    """One socket of the app.

    Attributes:
        draining: Told to leave, so that it gets nothing more.
        frozen: Half-open: takes frames, answers none, not even a ping.
        envelopes: Labels of what was sent over it, in order.
    """

    number: int
    socket: web.WebSocketResponse
    request: web.Request
    draining: bool = False
    frozen: bool = False
    envelopes: list[str] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether it still takes envelopes."""
        return not self.draining and not self.socket.closed

    def drop(self) -> None:
        """Cut it without a goodbye."""
        self.draining = True
        if self.request.transport is not None:
            self.request.transport.abort()


class Sockets:
    """Hands out addresses and sends envelopes over the sockets opened there.

    Attributes:
        connections: Every socket so far, closed ones included.
        refused: How many handshakes were refused.
        stale_urls: How many of the next addresses are expired already when they are handed out.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tickets: dict[str, float] = {}
        self._by_key: dict[str, Connection] = {}
        self._turn = 0
        self.connections: list[Connection] = []
        self.refused = 0
        self.stale_urls = 0

    @property
    def open(self) -> list[Connection]:
        """The sockets that take envelopes."""
        return [connection for connection in self.connections if connection.open]

    def new_url(self) -> str:
        """Return an address that takes one handshake within half a minute."""
        ticket = self._hub.ids.uuid()
        stale = self.stale_urls > 0
        self.stale_urls -= stale
        self._tickets[ticket] = 0.0 if stale else self._hub.clock.now() + TICKET_LIFE_S
        host = self._hub.base_url.removeprefix("http")
        return f"ws{host}/link/?ticket={ticket}&app_id={self._hub.app_id}"

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Take a handshake and serve the socket until it closes."""
        if self._hub.clock.now() > self._tickets.pop(request.query.get("ticket", ""), 0.0):
            self.refused += 1
            self._hub.activity.note()
            return web.Response(status=400, text="the ticket is used or expired")
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        connection = Connection(len(self.connections) + 1, socket, request)
        await self._welcome(connection)
        await self._listen(connection)
        connection.draining = True
        self._hub.activity.note()
        return socket

    async def _welcome(self, connection: Connection) -> None:
        if len(self.open) >= _MOST:
            await self._say(connection, {"type": "disconnect", "reason": "too_many_websockets"})
            await connection.socket.close()
            return
        self.connections.append(connection)
        debug = {"host": "applink-fake-1", "build_number": 1, "approximate_connection_time": 18060}
        hello = {"type": "hello", "num_connections": len(self.open), "debug_info": debug}
        await self._say(connection, {**hello, "connection_info": {"app_id": self._hub.app_id}})
        self._hub.activity.note()

    async def _listen(self, connection: Connection) -> None:
        while not connection.socket.closed:
            frame = await connection.socket.receive()
            if frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                break
            if connection.frozen:
                continue
            if frame.type == WSMsgType.PING:
                await connection.socket.pong(frame.data)
            elif frame.type == WSMsgType.TEXT:
                self._ack(frame.data)

    def _ack(self, text: str) -> None:
        frame = json.loads(text)
        payload = frame.get("payload")
        self._hub.courier.acked(str(frame.get("envelope_id")), payload if isinstance(payload, dict) else None)

    async def _say(self, connection: Connection, frame: JsonObject) -> bool:
        try:
            await connection.socket.send_str(compact(frame))
        except ConnectionError:
            connection.draining = True
            return False
        return True

    async def send(self, delivery: Delivery, attempt: Attempt) -> str | None:
        """Send an envelope over the next open socket; a half-open one swallows it."""
        sockets = self.open
        if not sockets:
            return "connection_failed"
        connection = sockets[self._turn % len(sockets)]
        self._turn += 1
        envelope: JsonObject = {"envelope_id": attempt.key, "payload": delivery.payload, "type": delivery.kind}
        envelope["accepts_response_payload"] = delivery.accepts_response
        if delivery.kind == "events_api":
            envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
        self._by_key[attempt.key] = connection
        connection.envelopes.append(delivery.label)
        if connection.frozen:
            attempt.cut = True
            return None
        return None if await self._say(connection, envelope) else "connection_failed"

    def cut(self, attempt: Attempt) -> None:
        """Drop the socket that an envelope went over."""
        self._by_key[attempt.key].drop()

    async def disconnect(self, reason: Reason = "warning", *, connection: Connection | None = None) -> None:
        """Ask the app to leave a socket, all of them by default; ten seconds later Slack closes it itself."""
        for leaving in [connection] if connection else self.open:
            leaving.draining = True
            frame = {"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-fake-1"}}
            await self._say(leaving, frame)
            due = self._hub.clock.now() + 10
            self._hub.clock.call_at(due, partial(self._close_soon, leaving.socket))
        self._hub.activity.note()

    def _close_soon(self, socket: web.WebSocketResponse) -> None:
        self._hub.spawn(_close(socket))

    async def close(self) -> None:
        """Close every socket."""
        for connection in self.connections:
            connection.draining = True
            await _close(connection.socket)


async def _close(socket: web.WebSocketResponse) -> None:
    if not socket.closed:
        await socket.close()
