"""The `pullquote` command."""

from __future__ import annotations

import sys
import tempfile
import traceback
from pathlib import Path

from bot.cli import cli

__all__ = ["main"]

_INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h


def main() -> None:
    """Run the command line. A fault of ours is one line and a file to send, never a traceback on the screen."""
    try:
        cli(prog_name="pullquote")
    except Exception:
        with tempfile.NamedTemporaryFile("w", prefix="pullquote-", suffix=".txt", delete=False) as file:
            traceback.print_exc(file=file)
        sys.stderr.write(
            f"pullquote: something is wrong in Pullquote itself. Please report it with {Path(file.name)}\n"
        )
        sys.exit(_INTERNAL_ERROR)


if __name__ == "__main__":
    main()
