"""The `pullquote` command."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from types import TracebackType

from bot.cli import cli

__all__ = ["main"]


def main() -> None:
    """Run the command line. A fault of ours is one line and a file to send, never a traceback on the screen."""
    sys.excepthook = _report
    # A second thread gains nothing on matrices of this size, and takes the core from whoever asks next.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    cli(prog_name="pullquote")


def _report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    with tempfile.NamedTemporaryFile("w", prefix="pullquote-", suffix=".txt", delete=False) as file:
        traceback.print_exception(kind, error, trace, file=file)
    sys.stderr.write(f"pullquote: something is wrong in Pullquote itself. Please report it, with {file.name}\n")


if __name__ == "__main__":
    main()
