"""What somebody likes, learned from opinions; and its laws."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.interests import Interests, Judged, mixed

NOW = datetime(2026, 11, 30, tzinfo=UTC)
_SUBJECTS = ("diffusion", "glaciers", "bandits", "whales", "robots", "surveys")


def _text(word: str) -> tuple[str, str]:
    return f"On {word}", f"We study {word} in depth."


_TEXTS = st.sampled_from(_SUBJECTS).map(_text)
_OPINIONS = st.lists(
    st.tuples(_TEXTS, st.booleans(), st.integers(0, 500)).map(
        lambda parts: Judged(*parts[0], parts[1], NOW - timedelta(days=parts[2]))
    ),
    max_size=12,
)


def _learned(judged: Sequence[Judged], *, now: datetime = NOW) -> Interests:
    return Interests(judged, now=now, idf=lambda term: 0.1 if term == "studi" else 2.0)


def _judged(word: str, *, liked: bool = True, days: float = 0) -> Judged:
    return Judged(*_text(word), liked, NOW - timedelta(days=days))


def _score(interests: Interests, word: str) -> float:
    return interests.score(f"About {word}", f"More {word} here.")


def test_what_was_liked_comes_first_and_what_was_not_comes_last() -> None:
    interests = _learned([_judged("diffusion"), _judged("surveys", liked=False)])

    assert _score(interests, "diffusion") > 0 > _score(interests, "surveys")
    assert _score(interests, "whales") == 0


def test_the_words_for_and_against_an_entry_are_said_as_it_writes_them() -> None:
    interests = _learned([_judged("diffusion"), _judged("surveys", liked=False)])

    assert interests.why("Surveys of Diffusion", "") == ("+Diffusion", "−Surveys")
    assert interests.why("Whales", "They sing.") == ()
    assert interests.words(liked=True)[0] == "diffusion"
    assert interests.words(liked=False)[0] == "surveys"


def test_a_word_and_its_pieces_are_told_once_and_as_written() -> None:
    interests = _learned([Judged("Multi-agent GNNs", "Naïve LPSFed is multi-agent.", liked=True, at=NOW)])

    assert set(interests.words(liked=True)) == {"Multi-agent", "GNNs", "Naïve", "LPSFed"}
    assert interests.why("A study of multi-agent GNNs", "") == ("+multi-agent", "+GNNs")


def test_words_that_several_opinions_share_are_told_first() -> None:
    named = Judged("On whales and Zyx", "Zyx, Zyx and whales.", liked=True, at=NOW)
    interests = _learned([named, _judged("whales", days=300), _judged("whales", days=301)])

    assert interests.words(liked=True)[0] == "whales"
    assert "Zyx" in interests.words(liked=True)


def test_an_interest_that_drifts_is_followed() -> None:
    interests = _learned([_judged("glaciers", days=40), _judged("glaciers", days=41), _judged("whales", days=1)])

    assert _score(interests, "whales") > _score(interests, "glaciers") > 0


@given(_OPINIONS)
def test_the_order_of_opinions_does_not_matter(judged: list[Judged]) -> None:
    one, other = _learned(judged), _learned(judged[::-1])

    assert all(math.isclose(_score(one, word), _score(other, word), abs_tol=1e-12) for word in _SUBJECTS)


@given(_OPINIONS, st.sampled_from(_SUBJECTS), st.integers(0, 500))
def test_to_like_an_entry_never_lowers_it_whatever_was_thought_before(
    judged: list[Judged], word: str, days: int
) -> None:
    before, after = _learned(judged), _learned([*judged, _judged(word, days=days)])

    assert after.score(*_text(word)) >= before.score(*_text(word)) - 1e-12


@given(_OPINIONS, st.sampled_from(_SUBJECTS))
def test_to_dislike_an_entry_never_raises_it_whatever_was_thought_before(judged: list[Judged], word: str) -> None:
    before, after = _learned(judged), _learned([*judged, _judged(word, liked=False)])

    assert after.score(*_text(word)) <= before.score(*_text(word)) + 1e-12


@given(st.sampled_from(_SUBJECTS), st.booleans(), st.integers(0, 900), st.integers(1, 900))
def test_an_opinion_fades(word: str, liked: bool, days: int, more: int) -> None:
    one = _judged(word, liked=liked)
    early = _learned([one], now=NOW + timedelta(days=days))
    late = _learned([one], now=NOW + timedelta(days=days + more))

    assert abs(_score(late, word)) < abs(_score(early, word))


def test_no_opinions_are_no_interests() -> None:
    interests = _learned([])

    assert interests.weights == {}
    assert _score(interests, "diffusion") == 0
    assert mixed([3.0, 1.0, 2.0], [0.0, 0.0, 0.0])[0] == max(mixed([3.0, 1.0, 2.0], [0.0, 0.0, 0.0]))
    assert mixed([], []) == []


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=9))
def test_without_an_opinion_of_any_of_them_the_query_orders_alone(query: list[float]) -> None:
    both = list(zip(query, mixed(query, [1.0] * len(query)), strict=True))

    assert all((a > b) <= (x >= y) for a, x in both for b, y in both)


def test_texts_without_words_score_nothing() -> None:
    assert _learned([Judged("", "", liked=True, at=NOW)]).score("", "") == 0


@pytest.mark.parametrize("later", [timedelta(0), timedelta(days=3)])
def test_an_opinion_from_the_future_counts_as_one_of_now(later: timedelta) -> None:
    one = Judged("On whales", "We study whales.", liked=True, at=NOW + later)

    assert _score(_learned([one]), "whales") == _score(_learned([_as_of_now(one)]), "whales")


def _as_of_now(one: Judged) -> Judged:
    return Judged(one.title, one.abstract, one.liked, NOW)


def test_a_month_of_opinions_orders_better_than_arrival_does() -> None:
    """A reader likes one of six subjects, looks at the first eight of the day, and is wrong one time in ten."""
    rng = random.Random(5)  # a simulation
    judged: list[Judged] = []
    found: dict[str, list[float]] = {"arrival": [], "personal": []}
    for day in range(30):
        now, likes = NOW + timedelta(days=day), "whales"
        about = rng.choices(_SUBJECTS, k=24)
        interests = _learned(judged, now=now)
        order = sorted(range(24), key=lambda n: (-_score(interests, about[n]), n))
        for name, ranked in (("arrival", range(24)), ("personal", order)):
            found[name].append(sum(about[n] == likes for n in ranked[:8]) / max(1, min(8, about.count(likes))))
        said = [about[n] for n in order[:8] if rng.random() < (0.45 if about[n] == likes else 0.09)]
        judged += [Judged(*_text(word), (word == likes) != (rng.random() < 0.1), now) for word in said]

    means = {name: math.fsum(shares) / len(shares) for name, shares in found.items()}
    assert means["personal"] > means["arrival"] + 0.2
