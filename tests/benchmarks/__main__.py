"""Measure, and report in tables and a plot: `python -m tests.benchmarks [--quick] [--output FOLDER]`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from retrieval.model import Entry
from tests.benchmarks.answers import AnswerTimes, Start, answer_times, answering, seeds, start
from tests.benchmarks.cores import CORES, Core, available, same_scores
from tests.benchmarks.data import REAL_LIST, Split, documents, questions, read_list, split
from tests.benchmarks.growing import grown
from tests.benchmarks.plot import draw
from tests.benchmarks.report import CoreResults, answer_table, core_table, start_table, stored_table
from tests.benchmarks.stored import Stored, measure
from tests.benchmarks.timing import interleaved, timed

_SIZES = (1_000, 20_000, 100_000)
_MILLION = 1_000_000
_QUERIES = {50_000: 30, 500_000: 10}  # for so many documents and more: of a million, rank-bm25 takes seconds for each
_FEW_ROUNDS = 3
_QUICK_SIZES = (1_000, 4_000)
_WIDTH = 110
_COMPARED = 20  # queries for which every score is held against rank-bm25's


def main() -> None:
    """Run everything; takes a quarter of an hour, or about a minute with --quick."""
    arguments = _arguments()
    console = Console(width=max(Console().width, _WIDTH))
    listed: tuple[Entry, ...] = ()
    if REAL_LIST.exists():
        listed = read_list(limit=_QUICK_SIZES[-1] if arguments.quick else None)
    else:
        console.print(f"{REAL_LIST.name} does not lie beside the checkout: only the seeds are measured.")
    rounds = 3 if arguments.quick else 5
    with _progress(console) as progress:
        sizes = _QUICK_SIZES if arguments.quick else _SIZES
        sizes = (*sizes, _MILLION) if arguments.million else sizes
        cores = [_compare(size, listed, progress, rounds) for size in (sizes if listed else (len(seeds()),))]
        answers = {name: _answer(name, part, progress, rounds) for name, part in _collections(listed).items()}
        starts = _starts(listed, progress)
        stored = _stored(sizes if listed else (), progress)
    for table in (core_table(cores), answer_table(answers), start_table(starts), stored_table(stored)):
        console.print(table)
    picture = arguments.output / "benchmarks.png"
    draw(picture, cores, answers)
    console.print(f"Plot: {picture}", soft_wrap=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer entries and rounds: about a minute")
    parser.add_argument(
        "--million", action="store_true", help="a million entries too: two hours, 20 GB of memory, 14 GB of disk"
    )
    parser.add_argument("--output", type=Path, help="folder for the plot; a temporary one when left out")
    arguments = parser.parse_args()
    arguments.output = arguments.output or Path(tempfile.mkdtemp(prefix="pullquote-bench-"))
    arguments.output.mkdir(parents=True, exist_ok=True)
    return arguments


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)


def _collections(listed: Sequence[Entry]) -> dict[str, Split]:
    real = split(listed)
    collections = {"seeds": Split(seeds(), questions())}
    # The project's own questions are about other papers: on the real list most are refused, as some always are.
    return collections | ({"real list": Split(real.entries, (*real.titles, *questions()))} if listed else {})


def _compare(size: int, listed: Sequence[Entry], progress: Progress, rounds: int) -> CoreResults:
    """Compare the cores on the first *size* of what *listed*, or else the seeds, grow to."""
    part = split(listed) if listed else Split(seeds(), questions())
    few = min((count for least, count in _QUERIES.items() if size >= least), default=None)
    rounds = rounds if few is None else _FEW_ROUNDS
    names = available()
    task = progress.add_task(f"Ranking cores, {size:,} documents", total=len(names) * (rounds + 1) + 1)
    shared = documents(grown(part.entries, size), part.titles[:few])
    progress.advance(task)
    built: dict[str, Core] = {}
    index_s: dict[str, float] = {}
    for name in names:
        built[name], taken_ms = timed(lambda name=name: CORES[name](shared.tokens))  # type: ignore[misc]
        index_s[name] = taken_ms / 1000
        progress.advance(task)
    timings = interleaved(
        {name: core.top for name, core in built.items()},
        shared.queries,
        rounds=rounds,
        advance=lambda: progress.advance(task),
    )
    built.clear()  # what is held against rank-bm25's scores is built anew
    compared = shared.queries[:_COMPARED]
    okapi, lucene = same_scores(shared.tokens, compared)
    progress.console.print(
        f"{len(shared.tokens):,} documents: scores as rank-bm25's, bit for bit: {okapi} of {len(compared)} queries, "
        f"with Lucene's idf {lucene} of {len(compared)}"
    )
    return CoreResults(len(shared.tokens), index_s, timings)


def _answer(name: str, part: Split, progress: Progress, rounds: int) -> AnswerTimes:
    task = progress.add_task(f"Whole answers, {name}", total=rounds + 2)
    asked = answering(part.entries)
    progress.advance(task)
    return answer_times(asked, part.titles, rounds=rounds, advance=lambda: progress.advance(task))


def _stored(sizes: Sequence[int], progress: Progress) -> list[Stored]:
    task = progress.add_task("Indexes on the disk", total=len(sizes))
    found = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="pullquote-bench-") as folder:
            found.append(measure(size, Path(folder)))
        progress.advance(task)
    return found


def _starts(listed: Sequence[Entry], progress: Progress) -> dict[str, Start]:
    limits = {"seeds": 0} | ({"real list": len(listed)} if listed else {})
    task = progress.add_task("Starts", total=len(limits))
    starts = {}
    for name, limit in limits.items():
        starts[name] = start(limit)
        progress.advance(task)
    return starts


if __name__ == "__main__":
    main()
