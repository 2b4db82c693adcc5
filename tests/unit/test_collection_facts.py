"""Counts, lists and groups are exact, over everything, and say what they were narrowed to."""

from __future__ import annotations

import pytest

from bot.answering import Answering
from bot.model import Answer, Verdict
from tests.fakes.entries import THREE, answering_on, engine_on, entry, seed_engine

_ENTRIES = (
    *THREE,
    entry("d", "Causal Ice", "Ice melts for causal reasons.", venue="ICLR", year=2025, keywords=["ice", "causality"]),
    entry("e", "More Ice", "More ice.", venue="ICLR", year=2026, keywords=["ice"], authors=["Cy Ng"]),
)


@pytest.fixture(scope="module")
def answering() -> Answering:
    return answering_on(engine_on(_ENTRIES))


def _listed(answer: Answer) -> list[str]:
    return [entry.entry_id for entry in answer.listing]


@pytest.mark.parametrize(
    ("question", "ids", "filters"),
    [
        ("how many papers mention ice?", ["c", "d", "e"], {}),
        ("how many ICLR papers mention ice?", ["d", "e"], {"venue": "ICLR"}),
        ("how many papers mention causal?", ["a", "d"], {}),
        ("how many papers on ice since 2026?", ["e"], {"year": "2026 or later"}),
        ("list the ICLR 2026 papers", ["a", "e"], {"venue": "ICLR", "year": "2026"}),
        ("list papers about satellites", ["c"], {}),
    ],
)
def test_a_count_lists_exactly_the_entries_that_it_counts(
    answering: Answering, question: str, ids: list[str], filters: dict[str, str]
) -> None:
    answer = answering.answer(question)

    assert (answer.verdict, answer.total, _listed(answer)) == (Verdict.ANSWERED, len(ids), ids)
    assert str(len(ids)) in answer.lead
    assert answer.filters == filters


def test_a_count_of_everything_lists_nothing(answering: Answering) -> None:
    answer = answering.answer("how many papers are there?")

    assert (answer.total, _listed(answer)) == (5, [])
    assert "5" in answer.lead


def test_a_count_of_none_is_nothing_and_says_so(answering: Answering) -> None:
    answer = answering.answer("how many papers mention zebras?")

    assert (answer.verdict, answer.total, _listed(answer)) == (Verdict.NOTHING, 0, [])
    assert "“zebras”" in answer.lead


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("which venues?", ["ICLR 2026: 2", "ICLR 2025: 1", "NeurIPS 2025: 1"]),
        ("papers per year", ["2025: 2", "2026: 2"]),
        ("what topics do you cover?", ["ice: 2", "causality: 1"]),
    ],
)
def test_groups_are_counted_the_largest_first(answering: Answering, question: str, lines: list[str]) -> None:
    assert answering.answer(question).lead.splitlines() == lines


def test_the_authors_of_an_entry_are_named(answering: Answering) -> None:
    answer = answering.answer("who wrote BUDGE?")

    assert answer.verdict is Verdict.REPLY
    assert "Ada Smith, Bo Chen" in answer.lead


def test_what_was_asked_the_authors_of_is_on_the_table() -> None:
    talk = answering_on(engine_on(THREE))
    talk.answer("glaciers", conversation_id="t")

    said = talk.answer("who wrote BUDGE?", conversation_id="t")
    opened = talk.answer("open it", conversation_id="t")

    assert said.lead.partition(".")[0].isdigit()
    assert opened.lead.splitlines()[0] in said.lead


def test_one_of_several_topics_is_enough(answering: Answering) -> None:
    ice, causal = (answering.answer(f"how many papers mention {topic}?").total for topic in ("ice", "causal"))
    both = answering.answer("how many papers mention ice or causal?")

    assert "“ice” or “causal”" in both.lead
    assert max(ice, causal) <= both.total <= ice + causal


def test_authors_of_an_unknown_entry_are_not_made_up(answering: Answering) -> None:
    answer = answering.answer("who wrote ZEBRANET?")

    assert (answer.verdict, answer.quotes) == (Verdict.NOTHING, ())


def test_the_seeds_hold_38_abstracts() -> None:
    answer = answering_on(seed_engine()).answer("how many abstracts do you have?")

    assert answer.total == 38
    assert "38" in answer.lead


@pytest.mark.parametrize("ending", ["not about ice", "but not about ice", "excluding ice"])
def test_what_a_question_is_not_about_is_left_out(answering: Answering, ending: str) -> None:
    answer = answering.answer(f"causal reasons {ending}")

    assert answer.filters == {"word": "not ice"}
    assert all("ice" not in quote.entry.abstract.lower().split() for quote in answer.quotes)


def test_escape_sequences_are_not_words(answering: Answering) -> None:
    plain, coloured = (answering.answer(text) for text in ("causal ice", "\x1b[31mcau\x07sal\x1b[0m \x1b]0;x\x07ice"))

    assert coloured.question == "causal ice"
    assert coloured.quotes == plain.quotes


def test_entries_without_an_abstract_are_not_counted_as_abstracts() -> None:
    collection = engine_on([*THREE, entry("z", "Only a title", "")]).collection

    assert collection.summary.startswith("3 abstracts and 1 title without one")
