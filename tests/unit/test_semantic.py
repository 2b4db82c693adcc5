"""The word vectors: read from the installed package, offline, and near where the meaning is."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.semantic import WordVectorsMissingError, cosines, load_word_vectors, unit
from tests.fakes.entries import word_vectors

_LOAD_WATCHED = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(event) if event.startswith("socket.") else None)
from retrieval.semantic import load_word_vectors
vectors = load_word_vectors()
vectors.of(["graph"])
print(opened, "wordllama" in sys.modules)
"""


def test_loading_opens_no_socket_and_runs_none_of_the_package_s_code() -> None:
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    done = subprocess.run(
        [sys.executable, "-c", _LOAD_WATCHED], env=env, capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.stdout, done.returncode) == ("[] False\n", 0), done.stderr


def test_a_package_that_is_not_installed_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.semantic._PACKAGE", "no_such_package")

    with pytest.raises(WordVectorsMissingError, match=r"no_such_package.*PULLQUOTE_SEMANTIC=off"):
        load_word_vectors()


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("film suggestions", "movie recommendation", "glacier radar"),
        ("medicine for patients", "drugs in hospitals", "sorting algorithms"),
        ("cause and effect", "causal inference", "football results"),
    ],
)
def test_texts_of_like_meaning_are_nearer_than_others(text: str, near: str, far: str) -> None:
    asked, alike, unlike = (unit(word_vectors().text(listed)) for listed in (text, near, far))

    assert float(asked @ alike) > float(asked @ unlike) + 0.1


@given(st.lists(st.sampled_from(["graph", "causal", "the", "users", "zqxj", "β", "图"]), max_size=8), st.data())
def test_the_order_of_words_does_not_matter(words: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(words))

    one, other = word_vectors().text(" ".join(words)), word_vectors().text(" ".join(shuffled))

    assert np.allclose(one, other, atol=1e-4)


@pytest.mark.parametrize("text", ["", "the of and", "!?"])
def test_a_text_without_content_is_the_zero_vector_and_stays_so(text: str) -> None:
    nothing = word_vectors().text(text)

    assert not nothing.any()
    assert not unit(nothing).any()


def test_a_frequent_word_counts_less_than_a_rare_one() -> None:
    vectors = word_vectors()
    (the, *_), (graph, *_) = vectors.pieces(["the", "glacier"])

    assert vectors.commonness[the] < vectors.commonness[graph] <= 1


@given(size=st.integers(1, 70), picked=st.lists(st.integers(0, 69), min_size=1), seed=st.integers(0, 9))
def test_a_row_is_as_near_wherever_it_stands(size: int, picked: list[int], seed: int) -> None:
    dice = np.random.default_rng(seed)
    rows, asked = unit(dice.normal(size=(size, 256)).astype(np.float32)), unit(dice.normal(size=256).astype(np.float32))
    places = [place % size for place in picked]

    found = cosines(rows, asked)

    assert cosines(rows[places], asked).tolist() == found[places].tolist()
    assert np.allclose(found, rows @ asked, atol=1e-6)
