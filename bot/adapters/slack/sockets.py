"""Socket Mode, with a watchdog: a socket that looks alive and is dead is noticed, replaced, or reported."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.adapters.slack.boot import open_socket_address
from bot.adapters.slack.web import Web
from bot.errors import PlatformError

__all__ = ["SocketTransport"]

log = logging.getLogger(__name__)

_FORGET_ADDRESS_AFTER = 2
_REBUILD_AFTER = 6
_GIVE_UP_AFTER = 20
_CLOSE_WITHIN_S = 10


@dataclass(slots=True)
class SocketTransport:
    """Keeps one socket to Slack open.

    Attributes:
        check_s: Seconds between two looks at the socket.
        strikes: How many looks in a row have found it dead.
        rebuilt: How often the client has been made anew.
    """

    app: AsyncApp
    web: Web
    app_token: str = field(repr=False)
    ping_s: float = 10
    check_s: float = 30
    proxy: str | None = None
    strikes: int = 0
    rebuilt: int = 0
    _handler: AsyncSocketModeHandler | None = None

    async def start(self) -> None:
        """Connect.

        Raises:
            SettingsError: If Slack does not take the token.
            PlatformError: If it cannot be reached.
        """
        address = await open_socket_address(self.web, self.app_token)
        self._handler = self._built()
        # The SDK would ask again for ever if this first address were refused to it.
        self._handler.client.wss_uri = address
        await self._handler.connect_async()  # type: ignore[no-untyped-call]
        log.info("connected")

    def _built(self) -> AsyncSocketModeHandler:
        return AsyncSocketModeHandler(
            self.app,
            self.app_token,
            logger=logging.getLogger("slack_sdk.socket_mode"),
            web_client=self.web.client,
            ping_interval=self.ping_s,
            proxy=self.proxy,
        )

    async def healthy(self) -> bool:
        """Tell whether the socket lives, as far as one can see from here."""
        if self._handler is None:
            return False
        client = self._handler.client
        return not client.aiohttp_client_session.closed and await client.is_connected()

    async def watch(self) -> None:
        """Look at the socket for ever.

        The SDK tries the same address for ever, also one that has expired, so it is made to ask for a new one.

        Raises:
            PlatformError: If nothing has helped; whoever supervises the program should start it again.
        """
        while True:
            await asyncio.sleep(self.check_s)
            await self.check()

    async def check(self) -> None:
        """Look once, and do what the number of strikes asks for.

        Raises:
            PlatformError: At the last strike.
        """
        if await self.healthy():
            self.strikes = 0
            return
        self.strikes += 1
        log.warning("the socket is dead", extra={"strikes": self.strikes})
        if self.strikes >= _GIVE_UP_AFTER:
            raise PlatformError(f"no socket to Slack after {self.strikes} looks; starting again may help")
        if self.strikes % _REBUILD_AFTER == 0:
            await self._rebuild()
        elif self.strikes % _FORGET_ADDRESS_AFTER == 0 and self._handler is not None:
            self._handler.client.wss_uri = None

    async def _rebuild(self) -> None:
        await self.close()
        self.rebuilt += 1
        self._handler = self._built()
        # Connecting loops inside the SDK until it succeeds; the looks go on meanwhile.
        try:
            async with asyncio.timeout(self.check_s):
                await self._handler.connect_async()  # type: ignore[no-untyped-call]
        except TimeoutError:
            log.warning("no new socket yet")

    async def close(self) -> None:
        """Close the socket: nothing more comes in."""
        if self._handler is None:
            return
        handler, self._handler = self._handler, None
        try:
            async with asyncio.timeout(_CLOSE_WITHIN_S):
                await handler.close_async()  # type: ignore[no-untyped-call]
        except TimeoutError:
            log.warning("the socket did not close in time")
