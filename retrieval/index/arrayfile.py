"""One file of named arrays: written beside the old one and put in its place by one rename, read by mapping it.

The arrays stand one after the other; behind them a table of contents in JSON, its length, its checksum and a mark. What
was cut short has no mark, what was half written never got the name.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, TypeAlias
from weakref import finalize

import numpy as np
from numpy.typing import DTypeLike, NDArray

from retrieval.errors import IndexDamagedError

__all__ = ["ArrayFile", "ArrayWriter", "Arrays", "spilled", "writing"]

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

_MARK: Final = b"pullquo1"
_ALIGNED: Final = 64
_TAIL: Final = 8 + 4 + len(_MARK)
_AT_ONCE: Final = 1 << 22


class ArrayWriter:
    """Writes arrays one after the other, so that none has to be whole in memory."""

    def __init__(self, file: Any) -> None:
        """Write to *file*, opened for it and empty."""
        self._file = file
        self._at = 0
        self._contents: dict[str, dict[str, Any]] = {}

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Write *array*."""
        self.add_blocks(name, [array], dtype=array.dtype, row=array.shape[1:])

    def add_blocks(
        self, name: str, blocks: Iterable[NDArray[Any]], *, dtype: DTypeLike, row: tuple[int, ...] = ()
    ) -> None:
        """Write an array that comes in *blocks* of rows of shape *row*."""
        self._write(bytes(-self._at % _ALIGNED))
        start, rows, crc = self._at, 0, 0
        for block in blocks:
            data = np.ascontiguousarray(block, dtype).reshape(-1).view(np.uint8).data
            for first in range(0, len(data), _AT_ONCE):
                part = data[first : first + _AT_ONCE]
                crc = zlib.crc32(part, crc)
                self._write(part)
            rows += len(block)
        shape = [rows, *row]
        self._contents[name] = {"dtype": np.dtype(dtype).str, "shape": shape, "at": start, "crc": crc}

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the table of contents with *facts*, and wait until all of it is on the disk."""
        text = json.dumps({"facts": dict(facts), "arrays": self._contents}).encode()
        self._write(text)
        self._write(len(text).to_bytes(8, "little") + zlib.crc32(text).to_bytes(4, "little") + _MARK)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _write(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._at += len(data)


@contextmanager
def writing(path: Path) -> Iterator[ArrayWriter]:
    """Give what writes a new file that takes the place of *path* at the end; nothing changes when that fails.

    Several processes may do so at once: the last one stays.

    Raises:
        OSError: If it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep(path)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    with open(unfinished, "xb", opener=_for_its_owner_alone) as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # says that somebody is at it, until the process ends in whatever way
        try:
            yield ArrayWriter(file)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _for_its_owner_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def spilled(folder: Path, columns: Iterable[tuple[str, NDArray[Any]]]) -> Arrays:
    """Return *columns* as they stand in a file of *folder* that has no name and ends with its last reader.

    Raises:
        OSError: If it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:
        writer = ArrayWriter(file)
        for name, array in columns:
            writer.add(name, array)
        writer.finish({})
        return ArrayFile(folder, os.dup(file.fileno())).arrays()


def _sweep(path: Path) -> None:
    """Remove what processes left that were killed while they wrote."""
    for left in path.parent.glob(f"{path.name}.*.tmp"):
        with suppress(OSError), left.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()


class ArrayFile:
    """A file of arrays, mapped: what is not looked at is not read, and processes share what is.

    It stays as it was opened, also when another takes its place meanwhile.

    Attributes:
        facts: What was written beside the arrays.
        size: In bytes.
    """

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        """Open the file at *path*, or take over the one that is open as *descriptor*.

        Raises:
            IndexDamagedError: If it is cut short, or no file of this kind.
            OSError: If it cannot be read.
        """
        self._path = path
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if descriptor is None else descriptor
        finalize(self, os.close, self._file)
        self.size = os.fstat(self._file).st_size
        if self.size <= _TAIL:
            raise IndexDamagedError(path, "is too short")
        self._data = mmap.mmap(self._file, 0, access=mmap.ACCESS_READ)
        tail = self._data[-_TAIL:]
        length, crc = int.from_bytes(tail[:8], "little"), int.from_bytes(tail[8:12], "little")
        if tail[12:] != _MARK or length > self.size - _TAIL:
            raise IndexDamagedError(path, "has no end")
        text = self._data[-_TAIL - length : -_TAIL]
        if zlib.crc32(text) != crc:
            raise IndexDamagedError(path, "has a damaged table of contents")
        found = json.loads(text)
        self.facts: Mapping[str, Any] = found["facts"]
        self._contents: Mapping[str, Mapping[str, Any]] = found["arrays"]

    @property
    def names(self) -> frozenset[str]:
        """The names of the arrays."""
        return frozenset(self._contents)

    def arrays(self) -> Arrays:
        """Return every array by its name, read-only."""
        return {name: self._array(listed) for name, listed in self._contents.items()}

    def check(self, names: Iterable[str] | None = None) -> None:
        """Hold the arrays of *names*, all when left out, against their checksums.

        Raises:
            IndexDamagedError: If one is not as it was written.
        """
        for name in self._contents if names is None else names:
            listed, crc = self._contents[name], 0
            start, length = listed["at"], self._array(listed).nbytes
            # Read, not mapped: what is looked at only here is not to count as this process' memory.
            for first in range(0, length, _AT_ONCE):
                crc = zlib.crc32(os.pread(self._file, min(_AT_ONCE, length - first), start + first), crc)
            if crc != listed["crc"]:
                raise IndexDamagedError(self._path, f"has a damaged part ({name})")

    def release(self, names: Iterable[str]) -> None:
        """Give back the memory of what was looked at of the arrays of *names*; it is there again when looked at again.

        The system would do so when it runs short; until then what was read long ago counts as this process' own.
        """
        for listed in (self._contents[name] for name in names if name in self._contents):
            start = listed["at"] + -listed["at"] % mmap.PAGESIZE
            end = listed["at"] + self._array(listed).nbytes
            if start < end:
                self._data.madvise(mmap.MADV_DONTNEED, start, end - start)

    def sizes(self) -> Mapping[str, int]:
        """Return how many bytes each array takes."""
        return {name: self._array(listed).nbytes for name, listed in self._contents.items()}

    def _array(self, listed: Mapping[str, Any]) -> NDArray[Any]:
        shape, dtype = tuple(listed["shape"]), np.dtype(listed["dtype"])
        count = int(np.prod(shape, dtype=np.int64))
        if count == 0:
            return np.zeros(shape, dtype)
        if listed["at"] + count * dtype.itemsize > self.size:
            raise IndexDamagedError(self._path, "is cut short")
        return np.frombuffer(self._data, dtype, count, listed["at"]).reshape(shape)
