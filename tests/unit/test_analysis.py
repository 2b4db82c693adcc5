"""What becomes a term, and where it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.analysis import content_words, fold, terms, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("optimisation", "optimization"),
        ("behaviour", "behaviors"),
        ("recommender", "recommendations"),
        ("Naïve", "naive"),
        ("front-door", "frontdoor"),
        ("front\u2011door", "front-door"),
        ("LPSFed", "lpsfed"),
        ("analyse", "analyze"),
        ("β", "beta"),
        ("Müller's", "muller"),
    ],
)
def test_ways_of_writing_one_thing_share_a_term(one: str, other: str) -> None:
    assert set(terms(one)) & set(terms(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the of and", []),
        ("front-door", ["frontdoor", "front", "door"]),
        ("LPSFed", ["lpsfed", "lps", "fed"]),
        ("a 90.9% F1-score", ["90.9", "f1score", "f1", "score"]),
        ("什么是 Shapley 值", ["什", "么", "是", "shapley", "值"]),
        ("BM25 beats tf-idf.", ["bm25", "beat", "tfidf", "tf", "idf"]),
    ],
)
def test_text_becomes_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@given(st.text(max_size=200))
def test_every_token_lies_in_the_text(text: str) -> None:
    for token in tokens(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.term


@given(st.text(max_size=200))
def test_a_token_of_one_word_is_that_word_folded(text: str) -> None:
    for token in tokens(text):
        if token.kind != "joined":
            assert fold(text[token.start : token.end]) == token.word


def test_content_words_are_as_written() -> None:
    assert content_words("What is the Half-Life of MARS?") == ["Half", "Life", "MARS"]


def test_what_is_joined_to_a_possessive_is_not_lost() -> None:
    assert terms("Simpson's-paradox")[-1] == "paradox"
    assert terms("Simpson's paradox") == ["simpson", "paradox"]


@pytest.mark.parametrize("text", ["ﾞ", "Sound mark ﾞ", "a-ﾞ ﾞ-ﾟ", "\u3099 alone"])
def test_a_sound_mark_that_stands_alone_is_no_word(text: str) -> None:
    assert all(token.word and token.term for token in tokens(text))
