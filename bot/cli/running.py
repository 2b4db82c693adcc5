"""Start the application for one command, and put it away afterwards."""

from __future__ import annotations

import click

from bot.bootstrap import App, build
from bot.settings import load_settings

__all__ = ["started"]


def started() -> App:
    """Return the application, built from the settings; it is closed when the command ends.

    Raises:
        SettingsError: If a setting cannot be used.
        SourceError: If the seeds cannot be read.
        EmptyCollectionError: If there is nothing in them.
    """
    app = build(load_settings())
    click.get_current_context().call_on_close(app.close)
    return app
