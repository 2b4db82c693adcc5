"""The parts that `python -m tests.benchmarks` is made of, on collections of a few entries; nothing is timed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from tests.benchmarks import timing
from tests.benchmarks.answers import AnswerTimes, Start, answer_times
from tests.benchmarks.cores import OwnCore, RankBm25Core, available, same_scores
from tests.benchmarks.data import documents, questions, read_list, split
from tests.benchmarks.report import CoreResults, answer_table, core_table, start_table
from tests.benchmarks.timing import Timing, interleaved
from tests.fakes.entries import THREE, answering_on, engine_on, entry

_DOCUMENTS = (("ice", "sheet", "ice"), ("sheet", "music"), ("bandit",), ("graph", "music", "graph"))


def _rendered(table: Table) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


@pytest.mark.parametrize("core", [OwnCore, RankBm25Core])
def test_a_core_puts_the_document_with_most_of_the_query_first(core: type[OwnCore | RankBm25Core]) -> None:
    found = core(_DOCUMENTS).top(["ice", "sheet"])

    assert found[0] == 0


def test_every_compared_score_is_rank_bm25s() -> None:
    queries = [["ice", "sheet"], ["music"], ["nowhere"]]

    same = same_scores(_DOCUMENTS, queries)

    assert same == (3, 3)


def test_the_cores_that_need_no_further_package_are_always_there() -> None:
    names = available()

    assert {"Pullquote", "rank-bm25"} <= set(names)


def test_entries_are_held_out_and_searched_by_the_words_of_their_titles() -> None:
    entries = [entry(f"e{number:03}", f"On Glaciers and Bandits again{number}", "Ice melts.") for number in range(98)]

    parts = split(entries)

    assert len(parts.entries) == 96
    assert parts.titles == ("Glaciers Bandits again0", "Glaciers Bandits again97")


def test_documents_and_queries_are_the_same_terms_for_every_core() -> None:
    shared = documents(THREE[:1], ["Which bandits?", "the of"])

    assert shared.tokens[0][:2] == ("budget", "bandit")
    assert shared.queries == (("bandit",),)


def test_the_projects_questions_stand_alone() -> None:
    asked = questions()

    assert "what is MOCHA?" in asked
    assert len(asked) == len(set(asked))


def test_a_list_is_read_as_far_as_wanted(tmp_path: Path) -> None:
    record = {"title": "Ice", "abstract": "It \\emph{melts}.", "venue": "ICLR", "year": 2026, "keywords": ["ice"]}
    path = tmp_path / "list.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps({"id": f"e{n}"} | record) for n in range(3)).encode()))

    entries = read_list(path, limit=2)

    assert [(read.entry_id, read.abstract) for read in entries] == [("e0", "It melts."), ("e1", "It melts.")]


def test_what_is_compared_takes_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    ticks = count(step=2_000_000)
    monkeypatch.setattr(timing, "perf_counter_ns", lambda: next(ticks))

    timings = interleaved({"a": lambda _: calls.append("a"), "b": lambda _: calls.append("b")}, ["q"], rounds=2)

    assert calls == ["a", "b", "a", "b", "a", "b"]
    assert timings["a"] == Timing((2.0,))


def test_a_timing_is_summed_up_by_median_tail_and_rate() -> None:
    timing_of = Timing((1.0, 2.0, 9.0))

    assert (timing_of.median_ms, timing_of.per_second) == (2.0, 250.0)
    assert timing_of.p99_ms == pytest.approx(8.86)


def test_whole_answers_are_timed_cold_and_warm() -> None:
    asked = answering_on(engine_on(THREE, semantic=False))

    taken = answer_times(asked, ["What is BUDGE?", "What is MASKREC?", "How do glaciers melt?"], rounds=2)

    assert (len(taken.cold.samples_ms), len(taken.warm.samples_ms)) == (2, 2)


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        (
            lambda: core_table(
                [
                    CoreResults(
                        4, {"Pullquote": 1, "rank-bm25": 2}, {"Pullquote": Timing((1,)), "rank-bm25": Timing((300,))}
                    )
                ]
            ),
            "300.00",
        ),
        (lambda: answer_table({"seeds": AnswerTimes(Timing((7,)), Timing((2,)))}), "7.00"),
        (lambda: start_table({"seeds": Start(38, 0.2, 0.3, 0.1, 123.4)}), "123"),
    ],
)
def test_a_table_shows_what_was_measured(table: Callable[[], Table], shown: str) -> None:
    text = _rendered(table())

    assert shown in text
