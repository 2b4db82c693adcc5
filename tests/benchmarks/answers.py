"""Time whole answers, from the message to the quotes, and how long a process takes to its first one.

`python -m tests.benchmarks.answers N` is the process that is started: it answers from the first N of the real list, or
from the seeds for 0, and prints one line of JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from bot.adapters.clock import SystemClock
from bot.adapters.memory import MemoryConversations
from bot.answering import Answering
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from tests.benchmarks.timing import Timing, timed

__all__ = ["AnswerTimes", "Start", "answer_times", "answering", "seeds", "start"]

_ROOT = Path(__file__).parents[2]
_QUESTION = "how do graph neural networks scale to large graphs?"


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """How long whole answers took: *cold* when a question is asked for the first time, *warm* from then on."""

    cold: Timing
    warm: Timing


@dataclass(frozen=True, slots=True)
class Start:
    """What it takes to begin.

    Attributes:
        entries: How many there are.
        ready_s: From the start of the process until its index is built.
        first_answer_s: Until its first answer is given.
        built_s: Building the engine alone, the entries read and cleaned already.
        peak_mb: The most memory that the process held.
    """

    entries: int
    ready_s: float
    first_answer_s: float
    built_s: float
    peak_mb: float


def seeds() -> tuple[Entry, ...]:
    """Return the entries that ship with Pullquote."""
    return tuple(read_folder(_ROOT / "seeds"))


def answering(entries: Sequence[Entry]) -> Answering:
    """Return what answers from *entries* and keeps nothing."""
    engine = Engine.of(entries, load_word_vectors())
    return Answering(engine, MemoryConversations(), SystemClock(), max_chars=2_000)


def answer_times(
    asked: Answering, questions: Sequence[str], *, rounds: int, advance: Callable[[], object] = lambda: None
) -> AnswerTimes:
    """Time each of *questions*, at least two, on *asked*, which has not answered yet.

    The first answer of all is not counted: what it sets up is counted as part of the start.
    """
    asked.answer(questions[0])
    taken = []
    for _ in range(rounds + 1):
        taken.append([timed(lambda question=question: asked.answer(question))[1] for question in questions[1:]])  # type: ignore[misc]
        advance()
    by_question = zip(*taken[1:], strict=True)
    return AnswerTimes(
        Timing(tuple(taken[0])), Timing(tuple(sorted(samples)[len(samples) // 2] for samples in by_question))
    )


def start(limit: int) -> Start:
    """Start a process that answers from the first *limit* of the real list, or from the seeds for 0.

    Raises:
        subprocess.SubprocessError: If it fails.
    """
    began = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.answers", str(limit)], cwd=_ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdout is None:
            raise subprocess.SubprocessError("the process has no output")
        process.stdout.readline()
        ready = perf_counter() - began
        process.stdout.readline()
        first = perf_counter() - began
        rest = process.stdout.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, "tests.benchmarks.answers")
    return Start(**(json.loads(rest) | {"ready_s": ready, "first_answer_s": first}))


def _serve(limit: int) -> None:
    from tests.benchmarks.data import read_list

    entries = read_list(limit=limit) if limit else seeds()
    asked, built_ms = timed(lambda: answering(entries))
    print("ready", flush=True)
    asked.answer(_QUESTION)
    print("answered", flush=True)
    print(json.dumps(asdict(Start(len(entries), 0.0, 0.0, built_ms / 1000, _peak_bytes() / 1e6))))


def _peak_bytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        # What `getrusage` says on Linux counts the parent in, as it was when this process was split off from it.
        return 1024 * next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line)
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS counts in bytes


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
