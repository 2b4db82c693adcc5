"""The command line: one module per command, imported only when that command runs."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

import click

from bot.cli.exits import reported

__all__ = ["cli"]

_COMMANDS = {
    "ask": "Answer one question, or many, and leave.",
    "chat": "Ask questions in a conversation.",
    "import": "Take papers from files into the collection.",
    "enrich": "Look up the titles of entries that have none.",
    "feeds": "Follow arXiv, RSS, OpenReview, OpenAlex or a folder.",
    "digest": "Be told of new entries, daily, in Slack or here.",
    "entry": "Look at an imported entry, or undo its merging.",
    "export": "Write entries as BibTeX, RIS, CSV or JSON Lines.",
    "gaps": "List the questions that found nothing.",
    "stats": "Say what is indexed and how questions were answered.",
    "verify": "Check the quotes of an earlier answer.",
    "replay": "Give an earlier answer again.",
    "evaluate": "Measure the answers on judged questions.",
    "run": "Run everything that is configured, until stopped.",
    "slack": "Answer in Slack; print the app's manifest; check a setup.",
    "version": "Print the version.",
}


# A command whose name is no name for a module has one of another name.
_MODULES = {"import": "importing"}


class _LazyGroup(click.Group):
    """A group that knows its commands by name and imports each on demand, so that the first prompt comes soon."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the help."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; None when there is none."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"bot.cli.{_MODULES.get(cmd_name, cmd_name)}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one names the nearest."""
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            ctx.fail(f'there is no command "{args[0]}". {_nearest(args[0], _COMMANDS)}')
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; what goes wrong on purpose becomes one line and an exit code."""
        with reported():
            return super().invoke(ctx)


def _nearest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f'Did you mean "{close[0]}"?' if close else 'Ask with: pullquote ask "your question".'


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Ask your paper list. Every answer is a quote.

    Exit codes: 0 answered, related or replied; 1 nothing found; 2 wrong usage; 3 not configured or no
    collection; 4 a file or source could not be read; 5 an outside service failed.
    """
