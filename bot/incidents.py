"""What goes wrong gets a name, under which it is found again in the log."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable

__all__ = ["new_incident", "safely"]

log = logging.getLogger(__name__)


def new_incident() -> str:
    """Return a short name for something that went wrong, to be found again in the log."""
    return f"E{secrets.token_hex(4)}"


async def safely(work: Awaitable[None], what: str) -> None:
    """Await what nobody waits for: a failure is written down as an incident, and goes no further."""
    try:
        await work
    except Exception:  # the rest goes on without it
        log.exception("failed", extra={"incident": new_incident(), "doing": what})
