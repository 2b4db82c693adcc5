"""What general English knows is the same whatever was asked before."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.background import Background
from retrieval.semantic import unit
from tests.fakes.entries import word_vectors

_WORDS = st.lists(st.sampled_from("graph graphs Graph causality zxqv naïve 図 recommender gnn tree-like".split()))


@given(asked=st.lists(_WORDS, min_size=1, max_size=5))
def test_the_vector_of_a_word_does_not_depend_on_what_was_asked_before(asked: list[list[str]]) -> None:
    vectors = word_vectors()
    background = Background(vectors)

    for words in asked:
        expected = [unit(vectors.of([word]))[0] for word in words]
        found = background.words(words)
        assert found.shape == (len(words), vectors.dimensions)
        assert all(np.array_equal(row, other) for row, other in zip(found, expected, strict=True))
