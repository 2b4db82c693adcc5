"""What authors call their work is told from the title, the name and what they propose."""

from __future__ import annotations

import pytest

from retrieval.ownnames import own_names


@pytest.mark.parametrize(
    ("title", "name", "sentences", "called"),
    [
        ("MARS: Ranking Without Labels", "", (), {"mar"}),
        ("Ranking Without Labels: A Survey", "", (), set()),
        ("Ranking Without Labels", "", (), set()),
        ("", "BUDGE, ALPS", (), {"budg", "alp"}),
        ("", "Neural Effect Search", (), {"nes"}),
        ("", "Effect Search", (), set()),
        ("", "", ("We propose adaptive ranking (ADARANK).",), {"adarank"}),
        ("", "", ("Large language models (LLM) are common.",), set()),
        ("", "", (), set()),
    ],
)
def test_one_word_that_names_the_work(title: str, name: str, sentences: tuple[str, ...], called: set[str]) -> None:
    assert own_names(title, name, sentences) == called
