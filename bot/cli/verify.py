"""`pullquote verify`."""

from __future__ import annotations

import click

from bot.adapters.plaintext import plain_text
from bot.cli.running import started

__all__ = ["command"]


@click.command("verify")
@click.argument("answer_id", metavar="ID")
def command(answer_id: str) -> None:
    """Check that the quotes of an earlier answer still stand word for word in their abstracts."""
    click.echo(plain_text(started().answering.verify(answer_id)))
