"""The composition root: settings in, everything wired out. Every part can be replaced by argument."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from bot.adapters.atom import write_feed
from bot.adapters.clock import SystemClock
from bot.adapters.local import LocalOutlet
from bot.adapters.sqlite import (
    SqliteAnswers,
    SqliteConversations,
    SqliteDeliveries,
    SqliteOpinions,
    SqliteSubscriptions,
)
from bot.answering import Answering
from bot.app import Loop
from bot.asking import Asking
from bot.digests import Digests
from bot.dispatch import Dispatch
from bot.errors import SettingsError
from bot.feeds import followed
from bot.news import Newsstand
from bot.orders import Orders
from bot.ports import Clock, ConversationStore, Fetcher, Outlet
from bot.preparing import Preparing
from bot.settings import Settings
from bot.subscribing import Subscribing
from bot.subscription import Subscription
from bot.tastes import Tastes
from retrieval.catalogue.joining import Joined
from retrieval.catalogue.store import Catalogue
from retrieval.collection import Collection
from retrieval.current import CurrentEngine
from retrieval.engine import Engine, Engines
from retrieval.formats.abstract_list import read_folder
from retrieval.index.store import IndexStore
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from retrieval.supply import CatalogueSupply

if TYPE_CHECKING:
    from bot.adapters.slack.app import Slack, SlackConfig
    from bot.adapters.slack.oauth import Installing
    from bot.feeds import Feeds
    from bot.polling import Polling

__all__ = [
    "App",
    "Desk",
    "build",
    "build_desk",
    "build_engine",
    "build_loops",
    "build_slack",
    "feed_path",
    "open_answers",
    "open_catalogue",
    "open_engine",
    "open_online",
    "read_collection",
    "read_seeds",
    "slack_config",
]

_KEPT = "pullquote.sqlite3"
_CATALOGUE = "catalogue.sqlite3"
_INDEX = "index"
_DIGESTS = "digests.sqlite3"


@dataclass(frozen=True, slots=True)
class App:
    """A running Pullquote, whatever it talks through.

    Attributes:
        closing: What else is to be closed with it.
    """

    settings: Settings
    engines: Engines
    answering: Answering
    answers: SqliteAnswers
    conversations: ConversationStore
    clock: Clock
    closing: ExitStack = field(default_factory=ExitStack)

    @property
    def engine(self) -> Engine:
        """The engine on the collection as it is now."""
        return self.engines.latest()

    @property
    def collection(self) -> Collection:
        """What is searched, as it is now."""
        return self.engine.collection

    def close(self) -> None:
        """Let go of the files."""
        self.closing.close()
        if isinstance(self.engines, CurrentEngine):
            self.engines.close()
        self.answers.close()
        if isinstance(self.conversations, SqliteConversations):
            self.conversations.close()


def build(
    settings: Settings,
    *,
    collection: Collection | None = None,
    conversations: ConversationStore | None = None,
    clock: Clock | None = None,
    recording: bool = True,
) -> App:
    """Wire the application together.

    Args:
        settings: The configuration.
        collection: What is searched; the seeds and what was imported when left out.
        conversations: Where conversations are kept; the data folder when left out.
        clock: The system's when left out.
        recording: Whether answers are kept, to be checked and given again.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    clock = clock or SystemClock()
    engines = open_engine(settings, keeping=recording) if collection is None else build_engine(collection, settings)
    conversations = conversations or SqliteConversations(settings.data_dir / _KEPT, clock)
    answers = open_answers(settings, clock)
    answering = Answering(
        engines, conversations, clock, answers=answers if recording else None, max_chars=settings.max_question_chars
    )
    return App(settings, engines, answering, answers, conversations, clock)


def read_seeds(settings: Settings) -> tuple[Entry, ...]:
    """Return the entries that the collection begins with.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
    """
    return read_folder(settings.seeds_dir)


def open_answers(settings: Settings, clock: Clock | None = None) -> SqliteAnswers:
    """Return what keeps answers; nothing is opened before it is used. The caller closes it."""
    return SqliteAnswers(settings.data_dir / _KEPT, clock or SystemClock())


def open_catalogue(settings: Settings, *, scratch: bool = False) -> Catalogue:
    """Open what was imported; the caller closes it.

    Args:
        scratch: Work on a copy of it that is not kept.

    Raises:
        CatalogueError: If it cannot be opened.
    """
    return Catalogue(settings.data_dir / _CATALOGUE, scratch=scratch)


@asynccontextmanager
async def open_online(settings: Settings, clock: Clock | None = None) -> AsyncIterator[tuple[Catalogue, Fetcher]]:
    """Open what was imported and what fetches from outside, for as long as the block.

    Raises:
        CatalogueError: If the catalogue cannot be opened.
    """
    from bot.adapters.http import HttpClient, HttpPolicy

    policy = HttpPolicy(allow_private=settings.allow_private_addresses)
    catalogue = await asyncio.to_thread(open_catalogue, settings)
    try:
        async with HttpClient(clock or SystemClock(), policy) as client:
            yield catalogue, client
    finally:
        await asyncio.to_thread(catalogue.close)


def read_collection(settings: Settings) -> Collection:
    """Return what is searched: the seeds, and what was imported and is none of them.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        CatalogueError: If there is a catalogue that cannot be read.
    """
    seeds = read_seeds(settings)
    if not (settings.data_dir / _CATALOGUE).exists():
        return Collection(seeds)
    with open_catalogue(settings) as catalogue:
        return Collection(Joined(seeds).entries(catalogue.entries()))


def open_engine(settings: Settings, *, keeping: bool = True) -> CurrentEngine:
    """Search the seeds and what was imported, by the index in the data folder; it is made or mended where it has to be.

    Args:
        settings: The configuration.
        keeping: Whether an index is made in the data folder where there is none; else it stays in memory.

    Raises:
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
        CatalogueError: If there is a catalogue that cannot be read.
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    vectors = load_word_vectors() if settings.semantic else None
    supply = CatalogueSupply(settings.seeds_dir, read_folder, settings.data_dir / _CATALOGUE)
    folder = settings.data_dir / _INDEX
    return CurrentEngine(supply, vectors, IndexStore(folder, vectors) if keeping or folder.exists() else None)


def build_engine(collection: Collection, settings: Settings) -> Engine:
    """Index *collection* in memory as the settings say.

    Raises:
        WordVectorsMissingError: If the word vectors are wanted and not installed.
    """
    return Engine.of(collection, load_word_vectors() if settings.semantic else None)


@dataclass(frozen=True, slots=True)
class Desk:
    """What is posted without being asked for, and what can be said about that."""

    subscriptions: SqliteSubscriptions
    deliveries: SqliteDeliveries
    opinions: SqliteOpinions
    catalogue: Catalogue
    subscribing: Subscribing
    tastes: Tastes
    orders: Orders
    digests: Digests

    def close(self) -> None:
        """Let go of the files."""
        self.subscriptions.close()
        self.deliveries.close()
        self.opinions.close()
        self.catalogue.close()


def build_desk(app: App, outlets: Sequence[Outlet]) -> Desk:
    """Wire subscriptions and digests to *app*, to be posted through *outlets*; the caller closes it.

    Raises:
        CatalogueError: If there is a catalogue that cannot be read.
    """
    path, clock = app.settings.data_dir / _DIGESTS, app.clock
    subscriptions, deliveries = SqliteSubscriptions(path), SqliteDeliveries(path)
    catalogue = open_catalogue(app.settings)

    def sources() -> dict[str, str]:
        return {feed.name: feed.error or feed.succeeded_at for feed in followed(catalogue)}

    news = Newsstand(
        catalogue,
        app.engines.caught_up,
        parse=lambda engine: Asking(engine).parse,
        sources=sources,
    )
    opinions = SqliteOpinions(path)
    tastes = Tastes(opinions, news, clock)
    preparing = Preparing(deliveries, clock, order=tastes.order)

    def to_feed(subscription: Subscription) -> None:
        posted = [one for one in deliveries.sent(subscription.subscription_id).values() if one.shown]
        write_feed(feed_path(app.settings, subscription), subscription, posted, updated=clock.now())

    def no_feed(subscription: Subscription) -> None:
        feed_path(app.settings, subscription).unlink(missing_ok=True)

    digests = Digests(subscriptions, deliveries, news, outlets, clock, preparing, sent_on=to_feed)
    subscribing = Subscribing(subscriptions, deliveries, preparing, news, clock, changed=digests.wake, removed=no_feed)
    orders = Orders(subscribing, tastes)
    return Desk(subscriptions, deliveries, opinions, catalogue, subscribing, tastes, orders, digests)


def feed_path(settings: Settings, subscription: Subscription) -> Path:
    """Return the file of the Atom feed of what was posted for *subscription*."""
    return settings.data_dir / "feeds" / f"{subscription.subscription_id}.atom"


def build_slack(app: App) -> tuple[Slack, Digests]:
    """Wire Slack to *app*, and what is posted there without being asked for.

    Raises:
        SettingsError: If a token is missing.
        CatalogueError: If there is a catalogue that cannot be read.
    """
    from bot.adapters.slack.app import Slack
    from bot.adapters.slack.outlet import SlackOutlet

    config, outlet = slack_config(app.settings), SlackOutlet()
    desk = build_desk(app, [outlet, LocalOutlet(None)])
    app.closing.callback(desk.close)
    dispatch = Dispatch(app.answering, app.conversations)
    slack = Slack(
        config,
        dispatch,
        lambda: app.collection,
        app.clock,
        outlet=outlet,
        orders=desk.orders,
        subscribing=desk.subscribing,
        entries=desk.tastes,
    )
    return slack, desk.digests


def build_loops(app: App) -> list[Loop]:
    """Return everything that is configured to run: Slack, digests, feeds, and the health check where it has a port.

    Raises:
        SettingsError: If nothing is configured, or half of it is missing.
    """
    from bot.adapters.health import HealthServer

    slack, digests = build_slack(app)
    loops: list[Loop] = [slack, digests]

    async def health() -> Mapping[str, object]:
        return {**await slack.health(), "digests": await digests.health()}

    if app.settings.feed_poll_s > 0:
        loops.append(_build_polling(app))
    if app.settings.health_port is not None:
        loops.append(HealthServer(health, host=app.settings.health_host, port=app.settings.health_port))
    return loops


def _build_polling(app: App) -> Polling:
    from bot.feeds import Feeds
    from bot.polling import Polling

    @asynccontextmanager
    async def opened() -> AsyncIterator[Feeds]:
        async with open_online(app.settings, app.clock) as (catalogue, client):
            yield Feeds(catalogue, client, app.clock)

    return Polling(opened, every_s=app.settings.feed_poll_s)


def slack_config(settings: Settings) -> SlackConfig:
    """Return what the settings say about Slack.

    Raises:
        SettingsError: If a token is missing.
    """
    from bot.adapters.slack.app import SlackConfig

    over_http = settings.slack_transport == "http"
    installing = _installing(settings)
    if settings.slack_bot_token is None and installing is None:
        raise SettingsError("SLACK_BOT_TOKEN", "", "is not set; deploy/README.md shows where it comes from")
    if settings.slack_app_token is None and not over_http:
        raise SettingsError("SLACK_APP_TOKEN", "", "is not set; without it set PULLQUOTE_SLACK_TRANSPORT=http")
    if settings.slack_signing_secret is None and over_http:
        raise SettingsError("SLACK_SIGNING_SECRET", "", "is not set; it is needed where Slack delivers over HTTP")
    return SlackConfig(
        folder=settings.data_dir,
        bot_token=_secret(settings.slack_bot_token),
        app_token=_secret(settings.slack_app_token),
        signing_secret=_secret(settings.slack_signing_secret),
        installing=installing,
        api_url=str(settings.slack_api_url),
        proxy=settings.slack_proxy,
        transport=settings.slack_transport,
        http_host=settings.slack_http_host,
        http_port=settings.slack_http_port,
        workers=settings.slack_workers,
        max_age_s=settings.slack_max_age_s,
        pace_s=settings.slack_pace_s,
        look_again_s=settings.slack_look_again_s,
    )


def _installing(settings: Settings) -> Installing | None:
    from bot.adapters.slack.oauth import Installing

    if settings.slack_client_id is None or settings.slack_client_secret is None or settings.slack_bot_token is not None:
        return None
    return Installing(settings.slack_client_id, settings.slack_client_secret.get_secret_value())


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()


def slack_database(settings: Settings) -> Path:
    """Return the file in which Slack's questions and opinions are kept."""
    return settings.data_dir / "slack.sqlite3"
