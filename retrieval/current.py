"""The engine on the collection as it is now."""

from __future__ import annotations

from threading import Lock

from retrieval.engine import Engine
from retrieval.index.live import LiveParts, Supply
from retrieval.index.store import IndexStore
from retrieval.semantic import WordVectors

__all__ = ["CurrentEngine"]


class CurrentEngine:
    """Gives each message the engine of the moment; who has one keeps it, whatever comes meanwhile."""

    def __init__(self, supply: Supply, vectors: WordVectors | None, store: IndexStore | None) -> None:
        """Search what *supply* has.

        Args:
            supply: Where the collection comes from.
            vectors: What says how near texts are in meaning; without it words alone decide.
            store: Where the index is kept, for the same vectors; None keeps it in memory alone.

        Raises:
            EmptyCollectionError: If there is no entry.
            RetrievalError: If the entries cannot be read.
        """
        self._supply = supply
        self._vectors = vectors
        self.live = LiveParts(supply, vectors, store)
        self._lock = Lock()
        self._engine = Engine(self.live.parts, vectors)

    def latest(self) -> Engine:
        """Return the engine that knows all that came until now, and is the same as before when nothing did."""
        parts = self.live.latest()
        with self._lock:
            if parts is not self._engine.parts and parts is self.live.parts:
                self._engine = Engine(parts, self._vectors, self._engine.background)
            return self._engine

    def caught_up(self) -> Engine:
        """Return the engine that knows all that came until now, however long that takes."""
        self.live.catch_up()
        return self.latest()

    def close(self) -> None:
        """Let what goes on behind the scenes end, and let go of the files that the collection is read from."""
        self.live.settle()
        self._supply.close()
