"""Digests of places on this machine: printed where somebody waits for them, and kept in their feed file in any case."""

from __future__ import annotations

from datetime import datetime
from typing import TextIO

from bot.adapters.plaintext import digest_text, plain_text
from bot.model import Answer
from bot.subscription import Digest, Part, Place, Posted, Watch

__all__ = ["LocalOutlet"]


class LocalOutlet:
    """Writes digests to a stream."""

    def __init__(self, out: TextIO | None) -> None:
        """Write to *out*; None writes nowhere, so that only the feed files tell."""
        self._out = out

    def serves(self, place: Place) -> bool:
        """Tell whether *place* is on this machine."""
        return place.is_local

    def render(self, digest: Digest) -> tuple[Part, ...]:
        """Return *digest* as one text."""
        return (Part(digest_text(digest), tuple(one.entry.entry_id for one in digest.entries)),)

    def render_answer(self, watch: Watch, answer: Answer) -> Part:
        """Return *answer* as text."""
        del watch
        return Part(plain_text(answer), tuple(quote.entry.entry_id for quote in answer.quotes))

    def render_notice(self, text: str, *, by: str = "") -> Part:
        """Return nothing to see: whoever typed it was told."""
        del text, by
        return Part("")

    async def post(self, place: Place, part: Part, *, key: str, root: str) -> Posted:
        """Write *part*."""
        del place, root
        if part.content and self._out is not None:
            try:
                self._out.write(f"{part.content}\n\n")
                self._out.flush()
            except OSError as exc:
                return Posted("uncertain", reason=str(exc))
        return Posted("posted", name=key)

    async def find(self, place: Place, *, key: str, root: str, since: datetime) -> Posted:
        """Say that a stream cannot be looked into."""
        del place, key, root, since
        return Posted("unknowable", reason="what was printed cannot be looked for")

    async def tell(self, place: Place, person: str, text: str) -> None:
        """Write *text*."""
        del place, person
        if self._out is not None:
            self._out.write(f"{text}\n")
