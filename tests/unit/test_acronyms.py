"""Acronyms are taken from where an abstract defines them, in either order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.acronyms import defined_acronyms


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("We study Temporal Knowledge Graphs (TKG) here.", [("TKG", "temporal knowledge graphs")]),
        ("Low-rank adapters (LoRA) are small.", [("LoRA", "low-rank adapters")]),
        ("TPP (temporal point process) models.", [("TPP", "temporal point process")]),
        ("Large language models (LLMs) are large.", [("LLM", "large language models")]),
        ("Graph nets (GN; or so) and causal models (CM).", [("GN", "graph nets"), ("CM", "causal models")]),
        ("In one year (2026) nothing.", []),
        ("This fails (see below).", []),
        ("A cat (XQ) sat.", []),
        ("(AB)", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_definition_yields_short_and_long_form(sentence: str, found: list[tuple[str, str]]) -> None:
    assert list(defined_acronyms(sentence)) == found


@given(st.lists(st.sampled_from(["Graph", "neural", "(GN)", "(", ")", "G", "N", "a-b", ";", "LLMs"]), max_size=12))
def test_a_long_form_has_the_letters_of_its_short_form_in_order(words: list[str]) -> None:
    for short, long in defined_acronyms(" ".join(words)):
        letters = iter(long)
        assert all(letter.lower() in letters for letter in short if letter.isalnum())


@given(st.text(max_size=200))
def test_any_text_is_read_without_failing(text: str) -> None:
    found = list(defined_acronyms(text))

    assert all(long == long.lower() and any(c.isupper() for c in short) for short, long in found)
