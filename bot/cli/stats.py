"""`pullquote stats`: what was asked in Slack, what came of it, and what people thought of it."""

from __future__ import annotations

import json

import click

from bot.adapters.slack.statistics import read_statistics
from bot.bootstrap import slack_database
from bot.settings import load_settings

__all__ = ["command"]


@click.command("stats")
@click.option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def command(*, days: int, as_json: bool) -> None:
    """Show what was asked in Slack, how it was answered, and the opinions on it."""
    found = read_statistics(slack_database(load_settings()), days=days)
    if as_json:
        click.echo(json.dumps(found.as_object(), ensure_ascii=False))
        return
    if not found.counts and not found.helpful and not found.unhelpful:
        click.echo("Nothing has been asked in Slack yet.")
        return
    width = max((len(name) for name in found.counts), default=0)
    for name, count in found.counts.items():
        click.echo(f"{name:<{width}}  {count:>8,}")
    click.echo(f"\nhelpful: {found.helpful:,}, not helpful: {found.unhelpful:,}")
    for reason in found.reasons:
        click.echo(f"- {reason}")
