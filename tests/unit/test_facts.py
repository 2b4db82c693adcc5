"""Questions about the whole collection are told from questions about its subject."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.facts import Fact, FactKind, parse_fact


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("how many papers mention diffusion?", Fact(FactKind.COUNT, "diffusion")),
        ("how many papers are in the list?", Fact(FactKind.COUNT)),
        ("how many abstracts do you have?", Fact(FactKind.COUNT)),
        ("how many causal discovery papers are there?", Fact(FactKind.COUNT, "causal discovery")),
        ("list the recommendation papers", Fact(FactKind.LIST, "recommendation")),
        ("please list all papers about causal bandits", Fact(FactKind.LIST, "causal bandits")),
        ("list all papers", Fact(FactKind.LIST)),
        ("all papers using sparse autoencoders", Fact(FactKind.LIST, "sparse autoencoders")),
        ("which conferences do you cover?", Fact(FactKind.VENUES)),
        ("which venues?", Fact(FactKind.VENUES)),
        ("what topics do you cover?", Fact(FactKind.GROUPS, by="keyword")),
        ("papers per year", Fact(FactKind.GROUPS, by="year")),
        ("what is in here?", Fact(FactKind.CONTENTS)),
        ("what's in the collection", Fact(FactKind.CONTENTS)),
        ("who wrote MOCHA?", Fact(FactKind.AUTHORS, "MOCHA")),
        ("who are the authors of CARL?", Fact(FactKind.AUTHORS, "CARL")),
        ("what's new since Monday?", Fact(FactKind.NEW, since="since Monday")),
        ("what is new?", Fact(FactKind.NEW)),
        ("which papers link to their source code?", Fact(FactKind.CODE)),
    ],
)
def test_a_question_about_the_collection_is_read(question: str, fact: Fact) -> None:
    assert parse_fact(question) == fact


@pytest.mark.parametrize(
    "question",
    [
        "how many desiderata do explanation methods have to satisfy?",
        "how many datasets?",
        "papers about LLM-based recommenders",
        "what do you have on sequential recommendation?",
        "what is PreDiff?",
        "who uses sparse autoencoders?",
        "",
    ],
)
def test_a_question_about_the_subject_is_left_alone(question: str) -> None:
    assert parse_fact(question) is None


@given(st.text(max_size=300))
def test_any_text_is_read_without_failing(question: str) -> None:
    fact = parse_fact(question)

    assert fact is None or isinstance(fact, Fact)


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("how many papers mention causal but not discovery?", Fact(FactKind.COUNT, "causal", without="discovery")),
        ("which papers don't use LLMs?", Fact(FactKind.LIST, without="LLMs")),
        ("how many papers do not mention causal?", Fact(FactKind.COUNT, without="causal")),
        ("how many papers without graphs?", Fact(FactKind.COUNT, without="graphs")),
        ("list papers that do not use graphs", Fact(FactKind.LIST, without="graphs")),
        ("papers that do not mention diffusion", Fact(FactKind.LIST, without="diffusion")),
        ("how many papers are?", Fact(FactKind.COUNT)),
    ],
)
def test_what_is_not_wanted_is_read(question: str, fact: Fact) -> None:
    assert parse_fact(question) == fact
