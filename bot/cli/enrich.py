"""`pullquote enrich`: look up the titles of imported entries that came without one."""

from __future__ import annotations

import asyncio
import json
import sys

import click

from bot.adapters.clock import SystemClock
from bot.bootstrap import open_online
from bot.cli.exits import ExitCode, complain
from bot.enriching import Enriching, EnrichReport
from bot.present import printable
from bot.settings import Settings, load_settings

__all__ = ["command"]


@click.command("enrich")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Entries at most.")
@click.option("--again", is_flag=True, help="Ask also for what nobody knew within the last 30 days.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, limit: int, again: bool, as_json: bool) -> None:
    """Look up titles at OpenAlex, Crossref, Semantic Scholar and arXiv by how the abstracts begin.

    A title is taken only where the abstract agrees; one that came with the entry is never replaced. What was never
    asked for comes first.
    """
    report = asyncio.run(_enrich(load_settings(), limit, again=again))
    if as_json:
        found = [{"entry_id": name, "title": title, "service": at} for name, (title, at) in report.found.items()]
        click.echo(
            json.dumps({"found": found, "unknown": report.unknown, "failures": report.failures}, ensure_ascii=False)
        )
    else:
        for name, (title, service) in report.found.items():
            click.echo(f"{name}: {printable(title)} ({service})")
        click.echo(f"{len(report.found):,} found, {len(report.unknown):,} unknown")
    for service, reason in report.failures.items():
        complain(f"{service}: {reason}")
    sys.exit(ExitCode.SERVICE_FAILED if report.failures and not report.found else ExitCode.OK)


async def _enrich(settings: Settings, limit: int, *, again: bool) -> EnrichReport:
    async with open_online(settings) as (catalogue, client):
        return await Enriching(catalogue, client, SystemClock()).run(limit=limit, again=again)
