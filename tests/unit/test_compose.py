"""From what was found to what is said."""

from __future__ import annotations

import pytest

from bot.compose import corrections_of, quote_entries, quoted_words, related_lead
from bot.conversation import Conversation
from bot.model import Correction, Verdict
from retrieval.engine import Engine
from tests.fakes.entries import THREE, answering_on, engine_on, entry


@pytest.fixture(scope="module")
def engine() -> Engine:
    return engine_on(THREE)


def test_a_quote_is_the_best_sentence_of_each_entry_under_its_number(engine: Engine) -> None:
    query = engine.understand("causal bandit")
    talk = Conversation("t").show(("c",))

    quotes, after = quote_entries(engine, query, [("a", 0.5), ("c", 0.1)], talk)

    assert [(quote.rank, quote.entry.entry_id, quote.score) for quote in quotes] == [(2, "a", 0.5), (1, "c", 0.1)]
    assert after.numbered == ("c", "a")
    assert "causal bandit" in quotes[0].text
    assert all(quote.text == quote.span.of(quote.entry.abstract) for quote in quotes)


def test_an_entry_without_abstract_is_passed_over() -> None:
    engine = engine_on([*THREE, entry("d", "Empty", "")])

    quotes, after = quote_entries(engine, engine.understand("empty"), [("d", 1.0), ("a", 0.5)], Conversation("t"))

    assert [(quote.rank, quote.entry.entry_id) for quote in quotes] == [(1, "a")]
    assert after.numbered == ("a",)


def test_corrections_are_the_words_read_as_others(engine: Engine) -> None:
    assert corrections_of(engine.understand("causal glaciesr")) == (Correction("glaciesr", "glaciers"),)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ([], ""),
        (["a"], "“a”"),
        (["a", "b"], "“a” and “b”"),
        (["a", "b", "c"], "“a”, “b” and “c”"),
        (list("abcdef"), "“a”, “b”, “c”, “d” and more"),
        (["\x1b[31m\n"], "“[31m”"),
    ],
)
def test_words_are_quoted_as_a_list(words: list[str], shown: str) -> None:
    assert quoted_words(words) == shown


def test_what_is_missing_is_named_for_the_entry_or_for_all() -> None:
    about = related_lead(["oxygen"], ["oxygen"], THREE[0])
    nowhere = related_lead(["oxygen"], ["oxygen"], None)
    vague = related_lead([], [], None)

    assert about.startswith("The abstract of BUDGE does not mention “oxygen”")
    assert nowhere.startswith("No abstract here mentions “oxygen”")
    assert "“" not in vague


def test_a_refusal_names_the_words_that_occur_nowhere(engine: Engine) -> None:
    answer = answering_on(engine).answer("pizza in xyzzyq")

    assert answer.verdict is Verdict.NOTHING
    assert answer.missing_terms == ("pizza", "xyzzyq")
    assert "“xyzzyq” occur nowhere" in answer.lead
    assert engine.collection.summary in answer.lead


@pytest.mark.parametrize(
    ("question", "word"),
    [("今天天气怎么样", "英文"), ("какая сегодня погода", "English"), ("weather today", "nowhere")],
)
def test_a_refusal_in_another_language_says_which_one_the_collection_is_in(
    engine: Engine, question: str, word: str
) -> None:
    assert word in answering_on(engine).answer(question).lead


def test_conditions_that_leave_nothing_are_counted_one_by_one(engine: Engine) -> None:
    answer = answering_on(engine).answer("bandits venue:ICLR year:2025")

    assert (answer.verdict, answer.quotes) == (Verdict.NOTHING, ())
    assert [line for line in answer.lead.splitlines() if "1 entry" in line] == [
        "venue ICLR: 1 entry.",
        "year 2025: 1 entry.",
    ]


@pytest.mark.parametrize("asked", ["causal \x1b]0;owned\x07bandit venue:NOPE", "xyzzyq\x1b[2J \u202e causl"])
def test_what_is_suggested_holds_nothing_that_a_terminal_obeys(engine: Engine, asked: str) -> None:
    answer = answering_on(engine).answer(asked)

    assert all(character.isprintable() for line in answer.suggestions for character in line)


def test_entries_without_abstracts_are_listed_by_their_titles() -> None:
    engine = engine_on([*THREE, entry("d", "QuokkaNet: gait dynamics", "", name="QuokkaNet")])

    for question in ("what does QuokkaNet do?", "gait dynamics"):
        answer = answering_on(engine).answer(question)
        assert (answer.verdict, answer.quotes) == (Verdict.RELATED, ())
        assert [listed.entry_id for listed in answer.listing] == ["d"]
        assert "no abstract" in answer.lead
