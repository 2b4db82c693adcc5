"""`pullquote stats`: what is indexed, how questions were answered, and what people in Slack thought of it."""

from __future__ import annotations

import json
from contextlib import closing

import click

from bot.adapters.clock import SystemClock
from bot.adapters.slack.statistics import Statistics, read_statistics
from bot.bootstrap import open_answers, read_collection, slack_database
from bot.model import Verdict
from bot.settings import load_settings

__all__ = ["command"]


@click.command("stats")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back, for Slack.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, days: int, as_json: bool) -> None:
    """Say what is indexed, how many questions were answered and how, and what people in Slack thought of it."""
    settings = load_settings()
    collection = read_collection(settings)
    with closing(open_answers(settings)) as answers:
        counts = answers.counts()
    verdicts = {verdict.value: counts.get(verdict, 0) for verdict in Verdict if verdict is not Verdict.REPLY}
    slack = read_statistics(slack_database(settings), days=days, now=SystemClock().now())
    if as_json:
        found = {"entries": len(collection), "venues": collection.venues, "answers": verdicts}
        used = {} if slack == Statistics() else {"slack": slack.as_object()}
        click.echo(json.dumps({**found, **used}, ensure_ascii=False))
        return
    click.echo(f"{collection.summary}.")
    click.echo(f"Questions: {sum(verdicts.values()):,} ({', '.join(f'{v} {n:,}' for v, n in verdicts.items())}).")
    if slack != Statistics():
        _say(slack, days)


def _say(slack: Statistics, days: int) -> None:
    click.echo(f"\nSlack, the last {days} days:")
    width = max((len(name) for name in slack.counts), default=0)
    for name, count in slack.counts.items():
        click.echo(f"  {name:<{width}}  {count:>8,}")
    click.echo(f"Helpful: {slack.helpful:,}. Not helpful: {slack.unhelpful:,}.")
    for reason in slack.reasons:
        click.echo(f"  - {reason}")
