"""Take times side by side: what is compared takes turns, so that a busy moment of the machine meets all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TypeVar

import numpy as np

__all__ = ["Timing", "interleaved", "timed"]

T = TypeVar("T")
_WARM_UP = 3


@dataclass(frozen=True, slots=True)
class Timing:
    """How long each of several calls took, in milliseconds."""

    samples_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        """The middle one."""
        return float(np.median(self.samples_ms))

    @property
    def p99_ms(self) -> float:
        """The one that 99 of 100 stay below."""
        return float(np.quantile(self.samples_ms, 0.99))

    @property
    def per_second(self) -> float:
        """How many calls a second makes, one after the other."""
        return 1000 * len(self.samples_ms) / sum(self.samples_ms)


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """Return what *call* returns, and the milliseconds that it took."""
    start = perf_counter_ns()
    result = call()
    return result, (perf_counter_ns() - start) / 1e6


def interleaved(
    subjects: Mapping[str, Callable[[T], object]],
    queries: Sequence[T],
    *,
    rounds: int,
    advance: Callable[[], object] = lambda: None,
) -> dict[str, Timing]:
    """Return the timing of each subject: a query's sample is the median of its rounds.

    In a round every subject gets all queries, one subject after the other. Before the first each gets three that do not
    count: compilers and caches settle then.

    Args:
        subjects: What is timed, by name.
        queries: At least one.
        rounds: At least 1.
        advance: Called after each subject of each round.
    """
    for subject in subjects.values():
        for query in queries[:_WARM_UP]:
            subject(query)
    samples: dict[str, list[list[float]]] = {name: [] for name in subjects}
    with _no_garbage_collected():
        for _ in range(rounds):
            for name, subject in subjects.items():
                samples[name].append([timed(lambda query=query: subject(query))[1] for query in queries])  # type: ignore[misc]  # noqa: B023
                advance()
    return {name: Timing(_medians(rounds_of)) for name, rounds_of in samples.items()}


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """As in `timeit`: going through millions of tokens that all subjects share takes .15 s, and one of them pays."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _medians(rounds: Iterable[Sequence[float]]) -> tuple[float, ...]:
    return tuple(float(median) for median in np.median(np.array(list(rounds)), axis=0))
