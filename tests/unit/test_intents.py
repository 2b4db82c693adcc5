"""What kind of sentence a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.cues import PRIORS
from retrieval.intents import asked_quantity, intents, is_comparison, outcome_of


@pytest.mark.parametrize(
    ("question", "n_terms", "expected"),
    [
        ("what is PreDiff?", 1, {"define"}),
        ("MARS", 1, {"define"}),
        ("what does PPOMIS stand for?", 2, {"define"}),
        ("papers about LLM-based recommenders", 3, {"topic"}),
        ("diffusion for sequential recommendation", 3, {"topic"}),
        ("what datasets was the masked recommender tested on last year?", 6, {"seek", "data"}),
        ("how many percent of the tokens does the sketch of a user keep?", 6, {"seek", "number"}),
        ("is the code of the sketching recommender on GitHub?", 5, {"yesno", "code"}),
        ("what is the effect of aspirin compared with placebo on headache?", 5, {"effect"}),
        ("Aspirin reduces the risk of stroke.", 4, {"claim"}),
        ("what did they evaluate it on?", 1, {"seek", "data"}),
        ("on what do they test the recommender?", 2, {"seek", "data"}),
        ("did they test it?", 1, {"define"}),
        ("which datasets?", 1, {"seek", "data"}),
        ("benchmark", 1, {"define"}),
        ("what limits do existing recommenders of long histories have?", 6, {"seek", "limit"}),
    ],
)
def test_a_question_asks_for_a_kind_of_sentence(question: str, n_terms: int, expected: set[str]) -> None:
    assert intents(question, n_terms) == expected


@given(st.text(max_size=200), st.integers(0, 20))
def test_any_text_has_intents_that_the_priors_know(question: str, n_terms: int) -> None:
    known = {*PRIORS, "seek"}

    found = intents(question, n_terms)

    assert found
    assert found <= known


@pytest.mark.parametrize(
    ("question", "comparison"),
    [
        ("how does A differ from B?", True),
        ("PreDiff versus MARS", True),
        ("diffusion or masking", True),
        ("compare the two", True),
        ("what is PreDiff?", False),
        ("", False),
    ],
)
def test_a_comparison_is_told(question: str, *, comparison: bool) -> None:
    assert is_comparison(question) is comparison


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("the effect of aspirin on headache?", "headache"),
        ("What is the impact of masks compared to none on the recall of users?", "the recall of users"),
        ("what is aspirin?", ""),
    ],
)
def test_the_outcome_of_an_effect_is_what_stands_after_on(question: str, outcome: str) -> None:
    assert outcome_of(question) == outcome


def test_what_is_counted_is_the_noun_after_how_many() -> None:
    assert asked_quantity("and how many datasets are used?") == "datasets"
    assert asked_quantity("how much does it cost?") == ""
