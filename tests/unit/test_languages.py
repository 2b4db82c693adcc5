"""Which questions are not in English, and what in them is only grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.languages import foreign_function_words, is_east_asian
from tests.fakes.entries import seed_engine


@pytest.mark.parametrize(
    ("question", "grammar"),
    [
        ("Was ist PreDiff?", {"was", "ist"}),
        ("¿Qué es MARS y cómo funciona?", {"que", "es", "como", "funciona"}),
        ("Comment fonctionne SIREN ?", {"comment", "fonctionne"}),
        ("Cosa è StruBI?", {"cosa"}),
        ("Wat is de methode van HARP?", {"wat", "is", "de", "van"}),
    ],
)
def test_the_grammar_of_another_language_is_told(question: str, grammar: set[str]) -> None:
    assert foreign_function_words(question) == grammar


@pytest.mark.parametrize(
    "question",
    [
        "what is PreDiff?",
        "a de novo protein design",
        "which of them use diffusion?",
        "no free lunch in search",
        "CPDAG bounds",
        "",
    ],
)
def test_an_english_question_has_none(question: str) -> None:
    assert not foreign_function_words(question)


@given(st.text(max_size=100))
def test_what_is_told_stands_in_the_question(question: str) -> None:
    assert all(word.isalpha() for word in foreign_function_words(question))


@pytest.mark.parametrize(
    ("character", "east_asian"), [("值", True), ("の", True), ("값", True), ("a", False), ("я", False)]
)
def test_east_asian_scripts_are_told(character: str, *, east_asian: bool) -> None:
    assert is_east_asian(character) is east_asian


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("什么是 Shapley 值", ["Shapley"]),
        ("有哪些用扩散模型做推荐的论文？", []),
        ("Was ist PreDiff?", ["PreDiff"]),
    ],
)
def test_only_what_can_be_looked_up_is_asked_for(question: str, words: list[str]) -> None:
    query = seed_engine().understand(question)

    assert [term.shown for term in query.terms if term.counted] == words
