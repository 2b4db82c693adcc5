"""Signed HTTP: Slack posts each delivery to an address of ours."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from aiohttp import web
from slack_bolt.async_app import AsyncApp

from bot.adapters.listening import listen

__all__ = ["PATH", "HttpTransport"]

log = logging.getLogger(__name__)

PATH = "/slack/events"


@dataclass(slots=True)
class HttpTransport:
    """Listens for Slack's requests at `PATH`; Bolt checks their signatures.

    Attributes:
        port: 0 for any free one; then the one that was taken.
    """

    app: AsyncApp
    host: str
    port: int
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen.

        Raises:
            PlatformError: If the port is not to be had.
        """
        self._runner, self.port = await listen(self.app.web_app(path=PATH), host=self.host, port=self.port)
        log.info("listening", extra={"host": self.host, "port": self.port})

    async def healthy(self) -> bool:
        """Tell whether it listens."""
        return self._runner is not None

    async def watch(self) -> None:
        """Wait: a listening port needs no looking after."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Finish the requests that are being served and listen no more."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
