"""`pullquote stats`: what is indexed, and how questions were answered."""

from __future__ import annotations

import json

import click

from bot.cli.running import started
from bot.model import Verdict

__all__ = ["command"]


@click.command("stats")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, as_json: bool) -> None:
    """Say what is indexed and how many questions were answered, and how."""
    app = started()
    counts = app.answers.counts()
    verdicts = {verdict.value: counts.get(verdict, 0) for verdict in Verdict if verdict is not Verdict.REPLY}
    if as_json:
        click.echo(json.dumps({"entries": len(app.collection), "venues": app.collection.venues, "answers": verdicts}))
        return
    click.echo(f"{app.collection.summary}.")
    click.echo(f"Questions: {sum(verdicts.values()):,} ({', '.join(f'{v} {n:,}' for v, n in verdicts.items())}).")
