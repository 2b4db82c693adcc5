"""A Bolt app on the fake's sockets, for tests that need a real listener on the other side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.server import FakeSlack

__all__ = ["bolt_app", "client_of", "running"]


def client_of(slack: FakeSlack, token: str | None = None) -> AsyncWebClient:
    """Return a client of the SDK that talks to the fake, with the first workspace's token unless told otherwise."""
    return AsyncWebClient(token=token or slack.workspace.bot_token, base_url=slack.api_url, retry_handlers=[])


def bolt_app(slack: FakeSlack) -> AsyncApp:
    """Return a Bolt app without listeners that belongs to the fake's first workspace."""
    return AsyncApp(client=client_of(slack), attaching_conversation_kwargs_enabled=False)


@asynccontextmanager
async def running(
    slack: FakeSlack, app: AsyncApp, *, ping_interval_s: float = 10
) -> AsyncIterator[AsyncSocketModeHandler]:
    """Connect *app* over a socket, and close the socket at the end.

    Args:
        slack: The fake.
        app: The app.
        ping_interval_s: How often the SDK looks whether its socket still lives, in real time.
    """
    before = len(slack.sockets.open)
    handler = AsyncSocketModeHandler(app, slack.app_token, ping_interval=ping_interval_s)
    await handler.connect_async()  # type: ignore[no-untyped-call]
    await slack.connected(before + 1)
    try:
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]
