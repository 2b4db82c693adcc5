"""The one place where the parts become a score.

score = share of the question that the entry's words cover
        + 0.4 * nearness in meaning, half of the whole entry, half of its best sentence
        + 0.3 * what its nearest neighbours among the best lend it

Figures for each part and each number, on every judged collection, are in docs/decisions/0002-ranking.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import Bm25Index, Scores
from retrieval.corpus import Corpus
from retrieval.model import Query, QueryTerm
from retrieval.semantic import Floats, WordVectors, unit
from retrieval.text.analysis import words_of_tokens

__all__ = ["Ranker", "TextVectors", "best"]

_SEMANTIC_WEIGHT = 0.4
_CANDIDATES = 30  # entries whose sentences are compared with the question
_SMOOTHED = 20  # entries that lend each other score
_LENDERS = 5
_LENT = 0.3
_DECIMALS = 6
_ENTRIES_AT_ONCE = 16  # their words stay in the cache of a core
_TITLE_IN_VECTOR = 2  # a title's words count as if they stood there twice


_Found: TypeAlias = list[tuple[NDArray[np.int32], Scores]]
"""Documents, and what each of them gets."""


@dataclass(frozen=True, slots=True)
class TextVectors:
    """The vectors of a collection's texts, of length 1.

    Attributes:
        entries: float32, one row an entry.
        sentences: float16, the sentences of each entry in order, then its title.
        starts: Where an entry's sentences begin; one more at the end.
    """

    entries: Floats
    sentences: NDArray[np.float16]
    starts: NDArray[np.int64]

    @classmethod
    def build(cls, corpus: Corpus, vectors: WordVectors) -> TextVectors:
        """Return the vectors of the texts of *corpus*, each the sum of its content words."""
        starts = corpus.entries
        entries = np.zeros((len(starts) - 1, vectors.dimensions), np.float32)
        sentences = np.zeros((int(starts[-1]), vectors.dimensions), np.float16)
        table, words, texts = _content(corpus, vectors)
        for first in range(0, len(entries), _ENTRIES_AT_ONCE):
            last = min(first + _ENTRIES_AT_ONCE, len(entries))
            rows = slice(starts[first], starts[last])
            sums = _sums(table, words, texts[starts[first] : starts[last] + 1])
            at = starts[first : last + 1] - starts[first]
            title = sums[at[1:] - 1]
            entries[first:last] = unit(np.add.reduceat(sums, at[:-1], axis=0) + (_TITLE_IN_VECTOR - 1) * title)
            sentences[rows] = unit(sums)
        return cls(entries, sentences, starts)

    def best_sentence(self, entries: NDArray[np.intp], asked: Floats) -> Floats:
        """Return, for each of *entries*, the cosine of its sentence (or title) nearest to *asked*."""
        lengths = self.starts[entries + 1] - self.starts[entries]
        firsts = np.cumsum(lengths) - lengths
        rows = np.repeat(self.starts[entries] - firsts, lengths) + np.arange(lengths.sum())
        return np.maximum.reduceat(self.sentences[rows].astype(np.float32) @ asked, firsts)


def _content(corpus: Corpus, vectors: WordVectors) -> tuple[Floats, NDArray[np.intp], NDArray[np.int64]]:
    """Return the vectors of the different content words, the rows of all texts' words, and where each text begins."""
    numbers: dict[str, int] = {}
    listed = [
        [numbers.setdefault(word, len(numbers)) for word in words_of_tokens(chunk, tokens)]
        for chunk, tokens in zip(corpus.chunks, corpus.tokens, strict=True)
    ]
    lengths = np.array([len(words) for words in listed])
    flat = np.array([word for words in listed for word in words], np.intp)
    in_stream = lengths[corpus.stream]
    ends = np.cumsum([0, *in_stream])
    firsts = (np.cumsum(lengths) - lengths)[corpus.stream]
    words = flat[np.repeat(firsts - ends[:-1], in_stream) + np.arange(ends[-1])]
    return vectors.of(list(numbers)), words, ends[corpus.texts]


def _sums(table: Floats, words: NDArray[np.intp], texts: NDArray[np.int64]) -> Floats:
    """Return float32, one row for each of *texts*, the last being only an end: the sum of its words' rows."""
    sums = np.zeros((len(texts) - 1, table.shape[1]), np.float32)
    filled = np.flatnonzero(np.diff(texts))
    if len(filled):
        rows = table[words[texts[0] : texts[-1]]]
        sums[filled] = np.add.reduceat(rows, texts[:-1][filled] - texts[0], axis=0)
    return sums


class Ranker:
    """Score entries for a question. Entries go by their number in the collection."""

    def __init__(self, index: Bm25Index, texts: TextVectors | None, words: WordVectors | None) -> None:
        """Score with *index*, and by meaning with the vectors of *texts* and *words*, if there are any."""
        self._index = index
        self._texts = texts
        self._words = words

    def scores(self, query: Query, allowed: NDArray[np.bool_] | None = None) -> tuple[Scores, Scores]:
        """Return two of float64, shape (size,): the scores, and the share of the question that the words cover.

        Higher is better; scores are comparable only with each other.

        Args:
            query: What to look for.
            allowed: Which entries may be found; those that may not get minus infinity, and lend nothing.
        """
        words = self.lexical(query)
        if self._texts is None or self._words is None:
            return words if allowed is None else np.where(allowed, words, -np.inf), words
        asked = unit(self._words.text(query.read_as))
        half = _SEMANTIC_WEIGHT / 2
        cosines = (self._texts.entries @ asked).astype(np.float64)
        # In the first pass the entry as a whole stands for its sentences; only candidates are looked at closely.
        total = _even(words + 2 * half * cosines)
        if allowed is not None:
            total = np.where(allowed, total, -np.inf)
        near = best(total, _CANDIDATES)
        total[near] = _even(total[near] + half * (self._texts.best_sentence(near, asked) - cosines[near]))
        near = np.sort(best(total, _SMOOTHED))
        total[near] = _even(total[near] + _LENT * self._lent(near, total[near]))
        return total, words

    def lexical(self, query: Query) -> Scores:
        """Return the share of the question that each entry's words cover.

        BM25 over the most that the question's terms could give, (k1 + 1) * idf each: 0 when nothing matches, near 1
        when everything is there often. A term that is nowhere in the collection counts in full, so that a question
        in other words than the authors' leaves room for the part that goes by meaning.
        """
        found: _Found = []
        possible = 0.0
        for term in query.terms:
            most = self._add_as_one(found, term) if term.long_form or term.by_meaning else self._add(found, term)
            possible += term.weight * most if term.counted else 0.0
        if not found:
            return np.zeros(self._index.size)
        scores = self._index.summed(found)
        return scores / (self._index.most * possible) if possible else scores

    def parts(self, query: Query, entry: int) -> Mapping[str, float]:
        """Return what the score of *entry* is made of, by name, before its neighbours lend to it."""
        words = float(self.lexical(query)[entry])
        if self._texts is None or self._words is None:
            return {"words": words}
        asked = unit(self._words.text(query.read_as))
        sentence = float(self._texts.best_sentence(np.array([entry]), asked)[0])
        half = _SEMANTIC_WEIGHT / 2
        whole = float(self._texts.entries[entry] @ asked)
        return {"words": words, "meaning of the entry": half * whole, "meaning of a sentence": half * sentence}

    def _add(self, found: _Found, term: QueryTerm) -> float:
        """Add to *found* what *term* gives to which documents; return the idf it could have given."""
        for other, worth in term.matches.items():
            found.append((self._index.documents(other), term.weight * worth * self._index.weights(other)))
        return max((self._index.idf[other] for other in term.matches), default=self._index.lucene_idf(0))

    def _add_as_one(self, found: _Found, term: QueryTerm) -> float:
        """Take the matches for spellings of one idea: add their frequencies, and count the entries with any."""
        frequencies = np.zeros(self._index.size)
        for other, worth in term.matches.items():
            frequencies[self._index.documents(other)] += worth * self._index.frequencies(other)
        if term.long_form:
            frequencies += self._together(term.long_form)
        there = np.flatnonzero(frequencies).astype(np.int32)
        idf = self._index.lucene_idf(len(there))
        found.append((there, term.weight * idf * self._index.saturated(frequencies[there], there)))
        return self._index.lucene_idf(0) if term.by_meaning else idf

    def _together(self, terms: Sequence[str]) -> Scores:
        """Return how often all of *terms* can stand together in each entry: the least of their frequencies."""
        least = np.full(self._index.size, np.inf)
        for term in terms:
            there = np.zeros(self._index.size)
            there[self._index.documents(term)] = self._index.frequencies(term)
            np.minimum(least, there, out=least)
        return least

    def _lent(self, entries: NDArray[np.intp], own: Scores) -> Scores:
        """Return what the nearest neighbours of each of *entries* have, by nearness.

        Score regularisation as in Diaz, "Regularizing ad hoc retrieval scores" (CIKM 2005): entries about the same
        thing should score alike.
        """
        lenders = min(_LENDERS, len(entries) - 1)
        if lenders < 1 or self._texts is None:
            return np.zeros(len(entries))
        vectors = self._texts.entries[entries]
        alike = _even(np.maximum(vectors @ vectors.T, 0).astype(np.float64))
        np.fill_diagonal(alike, 0)
        lending = np.argsort(-alike, axis=1, kind="stable")[:, :lenders]  # among equally near ones the first
        nearness = np.take_along_axis(alike, lending, axis=1)
        return np.asarray((nearness * np.maximum(own, 0)[lending]).sum(axis=1) / _LENDERS, np.float64)


def _even(scores: Scores) -> Scores:
    """Return *scores* without the last digits, in which a matrix product of equal rows can differ by place."""
    return np.round(scores, _DECIMALS)


def best(scores: Scores, count: int) -> NDArray[np.intp]:
    """Return the numbers of the *count* highest scores, unordered; among equal ones the lowest numbers.

    What may not be found (minus infinity) is left out.
    """
    if count >= len(scores):
        return np.flatnonzero(np.isfinite(scores))
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)[: count - len(above)] if np.isfinite(least) else above[:0]
    return np.concatenate([above, equal])
