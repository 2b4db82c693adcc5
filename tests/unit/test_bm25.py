"""The postings give rank-bm25's own numbers, whatever the corpus."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.bm25 import Bm25Index, LuceneBM25

_TERMS = st.sampled_from("abcdefgh")
_DOCUMENTS = st.lists(st.lists(_TERMS, max_size=12), min_size=1, max_size=12)
_QUERY = st.lists(st.sampled_from("abcdefghxy"), max_size=6)


@pytest.mark.parametrize("scorer", [LuceneBM25, BM25Okapi])
@given(documents=_DOCUMENTS.filter(any), query=_QUERY)
@example(documents=[["a", "b"]], query=["b"]).via("one document")
@example(documents=[["a", "b"]] * 3, query=["a", "b"]).via("identical documents")
@example(documents=[[], ["a"], []], query=["a"]).via("empty documents")
@example(documents=[["a"], ["a", "b"], ["a", "a", "c"]], query=["a"]).via("a term in all of them")
@example(documents=[["a"], ["b"]], query=["x", "y"]).via("no known term")
@example(documents=[["a", "b"], ["b"]], query=["b", "b", "a", "b"]).via("a term repeated")
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


@given(documents=_DOCUMENTS, term=_TERMS, data=st.data())
def test_which_of_some_documents_hold_a_term(documents: list[list[str]], term: str, data: st.DataObject) -> None:
    index = Bm25Index.build(documents)
    among = data.draw(st.lists(st.integers(0, len(documents) - 1), max_size=6))

    found = index.holding(term, np.array(among, np.int32))

    assert found.tolist() == [term in documents[number] for number in among]


@given(documents=_DOCUMENTS, term=_TERMS)
def test_documents_of_a_term_are_those_that_hold_it(documents: list[list[str]], term: str) -> None:
    index = Bm25Index.build(documents)

    found = index.documents(term).tolist()

    assert found == [number for number, document in enumerate(documents) if term in document]
    assert index.document_frequency(term) == len(found)
    assert index.holding(term).tolist() == [term in document for document in documents]


def test_lucenes_idf_keeps_a_word_of_most_documents_below_a_rare_one() -> None:
    documents = [["causal", "bandit"], ["causal", "graph"], ["causal"]]

    index = Bm25Index.build(documents)

    assert 0 < index.idf("causal") < index.idf("bandit")
