"""Texts in word pieces: what the tokenizer says, word by word."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from retrieval import pieces as pieces_module
from retrieval.formats.abstract_list import read_folder
from retrieval.pieces import Pieces
from tests.fakes.entries import SEEDS, word_vectors

_WORDS = st.sampled_from(
    ["graph", "graph,", "β-VAE", "x²,", "(MARS).", "<s>", "▁", "", "3.5%", "图", "'s", "a\u00a0b", "_,"]
)


@cache
def _tokenizer() -> Tokenizer:
    return word_vectors()._tokenizer


def _whole(text: str) -> list[int]:
    return list(_tokenizer().encode(text, add_special_tokens=False).ids)


@given(st.lists(st.lists(_WORDS, max_size=8).map(" ".join) | st.text(max_size=40), max_size=5))
def test_a_text_has_the_pieces_that_the_tokenizer_gives_to_the_whole_of_it(texts: list[str]) -> None:
    taken_apart = Pieces(_tokenizer())

    first, again = taken_apart.of(texts), taken_apart.of(texts)

    assert first == again == [_whole(text) for text in texts]


def test_every_abstract_of_the_seeds_has_the_pieces_of_the_whole() -> None:
    abstracts = [entry.abstract for entry in read_folder(SEEDS)]

    apart = Pieces(_tokenizer()).of(abstracts)

    assert apart == [_whole(abstract) for abstract in abstracts]


def test_no_piece_has_punctuation_after_a_letter_or_digit() -> None:
    vocabulary = _tokenizer().get_vocab()

    across = [
        p for p in vocabulary for a, b in pairwise(p) if a.isalnum() and a.isascii() and b in pieces_module._APART
    ]

    assert across == []


def test_what_is_remembered_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces_module, "_REMEMBERED", 10)
    taken_apart = Pieces(_tokenizer())

    listed = [f"word{number}" for number in range(40)]
    found = [taken_apart.of([word])[0] for word in listed]

    assert len(taken_apart._known) <= 10
    assert found == [_whole(word) for word in listed]
