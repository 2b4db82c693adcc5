"""`pullquote replay`."""

from __future__ import annotations

import click

from bot.adapters.plaintext import plain_text
from bot.cli.running import started

__all__ = ["command"]


@click.command("replay")
@click.argument("answer_id", metavar="ID")
def command(answer_id: str) -> None:
    """Give an earlier answer again, and say what has changed since."""
    click.echo(plain_text(started().answering.replay(answer_id)))
