"""The postings give rank-bm25's own numbers, whatever the corpus."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.bm25 import Bm25Index, LuceneBM25
from retrieval.formats.abstract_list import read_folder
from retrieval.text.analysis import terms
from tests.fakes.entries import SEEDS

_TERMS = st.sampled_from("abcdefgh")
_DOCUMENTS = st.lists(st.lists(_TERMS, max_size=12), min_size=1, max_size=12)
_QUERY = st.lists(st.sampled_from("abcdefghxy"), max_size=6)


def _reference(documents: list[list[str]]) -> BM25Okapi:
    scorer: type[BM25Okapi] = LuceneBM25
    return scorer(documents)


@pytest.mark.parametrize("scorer", [LuceneBM25, BM25Okapi])
@given(documents=_DOCUMENTS.filter(any), query=_QUERY)
def test_scores_are_bit_identical_to_rank_bm25(
    scorer: type[BM25Okapi], documents: list[list[str]], query: list[str]
) -> None:
    reference = scorer(documents)
    index = Bm25Index.like(reference)

    scores = index.scores(query)

    assert np.array_equal(scores, reference.get_scores(query))


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_to_count_is_an_index_that_finds_nothing(documents: list[list[str]]) -> None:
    index = Bm25Index.build(documents)

    scores = index.scores(["a"])

    assert scores.tolist() == [0.0] * len(documents)


@given(documents=_DOCUMENTS, query=_QUERY)
def test_the_weights_of_the_terms_add_up_to_the_score(documents: list[list[str]], query: list[str]) -> None:
    index = Bm25Index.build(documents)

    scores = index.scores(query)

    for document, score in enumerate(scores):
        parts = [index.scores([term])[document] for term in query]
        assert sum(parts) == pytest.approx(score)


@pytest.mark.parametrize("skipping_from", [0, 1_000])
@given(documents=st.lists(st.lists(_TERMS, max_size=12), min_size=1, max_size=40), query=_QUERY, k=st.integers(1, 20))
def test_the_best_are_those_of_all_scores(
    documents: list[list[str]], query: list[str], k: int, *, skipping_from: int
) -> None:
    index = Bm25Index.build(documents)
    scores = _reference(documents).get_scores(query).tolist() if any(documents) else []
    ordered = sorted((-score, number) for number, score in enumerate(scores) if score > 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("retrieval.bm25._WORTH_SKIPPING", skipping_from)
        found = index.top(query, k)

    assert found == [(number, -score) for score, number in ordered[:k]]


@pytest.mark.parametrize(
    "documents",
    [[["a"]], [["a", "b"]] * 5, [["a"], [], ["b"], []], [["a", "b"], ["a"], ["a", "c", "c"]], [["a"] * 3, ["b"] * 2]],
)
@pytest.mark.parametrize("query", [["a"], ["x"], [], ["a", "a"], ["b", "x", "a"], ["c", "c", "c"]])
def test_odd_collections_and_queries_score_as_rank_bm25_does(documents: list[list[str]], query: list[str]) -> None:
    expected = _reference(documents).get_scores(query)

    index = Bm25Index.build(documents)

    assert np.array_equal(index.scores(query), expected)


def test_entries_and_their_sentences_score_as_rank_bm25_does() -> None:
    entries = read_folder(SEEDS)
    for documents in (
        [terms(f"{e.title} {e.abstract}") for e in entries],
        [terms(s) for e in entries for s in e.abstract.split(". ")],
    ):
        index, reference = Bm25Index.build(documents), _reference(documents)
        for entry in entries:
            query = terms(entry.title)
            expected = reference.get_scores(query)
            assert np.array_equal(index.scores(query), expected)
            best = np.lexsort((np.arange(len(expected)), -expected))[:10]
            assert [number for number, _ in index.top(query, 10)] == [n for n in best.tolist() if expected[n] > 0]


@given(documents=_DOCUMENTS, term=_TERMS)
def test_documents_of_a_term_are_those_that_hold_it(documents: list[list[str]], term: str) -> None:
    index = Bm25Index.build(documents)

    found = index.documents(term).tolist()

    assert found == [number for number, document in enumerate(documents) if term in document]
    assert index.document_frequency(term) == len(found)


def test_lucenes_idf_keeps_a_word_of_most_documents_below_a_rare_one() -> None:
    documents = [["causal", "bandit"], ["causal", "graph"], ["causal"]]

    index = Bm25Index.build(documents)

    assert 0 < index.idf("causal") < index.idf("bandit")
