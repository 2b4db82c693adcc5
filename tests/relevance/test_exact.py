"""On real collections, scores and rankings are rank-bm25's: abstracts as documents, and sentences as documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from retrieval.bm25 import Bm25Index, LuceneBM25
from retrieval.collection import Collection
from retrieval.corpus import read_corpus as taken_apart
from retrieval.engine import Engine
from retrieval.formats.beir import read_corpus, read_queries
from retrieval.index.building import TITLE_REPEATS
from retrieval.ranking import best
from retrieval.text.analysis import terms
from tests.benchmarks.data import REAL_LIST, questions, read_list
from tests.fakes.entries import seed_engine
from tests.relevance.figures import COLLECTIONS, EVAL

_SEEDS = "seeds"
_REAL = "the real list"
_SLOW = {"evidence_inference", "scifact", _REAL}
_ASKED = 8
_TOP = 100
_EVERY_COLLECTION = [
    pytest.param(name, marks=pytest.mark.slow if name in _SLOW else ())
    for name in (_SEEDS, *COLLECTIONS, "evidence_inference", "pubmedqa", _REAL)
]

Documents = Sequence[Sequence[str]]


@pytest.mark.parametrize("name", _EVERY_COLLECTION)
def test_entries_score_and_rank_as_rank_bm25_does(name: str) -> None:
    collection = _collection(name)
    documents = list(taken_apart(collection).documents(title_repeats=TITLE_REPEATS))

    _assert_the_same(documents, _queries(name), searched=Engine.of(collection, None).index)


@pytest.mark.parametrize("name", _EVERY_COLLECTION)
def test_passages_score_and_rank_as_rank_bm25_does(name: str) -> None:
    collection = _collection(name)
    documents = [terms(sentence) for number in range(len(collection)) for sentence in collection.sentences(number)]

    _assert_the_same(documents, _queries(name), searched=Bm25Index.build(documents))


def _assert_the_same(documents: Documents, queries: Documents, *, searched: Bm25Index) -> None:
    """Hold scores and the best hundred against rank-bm25's.

    Those of *searched* with Lucene's idf, and those of the same *documents* with rank-bm25's own.
    """
    for scorer in (LuceneBM25, BM25Okapi):
        reference = scorer(documents)  # type: ignore[no-untyped-call]
        index = searched if scorer is LuceneBM25 else Bm25Index.like(reference)
        for query in queries:
            expected = reference.get_scores(query)
            scores = index.scores(query)
            assert np.array_equal(scores, expected), query
            assert best(scores, _TOP).tolist() == np.argsort(-expected, kind="stable")[:_TOP].tolist(), query


@cache
def _collection(name: str) -> Collection:
    if name == _SEEDS:
        return seed_engine().collection
    source = _lying_beside(REAL_LIST if name == _REAL else EVAL / name / "corpus.jsonl")
    return Collection(read_list(source) if name == _REAL else read_corpus(source))


def _queries(name: str) -> Documents:
    """Return some of the collection's questions, spread over them all; the last has words twice, and one of none."""
    asked = list(questions() if name in {_SEEDS, _REAL} else read_queries(EVAL / name / "queries.jsonl").values())
    listed = [terms(question) for question in asked[:: max(len(asked) // _ASKED, 1)][:_ASKED]]
    return [*listed, [*listed[0], "xyzzy", *listed[0]]]


def _lying_beside(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"there is no collection at {path}")
    return path
