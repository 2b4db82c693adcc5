"""The two sides of a comparison, as typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.comparison import sides


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("compare PreDiff and MARS", ("PreDiff", "MARS")),
        ("Compare PreDiff with MARS.", ("PreDiff", "MARS")),
        ("PreDiff vs MARS?", ("PreDiff", "MARS")),
        ("PreDiff versus the memory MARS", ("PreDiff", "the memory MARS")),
        ("what is the difference between PreDiff and MARS?", ("PreDiff", "MARS")),
        ("difference between masked and causal models", ("masked", "causal models")),
        ("how does PreDiff differ from MARS?", ("PreDiff", "MARS")),
        ("how do PreDiff and MARS differ?", ("PreDiff", "MARS")),
        ("how does PreDiff compare to MARS?", ("PreDiff", "MARS")),
        ("PreDiff and MARS: how do they differ?", ("PreDiff", "MARS")),
        ("PreDiff or MARS, which is better?", ("PreDiff", "MARS")),
    ],
)
def test_a_comparison_has_two_sides(question: str, expected: tuple[str, str]) -> None:
    assert sides(question) == expected


@pytest.mark.parametrize(
    "question",
    ["what is PreDiff?", "diffusion and masking for recommenders", "compare", "", "which of them differ?", "a vs"],
)
def test_other_questions_have_none(question: str) -> None:
    assert sides(question) is None


@given(st.text(max_size=120))
def test_sides_are_words_of_the_question(question: str) -> None:
    found = sides(question)

    if found is not None:
        assert all(side and side in " ".join(question.split()) for side in found)
