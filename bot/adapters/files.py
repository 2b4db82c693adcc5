"""Files of one's own: what was asked, and by whose token, is nobody else's to read."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["private_file"]


def private_file(path: Path) -> Path:
    """Make the file at *path*, with its folders, for its owner alone, unless it is there already; return *path*.

    Raises:
        OSError: If it cannot be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return path
