"""The tables at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from tests.benchmarks.answers import AnswerTimes, Start
from tests.benchmarks.stored import Stored
from tests.benchmarks.timing import Timing

__all__ = ["CoreResults", "answer_table", "core_table", "start_table", "stored_table"]

_OWN = "Pullquote"
_BASE = "rank-bm25"


@dataclass(frozen=True, slots=True)
class CoreResults:
    """What the ranking cores took on one collection.

    Attributes:
        documents: How many there were.
        index_s: Seconds to index, by name.
        timings: One query, by name.
    """

    documents: int
    index_s: Mapping[str, float]
    timings: Mapping[str, Timing]


def core_table(results: Sequence[CoreResults]) -> Table:
    """Return the ranking cores side by side, with how many times rank-bm25's queries each does in a second."""
    table = Table(title="Ranking cores: top 10, same tokens, one thread")
    table.add_column("documents", justify="right")
    table.add_column("core")
    for heading in ("index s", "median ms", "p99 ms", "queries/s", f"x {_BASE}", f"x {_OWN}"):
        table.add_column(heading, justify="right")
    for result in results:
        for name, timing in result.timings.items():
            table.add_row(
                f"{result.documents:,}",
                name,
                f"{result.index_s[name]:.2f}",
                f"{timing.median_ms:.3f}",
                f"{timing.p99_ms:.3f}",
                f"{timing.per_second:,.0f}",
                *(f"{timing.per_second / result.timings[other].per_second:,.2f}" for other in (_BASE, _OWN)),
            )
        table.add_section()
    return table


def answer_table(times: Mapping[str, AnswerTimes]) -> Table:
    """Return the whole answers' times by collection."""
    table = Table(title="Whole answers, milliseconds")
    table.add_column("collection")
    for heading in ("cold median", "cold p99", "warm median", "warm p99", "warm answers/s"):
        table.add_column(heading, justify="right")
    for name, taken in times.items():
        figures = (taken.cold.median_ms, taken.cold.p99_ms, taken.warm.median_ms, taken.warm.p99_ms)
        table.add_row(name, *(f"{value:.2f}" for value in figures), f"{taken.warm.per_second:,.0f}")
    return table


def start_table(starts: Mapping[str, Start]) -> Table:
    """Return what a process takes to begin, by collection."""
    table = Table(title="From nothing to the first answer")
    table.add_column("collection")
    for heading in ("engine built s", "process ready s", "first answer s", "peak memory MB"):
        table.add_column(heading, justify="right")
    for name, start in starts.items():
        table.add_row(
            name, f"{start.built_s:.2f}", f"{start.ready_s:.2f}", f"{start.first_answer_s:.2f}", f"{start.peak_mb:,.0f}"
        )
    return table


def stored_table(found: Sequence[Stored]) -> Table:
    """Return what an index on the disk takes, by its size."""
    table = Table(title="Index on the disk, whole answers to questions that are new to it")
    for heading in (
        *("entries", "made in s", "peak MB", "on disk MB", "start s", "first answer s"),
        *("median ms", "p99 ms", "memory MB", "100 more s"),
    ):
        table.add_column(heading, justify="right")
    for one in found:
        table.add_row(
            *(f"{one.entries:,}", f"{one.make_s:.1f}", f"{one.make_mb:,.0f}", f"{one.disk_mb:,.0f}"),
            *(f"{one.start_s:.2f}", f"{one.first_s:.2f}", f"{one.median_ms:.1f}", f"{one.p99_ms:.1f}"),
            *(f"{one.memory_mb:,.0f}", f"{one.add_s:.2f}"),
        )
    return table
