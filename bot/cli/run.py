"""`pullquote run`: everything that is configured, until it is told to stop."""

from __future__ import annotations

import asyncio

import click

from bot.app import run_until_stopped
from bot.bootstrap import build, build_loops
from bot.logs import set_up_logs
from bot.settings import Settings, load_settings

__all__ = ["command", "run_everything"]


@click.command("run")
def command() -> None:
    """Answer in Slack until interrupted. What is under way is finished first."""
    run_everything(load_settings())


def run_everything(settings: Settings) -> None:
    """Run what *settings* configure, on an event loop of its own.

    Raises:
        SettingsError: If something is missing.
        PlatformError: If an outside service cannot be reached or does not let us in.
    """
    set_up_logs(settings.log_level, settings.log_format)
    asyncio.run(_run(settings))


async def _run(settings: Settings) -> None:
    app = await asyncio.to_thread(build, settings)
    try:
        await run_until_stopped(build_loops(app))
    finally:
        app.close()
