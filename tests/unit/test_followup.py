"""Follow-ups are told from new questions by their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.followup import Leaning, read_followup


@pytest.mark.parametrize(
    ("question", "leaning"),
    [
        ("how many datasets?", Leaning.ENTRY),
        ("does it need labels?", Leaning.ENTRY),
        ("how much does it compress?", Leaning.ENTRY),
        ("which baselines does it beat?", Leaning.ENTRY),
        ("is the code released?", Leaning.ENTRY),
        ("who are the authors?", Leaning.ENTRY),
        ("what does this method assume?", Leaning.ENTRY),
        ("which of them is about ecology?", Leaning.RESULTS),
        ("do any of these release code?", Leaning.RESULTS),
        ("and for federated settings?", Leaning.TOPIC_OR_ENTRY),
        ("what about cold start?", Leaning.TOPIC_OR_ENTRY),
        ("causal discovery in ecology", Leaning.NOTHING),
        ("what is PreDiff?", Leaning.NOTHING),
        ("is it possible to share the KV cache of a recommender between users?", Leaning.NOTHING),
        ("can large language models rank items when they are long?", Leaning.NOTHING),
        ("do papers here mention their code?", Leaning.NOTHING),
    ],
)
def test_what_a_question_leans_on(question: str, leaning: Leaning) -> None:
    assert read_followup(question).leaning is leaning


@pytest.mark.parametrize(
    ("question", "text"),
    [("and for federated settings?", "for federated settings?"), ("what about cold start?", "cold start?")],
)
def test_words_that_only_continue_are_taken_off(question: str, text: str) -> None:
    assert read_followup(question).text == text


@given(st.text(max_size=200))
def test_any_text_is_read_and_nothing_is_added_to_it(question: str) -> None:
    reading = read_followup(question)

    assert len(reading.text) <= len(question)


@given(st.text(max_size=60))
def test_a_new_question_is_left_as_it_is(question: str) -> None:
    reading = read_followup(question)

    if reading.leaning is Leaning.NOTHING:
        assert reading.text == question
