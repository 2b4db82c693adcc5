"""Where a collection comes from: the lists it begins with and the catalogue, and how far each has been read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock

from retrieval.catalogue.joining import Joined
from retrieval.catalogue.store import Catalogue
from retrieval.index.live import Changes
from retrieval.model import Entry

__all__ = ["CatalogueSupply"]


class CatalogueSupply:
    """The entries of a folder of lists, and those of a catalogue that are none of them.

    The lists are read when they are first needed, and stay what they were then.
    """

    def __init__(self, seeds: Path, read: Callable[[Path], Sequence[Entry]], catalogue: Path) -> None:
        """Read the lists in the folder *seeds* with *read*, and the file *catalogue* where there is one."""
        self._seeds = seeds
        self._read = read
        self._path = catalogue
        self._lock = Lock()
        self._opened: tuple[int, Catalogue] | None = None

    def position(self) -> str:
        """Return where the collection stands: the same as before when nothing changed.

        Raises:
            SourceError: If the lists cannot be read.
            CatalogueError: If there is a catalogue that cannot be read.
        """
        catalogue = self._catalogue()
        return self._position(catalogue.position() if catalogue else "")

    def entries(self) -> tuple[Iterator[Entry], str]:
        """Return every entry, and the position that they stand for.

        Raises:
            SourceError: If the lists cannot be read.
            EmptyCollectionError: If there is nothing in them.
            CatalogueError: If there is a catalogue that cannot be read.
        """
        catalogue = self._catalogue()
        # Read before the entries: what changes meanwhile is seen as a change afterwards, once more at worst.
        position = self._position(catalogue.position() if catalogue else "")
        return self._joined.entries(catalogue.entries() if catalogue else ()), position

    def since(self, position: str) -> Changes | None:
        """Return what changed since *position*; None when that cannot be told and everything is to be looked at.

        Raises:
            CatalogueError: If there is a catalogue that cannot be read.
        """
        seeds, _, before = position.partition("/")
        catalogue = self._catalogue()
        if seeds != self._seeds_digest or catalogue is None or not catalogue.has_been_at(before):
            return None
        now = catalogue.position()
        changed = dict(self._joined.changed(catalogue.changed_since(before)))
        put = tuple(entry for entry in changed.values() if entry is not None)
        gone = frozenset(entry_id for entry_id, entry in changed.items() if entry is None)
        return Changes(put, gone, self._position(now))

    def close(self) -> None:
        """Let go of the catalogue."""
        with self._lock:
            if self._opened is not None:
                self._opened[1].close()
                self._opened = None

    def _catalogue(self) -> Catalogue | None:
        """Return the catalogue, opened again when the file is another one; None where there is no file."""
        with self._lock:
            try:
                inode = self._path.stat().st_ino
            except (FileNotFoundError, NotADirectoryError):
                return None
            if self._opened is None or self._opened[0] != inode:
                if self._opened is not None:
                    self._opened[1].close()
                self._opened = (inode, Catalogue(self._path))
            return self._opened[1]

    def _position(self, catalogue: str) -> str:
        return f"{self._seeds_digest}/{catalogue}"

    @cached_property
    def _joined(self) -> Joined:
        return Joined(self._read(self._seeds))

    @cached_property
    def _seeds_digest(self) -> str:
        digest = hashlib.blake2b(digest_size=8)
        for file in sorted(self._seeds.iterdir()) if self._seeds.is_dir() else ():
            if file.is_file():
                digest.update(f"{file.name}\0".encode("utf-8", "surrogateescape") + file.read_bytes() + b"\0")
        return digest.hexdigest()
