"""BM25 with rank-bm25's statistics and scores, looked up in postings instead of walking the collection.

`rank_bm25` is the scorer of record: its formula, its parameters and the order of its additions. This module has the
same counts as postings, so that a query touches only the documents that share a term with it and still gets the same
numbers, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from retrieval.index.postings import Postings, count_documents

__all__ = ["Bm25Index", "LuceneBM25", "Scores", "Weighed"]

Scores = NDArray[np.float64]
Documents = NDArray[np.intp]
Weighed: TypeAlias = tuple[Documents | slice, Scores]
"""Which documents get something, and what each of them gets; the slice stands for all, in their order."""

Numbers = NDArray[np.int32] | None

_FREQUENT = 5  # a term in so large a part of the documents
_IN_CACHE = 50_000  # documents whose scores a core has at hand
_REMEMBERED = 1 << 16  # terms
_REMEMBERED_POSTINGS = 1 << 22  # some 90 MB


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


_Listed: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32]]
"""The documents that hold a term, ascending, and how often each does."""


@dataclass(slots=True)
class _Term:
    """What is known of a term. Most are only asked how many documents hold them.

    Attributes:
        count: How many documents hold it.
        places: Its place in each set of postings, -1 where it is not.
        listed: Once asked for.
        weighed: Once asked for.
    """

    count: int
    idf: float
    places: tuple[int, ...]
    listed: _Listed | None = None
    weighed: Weighed | None = None


class Bm25Index:
    """BM25 over postings, in one set or several.

    A document is a sequence of terms; documents are numbered from 0. With k1, b, term frequency tf, document length dl
    and mean length avgdl, a document scores, for every term of the query,

        idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))

    as in Trotman, Puurula and Burgess, "Improvements to BM25 and Language Models Examined" (ADCS 2014), with the idf of
    `LuceneBM25`. The additions happen in the order of the query, as rank-bm25 does them, so that the sums are the same
    float64.
    """

    def __init__(
        self,
        postings: Sequence[Postings],
        numbers: Sequence[Numbers],
        *,
        k1: float = 1.5,
        b: float = 0.75,
        idf: Mapping[str, float] | None = None,
    ) -> None:
        """Read *postings*.

        Args:
            numbers: For each, the number of each of its documents in the whole, -1 for one that does not count any
                more; None where they are the same.
            idf: Of each term; Lucene's when left out.
        """
        self._postings = tuple(postings)
        self._documents_of = tuple(numbers)
        self._complete = [listed is None or bool((listed >= 0).all()) for listed in self._documents_of]
        self._own_idf = idf
        lengths = _gathered(self._postings, self._documents_of)
        self.size = len(lengths)
        total = int(lengths.sum(dtype=np.int64))
        self._k1 = k1 if total else 0.0
        mean = total / self.size if total else 1.0
        # The same operations in the same order as BM25Okapi.get_scores, for the same rounding.
        self._norms: Scores = k1 * (1 - b + b * lengths.astype(np.float64) / mean)
        self._terms: dict[str, _Term] = {}
        self._remembered = 0

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]], *, k1: float = 1.5, b: float = 0.75) -> Self:
        """Index *documents*, read once; none at all, or only empty ones, are an index that finds nothing."""
        return cls([count_documents(documents)], [None], k1=k1, b=b)

    @classmethod
    def like(cls, reference: BM25Okapi) -> Self:
        """Return an index that scores as *reference* does, with its own idf: how the two are compared."""
        documents = ([term for term, count in counted.items() for _ in range(count)] for counted in reference.doc_freqs)
        return cls(
            [count_documents(documents)], [None], k1=float(reference.k1), b=float(reference.b), idf=reference.idf
        )

    def __contains__(self, term: str) -> bool:
        return self._term(term).count > 0

    def idf(self, term: str) -> float:
        """Return the idf of *term*; 0 when no document holds it."""
        return self._term(term).idf

    def document_frequency(self, term: str) -> int:
        """Return how many documents hold *term*."""
        return self._term(term).count

    def documents(self, term: str) -> NDArray[np.int32]:
        """Return the numbers of the documents that hold *term*, ascending."""
        return self._listed(self._term(term))[0]

    def frequencies(self, term: str) -> NDArray[np.int32]:
        """Return how often *term* occurs in each of `documents`, in their order."""
        return self._listed(self._term(term))[1]

    def weighed(self, term: str) -> Weighed:
        """Return what *term* adds to the scores of which documents: those that hold it, ascending, or of all."""
        known = self._terms.get(term) or self._term(term)
        if known.weighed is None:
            known.weighed = self._weighed(known)
            self._remember(len(known.weighed[1]))
        return known.weighed

    def scores(self, terms: Sequence[str]) -> Scores:
        """Score every document for a query.

        Args:
            terms: In the order of the query; a repeated term counts as often as it stands there.

        Returns:
            float64, shape (size,); 0 where no term occurs.
        """
        # Added one after the other, in the terms' order, as rank-bm25 does.
        return self.summed(map(self.weighed, terms))

    def summed(self, found: Iterable[Weighed]) -> Scores:
        """Return float64, shape (size,): for each document the sum of its weights in *found*, added in its order."""
        sums, add_at = np.zeros(self.size), np.add.at
        for documents, weights in found:
            if isinstance(documents, slice):
                sums += weights
            else:
                add_at(sums, documents, weights)
        return sums

    def holding(self, term: str, among: NDArray[np.int32] | None = None) -> NDArray[np.bool_]:
        """Return bool, shape (size,): which documents have *term*; or one for each of *among*, if some are given."""
        listed = self.documents(term)
        if among is None:
            found = np.zeros(self.size, np.bool_)
            found[listed] = True
            return found
        if not len(listed):
            return np.zeros(len(among), np.bool_)
        return np.asarray(listed[np.searchsorted(listed, among) % len(listed)] == among)

    def saturated(self, frequencies: Scores, documents: Documents) -> Scores:
        """Return the part of the formula beside the idf, for terms that occur *frequencies* times in *documents*."""
        return frequencies * (self._k1 + 1) / (frequencies + self._norms[documents])

    @property
    def most(self) -> float:
        """The value that the part of the formula beside the idf approaches as a term gets frequent: k1 + 1."""
        return self._k1 + 1

    def lucene_idf(self, document_frequency: int) -> float:
        """Return Lucene's idf of a term in that many documents; 0 documents give the highest there is."""
        return math.log(1 + (self.size - document_frequency + 0.5) / (document_frequency + 0.5))

    def _term(self, name: str) -> _Term:
        known = self._terms.get(name)
        if known is None:
            places = tuple(postings.terms.find(name) for postings in self._postings)
            count = sum(self._count(at, place) for at, place in enumerate(places) if place >= 0)
            idf = self.lucene_idf(count) if self._own_idf is None else self._own_idf.get(name) or 0.0
            known = _Term(count, idf if count else 0.0, places)
            self._remember(0)
            self._terms[name] = known
        return known

    def _count(self, at: int, place: int) -> int:
        """Return how many documents of one set of postings hold the term at *place* and count."""
        if not self._complete[at]:
            return len(self._of_set(at, place)[0])
        starts = self._postings[at].starts
        return int(starts[place + 1] - starts[place])

    def _weighed(self, term: _Term) -> Weighed:
        listed, frequencies = self._listed(term)
        documents = listed.astype(np.intp)  # what numpy would make of them at each sum
        weights = term.idf * self.saturated(frequencies.astype(np.float64), documents)
        if self.size > _IN_CACHE or term.count * _FREQUENT < self.size:
            return documents, weights
        # Numbers that stand side by side are added several at a time, which outweighs that most of these are zeros.
        every = np.zeros(self.size)
        every[documents] = weights
        return slice(None), every

    def _listed(self, term: _Term) -> _Listed:
        if term.listed is None:
            found = [self._of_set(at, place) for at, place in enumerate(term.places) if place >= 0]
            self._remember(term.count if len(self._postings) > 1 else 0)
            term.listed = _merged(found)
        return term.listed

    def _of_set(self, at: int, place: int) -> _Listed:
        """Return what one set of postings lists for the term at *place*, by the documents' number in the whole."""
        postings, numbers = self._postings[at], self._documents_of[at]
        run = slice(int(postings.starts[place]), int(postings.starts[place + 1]))
        documents, frequencies = postings.documents[run], postings.frequencies[run]
        if numbers is None:
            return documents, frequencies
        documents = numbers[documents]
        if self._complete[at]:
            return documents, frequencies
        there = documents >= 0
        return documents[there], frequencies[there]

    def _remember(self, postings: int) -> None:
        """Make room; a new dictionary, as another thread may be at the old one."""
        self._remembered += postings
        if self._remembered > _REMEMBERED_POSTINGS or len(self._terms) > _REMEMBERED:
            self._terms, self._remembered = {}, postings


def _merged(found: Sequence[_Listed]) -> _Listed:
    if len(found) == 1:
        return found[0]
    documents = np.concatenate([np.zeros(0, np.int32), *(listed for listed, _ in found)])
    frequencies = np.concatenate([np.zeros(0, np.int32), *(counts for _, counts in found)])
    order = np.argsort(documents, kind="stable")
    return documents[order], frequencies[order]


def _gathered(postings: Sequence[Postings], numbers: Sequence[Numbers]) -> NDArray[np.int32]:
    """Return the length of every document that counts, by its number."""
    if len(postings) == 1 and numbers[0] is None:
        return postings[0].lengths
    size = sum(int(np.count_nonzero(listed >= 0)) for listed in numbers if listed is not None)
    found = np.zeros(size, np.int32)
    for part, listed in zip(postings, numbers, strict=True):
        if listed is not None:
            found[listed[listed >= 0]] = part.lengths[listed >= 0]
    return found
