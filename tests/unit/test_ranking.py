"""The score of an entry: its parts, and what makes no difference to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.engine import Engine
from retrieval.ranking import best
from tests.fakes.entries import THREE, engine_on, entry


@pytest.fixture(scope="module", params=[True, False], ids=["with vectors", "without vectors"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return engine_on(THREE, semantic=request.param)


def test_an_entry_that_holds_the_words_is_above_those_that_do_not(engine: Engine) -> None:
    scores, _ = engine._ranker.scores(engine.understand("causal bandits with a budget"))

    assert scores.argmax() == engine.collection.number("a")


def test_a_word_that_is_nowhere_lowers_what_the_words_cover(engine: Engine) -> None:
    covered = engine._ranker.lexical(engine.understand("glaciers by radar"))
    less = engine._ranker.lexical(engine.understand("glaciers by radar xyzzyq"))

    number = engine.collection.number("c")
    assert 0 < less[number] < covered[number] <= 1


def test_words_that_occur_nowhere_score_nothing(engine: Engine) -> None:
    scores = engine._ranker.lexical(engine.understand("xyzzyq"))

    assert scores.tolist() == [0, 0, 0]


def test_an_entry_that_is_not_allowed_gets_minus_infinity(engine: Engine) -> None:
    allowed = np.array([False, True, True])

    scores, _ = engine._ranker.scores(engine.understand("causal bandits"), allowed)

    assert scores[0] == -np.inf
    assert np.isfinite(scores[1:]).all()


def test_where_nothing_is_allowed_nothing_is_found(engine: Engine) -> None:
    scores, _ = engine._ranker.scores(engine.understand("causal bandits"), np.zeros(3, np.bool_))

    assert scores.tolist() == [-np.inf] * 3


def test_an_acronym_alone_scores_the_entry_that_only_spells_it_out() -> None:
    engine = engine_on(
        [
            entry("a", "Events", "A temporal knowledge graph (TKG) grows."),
            entry("b", "More events", "Each temporal knowledge graph is a graph of knowledge."),
            entry("c", "Ice", "Glaciers melt."),
        ],
        semantic=False,
    )

    scores = engine._ranker.lexical(engine.understand("TKG"))

    assert min(scores[0], scores[1]) > 0
    assert scores[2] == 0


def test_the_parts_of_a_score_are_named_and_the_words_part_is_the_lexical_one(engine: Engine) -> None:
    query = engine.understand("glaciers by radar")
    number = engine.collection.number("c")

    parts = engine._ranker.parts(query, number)

    assert parts["words"] == pytest.approx(engine._ranker.lexical(query)[number])
    assert (len(parts) > 1) is (engine.vectors is not None)


@given(
    seed=st.integers(0, 2**32 - 1), size=st.integers(1, 3_000), values=st.integers(1, 3_000), count=st.integers(1, 40)
)
def test_the_best_are_the_highest_and_of_equal_ones_the_first(seed: int, size: int, values: int, count: int) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, values, size).astype(np.float64)
    scores[chance.random(size) < 0.2] = -np.inf
    expected = [n for n in sorted(range(size), key=lambda n: (-scores[n], n)) if np.isfinite(scores[n])][:count]
    assert best(scores, count).tolist() == expected


@pytest.mark.parametrize("scores", [np.arange(2_000.0), np.arange(2_000.0)[::-1], np.zeros(2_000)])
def test_the_best_are_found_in_any_order_of_scores(scores: np.ndarray) -> None:
    expected = sorted(range(2_000), key=lambda n: (-scores[n], n))[:10]
    assert best(scores, 10).tolist() == expected
