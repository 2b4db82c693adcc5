"""Measure the index on the disk: making it, starting from it, answering, adding to it; each in a process of its own.

`python -m tests.benchmarks.stored make|use N FOLDER` is that process; it prints one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from bot.adapters.clock import SystemClock
from bot.adapters.memory import MemoryConversations
from bot.answering import Answering
from retrieval.current import CurrentEngine
from retrieval.index.live import Changes
from retrieval.index.store import IndexStore
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from tests.benchmarks.data import questions, read_list, split
from tests.benchmarks.growing import grown

__all__ = ["Stored", "measure"]

_ROOT = Path(__file__).parents[2]
_ADDED = 100


@dataclass(frozen=True, slots=True)
class Stored:
    """What an index of so many entries takes.

    Attributes:
        make_s: Making it.
        make_mb: The most memory that this took.
        disk_mb: Its size.
        start_s: From the start of a process until its engine is ready.
        first_s: The first answer.
        median_ms: A whole answer to a question asked for the first time; `p99_ms` of 100 are no slower.
        memory_mb: The most memory that the process held through all this, mapped files counted.
        add_s: Adding a hundred entries, until the first answer that finds one of them.
    """

    entries: int
    make_s: float
    make_mb: float
    disk_mb: float
    start_s: float
    first_s: float
    median_ms: float
    p99_ms: float
    memory_mb: float
    add_s: float


def measure(entries: int, folder: Path) -> Stored:
    """Make an index of *entries* in *folder* and use it.

    Raises:
        subprocess.CalledProcessError: If one of the processes fails.
    """
    found: dict[str, float] = {}
    for step in ("make", "use"):
        command = [sys.executable, "-m", "tests.benchmarks.stored", step, str(entries), str(folder)]
        found |= json.loads(subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout)
    disk = sum(file.stat().st_size for file in folder.iterdir())
    return Stored(**(found | {"entries": entries, "disk_mb": disk / 1e6}))  # type: ignore[arg-type]


class _Grown:
    """The supply: the grown list, and later a hundred entries more."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._more: Sequence[Entry] = ()

    def position(self) -> str:
        return str(len(self._more))

    def entries(self) -> tuple[Iterator[Entry], str]:
        return grown(split(read_list()).entries, self._size), "0"

    def since(self, position: str) -> Changes:
        return Changes(tuple(self._more[int(position) :]), frozenset(), self.position())

    def add(self, entries: Sequence[Entry]) -> None:
        self._more = entries

    def close(self) -> None:
        pass


def _make(size: int, folder: Path) -> None:
    vectors = load_word_vectors()
    began = perf_counter()
    CurrentEngine(_Grown(size), vectors, IndexStore(folder, vectors))
    print(json.dumps({"make_s": perf_counter() - began, "make_mb": _peak_mb()}))


def _use(size: int, folder: Path) -> None:
    began = perf_counter()
    supply, vectors = _Grown(size), load_word_vectors()
    current = CurrentEngine(supply, vectors, IndexStore(folder, vectors))
    asked = Answering(current, MemoryConversations(), SystemClock(), max_chars=2_000)
    figures = {"start_s": perf_counter() - began}
    _, figures["first_s"] = _timed(asked, "how do graph neural networks scale to large graphs?")
    peak = _peak_mb()  # the list is read for its titles and what is added only after this
    held_out = split(read_list())
    listed = [*held_out.titles, *questions()]  # as the answers in memory are timed with
    before = _now_mb()
    taken = [_timed(asked, question)[1] for question in listed]
    figures |= {"median_ms": 1e3 * float(np.median(taken)), "p99_ms": 1e3 * float(np.quantile(taken, 0.99))}
    peak += max(_now_mb() - before, 0)
    more = [_added(entry) for entry in held_out.entries[:_ADDED]]
    supply.add(more)
    began = perf_counter()
    answer = asked.answer(f'what is in "{more[-1].title}"?')
    figures |= {"add_s": perf_counter() - began, "memory_mb": peak}
    if more[-1].entry_id not in {quote.entry.entry_id for quote in answer.quotes}:
        raise RuntimeError("what was added is not found")
    print(json.dumps(figures))


def _added(entry: Entry) -> Entry:
    return replace(entry, entry_id=f"added:{entry.entry_id}", title=f"Zorblatt {entry.title}")


def _timed(asked: Answering, question: str) -> tuple[object, float]:
    began = perf_counter()
    return asked.answer(question), perf_counter() - began


def _peak_mb() -> float:
    return _status_mb("VmHWM")


def _now_mb() -> float:
    return _status_mb("VmRSS")


def _status_mb(name: str) -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # macOS counts in bytes
    return next(int(line.split()[1]) / 1e3 for line in status.read_text().splitlines() if line.startswith(name))


if __name__ == "__main__":
    {"make": _make, "use": _use}[sys.argv[1]](int(sys.argv[2]), Path(sys.argv[3]))
