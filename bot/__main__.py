"""The `pullquote` command."""

from __future__ import annotations

from bot.cli import cli

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    cli(prog_name="pullquote")


if __name__ == "__main__":
    main()
