"""`pullquote export`: entries for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from bot.bibliography import FORMATS
from bot.cli.exits import ExitCode, complain
from bot.cli.running import started
from retrieval.errors import SourceError

__all__ = ["command"]


@click.command("export", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[QUERY]")
@click.option(
    "--format", "form", type=click.Choice(sorted(FORMATS)), default="bibtex", show_default=True, help="What to write."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write; standard output if left out.")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], form: str, output: Path | None) -> None:
    """Write every entry that mentions QUERY, by entry id; all entries without one.

    QUERY may hold conditions: venue:ICLR year:2026 author:smith -word "exact phrase".
    """
    app = started()
    parsed = app.answering.parse(" ".join(words))
    entries = app.engine.listing.mentioning(parsed.text, parsed.conditions)
    if not entries:
        complain("no entry matches.")
        ctx.exit(ExitCode.NOTHING_FOUND)
    text = FORMATS[form](entries).rstrip("\n")
    if output is None:
        click.echo(text)
        return
    try:
        output.write_text(text + "\n", encoding="utf-8")
    except (OSError, ValueError) as exc:
        raise SourceError(output, f"cannot be written: {getattr(exc, 'strerror', None) or exc}") from exc
