"""`pullquote entry`: what is known of one entry, and undoing what merged it."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from bot.adapters.clock import SystemClock
from bot.bootstrap import open_catalogue
from bot.settings import load_settings
from retrieval.catalogue.store import EntryHistory

__all__ = ["command"]


@click.group("entry")
def command() -> None:
    """Look at an imported entry, or take apart what was merged."""


@command.command("show")
@click.argument("entry_id")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(entry_id: str, *, as_json: bool) -> None:
    """Show ENTRY_ID with its sources, its versions and the ids that it had."""
    with open_catalogue(load_settings()) as catalogue:
        history = catalogue.history(entry_id)
    click.echo(json.dumps(_object(history), ensure_ascii=False) if as_json else _text(history))


@command.command("split")
@click.argument("entry_id")
@click.option("--source", type=click.IntRange(1), metavar="N", help="Only this source; all of them when left out.")
def split(entry_id: str, *, source: int | None) -> None:
    """Make the sources of ENTRY_ID entries of their own, for good."""
    with open_catalogue(load_settings()) as catalogue:
        for name in catalogue.split(entry_id, SystemClock().now(), source=source):
            click.echo(name)


def _object(history: EntryHistory) -> dict[str, object]:
    entry = history.entry
    return {
        "entry_id": entry.entry_id,
        "title": entry.title,
        "title_derived": entry.title_derived,
        "authors": list(entry.authors),
        "venue": entry.venue,
        "year": entry.year,
        "url": entry.url,
        "ids": dict(entry.ids),
        "abstract": entry.abstract,
        "withdrawn": history.withdrawn,
        "former_ids": list(history.former_ids),
        "sources": [asdict(source) for source in history.sources],
        "versions": [asdict(version) for version in history.versions],
    }


def _text(history: EntryHistory) -> str:
    entry = history.entry
    lines = [
        f"{entry.entry_id}{' (withdrawn)' if history.withdrawn else ''}",
        f"  {entry.title}{' (derived)' if entry.title_derived else ''}",
        f"  {'; '.join(entry.authors) or 'authors unknown'}",
        f"  {' '.join(filter(None, (entry.venue, str(entry.year or '')))) or 'venue unknown'}",
        *(f"  {scheme} {value}" for scheme, value in sorted(entry.ids.items())),
        *(f"  was {name}" for name in history.former_ids),
        "sources",
    ]
    for source in history.sources:
        place = f"{source.file}:{source.line}" if source.line else f"{source.file}, record {source.ordinal}"
        notes = "".join((", replaced" if not source.current else "", ", split off" if source.alone else ""))
        lines.append(f"  {source.number}  {source.format}  {place}  {source.seen_at[:10]}{notes}")
    lines.append("versions")
    lines += [f"  {v.number}  {v.seen_at[:10]}  {v.title}" for v in history.versions]
    return "\n".join(lines)
