"""`pullquote feeds`: what is followed, and fetching what is new."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click

from bot.adapters.clock import SystemClock
from bot.adapters.http import HttpClient
from bot.bootstrap import open_catalogue, open_online
from bot.cli.exits import ExitCode, complain
from bot.feeds import Feed, FeedKind, Feeds, Polled
from bot.present import printable
from bot.settings import Settings, load_settings
from retrieval.catalogue.ingest import Outcome

__all__ = ["command"]

_NONE = "no feed is followed; add one: pullquote feeds add arxiv cs.IR"


@click.group("feeds")
def command() -> None:
    """Follow feeds; what they give joins the collection when they are polled."""


@command.command("add")
@click.argument("kind", type=click.Choice([kind.value for kind in FeedKind]))
@click.argument("target")
@click.option("--name", help="What to call it; made of kind and target when left out.")
def add(kind: str, target: str, *, name: str | None) -> None:
    """Follow TARGET: a query or category of arXiv, an RSS or Atom address, a venue, a query, or a folder."""
    with _feeds(load_settings()) as feeds:
        click.echo(feeds.add(FeedKind(kind), target, name=name).name)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def show(*, as_json: bool) -> None:
    """List the feeds, how they fare, and which seem to have stopped."""
    now = SystemClock().now()
    with _feeds(load_settings()) as feeds:
        if not feeds.all():
            complain(_NONE)
        for feed in feeds.all():
            stale = feed.is_stale(now)
            click.echo(
                json.dumps(asdict(feed) | {"stale": stale}, ensure_ascii=False) if as_json else _line(feed, stale)
            )


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Follow the feed of NAME no longer; what it gave stays."""
    with _feeds(load_settings()) as feeds:
        feeds.remove(name)


@command.command("poll")
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def poll(names: tuple[str, ...], *, as_json: bool) -> None:
    """Fetch what is new in the feeds of NAMES, or in all."""
    results = asyncio.run(_poll(load_settings(), names))
    if not results:
        complain(_NONE)
    for polled in results:
        if as_json:
            click.echo(json.dumps(_object(polled), ensure_ascii=False))
        elif polled.feed.error:
            complain(printable(f"{polled.feed.name}: {polled.feed.error}"))
        else:
            counts = ", ".join(f"{polled.report.outcomes[outcome]:,} {outcome}" for outcome in Outcome)
            click.echo(f"{polled.feed.name}: {counts}")
    sys.exit(ExitCode.SERVICE_FAILED if any(polled.feed.error for polled in results) else ExitCode.OK)


async def _poll(settings: Settings, names: tuple[str, ...]) -> tuple[Polled, ...]:
    async with open_online(settings) as (catalogue, client):
        return await Feeds(catalogue, client, SystemClock()).poll(names)


@contextmanager
def _feeds(settings: Settings) -> Iterator[Feeds]:
    with open_catalogue(settings) as catalogue:
        yield Feeds(catalogue, HttpClient(SystemClock()), SystemClock())  # asks nobody


def _line(feed: Feed, stale: bool) -> str:  # one call, right above
    if feed.error:
        state = f"failed {feed.polled_at[:16]}: {feed.error}"
    elif not feed.succeeded_at:
        state = "never polled"
    else:
        state = f"polled {feed.succeeded_at[:16]}" + (", nothing new for long: is it still alive?" if stale else "")
    return printable(f"{feed.name}  {feed.kind} {feed.target}  {state}")


def _object(polled: Polled) -> dict[str, object]:
    report = polled.report
    counts = {outcome.value: report.outcomes[outcome] for outcome in Outcome}
    return {
        "name": polled.feed.name,
        "error": polled.feed.error,
        "read": report.read,
        **counts,
        "refused": report.refused,
    }
