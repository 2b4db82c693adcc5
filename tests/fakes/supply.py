"""A collection that changes when a test says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.index.live import Changes
from retrieval.model import Entry

__all__ = ["FakeSupply"]


class FakeSupply:
    """Entries in memory, with everything that happened to them; *forgetful* when it cannot say what that was."""

    def __init__(self, entries: Iterable[Entry], *, forgetful: bool = False) -> None:
        self.now = {entry.entry_id: entry for entry in entries}
        self._happened: list[str] = []
        self._forgetful = forgetful

    def put(self, entry: Entry) -> None:
        self.now[entry.entry_id] = entry
        self._happened.append(entry.entry_id)

    def withdraw(self, entry_id: str) -> None:
        self.now.pop(entry_id, None)
        self._happened.append(entry_id)

    def position(self) -> str:
        return str(len(self._happened))

    def entries(self) -> tuple[Iterator[Entry], str]:
        return iter(list(self.now.values())), self.position()

    def since(self, position: str) -> Changes | None:
        changed = set(self._happened[int(position) :])
        put = tuple(self.now[entry_id] for entry_id in sorted(changed & self.now.keys()))
        return None if self._forgetful else Changes(put, frozenset(changed - self.now.keys()), self.position())

    def close(self) -> None:
        pass
