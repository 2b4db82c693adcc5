"""The sentence that is quoted: the one that says what was asked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.selection import best_sentences
from tests.fakes.entries import engine_on, entry

_ABSTRACT = (
    "Long histories are costly for recommenders.",
    "We propose SKETCH, a memory that keeps a summary of each user.",
    "Specifically, SKETCH merges old clicks by similarity.",
    "It is tested on four datasets from shops and films.",
    "Results show a gain of 12% in recall.",
    "Code is available at https://example.org/sketch.",
)


@pytest.mark.parametrize("semantic", [True, False], ids=["with vectors", "without vectors"])
@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("what is SKETCH?", 2),
        ("how does SKETCH merge old clicks?", 3),
        ("how many datasets is SKETCH tested on?", 4),
        ("by how many percent does recall gain?", 5),
        ("is the code of SKETCH on GitHub?", 6),
        ("why are long histories a problem?", 1),
    ],
)
def test_the_sentence_that_answers_is_chosen(question: str, number: int, *, semantic: bool) -> None:
    engine = engine_on(
        [entry("s", "SKETCH: Summaries of Users", " ".join(_ABSTRACT), name="SKETCH")], semantic=semantic
    )

    (selection,) = engine.select(engine.understand(question), "s")

    assert selection.first <= number <= selection.last


def test_further_selections_are_single_sentences_none_of_them_twice() -> None:
    engine = engine_on([entry("s", "SKETCH", " ".join(_ABSTRACT))])

    first, *others = engine.select(engine.understand("what is SKETCH?"), "s", k=10)

    numbers = [*range(first.first, first.last + 1), *(other.first for other in others)]
    assert all(other.first == other.last for other in others)
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]
    assert [other.score for other in others] == sorted((other.score for other in others), reverse=True)


@pytest.mark.parametrize(
    ("scores", "sentences", "expected"),
    [
        ([1.0, 9.0, 2.0], ["A.", "B.", "C."], (1, 1)),
        ([1.0, 9.0, 8.0], ["A.", "B.", "C."], (1, 2)),
        ([8.5, 9.0, 8.0], ["A.", "B.", "C."], (0, 1)),
        ([1.0, 9.0, 2.0], ["A.", "It wins.", "C."], (0, 1)),
        ([9.0, 1.0], ["It wins.", "B."], (0, 0)),
        ([5.0], ["A."], (0, 0)),
        ([5.0, 5.0, 5.0], ["A.", "B.", "C."], (0, 1)),
    ],
)
def test_a_close_neighbour_or_one_that_is_leant_on_comes_along(
    scores: list[float], sentences: list[str], expected: tuple[int, int]
) -> None:
    assert best_sentences(np.array(scores, np.float32), sentences) == expected


@given(
    sentences=st.lists(st.sampled_from([*_ABSTRACT, "x.", "图 表。", "It wins!", "."]), min_size=1, max_size=8),
    question=st.sampled_from(["what is SKETCH?", "effect of x on y", "", "how many datasets?", "图", "A or B"]),
    semantic=st.booleans(),
)
@settings(max_examples=50, deadline=None)
def test_every_sentence_can_be_selected_with_a_finite_score(
    sentences: list[str], question: str, semantic: bool
) -> None:
    engine = engine_on([entry("s", "SKETCH", " ".join(sentences))], semantic=semantic)

    selections = engine.select(engine.understand(question), "s", k=100)

    covered = sum(selection.last - selection.first + 1 for selection in selections)
    assert covered == len(engine.collection.passages(0))
    assert all(math.isfinite(selection.score) for selection in selections)


def test_more_of_the_asked_terms_make_a_better_sentence() -> None:
    abstract = "One masks clicks. One masks old clicks of users. One masks."
    engine = engine_on([entry("s", "Title", abstract)], semantic=False)

    selections = engine.select(engine.understand("masks old clicks of users"), "s", k=3)

    assert selections[0].first <= 2 <= selections[0].last
    assert selections[-1].first == 3
