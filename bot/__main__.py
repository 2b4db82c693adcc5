"""The `pullquote` command."""

from __future__ import annotations

import os
import sys

from bot.cli import cli

__all__ = ["main"]


def main() -> None:
    """Run the command line; a reader that goes away (`| head`) ends it quietly."""
    try:
        cli(prog_name="pullquote")
    except BrokenPipeError:
        # The interpreter would flush the closed pipe once more at exit and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


if __name__ == "__main__":
    main()
