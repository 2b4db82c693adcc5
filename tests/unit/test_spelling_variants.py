"""British and American spellings are one term; look-alikes stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.analysis import terms
from retrieval.text.spelling import american


@pytest.mark.parametrize(
    ("british", "spelling"),
    [
        ("optimisation", "optimization"),
        ("generalise", "generalize"),
        ("normalised", "normalized"),
        ("behaviour", "behavior"),
        ("behavioural", "behavioral"),
        ("neighbourhood", "neighborhood"),
        ("analyse", "analyse"),
        ("analyze", "analyse"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("haemoglobin", "hemoglobin"),
        ("anaemia", "anemia"),
        ("programme", "program"),
        ("artefacts", "artifacts"),
        ("defence", "defense"),
    ],
)
def test_two_spellings_are_one(british: str, spelling: str) -> None:
    assert american(british) == spelling


@pytest.mark.parametrize(
    "word", ["otherwise", "exercise", "precise", "noise", "pairwise", "hour", "flour", "four", "tour"]
)
def test_a_word_that_only_looks_british_is_left_alone(word: str) -> None:
    assert american(word) == word


@pytest.mark.parametrize(
    ("one", "other"),
    [("optimising", "optimizing"), ("modelling behaviours", "modelling behaviors"), ("Colour", "color")],
)
def test_a_question_in_one_spelling_finds_an_abstract_in_the_other(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@given(st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_a_spelling_once_made_stays(word: str) -> None:
    assert american(american(word)) == american(word)
