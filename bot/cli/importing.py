"""`pullquote import`: files and folders into the catalogue."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from bot.adapters.clock import SystemClock
from bot.adapters.console.progress import import_progress
from bot.bootstrap import open_catalogue, read_seeds
from bot.cli.exits import ExitCode, complain
from bot.importing import ImportReport, import_files, import_object
from bot.settings import load_settings
from retrieval.catalogue.ingest import Outcome
from retrieval.catalogue.joining import Joined
from retrieval.text.cleaning import display_text

__all__ = ["command"]

_SHOWN = 20


@click.command("import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--format", "format_name", metavar="NAME", help="Read as this format instead of what a file looks like.")
@click.option("--dry-run", is_flag=True, help="Say what would be imported and keep nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the object pullquote.import/1.")
def command(paths: tuple[Path, ...], *, format_name: str | None, dry_run: bool, as_json: bool) -> None:
    """Take papers from files, or from the files in folders, into the collection.

    Read are abstract lists, BibTeX, RIS, EndNote, Web of Science and PubMed exports, feeds, tables, and the JSON of
    OpenReview, OpenAlex, Crossref, Semantic Scholar, Zotero, CSL and papercopilot, plain or gzip; which one a file is
    in is told by its content. Good records of a partly bad file are kept; the others are listed.
    """
    settings = load_settings()
    known = Joined(read_seeds(settings))
    with open_catalogue(settings, scratch=dry_run) as catalogue, import_progress(sys.stderr) as progress:
        report = import_files(
            paths,
            catalogue,
            now=SystemClock().now(),
            known=known,
            format_name=format_name,
            keep_records=(sys.maxsize if as_json else _SHOWN) * dry_run,
            progress=progress,
        )
    if as_json:
        click.echo(json.dumps(import_object(report, with_records=dry_run), ensure_ascii=False))
    else:
        _print(report, dry_run=dry_run)
    sys.exit(ExitCode.UNREADABLE if report.nothing_readable else ExitCode.OK)


def _print(report: ImportReport, *, dry_run: bool) -> None:
    for fault in report.faults:
        complain(fault)
    if report.n_faults > len(report.faults):
        complain(f"and {report.n_faults - len(report.faults):,} faults more")
    if dry_run:
        for record in report.records:
            click.echo(f"{display_text(record.title) or display_text(record.abstract)[:80]}")
        if report.kept > len(report.records):
            click.echo(f"… and {report.kept - len(report.records):,} more")
    counts = [f"{report.outcomes[outcome]:,} {outcome}" for outcome in Outcome]
    counts += [f"{report.without_abstract:,} without abstract", f"{report.refused:,} refused"]
    counts += [f"{report.withdrawn:,} withdrawn"] if report.withdrawn else []
    files = f"{report.files:,} file{'' if report.files == 1 else 's'}"
    click.echo(f"{files}, {report.read:,} read: {', '.join(counts)}{' (dry run, nothing kept)' if dry_run else ''}")
