"""FakeSlack: the whole of Slack that an app can see, on one free port of this machine."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Literal, Self

from aiohttp import web

from tests.fakes.slack.clock import Clock, ManualClock
from tests.fakes.slack.courier import Delivery
from tests.fakes.slack.http_delivery import HttpDelivery
from tests.fakes.slack.hub import ApiCall, Hub
from tests.fakes.slack.manifest import DEFAULT_MANIFEST, Manifest
from tests.fakes.slack.model import Message
from tests.fakes.slack.response_urls import ResponseUrls
from tests.fakes.slack.socket_mode import Sockets
from tests.fakes.slack.store import Store
from tests.fakes.slack.web_api import WebApi
from tests.fakes.slack.workspace import Workspace

__all__ = ["FakeSlack"]


class FakeSlack(Hub):
    """A Slack of one's own. Use it as an async context manager.

    Attributes:
        workspace: The first workspace; it has #general and #papers, with the bot in both.
        sockets: The app's sockets.
        http: Delivery over HTTP, once `deliver_to` has been called.
        idle: Told when the app under test has nothing to do: `quiet` waits until all of them say so.
    """

    def __init__(
        self,
        manifest: Manifest | None = None,
        *,
        clock: Clock | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        signing_secret: str = "fake-signing-secret",
    ) -> None:
        super().__init__(
            manifest or Manifest.parse(DEFAULT_MANIFEST), clock or ManualClock(), signing_secret=signing_secret
        )
        self.sockets = Sockets(self)
        self.http: HttpDelivery | None = None
        self.idle: list[Callable[[], bool]] = []
        self.workspaces: list[Workspace] = []
        self.web = web.Application(client_max_size=4 * 1024 * 1024)
        self._host, self._port = host, port
        self._runner: web.AppRunner | None = None
        self._routes()
        self.workspace = self.add_workspace("lab")

    def _routes(self) -> None:
        api, hooks = WebApi(self, self.sockets), ResponseUrls(self)
        self.web.router.add_route("*", "/api/{method}", api.handle)
        self.web.router.add_get("/link/", self.sockets.handle)
        self.web.router.add_post("/{kind:commands|actions}/{team}/{number}/{secret}", hooks.handle)

    def add_workspace(self, name: str) -> Workspace:
        """Install the app in one more workspace and return it."""
        store = Store.install(name, manifest=self.manifest, clock=self.clock, ids=self.ids)
        self.stores[store.team_id] = store
        workspace = Workspace(self, store)
        self.workspaces.append(workspace)
        for channel in ("general", "papers"):
            workspace.channel(channel)
        return workspace

    async def start(self) -> None:
        """Listen. The app is told over sockets until `deliver_to` says otherwise."""
        self._runner = web.AppRunner(self.web, handle_signals=False, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}"
        self.courier.transport = self.courier.transport or self.sockets

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self.end_tasks()
        await self.sockets.close()
        if self.http is not None:
            await self.http.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def api_url(self) -> str:
        """The Web API's base address, with the final slash.

        Raises:
            RuntimeError: Before the fake has started, when there is no address yet.
        """
        if not self.base_url:
            raise RuntimeError("start the fake before asking for its address")
        return f"{self.base_url}/api/"

    @property
    def environment(self) -> Mapping[str, str]:
        """The settings that make an app talk to this Slack."""
        return {
            "SLACK_API_URL": self.api_url,
            "SLACK_BOT_TOKEN": self.workspace.bot_token,
            "SLACK_APP_TOKEN": self.app_token,
            "SLACK_SIGNING_SECRET": self.signing_secret,
        }

    def deliver_to(self, request_url: str) -> HttpDelivery:
        """Deliver over signed HTTP from now on, to *request_url*."""
        self.http = HttpDelivery(self, request_url)
        self.courier.transport = self.http
        return self.http

    def calls_of(self, method: str) -> list[ApiCall]:
        """Return the calls of one method, in order."""
        return [call for call in self.calls if call.method == method]

    @property
    def deliveries(self) -> list[Delivery]:
        """Everything that was to be delivered, in order."""
        return self.courier.deliveries

    def deliveries_of(self, label: str) -> list[Delivery]:
        """Return the deliveries of one event, command or kind of interaction, in order."""
        return [delivery for delivery in self.deliveries if delivery.label == label]

    def release(self, order: Literal["kept", "reversed", "shuffled"] = "kept", *, seed: int = 0) -> None:
        """Send what `faults.hold()` kept back, in its order, reversed, or shuffled by *seed*."""

        def reorder(held: list[Delivery]) -> list[Delivery]:
            if order == "shuffled":
                random.Random(seed).shuffle(held)
            return held[::-1] if order == "reversed" else held

        self.courier.release(reorder)

    async def advance(self, seconds: float) -> None:
        """Move the clock by hand, letting the app react at each instant at which something is due.

        An app that reacts by nothing at all is given 20 ms of real time for each instant.

        Raises:
            TypeError: If the fake runs on real time.
        """
        if not isinstance(self.clock, ManualClock):
            raise TypeError("real time cannot be moved")
        until = self.clock.now() + seconds
        while (timer := self.clock.next_due(until)) is not None:
            timer.fire()
            await self._let_react()
        self.clock.set(until)
        self.activity.note()
        await self._let_react()

    async def _let_react(self) -> None:
        await self.settle_own()
        while not self.at_rest and not await self.activity.pause(idle_s=0.02):
            pass

    async def settle_own(self) -> None:
        """Let the fake's own work finish: what is being sent is sent."""
        await self.activity.until(lambda: not self._tasks, timeout_s=10, describe=self.describe)

    async def until(self, true: Callable[[], bool], *, timeout_s: float = 10) -> None:
        """Wait until *true* returns true, looking again whenever anything happens here.

        Raises:
            StillWaitingError: If that takes longer than *timeout_s* of real time.
        """
        await self.activity.until(true, timeout_s=timeout_s, describe=self.describe)

    async def connected(self, sockets: int = 1) -> None:
        """Wait until the app has that many sockets open."""
        await self.until(lambda: len(self.sockets.open) >= sockets)

    async def reply_to(self, message: Message, *, nth: int = 1) -> Message:
        """Wait for the app's *nth* message in the thread after *message*, and return it."""
        workspace = next(w for w in self.workspaces if message.channel_id in w.store.channels)
        await self.until(lambda: len(workspace.replies(message)) >= nth)
        return workspace.replies(message)[nth - 1]

    @property
    def at_rest(self) -> bool:
        """Whether nothing is on its way, no call is being answered, and the app says that it is idle."""
        return not self.courier.waiting and not self.busy and all(idle() for idle in self.idle)

    async def quiet(self, *, idle_s: float = 0.05) -> None:
        """Wait until everything has been acked and answered and the app has come to rest.

        With `idle` given by the app under test that is exact. Without, the app counts as at rest when nothing
        has happened here for *idle_s* of real time, which an app that thinks for longer will outlast.

        Raises:
            StillWaitingError: If there is no rest within ten seconds of real time.
        """
        while True:
            await self.until(self._rested)
            seen = self.activity.count
            if self.idle:
                await _turns(20)
            elif not await self.activity.pause(idle_s=idle_s):
                continue
            if self._rested() and seen == self.activity.count:
                return

    def _rested(self) -> bool:
        return self.at_rest

    def describe(self) -> str:
        """Return what is under way, for the message of a failed wait."""
        waiting = ", ".join(delivery.label for delivery in self.courier.waiting) or "nothing"
        calls = ", ".join(f"{call.method}={call.error or 'ok'}" for call in self.calls[-5:]) or "none"
        sockets = len(self.sockets.open)
        return f"not acked: {waiting}; in flight: {self.in_flight}; last calls: {calls}; open sockets: {sockets}"


async def _turns(count: int) -> None:
    """Give every ready callback of the loop *count* turns."""
    for _ in range(count):
        await asyncio.sleep(0)
