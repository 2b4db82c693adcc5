"""What a verdict may look at: which words were asked for, and whether the entry has them."""

from __future__ import annotations

import pytest

from retrieval.engine import Engine
from retrieval.evidence import Evidence, KeyTerm
from tests.fakes.entries import THREE, engine_on, entry


@pytest.fixture(scope="module")
def engine() -> Engine:
    return engine_on(THREE)


def _evidence(engine: Engine, question: str, *, on_table: bool = False) -> Evidence:
    query = engine.understand(question)
    hits = [hit.entry_id for hit in engine.search(query, k=5).hits]
    evidence = engine.evidence(query, hits, on_table=on_table)
    assert evidence is not None
    return evidence


def _term(evidence: Evidence, word: str) -> KeyTerm:
    return next(term for term in evidence.terms if term.word.lower() == word)


def test_a_word_of_the_entry_is_matched_and_one_that_is_not_there_is_missing(engine: Engine) -> None:
    evidence = _evidence(engine, "causal bandits with oxygen")

    assert evidence.about == "a"
    assert [(term.word, term.matched) for term in evidence.terms] == [
        ("causal", True),
        ("bandits", True),
        ("oxygen", False),
    ]


def test_the_name_of_the_entry_is_told_from_the_other_words(engine: Engine) -> None:
    evidence = _evidence(engine, "BUDGE regret")

    assert (_term(evidence, "budge").naming, _term(evidence, "regret").naming) == (True, False)
    assert evidence.cased


def test_words_that_only_ask_are_no_key_terms(engine: Engine) -> None:
    evidence = _evidence(engine, "please show me papers about glaciers")

    assert [term.word for term in evidence.terms] == ["glaciers"]


def test_a_question_that_names_nothing_has_no_key_terms(engine: Engine) -> None:
    assert _evidence(engine, "what is it about?").terms == ()


def test_a_number_that_is_asked_for_and_not_given_is_missing(engine: Engine) -> None:
    given = _evidence(engine, "on how many datasets is MASKREC tested?")
    absent = _evidence(engine, "how many users does MASKREC have?")

    assert (given.quantity_missing, absent.quantity_missing) == (False, True)


def test_a_comparison_is_judged_against_the_entries_compared_together(engine: Engine) -> None:
    evidence = _evidence(engine, "compare glaciers and recommenders")

    assert all(term.matched for term in evidence.terms)


def test_likenesses_are_cosines_and_weights_are_not_negative(engine: Engine) -> None:
    evidence = _evidence(engine, "the cheap lever for films and icebergs, quickly")

    numbers = [evidence.document, evidence.sentence, evidence.elsewhere, evidence.rest]
    assert all(-1.001 <= number <= 1.001 for number in (*numbers, *(term.likeness for term in evidence.terms)))
    assert all(term.weight >= 0 for term in evidence.terms)


def test_entries_without_abstract_give_no_evidence(engine: Engine) -> None:
    assert engine.evidence(engine.understand("causal"), []) is None


def test_without_word_vectors_words_alone_are_the_evidence() -> None:
    evidence = _evidence(engine_on(THREE, semantic=False), "causal bandits with oxygen")

    assert [term.matched for term in evidence.terms] == [True, True, False]
    assert (evidence.document, evidence.sentence, evidence.elsewhere) == (0, 0, 0)


def test_a_property_is_not_a_word_of_any_paper_because_its_verb_is(engine: Engine) -> None:
    assert _term(_evidence(engine, "identify causal bandits"), "identify").general
    assert not _term(_evidence(engine, "causal identifiability"), "identifiability").general


def test_an_entry_of_stop_words_alone_is_evidence_of_nothing() -> None:
    engine = engine_on([entry("a", "Of the", "It is."), entry("b", "Glaciers", "Glaciers melt.")])

    evidence = engine.evidence(engine.understand("glaciers that melt"), ["a"])

    assert evidence is not None
    assert not any(term.matched for term in evidence.terms)
