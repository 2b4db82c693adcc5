"""Which version this is."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

__all__ = ["version"]


@cache
def version() -> str:
    """Return the version of the installed distribution, or "0+checkout" when run from a bare checkout."""
    try:
        return installed_version("pullquote")
    except PackageNotFoundError:
        return "0+checkout"
