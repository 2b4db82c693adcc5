"""How a question is read in the light of a collection's words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.index.terms import TermVectors
from retrieval.model import QueryTerm
from retrieval.text.analysis import stem
from retrieval.understanding import Understanding
from tests.fakes.entries import engine_on, entry, word_vectors

_SENTENCES = (
    "A temporal knowledge graph (TKG) grows with every event.",
    "Recommendation of movies by causal discovery.",
    "The front-door adjustment and the LPSFed recommender.",
)


@pytest.fixture(scope="module")
def understanding() -> Understanding:
    return _understanding(semantic=True)


def _understanding(*, semantic: bool) -> Understanding:
    entries = [entry(f"e{n}", "T", text, title_derived=True) for n, text in enumerate(_SENTENCES)]
    engine = engine_on(entries, semantic=semantic)
    terms = TermVectors(engine.parts, word_vectors(), engine.index.__contains__) if semantic else None
    return Understanding(engine.lexicon, word_vectors() if semantic else None, terms)


def _term(understanding: Understanding, question: str, word: str) -> QueryTerm:
    return next(term for term in understanding.query(question).terms if term.word == word)


def test_a_known_word_stands_for_itself(understanding: Understanding) -> None:
    term = _term(understanding, "what is causal discovery?", "causal")

    assert (dict(term.matches), term.correction, term.by_meaning) == ({stem("causal"): 1.0}, None, False)


def test_a_misspelled_word_is_corrected_and_the_question_is_read_so(understanding: Understanding) -> None:
    query = understanding.query("What is Causal Discvery?")

    assert query.read_as == "What is Causal discovery?"
    assert [term.correction for term in query.terms] == [None, "discovery"]


def test_a_word_that_english_knows_is_not_taken_for_a_slip(understanding: Understanding) -> None:
    term = _term(understanding, "groves", "groves")

    assert term.correction is None


def test_two_words_written_as_one_match_both(understanding: Understanding) -> None:
    term = _term(understanding, "causaldiscovery", "causaldiscovery")

    assert set(term.long_form) == {stem("causal"), stem("discovery")}


def test_an_acronym_means_its_long_form_and_the_long_form_its_acronym(understanding: Understanding) -> None:
    short = _term(understanding, "TKG", "tkg")
    spelled = understanding.query("temporal knowledge graph")

    assert short.long_form == tuple(map(stem, ("temporal", "knowledge", "graph")))
    assert stem("tkg") in [term.term for term in spelled.terms if not term.counted]


@pytest.mark.parametrize("typed", ["tkgs", "TKGs", "TKGS", "tkg"])
def test_the_plural_of_an_acronym_is_read_however_it_is_typed(understanding: Understanding, typed: str) -> None:
    term = _term(understanding, f"reasoning on {typed}", "tkg")

    assert term.matches == {"tkg": 1.0}
    assert term.long_form == ("tempor", "knowledg", "graph")


def test_an_unknown_word_is_matched_by_meaning_and_says_so(understanding: Understanding) -> None:
    term = _term(understanding, "films", "films")

    assert term.by_meaning
    assert stem("movies") in term.matches
    assert all(0 < worth < 1 for worth in term.matches.values())


def test_without_vectors_an_unknown_word_stays_unmatched() -> None:
    term = _term(_understanding(semantic=False), "films", "films")

    assert (dict(term.matches), term.by_meaning) == ({}, True)


def test_a_repeated_word_is_one_term_that_counts_a_little_more(understanding: Understanding) -> None:
    once, twice = (_term(understanding, q, "causal") for q in ("causal", "causal causal"))

    assert once.weight == 1
    assert 1 < twice.weight < 2


@pytest.mark.parametrize("question", ["", "what is it?", "!?", "the of and"])
def test_a_question_of_stop_words_has_no_terms(understanding: Understanding, question: str) -> None:
    assert understanding.query(question).terms == ()


@given(question=st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
@settings(deadline=None)
def test_any_text_is_read_each_term_once_and_the_same_again(understanding: Understanding, question: str) -> None:
    query = understanding.query(question)

    assert query == understanding.query(question)
    assert query.text == question
    assert len({term.term for term in query.terms}) == len(query.terms)


@pytest.mark.parametrize("typed", ["waht is causal discovery", "teh causal discovery", "hwo does causal discovery"])
def test_a_slip_of_a_word_that_is_never_looked_for_is_not_looked_for(understanding: Understanding, typed: str) -> None:
    assert [term.word for term in understanding.query(typed).terms if term.counted] == ["causal", "discovery"]
