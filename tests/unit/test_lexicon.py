"""What a collection's own words say about a question's: corrections, halves, acronyms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.lexicon import Lexicon
from retrieval.text.analysis import stem
from tests.fakes.entries import engine_on, entry

_TEXT = "causal causal discovery recommendation recommendation recommender temporal knowledge graph TKG sequential"


@pytest.fixture
def lexicon() -> Lexicon:
    return _lexicon(_TEXT)


def _lexicon(*abstracts: str, name: str | None = None) -> Lexicon:
    entries = [entry(f"e{n}", "T", text, title_derived=True, name=name) for n, text in enumerate(abstracts)]
    return engine_on(entries, semantic=False).lexicon


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("causla", "causal"),
        ("discvery", "discovery"),
        ("recomendatoin", "recommendation"),
        ("sequentail", "sequential"),
        ("grap", None),
        ("xausal", None),
        ("caus4l", None),
        ("elephant", None),
    ],
)
def test_a_word_is_corrected_to_one_spelled_almost_so(lexicon: Lexicon, typed: str, meant: str | None) -> None:
    assert lexicon.corrected(typed) == meant


def test_of_two_corrections_equally_near_the_more_written_one_is_taken() -> None:
    lexicon = _lexicon("garden warden harden gardes gardes")

    assert lexicon.corrected("gardez") == "gardes"


def test_of_two_corrections_equally_near_and_frequent_the_first_by_spelling_is_taken() -> None:
    lexicon = _lexicon("tables tabled")

    assert lexicon.corrected("tablex") == "tabled"


@given(st.from_regex(r"[a-z0-9]{0,14}", fullmatch=True))
def test_a_correction_is_a_word_of_the_collection_with_the_same_first_letter(typed: str) -> None:
    lexicon = _lexicon(_TEXT)

    meant = lexicon.corrected(typed)

    assert meant is None or (lexicon.written(meant) and meant[0] == typed[0])


@pytest.mark.parametrize(
    ("typed", "halves"),
    [
        ("causalgraph", (stem("causal"), stem("graph"))),
        ("knowledgegraph", (stem("knowledge"), stem("graph"))),
        ("causal", None),
        ("graphxyz", None),
    ],
)
def test_two_words_written_as_one_are_told_apart(lexicon: Lexicon, typed: str, halves: tuple[str, str] | None) -> None:
    assert lexicon.halves(typed) == halves


def test_an_acronym_is_known_both_ways() -> None:
    lexicon = _lexicon("A temporal knowledge graph (TKG) grows.")

    listed = lexicon.long_form(stem("tkg"))

    assert listed == tuple(map(stem, ("temporal", "knowledge", "graph")))
    assert lexicon.acronym_of(listed) == stem("tkg")
    assert lexicon.acronym_of(listed[:2]) is None


def test_the_most_frequent_long_form_of_an_acronym_wins() -> None:
    lexicon = _lexicon("causal inference (CI).", "confidence interval (CI).", "confidence interval (CI).")

    assert lexicon.long_form(stem("ci")) == (stem("confidence"), stem("interval"))
    assert lexicon.acronym_of((stem("causal"), stem("inference"))) is None


def test_a_system_is_known_by_the_initials_of_its_name() -> None:
    lexicon = _lexicon("neural effect search", name="Neural Effect Search")

    assert lexicon.long_form("nes") == tuple(map(stem, ("neural", "effect", "search")))
