"""A phrase is mentioned word by word, one or many of them."""

from __future__ import annotations

import pytest

from retrieval.text.phrases import in_singular, phrase_in


def _mentions(*texts: str, phrase: str) -> bool:
    wanted = phrase_in(phrase)
    return wanted != "" and wanted in in_singular(texts)


def test_a_phrase_does_not_go_on_in_the_next_text() -> None:
    assert not _mentions("On causal", "graphs and trees.", phrase="causal graphs")


@pytest.mark.parametrize(
    ("phrase", "mentioned"),
    [
        ("causal graph", True),
        ("Causal Graphs", True),
        ("causal-graph", True),
        ("graph of causes", False),
        ("theory", True),
        ("theories", True),
        ("graphic", False),
        ("...", False),
    ],
)
def test_a_phrase_is_mentioned_word_by_word_in_one_or_many(phrase: str, *, mentioned: bool) -> None:
    assert _mentions("On Causal Graphs", "Two theories of them.", phrase=phrase) is mentioned


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("bias", "biases"),
        ("process", "processes"),
        ("approach", "approaches"),
        ("analysis", "analyses"),
        ("loss", "losses"),
        ("hypothesis", "hypotheses"),
        ("cache", "caches"),
        ("corpus", "corpus"),
    ],
)
def test_the_singular_is_mentioned_by_the_plural_and_the_other_way_round(one: str, many: str) -> None:
    assert _mentions("T", f"Of {many}.", phrase=one)
    assert _mentions("T", f"Of {one}.", phrase=many)
