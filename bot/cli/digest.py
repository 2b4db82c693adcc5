"""`pullquote digest`: be told of new entries, in a Slack channel or on this machine."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import click

from bot.adapters.local import LocalOutlet
from bot.adapters.plaintext import digest_text
from bot.bootstrap import Desk, build_desk, feed_path
from bot.cli.exits import complain
from bot.cli.running import started
from bot.errors import SubscriptionError
from bot.orders import run_said
from bot.present import inert
from bot.schedule import parse_time, parse_weekdays
from bot.settings import load_settings
from bot.subscribing import described
from bot.subscription import MOST_ENTRIES, Breadth, Delivery, Place, Subscription, is_daily
from bot.wishes import Wish, parse_wish, wish_of

__all__ = ["command"]

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])


def _placed(function: _CommandT) -> _CommandT:
    """Let a command say where the digest goes."""
    channel = click.option("--channel", default="", metavar="ID", help="A channel of Slack; with --team.")
    team = click.option("--team", default="", metavar="ID", help="Its workspace.")
    name = click.option("--name", default="console", show_default=True, help="What it is called on this machine.")
    return channel(team(name(function)))


def _place(channel: str, team: str, name: str) -> Place:
    if bool(channel) != bool(team):
        raise click.UsageError("a channel of Slack takes both --channel and --team; without them it is read here")
    return Place(team, channel) if channel else Place("", name)


@click.group("digest")
def command() -> None:
    """Be told of new entries: daily, by topic, once."""


@command.command("subscribe")
@click.argument("wish", nargs=-1)
@click.option("--at", metavar="HH:MM", help="Time of day.  [default: 09:00]")
@click.option("--zone", metavar="NAME", help="Time zone, such as Europe/London.  [default: UTC]")
@click.option("--days", metavar="DAYS", help="Days of the week, such as mon-fri or daily.  [default: mon-fri]")
@click.option("--without", multiple=True, metavar="WORD", help="Leave out entries that mention it.")
@click.option("--breadth", type=click.Choice([one.value for one in Breadth]), help="How much of a topic it takes.")
@click.option("--most", type=click.IntRange(1, MOST_ENTRIES), metavar="N", help="Show so many entries at most.")
@click.option("--heartbeat/--no-heartbeat", default=None, help="Say so when a week went by without anything new.")
@click.option("--personal/--no-personal", default=None, help="Order entries by what was liked there.")
@_placed
def subscribe(wish: tuple[str, ...], *, channel: str, team: str, name: str, **options: Any) -> None:
    """Subscribe to the topics of WISH, one after the other between semicolons; to everything when there is none.

    WISH may say the rest too: "graph learning; causal discovery without survey at 9:00 mon-fri Europe/London".
    """
    desk, place = _desk(), _place(channel, team, name)
    before = desk.subscribing.of(place)
    default = Wish() if before is None else wish_of(before)
    made = desk.subscribing.put(place, "", _with(parse_wish(" ".join(wish), default=default), options))
    click.echo(described(made))


def _with(wish: Wish, options: dict[str, Any]) -> Wish:
    given = {name: value for name, value in options.items() if value not in (None, ())}
    when = wish.schedule
    if "at" in given:
        when = replace(when, at=parse_time(given.pop("at")))
    if "zone" in given:
        when = replace(when, zone=given.pop("zone"))
    if "days" in given:
        when = replace(when, weekdays=parse_weekdays(given.pop("days")))
    if "breadth" in given:
        given["breadth"] = Breadth(given["breadth"])
    return replace(wish, schedule=when, **given)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--runs", type=click.IntRange(1, 60), default=1, show_default=True, help="How many digests back.")
def show(*, as_json: bool, runs: int) -> None:
    """List the subscriptions, and how their last digests went: was it silent, or broken?"""
    desk = _desk()
    found = desk.subscriptions.subscriptions()
    for subscription in found:
        latest = [one for one in desk.deliveries.deliveries(subscription.subscription_id, limit=100) if is_daily(one)]
        if as_json:
            click.echo(json.dumps(_object(subscription, latest[:runs]), ensure_ascii=False))
        else:
            _print(subscription, latest[:runs])
    for watch in desk.subscriptions.watches():
        if not as_json:
            click.echo(inert(f"watched at {_where(watch.place)}: {watch.question}"))
    if not found and not as_json:
        complain('nobody subscribes to anything; "pullquote digest subscribe causal inference" does')


def _print(subscription: Subscription, latest: list[Delivery]) -> None:
    paused = "" if subscription.enabled else "  paused" + (f": {subscription.problem}" if subscription.problem else "")
    click.echo(inert(f"{_where(subscription.place)}  {described(subscription)}{paused}"))
    if not latest:
        click.echo(f"  {run_said(None)}")
    for one in latest:
        click.echo(inert(f"  {run_said(one)}"))
        sources = one.facts.get("sources")
        for name, polled in sources.items() if isinstance(sources, dict) else ():
            click.echo(inert(f"    {name}: {polled or 'never polled'}"))


def _where(place: Place) -> str:
    return place.channel if place.is_local else f"{place.team}/{place.channel}"


def _object(subscription: Subscription, latest: list[Delivery]) -> dict[str, object]:
    return {
        "subscription_id": subscription.subscription_id,
        "team": subscription.place.team,
        "channel": subscription.place.channel,
        "topics": subscription.topics,
        "without": subscription.without,
        "breadth": subscription.breadth.value,
        "schedule": subscription.schedule.said,
        "most": subscription.most,
        "enabled": subscription.enabled,
        "problem": subscription.problem,
        "runs": [
            {"day": one.key, "state": one.state.value, "error": one.error, "ended_at": _iso(one.ended_at), **one.facts}
            for one in latest
        ],
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


@command.command("preview")
@_placed
def preview(*, channel: str, team: str, name: str) -> None:
    """Show what the next digest would be, were it due now. Nothing is posted or remembered."""
    digest = _desk().subscribing.preview(_place(channel, team, name))
    empty = not digest.entries and not digest.notes
    click.echo(f"Nothing new for {digest.subscription.wants}." if empty else inert(digest_text(digest)))


@command.command("run")
@click.option("--to", type=click.Choice(["stdout"]), default="stdout", show_default=True, help="Where to.")
def run(*, to: str) -> None:
    """Post what is due at places of this machine, once, and leave; for cron. Slack's digests are posted by "run"."""
    del to
    desk = _desk()
    outlet = LocalOutlet(sys.stdout)
    desk.digests.outlets = [outlet]
    asyncio.run(desk.digests.tick())


@command.command("pause")
@_placed
def pause(*, channel: str, team: str, name: str) -> None:
    """Post no digest until it is resumed."""
    click.echo(_desk().subscribing.pause(_place(channel, team, name), ""))


@command.command("resume")
@_placed
def resume(*, channel: str, team: str, name: str) -> None:
    """Post digests again; what arrived meanwhile is left out."""
    click.echo(_desk().subscribing.resume(_place(channel, team, name), ""))


@command.command("remove")
@_placed
def remove(*, channel: str, team: str, name: str) -> None:
    """End a subscription, and forget what was posted for it."""
    click.echo(_desk().subscribing.remove(_place(channel, team, name), ""))


@command.command("feed")
@_placed
def feed(*, channel: str, team: str, name: str) -> None:
    """Print the file of the Atom feed of what was posted; it is written anew with each digest."""
    subscription = _desk().subscribing.of(_place(channel, team, name))
    if subscription is None:
        raise SubscriptionError("there is no digest there; “pullquote digest list” shows those that there are")
    click.echo(feed_path(load_settings(), subscription))


def _desk() -> Desk:
    desk = build_desk(started(), [])
    click.get_current_context().call_on_close(desk.close)
    return desk
