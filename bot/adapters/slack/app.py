"""The adapter put together: one Bolt app, a way in, workers, a watchdog, and a clean end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, cast

import aiohttp
from slack_bolt.async_app import AsyncApp, AsyncBoltContext
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize

from bot.adapters.slack.boot import identify, warn_of_missing_scopes
from bot.adapters.slack.database import Database
from bot.adapters.slack.digest_listeners import DigestListeners
from bot.adapters.slack.entry_listeners import Entries, EntryListeners
from bot.adapters.slack.home import Shelf, shelf_of
from bot.adapters.slack.http import HttpTransport
from bot.adapters.slack.inbox import Inbox
from bot.adapters.slack.listeners import Listeners
from bot.adapters.slack.oauth import InstalledTeams, Installing, oauth_settings
from bot.adapters.slack.outlet import SlackOutlet
from bot.adapters.slack.policy import RulesFile
from bot.adapters.slack.poster import Poster
from bot.adapters.slack.presence import Presence
from bot.adapters.slack.sockets import SocketTransport
from bot.adapters.slack.teams import OneTeam, Teams
from bot.adapters.slack.turns import Turns
from bot.adapters.slack.web import Web
from bot.adapters.slack.worker import Worker
from bot.dispatch import Dispatch
from bot.errors import InboxError
from bot.orders import Orders
from bot.ports import Clock
from bot.subscribing import Subscribing
from retrieval.collection import Collection

__all__ = ["Slack", "SlackConfig", "Transport"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackConfig:
    """How to talk to Slack.

    Attributes:
        folder: Holds the inbox, the rules and the installations.
        bot_token: Of the one workspace; not needed with `installing`.
        app_token: Opens sockets; None over HTTP.
        signing_secret: Tells Slack's requests from others'; needed over HTTP.
        max_age_s: Questions older than this are said to be dropped.
        pace_s: Seconds between two posts in one channel.
        look_again_s: Seconds between two looks for a post whose answer was lost.
        stop_within_s: At the end, how long what is under way may take.
    """

    folder: Path
    bot_token: str | None = field(default=None, repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    installing: Installing | None = field(default=None, repr=False)
    api_url: str = "https://slack.com/api/"
    proxy: str | None = None
    transport: Literal["socket", "http"] = "socket"
    http_host: str = "127.0.0.1"
    http_port: int = 3000
    workers: int = 4
    max_age_s: float = 600
    pace_s: float = 1.05
    look_again_s: float = 30.0
    ping_s: float = 10
    check_s: float = 30
    tidy_s: float = 60
    stop_within_s: float = 20

    @property
    def database(self) -> Path:
        """The file of the inbox; `bot.bootstrap.slack_database` names the same."""
        return self.folder / "slack.sqlite3"


class Transport(Protocol):
    """A way in."""

    async def start(self) -> None:
        """Begin to take deliveries."""
        ...

    async def watch(self) -> None:
        """Look after it for ever."""
        ...

    async def healthy(self) -> bool:
        """Tell whether deliveries can come in."""
        ...

    async def close(self) -> None:
        """Take nothing more."""
        ...


class Slack:
    """Slack as one of the program's loops.

    Attributes:
        started: Set once deliveries come in.
        worker: Works on the questions.
        listeners: Take them in.
        transport: The way in; None before the start.
    """

    def __init__(
        self,
        config: SlackConfig,
        dispatch: Dispatch,
        collection: Callable[[], Collection],
        clock: Clock,
        *,
        outlet: SlackOutlet | None = None,
        orders: Orders | None = None,
        subscribing: Subscribing | None = None,
        entries: Entries | None = None,
    ) -> None:
        """Answer with *dispatch*; *collection* gives what the Home tab describes.

        Args:
            config: How to talk to Slack.
            dispatch: Answers.
            collection: Returns what is searched now.
            clock: Tells the time.
            outlet: Where digests go out; connected while Slack runs.
            orders: Carries out what is said about digests; None for none.
            subscribing: Carries out what is done about them with buttons and forms; None for none.
            entries: Carries out what is done with single entries of a digest.
        """
        self._config, self._dispatch, self._collection, self._clock = config, dispatch, collection, clock
        self._outlet, self._orders = outlet or SlackOutlet(), orders
        self._subscribing, self._entries = subscribing, entries
        self.started = asyncio.Event()
        self.worker: Worker | None = None
        self.listeners: Listeners | None = None
        self.transport: Transport | None = None
        self._inbox: Inbox | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing is being worked on."""
        busy = self.worker is None or self.listeners is None or not self.worker.idle or self.listeners.busy
        return not busy

    async def health(self) -> Mapping[str, object]:
        """Return facts for a health check: "ok" is whether deliveries come in."""
        if self.transport is None or self._inbox is None:
            return {"ok": False, "slack": "not running"}
        depth, oldest_s = await self._inbox.depth()
        healthy = await self.transport.healthy()
        return {"ok": healthy, "slack": "connected" if healthy else "dead", "open": depth, "oldest_s": round(oldest_s)}

    async def run(self, stop: asyncio.Event) -> None:
        """Answer until *stop* is set; then finish what is under way and leave.

        Raises:
            SettingsError: If Slack does not take a token.
            PlatformError: If Slack cannot be reached.
            InboxError: If the inbox cannot be used at the start.
        """
        async with AsyncExitStack() as stack:
            web = await stack.enter_async_context(_web(self._config))
            teams = await self._teams(web)
            database = Database(self._config.database)
            stack.push_async_callback(database.close)
            presence = Presence(self._config.folder / "slack-processes")
            stack.callback(presence.close)
            self._inbox = Inbox(database, self._clock, owner=presence.owner)
            self._assemble(web, teams, self._inbox, presence)
            stack.push_async_callback(self._outlet.disconnect, within_s=self._config.stop_within_s)
            await self._serve(web, teams, stop)

    async def _teams(self, web: Web) -> Teams:
        if self._config.installing is not None:
            return InstalledTeams(self._config.folder, self._config.installing)
        team = await identify(web, self._config.bot_token or "")
        warn_of_missing_scopes(team)
        log.info("identified", extra={"workspace": team.name, "team": team.team_id})
        return OneTeam(team)

    def _assemble(self, web: Web, teams: Teams, inbox: Inbox, presence: Presence) -> None:
        config, rules = self._config, RulesFile(self._config.folder / "slack.toml")
        turns = Turns(self._clock, pace_s=config.pace_s)
        self._outlet.connect(web, teams, turns)
        poster = Poster(web, turns, look_again_s=config.look_again_s)
        worker = Worker(inbox, self._dispatch, poster, teams, rules, presence, self._clock, self._orders)
        worker.max_age_s = config.max_age_s
        self.worker = worker
        listeners = Listeners(inbox, rules, teams, web, self._shelf, taken_in=worker.wake)
        if self._subscribing is not None:
            subscribing, soon = self._subscribing, listeners.soon
            listeners.digests = DigestListeners(subscribing, self._outlet, rules, web, soon)
            listeners.entries = EntryListeners(subscribing, self._entries, rules, web, soon)
        self.listeners = listeners

    def _shelf(self) -> Shelf:
        return shelf_of(self._collection(), at=self._clock.now())

    async def _serve(self, web: Web, teams: Teams, stop: asyncio.Event) -> None:
        worker, listeners = self.worker, self.listeners
        if worker is None or listeners is None:
            raise RuntimeError("assembled before it serves")
        await worker.take_over()
        transport = self._transport(_bolt(self._config, web, teams, listeners), web)
        self.transport = transport
        try:
            await transport.start()
            self.started.set()
            async with asyncio.TaskGroup() as tasks:
                looking = [tasks.create_task(transport.watch()), tasks.create_task(self._tidy())]
                working = [tasks.create_task(worker.run()) for _ in range(self._config.workers)]
                await stop.wait()
                log.info("stopping")
                await transport.close()
                for task in looking:
                    task.cancel()
                worker.stop()
                _, late = await asyncio.wait(working, timeout=self._config.stop_within_s)
                for task in late:
                    task.cancel()  # what it worked on is in the inbox, and taken over at the next start
        finally:
            await transport.close()
            await listeners.finish()
            await _written(listeners, worker.inbox)
            self.transport = None

    def _transport(self, app: AsyncApp, web: Web) -> Transport:
        config = self._config
        if config.transport == "http":
            return HttpTransport(app, host=config.http_host, port=config.http_port)
        return SocketTransport(
            app, web, config.app_token or "", ping_s=config.ping_s, check_s=config.check_s, proxy=config.proxy
        )

    async def _tidy(self) -> None:
        """Now and then, take over from the dead, write down the counts, forget what is old."""
        worker, listeners = self.worker, self.listeners
        if worker is None or listeners is None:
            return
        while True:
            await asyncio.sleep(self._config.tidy_s)
            try:
                await worker.take_over()
                await _written(listeners, worker.inbox)
                await worker.inbox.prune()
            except InboxError as exc:
                log.error("inbox not usable", extra={"reason": str(exc)})  # noqa: TRY400


class _Authorize(AsyncAuthorize):
    """Says whose token to use, without a call to anywhere: a failing auth.test would ack the event and drop it."""

    def __init__(self, teams: Teams) -> None:
        self._teams = teams

    async def __call__(
        self,
        *,
        context: AsyncBoltContext,
        enterprise_id: str | None,
        team_id: str | None,
        user_id: str | None,
        actor_enterprise_id: str | None = None,
        actor_team_id: str | None = None,
        actor_user_id: str | None = None,
    ) -> AuthorizeResult | None:
        del context, user_id, actor_enterprise_id, actor_team_id, actor_user_id
        team = await self._teams.find(team_id=team_id or "", enterprise_id=enterprise_id or "")
        return None if team is None else team.authorization(enterprise_id)


def _bolt(config: SlackConfig, web: Web, teams: Teams, listeners: Listeners) -> AsyncApp:
    installing = config.installing
    app = AsyncApp(
        name="pullquote",
        logger=logging.getLogger("slack_bolt"),
        client=web.client,
        authorize=cast("Callable[..., Awaitable[AuthorizeResult]]", _Authorize(teams)),  # Bolt takes both
        signing_secret=config.signing_secret,
        request_verification_enabled=config.transport == "http",
        raise_error_for_unhandled_request=True,
        attaching_conversation_kwargs_enabled=False,
        oauth_settings=None if installing is None else oauth_settings(installing, config.folder),
    )
    listeners.register(app, installs=installing is not None)
    return app


async def _written(listeners: Listeners, inbox: Inbox) -> None:
    counted = {name: times for name, times in listeners.counted.items() if times}
    await inbox.count(counted)
    listeners.counted.subtract(counted)  # only what is on the disk now


@asynccontextmanager
async def _web(config: SlackConfig) -> AsyncIterator[Web]:
    # One session for every call; its time limit is the one that counts.
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        yield Web(session, api_url=config.api_url, proxy=config.proxy)
