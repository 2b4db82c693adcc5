"""Plain text, and the answer object that scripts read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from bot.adapters.plaintext import answer_object, plain_text
from bot.model import Answer, Correction, Quote, Verdict
from retrieval.model import Span
from tests.fakes.entries import THREE, answering_on, seed_engine

_TEXT = (str,)
_ANSWER: Mapping[str, tuple[type, ...]] = {
    "schema": _TEXT,
    "id": _TEXT,
    "answer_id": _TEXT,
    "question": _TEXT,
    "conversation": (str, type(None)),
    "verdict": _TEXT,
    "text": _TEXT,
    "quotes": (list,),
    "total": (int,),
    "missing_terms": (list,),
    "corrections": (list,),
    "suggestions": (list,),
    "filters": (dict,),
    "took_ms": (int, float),
}
_QUOTE: Mapping[str, tuple[type, ...]] = {
    "rank": (int,),
    "entry_id": _TEXT,
    "title": _TEXT,
    "title_derived": (bool,),
    "venue": _TEXT,
    "year": (int, type(None)),
    "url": (str, type(None)),
    "authors": (list,),
    "text": _TEXT,
    "start": (int,),
    "end": (int,),
    "sentence": (list,),
    "highlights": (list,),
    "score": (int, float),
    "source": (dict, type(None)),
}
_QUESTIONS = [
    "What is PreDiff?",
    "causal discovery",
    "sequential recomendation",
    "how many GPUs was PreDiff trained on?",
    "best pizza in Naples",
    "hello",
    "/help",
    "how many ICLR papers mention diffusion?",
    "compare PreDiff and MARS",
    "",
    "causal -graphs year:2026",
]


def _check(found: Mapping[str, Any], schema: Mapping[str, tuple[type, ...]]) -> None:
    assert list(found) == list(schema)
    for key, types in schema.items():
        assert isinstance(found[key], types), (key, found[key])


@pytest.mark.parametrize("question", _QUESTIONS)
def test_an_answer_object_has_exactly_the_documented_keys(question: str) -> None:
    answer = answering_on(seed_engine()).answer(question)

    found = json.loads(json.dumps(answer_object(answer, question_id="7")))

    _check(found, _ANSWER)
    assert (found["schema"], found["id"], found["question"]) == ("pullquote.answer/1", "7", question)
    assert found["verdict"] in {"answered", "related", "nothing", "reply"}
    assert all(set(correction) == {"typed", "used"} for correction in found["corrections"])
    assert all(isinstance(word, str) for word in (*found["missing_terms"], *found["suggestions"]))
    for quote in found["quotes"]:
        _check(quote, _QUOTE)


@pytest.mark.parametrize("question", _QUESTIONS)
def test_every_quote_of_an_answer_object_says_where_it_stands(question: str) -> None:
    engine = seed_engine()

    found = answer_object(answering_on(engine).answer(question), question_id="7")

    quotes: list[dict[str, Any]] = json.loads(json.dumps(found["quotes"]))
    for quote in quotes:
        abstract = engine.collection.entry(quote["entry_id"]).abstract
        assert abstract[quote["start"] : quote["end"]] == quote["text"]
        assert all(quote["start"] <= start < end <= quote["end"] for start, end in quote["highlights"])
        first, count = quote["sentence"]
        assert 1 <= first <= count
        assert quote["source"]["file"].endswith("-2026.txt")
        assert quote["entry_id"] == f"{quote['source']['file'].removesuffix('.txt')}:{quote['source']['ordinal']}"


def _answer(**fields: Any) -> Answer:
    return Answer("id", "question", fields.pop("verdict", Verdict.ANSWERED), **fields)


def _quote(rank: int = 1) -> Quote:
    return Quote(rank, THREE[0], Span(0, 20), "Bandits choose arms.", 1, 1, 3)


def test_text_shows_the_quote_under_its_title_with_where_it_stands() -> None:
    text = plain_text(_answer(quotes=(_quote(),)))

    assert text == "1. Budgeted Bandits\n   ICLR 2026 · sentence 1 of 3\n   “Bandits choose arms.”"


def test_text_shows_the_address_whole() -> None:
    quote = Quote(1, THREE[1], Span(0, 24), "Recommenders forget user", 1, 1, 3)

    assert "https://example.org/b" in plain_text(_answer(quotes=(quote,))).split()


def test_text_says_how_many_more_there_are() -> None:
    text = plain_text(_answer(quotes=(_quote(),), total=8, left=7))

    assert text.splitlines()[-1].startswith("7 more entries found")


def test_text_holds_lead_listing_verbatim_and_suggestions_in_this_order() -> None:
    answer = _answer(
        verdict=Verdict.REPLY,
        lead="Two lists:",
        listing=THREE[:2],
        verbatim="@misc{x}",
        suggestions=("try this",),
        corrections=(Correction("tow", "two"),),
    )

    assert plain_text(answer).split("\n\n") == [
        "Read as: two (typed tow).\nTwo lists:",
        "1. Budgeted Bandits (ICLR 2026)\n2. Masks for Recommenders (NeurIPS 2025)",
        "@misc{x}",
        "Try: try this",
    ]


def test_an_entry_without_a_source_has_none_in_the_object() -> None:
    found = json.loads(json.dumps(answer_object(_answer(quotes=(_quote(),)), question_id="1")))

    assert found["quotes"][0]["source"] is None
