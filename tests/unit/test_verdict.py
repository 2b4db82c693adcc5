"""The verdict: answered, related or nothing, from what was asked for and what was found."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Verdict
from bot.verdict import coverage, decide, missing_words
from retrieval.evidence import Evidence, KeyTerm

_HAD = KeyTerm("causal", 0.6, 0.4, matched=True, likeness=1.0)
_LACKED = KeyTerm("oxygen", 0.7, 0.5, matched=False, likeness=0.1)
_NAME = KeyTerm("mars", 0.9, 0.8, matched=True, likeness=1.0, naming=True)
_NEAR = {"document": 0.5, "sentence": 0.5, "elsewhere": 0.3}

_TERMS = st.builds(
    KeyTerm,
    st.text(min_size=1, max_size=8),
    st.floats(0, 1.3),
    st.floats(0, 1.7),
    st.booleans(),
    st.floats(-1, 1),
    naming=st.booleans(),
    general=st.booleans(),
    detail=st.booleans(),
    technical=st.booleans(),
)
_COSINE = st.floats(-1, 1)
_EVIDENCE = st.builds(
    Evidence,
    st.just("e"),
    st.integers(1, 1_000_000),
    st.lists(_TERMS, max_size=5).map(tuple),
    document=_COSINE,
    sentence=_COSINE,
    elsewhere=_COSINE,
    rest=_COSINE,
    on_table=st.booleans(),
    quantity_missing=st.booleans(),
    cased=st.booleans(),
)


def _evidence(*terms: KeyTerm, near: bool = True, **facts: bool) -> Evidence:
    return replace(Evidence("e", 38, terms, **(_NEAR if near else {"elsewhere": 0.6})), **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (_evidence(_HAD), Verdict.ANSWERED),
        (_evidence(_HAD, _LACKED), Verdict.RELATED),
        (_evidence(_LACKED, near=False), Verdict.NOTHING),
        (_evidence(_NAME), Verdict.ANSWERED),
        (_evidence(_NAME, _HAD, cased=True), Verdict.ANSWERED),
        (_evidence(_NAME, replace(_HAD, weight=0.3), near=False), Verdict.NOTHING),
        (_evidence(_NAME, asks_for_person=True), Verdict.NOTHING),
        (_evidence(replace(_HAD, weight=0.2), asks=True), Verdict.NOTHING),
        (_evidence(replace(_HAD, weight=0.2)), Verdict.ANSWERED),
        (_evidence(), Verdict.NOTHING),
        (_evidence(_NAME, _LACKED, near=False), Verdict.NOTHING),
        (_evidence(_HAD, quantity_missing=True), Verdict.RELATED),
        (_evidence(_LACKED, near=False, on_table=True), Verdict.RELATED),
        (_evidence(_HAD, on_table=True), Verdict.ANSWERED),
    ],
)
def test_what_is_covered_decides(evidence: Evidence, verdict: Verdict) -> None:
    assert decide(evidence) is verdict


@given(_EVIDENCE)
def test_a_verdict_is_never_a_reply(evidence: Evidence) -> None:
    assert decide(evidence) in {Verdict.ANSWERED, Verdict.RELATED, Verdict.NOTHING}


@given(_EVIDENCE)
def test_a_missing_detail_or_number_is_never_answered(evidence: Evidence) -> None:
    missing = replace(_LACKED, detail=True)

    assert decide(replace(evidence, terms=(*evidence.terms, missing))) is not Verdict.ANSWERED
    assert decide(replace(evidence, quantity_missing=True)) is not Verdict.ANSWERED


@given(_EVIDENCE)
def test_what_is_on_the_table_is_never_nothing(evidence: Evidence) -> None:
    assert decide(replace(evidence, on_table=True)) is not Verdict.NOTHING


@given(_EVIDENCE)
def test_a_larger_collection_is_never_taken_for_nearer(evidence: Evidence) -> None:
    if decide(evidence) is Verdict.NOTHING:
        assert decide(replace(evidence, size=evidence.size * 10)) is Verdict.NOTHING


@given(st.lists(_TERMS, max_size=6))
def test_coverage_is_a_share_and_whole_where_everything_matches(terms: list[KeyTerm]) -> None:
    whole = [replace(term, matched=True) for term in terms]

    assert -1e-9 <= coverage(terms) <= 1 + 1e-9
    assert math.isclose(coverage(whole), 1.0)


@given(st.lists(_TERMS, max_size=6))
def test_missing_words_are_those_that_neither_match_nor_are_general(terms: list[KeyTerm]) -> None:
    missing = missing_words(terms)

    assert not set(missing) & {term.word for term in terms} - {
        term.word for term in terms if not term.matched and not term.general
    }
    assert missing_words([replace(term, matched=True) for term in terms]) == ()


def test_missing_words_are_named_in_the_order_asked() -> None:
    helium = replace(_LACKED, word="helium")

    assert missing_words([helium, _HAD, _LACKED]) == ("helium", "oxygen")
