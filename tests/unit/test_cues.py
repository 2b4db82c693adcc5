"""What a sentence does in an abstract, told by its words and its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from retrieval.cues import CUES, PRIORS, SentenceCues, column, leans_back, number_near, prior


def cues_of(sentences: list[str]) -> NDArray[np.float32]:
    return SentenceCues(sentences).rows(np.ones(len(CUES), np.float32))


@pytest.mark.parametrize(
    ("sentence", "cue"),
    [
        ("It gains 8% on average.", "digit"),
        ("It is tested on four tasks.", "quantity"),
        ("We propose MARS, a memory.", "contribution"),
        ("Results show that it wins.", "result"),
        ("However, this fails.", "background"),
        ("We aimed to assess pain.", "aim"),
        ("Patients were randomly assigned.", "procedure"),
        ("The effect was significant (p < 0.05).", "significance"),
        ("It is faster than the baseline.", "comparison"),
        ("Experiments on public data.", "experiment"),
        ("Code: https://example.org", "code"),
        ("It cannot scale.", "limit"),
        ("It wins.", "pronoun"),
        ("Temporal Point Process (TPP) models", "acronym"),
        ("by masking clicks", "means"),
    ],
)
def test_a_cue_is_seen(sentence: str, cue: str) -> None:
    (row,) = cues_of([sentence])

    assert row[column(cue)] == 1


def test_a_plain_sentence_has_none_but_its_place() -> None:
    rows = cues_of(["Glaciers.", "Glaciers.", "Glaciers."])

    assert rows[:, column("late")].tolist() == [0, 0.5, 1]
    assert rows[:, column("late2")].tolist() == [0, 0.25, 1]
    assert not np.delete(rows, [column("late"), column("late2")], axis=1).any()


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_sentences_have_one_finite_row_each(sentences: list[str]) -> None:
    rows = cues_of(sentences)

    assert rows.shape == (len(sentences), len(CUES))
    assert np.isfinite(rows).all()


def test_every_prior_is_for_a_cue_that_exists() -> None:
    named = {cue for values in PRIORS.values() for cue in values}

    assert named <= set(CUES)


@given(st.frozensets(st.sampled_from([*PRIORS, "seek", "unknown"])))
def test_priors_of_several_intents_add_up(asked: frozenset[str]) -> None:
    total = prior(asked)

    assert np.allclose(total, sum((prior(frozenset({intent})) for intent in asked), np.zeros(len(CUES))))


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [("It wins.", True), ("These results hold.", True), ("Moreover, x.", True), ("Iterates win.", False), ("", False)],
)
def test_a_sentence_that_begins_with_it_leans_back(sentence: str, *, leans: bool) -> None:
    assert leans_back(sentence) is leans


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("on 4 public datasets", True),
        ("on four real-world datasets", True),
        ("datasets (seven)", True),
        ("on several datasets", False),
        ("4 users of a very large and old set of datasets", False),
    ],
)
def test_a_number_within_four_words_of_a_noun_counts_it(sentence: str, *, near: bool) -> None:
    assert bool(number_near("datasets").search(sentence)) is near


@given(st.text(max_size=20), st.text(max_size=60))
def test_a_noun_is_never_read_as_a_pattern(noun: str, sentence: str) -> None:
    number_near(noun).search(sentence)
