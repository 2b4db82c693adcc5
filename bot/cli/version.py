"""`pullquote version`."""

from __future__ import annotations

import click

from bot.version import version

__all__ = ["command"]


@click.command("version")
def command() -> None:
    """Print the version."""
    click.echo(f"pullquote {version()}")
