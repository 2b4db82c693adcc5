"""BM25 with rank-bm25's statistics and scores, looked up in postings instead of walking the collection.

`rank_bm25` is the scorer of record: it counts the terms and defines the formula. This module compiles what
it counted into postings once, so that a query touches only the documents that share a term with it and
still gets the same numbers, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Self

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

__all__ = ["Bm25Index", "LuceneBM25", "Scores"]

Scores = NDArray[np.float64]


class LuceneBM25(BM25Okapi):
    """rank-bm25's Okapi with the idf that Lucene uses, which is never negative.

    idf(t) = ln(1 + (N - n(t) + 0.5) / (n(t) + 0.5)), the fourth variant compared in Kamphuis, de Vries, Boytsov
    and Lin, "Which BM25 Do You Mean?" (ECIR 2020). Okapi's own idf is negative for a term in more than half of
    the documents, and rank-bm25 then puts a quarter of the mean idf in its place, which is more than most
    words get: in a list about causal inference, "causal" would outweigh what the question is about.
    """

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for term, n_docs in nd.items():
            self.idf[term] = math.log(1 + (self.corpus_size - n_docs + 0.5) / (n_docs + 0.5))


class Bm25Index:
    """Postings with their BM25 weights, in the memory of one process.

    A document is a sequence of terms; documents are numbered from 0 in the order given. With k1, b, term
    frequency tf, document length dl and mean length avgdl, a document scores, for every term of the query,

        idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))

    as in Trotman, Puurula and Burgess, "Improvements to BM25 and Language Models Examined" (ADCS 2014). The
    additions happen in the order of the query, as rank-bm25 does them, so that the sums are the same float64.
    """

    def __init__(self, reference: BM25Okapi | None, size: int) -> None:
        """Compile what *reference* counted over *size* documents; None when there was nothing to count."""
        self.size = size
        self.idf: Mapping[str, float] = {} if reference is None else reference.idf
        self._numbers = {term: number for number, term in enumerate(self.idf)}
        self._k1 = 0.0
        self._starts = np.zeros(1, np.int64)
        self._documents = np.zeros(0, np.int32)
        self._frequencies = np.zeros(0, np.int32)
        self._weights: Scores = np.zeros(0)
        self._norms: Scores = np.ones(size)
        if reference is not None:
            self._compile(reference)

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]], *, k1: float = 1.5, b: float = 0.75) -> Self:
        """Index *documents*, read once, with Lucene's idf.

        None at all, or only empty ones, is an index that finds nothing.
        """
        # rank-bm25 divides by the number of documents and by their mean length.
        unread = iter(documents)
        first = next(unread, None)
        if first is None:
            return cls(None, 0)
        reference = LuceneBM25(chain([first], unread), k1=k1, b=b)  # type: ignore[no-untyped-call]
        return cls(reference if reference.idf else None, reference.corpus_size)

    def __contains__(self, term: str) -> bool:
        return term in self._numbers

    def document_frequency(self, term: str) -> int:
        """Return how many documents hold *term*."""
        return len(self.documents(term))

    def documents(self, term: str) -> NDArray[np.int32]:
        """Return the numbers of the documents that hold *term*, ascending."""
        return self._documents[self._slice(term)]

    def frequencies(self, term: str) -> NDArray[np.int32]:
        """Return how often *term* occurs in each of `documents`, in their order."""
        return self._frequencies[self._slice(term)]

    def weights(self, term: str) -> Scores:
        """Return what *term* adds to the score of each of `documents`, in their order."""
        return self._weights[self._slice(term)]

    def scores(self, terms: Sequence[str]) -> Scores:
        """Score every document for a query.

        Args:
            terms: In the order of the query; a repeated term counts as often as it stands there.

        Returns:
            float64, shape (size,); 0 where no term occurs.
        """
        slices = [self._slice(term) for term in terms]
        if not any(s.stop > s.start for s in slices):
            return np.zeros(self.size)
        # Added one after the other, in the terms' order, as rank-bm25 does.
        return self.summed([(self._documents[s], self._weights[s]) for s in slices])

    def summed(self, found: Sequence[tuple[NDArray[np.int32], Scores]]) -> Scores:
        """Return float64, shape (size,): for each document the sum of its weights in *found*, added in its order."""
        documents, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return np.bincount(documents, weights=weights, minlength=self.size).astype(np.float64, copy=False)

    def holding(self, term: str) -> NDArray[np.bool_]:
        """Return bool, shape (size,): which documents have *term*."""
        found = np.zeros(self.size, np.bool_)
        found[self.documents(term)] = True
        return found

    def saturated(self, frequencies: Scores, documents: NDArray[np.int32]) -> Scores:
        """Return the part of the formula beside the idf, for terms that occur *frequencies* times in *documents*."""
        return frequencies * (self._k1 + 1) / (frequencies + self._norms[documents])

    @property
    def most(self) -> float:
        """The value that the part of the formula beside the idf approaches as a term gets frequent: k1 + 1."""
        return self._k1 + 1

    def lucene_idf(self, document_frequency: int) -> float:
        """Return Lucene's idf of a term in that many documents; 0 documents give the highest there is."""
        return math.log(1 + (self.size - document_frequency + 0.5) / (document_frequency + 0.5))

    def _slice(self, term: str) -> slice:
        number = self._numbers.get(term)
        return slice(0, 0) if number is None else slice(int(self._starts[number]), int(self._starts[number + 1]))

    def _compile(self, reference: BM25Okapi) -> None:
        numbers, counted = self._numbers, reference.doc_freqs
        n_postings = sum(map(len, counted))
        terms = np.fromiter((numbers[t] for doc in counted for t in doc), dtype=np.int32, count=n_postings)
        tf = np.fromiter((f for doc in counted for f in doc.values()), dtype=np.int32, count=n_postings)
        documents = np.repeat(np.arange(self.size, dtype=np.int32), [len(doc) for doc in counted])
        order = np.argsort(terms, kind="stable")
        terms, self._frequencies, self._documents = terms[order], tf[order], documents[order]
        self._starts = np.searchsorted(terms, np.arange(len(numbers) + 1))
        idf = np.fromiter((idf or 0 for idf in reference.idf.values()), dtype=np.float64, count=len(numbers))
        # The same operations in the same order as BM25Okapi.get_scores, for the same rounding.
        self._k1, b, tf = float(reference.k1), reference.b, self._frequencies
        self._norms = self._k1 * (1 - b + b * np.array(reference.doc_len) / reference.avgdl)
        self._weights = idf[terms] * (tf * (self._k1 + 1) / (tf + self._norms[self._documents]))
