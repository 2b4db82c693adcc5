"""One message in a conversation becomes one answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answering import Answering
from bot.errors import QuestionTooLongError
from bot.model import Answer, Verdict
from retrieval.engine import Engine
from retrieval.errors import QuerySyntaxError
from retrieval.model import Entry
from tests.fakes.entries import THREE, answering_on, engine_on, entry, seed_engine

Talk = Callable[..., Answer]


@pytest.fixture
def answering() -> Answering:
    return answering_on(seed_engine())


@pytest.fixture
def talk(answering: Answering) -> Talk:
    """Say messages one after the other in one conversation; return the last answer."""

    def say(*messages: str) -> Answer:
        return [answering.answer(message, conversation_id="talk") for message in messages][-1]

    return say


def _ids(answer: Answer) -> list[str]:
    return [quote.entry.entry_id for quote in answer.quotes]


def _ranks(answer: Answer) -> list[int]:
    return [quote.rank for quote in answer.quotes]


# --- One question -------------------------------------------------------------------------------------------------


def test_a_question_about_an_entry_is_answered_by_its_own_words(answering: Answering) -> None:
    answer = answering.answer("What is PreDiff?")

    assert answer.verdict is Verdict.ANSWERED
    assert "PreDiff" in answer.quotes[0].text
    assert answer.quotes[0].text in answer.quotes[0].entry.abstract


@pytest.mark.parametrize(
    "question", ["best pizza in Naples", "who won the world cup?", "how do I cook rice?", "How far is the planet Mars?"]
)
def test_a_far_off_question_is_never_quoted(answering: Answering, question: str) -> None:
    answer = answering.answer(question)

    assert (answer.verdict, answer.quotes) == (Verdict.NOTHING, ())
    assert answer.lead


def test_a_detail_that_the_abstract_does_not_give_is_not_answered(answering: Answering) -> None:
    answer = answering.answer("how many GPUs was PreDiff trained on?")

    assert answer.verdict is not Verdict.ANSWERED
    assert "PreDiff" in answer.lead


def test_a_correction_that_was_made_is_shown(answering: Answering) -> None:
    answer = answering.answer("sequential recomendation with difusion")

    assert {correction.used for correction in answer.corrections} == {"recommendation", "diffusion"}


def test_no_more_entries_are_quoted_than_asked_for(answering: Answering) -> None:
    counts = [len(answering.answer("causal discovery", k=k).quotes) for k in (1, 2, 3, 10)]

    assert counts[:2] == [1, 2]
    assert counts == sorted(counts)
    assert counts[-1] <= 10


@pytest.mark.parametrize("message", ["", "   ", "\n\t"])
def test_an_empty_message_is_asked_for_a_question(answering: Answering, message: str) -> None:
    answer = answering.answer(message)

    assert (answer.verdict, answer.quotes) == (Verdict.REPLY, ())
    assert "question" in answer.lead


def test_a_message_that_is_too_long_is_refused_with_the_bound() -> None:
    answering = answering_on(engine_on(THREE), max_chars=10)

    with pytest.raises(QuestionTooLongError, match=r"11 characters; at most 10"):
        answering.answer("x" * 11)
    assert answering.answer("x" * 10).question == "x" * 10


def test_an_operator_used_wrongly_shows_its_place(answering: Answering) -> None:
    with pytest.raises(QuerySyntaxError, match=r"year:soon\n\s+\^"):
        answering.answer("routing year:soon")


@pytest.mark.parametrize(
    ("message", "hint"), [("/opne 2", "/open"), ("/zzzz", "/help"), ("/\x1b[31mred", "no command")]
)
def test_an_unknown_command_names_the_nearest_in_plain_characters(
    answering: Answering, message: str, hint: str
) -> None:
    answer = answering.answer(message)

    assert answer.verdict is Verdict.REPLY
    assert hint in answer.lead
    assert "\x1b" not in answer.lead


@pytest.mark.parametrize("message", ["hello", "thanks!", "/help", "你好", "what can you do?"])
def test_talk_is_answered_without_a_quote(answering: Answering, message: str) -> None:
    answer = answering.answer(message)

    assert (answer.verdict, answer.quotes) == (Verdict.REPLY, ())


@pytest.mark.parametrize("message", ["\ud800 causal", "what is \udcff PreDiff?"])
def test_half_of_a_surrogate_pair_is_read_as_any_unknown_character(talk: Talk, message: str) -> None:
    answer = talk(message)

    assert answer.question.encode("utf-8", "replace")
    assert isinstance(answer.verdict, Verdict)


# --- Ids and traces -----------------------------------------------------------------------------------------------


def test_the_same_question_in_the_same_state_has_the_same_id_and_answer(answering: Answering) -> None:
    one, again, other = (answering.answer(question) for question in ("causal", "causal", "diffusion"))

    assert one.answer_id == again.answer_id != other.answer_id
    assert one.quotes == again.quotes


def test_a_question_without_a_conversation_leaves_no_trace(answering: Answering) -> None:
    answering.answer("causal discovery")

    assert answering.answer("more").quotes == ()


def test_conversations_do_not_hear_each_other(answering: Answering) -> None:
    answering.answer("causal discovery", conversation_id="one")

    assert answering.answer("open 1", conversation_id="other").lead.startswith("There are no numbered results")


def test_a_conversation_that_is_forgotten_begins_anew(answering: Answering) -> None:
    answering.answer("causal discovery", conversation_id="talk")

    answering.forget("talk")

    assert answering.answer("more", conversation_id="talk").quotes == ()


# --- Working with the results -------------------------------------------------------------------------------------


def test_more_goes_on_with_new_entries_and_new_numbers_until_that_was_all(talk: Talk) -> None:
    first = talk("causal discovery")
    seen, ranks = _ids(first), _ranks(first)

    while (answer := talk("more")).quotes:
        seen += _ids(answer)
        ranks += _ranks(answer)

    assert len(set(seen)) == len(seen) == first.total
    assert ranks == list(range(1, first.total + 1))
    assert answer.verdict is Verdict.REPLY


def test_a_number_keeps_its_entry_through_narrowing_and_more(talk: Talk) -> None:
    given = {quote.rank: quote.entry.entry_id for quote in talk("causal discovery").quotes}

    for message in ("only ICLR", "more", "open 1", "more", "-graphs", "compare 1 and 2"):
        for quote in talk(message).quotes:
            assert given.setdefault(quote.rank, quote.entry.entry_id) == quote.entry.entry_id


@pytest.mark.parametrize(
    ("refinement", "holds"),
    [
        ("only ICLR", lambda entry: entry.venue == "ICLR"),
        ("only NeurIPS 2026", lambda entry: entry.venue == "NeurIPS"),
        ("only 2026", lambda entry: entry.year == 2026),
        ("since 2024", lambda entry: entry.year is not None and entry.year >= 2024),
        ("-graphs", lambda entry: "graph" not in f"{entry.title} {entry.abstract}".lower().split()),
        ("by Elias Bareinboim", lambda entry: "Elias Bareinboim" in entry.authors),
    ],
)
def test_a_refinement_keeps_only_what_fulfils_it_and_says_so(
    talk: Talk, refinement: str, holds: Callable[[Entry], bool]
) -> None:
    answer = talk("causal models", refinement)

    assert answer.quotes
    assert all(holds(quote.entry) for quote in answer.quotes)
    assert answer.filters


@pytest.mark.parametrize("first", ["since 2024", "-graphs", "by Elias Bareinboim", "only 2026", "only NeurIPS"])
def test_a_refinement_stays_in_force_under_the_next_one(talk: Talk, first: str) -> None:
    before = talk("causal models", first)

    answer = talk("-zebras")

    assert before.filters.items() <= answer.filters.items() or set(before.filters.values()) <= {
        part for value in answer.filters.values() for part in [value, *value.split(", ")]
    }
    assert _ids(answer) == _ids(before)


def test_a_refinement_that_leaves_nothing_says_which_condition_did(talk: Talk) -> None:
    answer = talk("causal models", "only 1999")

    assert (answer.verdict, answer.quotes) == (Verdict.NOTHING, ())
    assert "1999: 0 entries" in answer.lead


def test_a_refinement_without_results_says_that_there_are_none(talk: Talk) -> None:
    assert talk("only ICLR").lead.startswith("There are no numbered results")


def test_like_quotes_other_entries_than_the_one_named(talk: Talk) -> None:
    first = talk("causal discovery")

    answer = talk("more like 2")

    assert answer.quotes
    assert _ids(first)[1] not in _ids(answer)


def test_compare_quotes_both_side_by_side(talk: Talk) -> None:
    first = talk("causal discovery")

    answer = talk("compare 1 and 3")

    assert _ids(answer) == [_ids(first)[0], _ids(first)[2]]


@pytest.mark.parametrize("message", ["open 99", "more like 99", "compare 1 and 99", "bib 99", "why 99", "cite 99"])
def test_a_number_that_was_not_given_out_is_refused(talk: Talk, message: str) -> None:
    answer = talk("causal discovery", message)

    assert (answer.verdict, answer.quotes, answer.verbatim) == (Verdict.REPLY, (), "")
    assert "no result 99" in answer.lead


def test_results_beyond_the_bound_of_numbers_do_not_break_the_conversation() -> None:
    entries = [
        entry(f"e{n:03}", f"Bandits {n}", f"We study causal bandits of kind {n}.", year=2026 if n > 210 else 2025)
        for n in range(230)
    ]
    answering = answering_on(engine_on(entries, semantic=False))
    answering.answer("list all papers", conversation_id="talk")

    answer = answering.answer("only 2026", conversation_id="talk")

    assert isinstance(answer.verdict, Verdict)


# --- Follow-ups ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("followup", ["does it need labels?", "how much does it improve?", "which datasets?"])
def test_a_followup_is_about_the_entry_on_the_table(talk: Talk, followup: str) -> None:
    answer = talk("What is PreDiff?", followup)

    assert set(_ids(answer)) == {"neurips-2026:0"}


def test_a_third_turn_is_still_about_it(talk: Talk) -> None:
    answer = talk("What is MARS?", "which datasets?", "is its code released?")

    assert set(_ids(answer)) == {"neurips-2026:8"}


def test_a_question_with_a_subject_of_its_own_is_a_new_one(talk: Talk) -> None:
    answer = talk("What is PreDiff?", "causal discovery in ecology")

    assert "neurips-2026:0" not in _ids(answer)
    assert _ranks(answer)[0] == 1


def test_naming_another_entry_changes_the_subject(talk: Talk) -> None:
    answer = talk("What is PreDiff?", "and what about MARS?")

    assert _ids(answer)[0] == "neurips-2026:8"


def test_opening_a_result_turns_the_followups_to_it(talk: Talk) -> None:
    second = _ids(talk("causal discovery"))[1]

    answer = talk("open 2", "does it need labels?")

    assert set(_ids(answer)) == {second}


def test_a_question_about_the_results_chooses_among_them(talk: Talk) -> None:
    shown = set(_ids(talk("causal discovery")))

    answer = talk("which of them is about time series?")

    assert set(_ids(answer)) <= shown


@cache
def _engine(*, semantic: bool) -> Engine:
    return engine_on([*THREE, entry("d", "No Words on Ice", "")], semantic=semantic)


# --- Laws ---------------------------------------------------------------------------------------------------------

_WORDS = [
    "more", "open 1", "open 9", "compare 1 and 2", "only 2026", "only ICLR", "-causal", "why 1", "bib", "cite", "clear",
    "what is BUDGE?", "glaciers", "does it need labels?", "which of them?", "and for users?", "list all papers", "?",
    "xyzzyq", "hello", "like 1", "venue:ICLR", '"old clicks"', "since 2024", "BUDGE vs MASKREC", "who wrote BUDGE?",
    "图",
]  # fmt: skip


@pytest.mark.parametrize("semantic", [True, False], ids=["with vectors", "without vectors"])
@given(messages=st.lists(st.sampled_from(_WORDS), max_size=8))
@settings(max_examples=40, deadline=None)
def test_any_talk_is_answered_and_every_quote_is_verbatim(messages: Sequence[str], *, semantic: bool) -> None:
    engine = _engine(semantic=semantic)
    answering = answering_on(engine)

    for message in messages:
        answer = answering.answer(message, conversation_id="talk")
        for quote in answer.quotes:
            abstract = engine.collection.entry(quote.entry.entry_id).abstract
            assert quote.text == abstract[quote.span.start : quote.span.end]
        assert len(answer.quotes) <= 3
        assert answer.total >= len({quote.entry.entry_id for quote in answer.quotes})


@pytest.mark.parametrize("question", ["which papers link to their code?", "papers with code", "who shares the code?"])
def test_what_links_to_code_is_counted_exactly_and_quoted(question: str) -> None:
    answering = answering_on(
        engine_on(
            [
                entry("a", "One", "We study ice. Code is at https://example.org/a."),
                entry("b", "Two", "We study snow. The source code will be made available."),
                entry("c", "Three", "We study the genetic code of moss."),
            ]
        )
    )

    answer = answering.answer(question)

    assert answer.lead == "2 of 3 abstracts link to code, or say that there is some:"
    assert [(quote.entry.entry_id, quote.text) for quote in answer.quotes] == [
        ("a", "Code is at https://example.org/a."),
        ("b", "The source code will be made available."),
    ]


def test_a_list_is_on_the_table_under_the_numbers_that_it_shows(talk: Talk) -> None:
    listed = talk("list all papers")

    opened = talk("open 2")

    assert opened.lead.startswith(listed.listing[1].title)


def test_a_question_of_which_nothing_is_understood_is_never_quoted(answering: Answering) -> None:
    answer = answering.answer("有哪些论文？")

    assert answer.verdict is Verdict.NOTHING
    assert "英文" in answer.lead


@pytest.mark.parametrize("message", ["who wrote it?", "who wrote 1?", "who wrote this paper?"])
def test_the_authors_of_what_is_on_the_table_are_named(talk: Talk, message: str) -> None:
    talk("what is StruBI?")

    assert "Jilles Vreeken" in talk(message).lead


def test_the_conditions_can_be_dropped(talk: Talk) -> None:
    before = talk("causal discovery")
    talk("only ICLR")

    after = talk("all venues")

    assert not after.filters
    assert after.total == before.total


def test_a_condition_finds_nothing_that_the_question_without_it_does_not(answering: Answering) -> None:
    everywhere = {quote.entry.entry_id for quote in answering.answer("papers on diffusion", k=10).quotes}

    at_iclr = {quote.entry.entry_id for quote in answering.answer("venue:ICLR papers on diffusion", k=10).quotes}

    assert at_iclr <= everywhere
    assert at_iclr


@pytest.mark.parametrize(
    "question",
    [
        "Is there life on Mars?",
        "How do you play the harp?",
        "What time is it?",
        "who is Carl?",
        "the",
        "???",
        "can you help me?",
    ],
)
def test_an_everyday_question_is_not_quoted_at(answering: Answering, question: str) -> None:
    assert answering.answer(question).quotes == ()
