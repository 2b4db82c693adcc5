"""The collection as it is now: what came since it was compiled is added to what is there, and put in order later."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Protocol

from retrieval.errors import EmptyCollectionError, RetrievalError
from retrieval.index.building import build_segment
from retrieval.index.merging import merged
from retrieval.index.parts import Part, Parts
from retrieval.index.records import entry_from, record_of
from retrieval.index.store import IndexStore, Kept
from retrieval.model import Entry
from retrieval.semantic import WordVectors

__all__ = ["Changes", "LiveParts", "Supply", "changed"]

log = logging.getLogger(__name__)

_MOST_PARTS = 6
_AT_ONCE = 2_000  # more new entries than a question waits for
_WORTH_REWRITING = 1_000
_SHARE_REWRITTEN = 0.2
_WORTH_SAYING = 1_000  # so many entries take longer than a moment


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened to a collection.

    Attributes:
        put: Entries that are new, or other than before.
        gone: The ids of those that are there no more.
        position: Where the collection stands now.
    """

    put: tuple[Entry, ...]
    gone: frozenset[str]
    position: str

    def __len__(self) -> int:
        return len(self.put) + len(self.gone)


class Supply(Protocol):
    """Where a collection comes from."""

    def position(self) -> str:
        """Return where it stands now: the same as before when nothing changed. Quick, as every question asks."""
        ...

    def entries(self) -> tuple[Iterator[Entry], str]:
        """Return every entry, and the position that they stand for."""
        ...

    def since(self, position: str) -> Changes | None:
        """Return what changed since *position*; None when that cannot be told."""
        ...

    def close(self) -> None:
        """Let go of what was opened."""
        ...


class LiveParts:
    """The parts of a collection that goes on changing. May be asked from several threads."""

    def __init__(self, supply: Supply, vectors: WordVectors | None, store: IndexStore | None) -> None:
        """Read the index, make it where it cannot be used, and bring it up to date.

        Args:
            supply: What is searched.
            vectors: What says how near texts are in meaning; None leaves that out.
            store: Where the index is kept; None keeps it in memory alone.

        Raises:
            EmptyCollectionError: If there is no entry.
            RetrievalError: If the entries cannot be read.
        """
        self._supply = supply
        self._vectors = vectors
        self._store = store
        self._lock = Lock()
        self._behind: Thread | None = None
        found = "" if store is None else store.open()
        kept = self._anew(found) if isinstance(found, str) else found
        self._base, self._position = kept.base, kept.position
        self.parts = Parts(kept.parts)
        self._catch_up()
        if self._is_worth_rewriting():
            log.warning("index: putting %s entries in order", f"{self.parts.size:,}")
            self._rewrite()

    def latest(self) -> Parts:
        """Return the parts with what came since the last call; the very same when nothing did.

        Where more came than a question can wait for, it is added behind the scenes.
        """
        if self._store is not None:
            self._store.release()
        try:
            if (
                self._behind is None
                and self._supply.position() != self._position
                and self._lock.acquire(blocking=False)
            ):
                try:
                    self._look()
                finally:
                    self._lock.release()
        except RetrievalError as exc:
            log.warning("index: the collection cannot be read just now, so that it stays as it was: %s", exc)
        return self.parts

    def catch_up(self) -> None:
        """Take in all that came until now, however long that takes.

        Raises:
            RetrievalError: If the entries cannot be read.
        """
        self.settle()
        with self._lock:
            self._catch_up()

    def settle(self) -> None:
        """Wait until what goes on behind the scenes is done."""
        if (thread := self._behind) is not None:
            thread.join()

    def _look(self) -> None:
        changes = self._changes()
        if len(changes) > _AT_ONCE:
            self._behind = Thread(target=self._work, args=(changes,), name="index", daemon=True)
            self._behind.start()
            return
        self._apply(changes)
        if self._is_worth_rewriting():
            self._behind = Thread(target=self._work, args=(None,), name="index", daemon=True)
            self._behind.start()

    def _work(self, changes: Changes | None) -> None:
        try:
            if changes is not None:
                self._apply(changes)
            if self._is_worth_rewriting():
                self._rewrite()
        finally:
            self._behind = None

    def _catch_up(self) -> None:
        if self._supply.position() != self._position:
            self._apply(self._changes())

    def _changes(self) -> Changes:
        known = self._supply.since(self._position)
        if known is not None:
            return known
        entries, position = self._supply.entries()
        return _differences(self.parts, entries, position)

    def _apply(self, changes: Changes) -> None:
        parts = changed(self.parts, changes, self._vectors)
        if parts.size == 0:
            raise EmptyCollectionError("every entry of the collection is gone")
        kept_before = parts is self.parts
        self.parts, self._position = parts, changes.position
        if not kept_before and self._store is not None and self._base:
            try:
                self._store.write_recent(self._base, parts, changes.position)
            except OSError as exc:
                log.warning("index: %s; what came last stays in memory", exc)

    def _is_worth_rewriting(self) -> bool:
        if self._store is None or not self._base:
            return False
        first = self.parts.parts[0]
        loose = len(first.gone) + self.parts.size - len(first)
        return loose > max(_WORTH_REWRITING, _SHARE_REWRITTEN * len(first.segment))

    def _rewrite(self) -> None:
        if self._store is None:
            return
        try:
            kept = self._store.write(self.parts, self._position)
        except OSError as exc:
            log.warning("index: %s; it stays as it was", exc)
            return
        self._base, self.parts = kept.base, Parts(kept.parts)

    def _anew(self, reason: str) -> Kept:
        entries, position = self._supply.entries()
        if self._store is None:
            segment = build_segment(tuple(entries), self._vectors)
            return Kept((Part(segment),), position, "")
        listed = _announced(entries, reason)
        parts = self._store.compile(listed)
        if not parts.size:
            raise EmptyCollectionError("the collection has no entry. Point PULLQUOTE_SEEDS_DIR at a folder of lists.")
        try:
            return self._store.write(parts, position)
        except OSError as exc:
            log.warning("index: %s; it is kept in memory and made again at the next start", exc)
            return Kept((Part(merged(parts)),), position, "")


def changed(parts: Parts, changes: Changes, vectors: WordVectors | None) -> Parts:
    """Return *parts* after *changes*: the same object when they change nothing."""
    put = {entry.entry_id: entry for entry in changes.put if _record(parts, entry.entry_id) != record_of(entry)}
    gone = {*put, *changes.gone}
    kept = [_without(part, gone) for part in parts.parts]
    if not put and all(new is old for new, old in zip(kept, parts.parts, strict=True)):
        return parts
    if put:
        kept.append(Part(build_segment(tuple(put.values()), vectors)))
    if len(kept) > _MOST_PARTS:
        small = Parts(kept[1:])
        kept = [kept[0], *([Part(merged(small))] if small.size else [])]
    return Parts(kept)


def _without(part: Part, gone: Iterable[str]) -> Part:
    rows = [row for entry_id in gone if (row := part.row(entry_id)) >= 0]
    if not rows:
        return part
    return part.without(rows, build_segment([entry_from(part.segment.records[row]) for row in rows], None))


def _record(parts: Parts, entry_id: str) -> bytes | None:
    number = parts.number(entry_id)
    if number < 0:
        return None
    segment, row = parts.place(number)
    return segment.records.encoded(row)


def _differences(parts: Parts, entries: Iterable[Entry], position: str) -> Changes:
    """Return what makes *entries* of *parts*."""
    put, there = [], set()
    for entry in entries:
        there.add(entry.entry_id)
        if _record(parts, entry.entry_id) != record_of(entry):
            put.append(entry)
    known = {segment.ids[row] for segment, row in map(parts.place, range(parts.size))}
    return Changes(tuple(put), frozenset(known - there), position)


def _announced(entries: Iterable[Entry], reason: str) -> Iterator[Entry]:
    """Yield *entries*, and say once that they are indexed, when that takes a while or nobody would expect it."""
    said = False
    for number, entry in enumerate(entries, start=1):
        if not said and (number == _WORTH_SAYING or reason != "there is none yet"):
            log.warning("index: making it anew, as %s", reason)
            said = True
        yield entry
