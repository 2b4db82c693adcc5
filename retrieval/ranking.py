"""The one place where the parts become a score.

score = share of the question that the entry's words cover
        + 0.4 * nearness in meaning, half of the whole entry, half of its best sentence
        + 0.3 * what its nearest neighbours among the best lend it

Figures for each part and each number, on every judged collection, are in docs/decisions/0002-ranking.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import Bm25Index, Scores, Weighed
from retrieval.index.parts import Parts
from retrieval.model import Query, QueryTerm
from retrieval.semantic import Floats, WordVectors, cosines, unit

__all__ = ["Ranker", "TextVectors", "best"]

_SEMANTIC_WEIGHT = 0.4
_CANDIDATES = 30  # entries whose sentences are compared with the question
_SMOOTHED = 20  # entries that lend each other score
_LENDERS = 5
_LENT = 0.3
_DECIMALS = 6
_ALL_BY_MEANING = 150_000  # entries; from here on reading all their vectors takes as long as the rest of an answer
_BY_WORDS_FIRST = 5_000
_READ = 256  # entries whose sentences are remembered, 10 KB each: those of a short list, or of one talk
_SPELLED = 32  # ideas in several spellings that are remembered: some acronyms are in every other question
_SPELLED_POSTINGS = 1 << 22  # at most 70 MB
_GROUPS = 16  # for each score that is wanted
_SMALLEST_GROUP = 4
_LOOKED_AT = 32  # of each group, from all over the collection
_SORTED = 8  # times as many as are wanted are not worth a partition


class TextVectors:
    """The vectors of a collection's texts, of length 1. Entries go by their number in the collection."""

    def __init__(self, parts: Parts) -> None:
        """Read the vectors of *parts*, which all have some."""
        self._parts = parts
        self._vectors = [segment.vectors for segment in parts.segments if segment.vectors is not None]
        listed = [numbers for numbers in parts.numbers if numbers is not None]
        self._alive = [numbers >= 0 if (numbers < 0).any() else slice(None) for numbers in listed]
        self._numbers = [numbers[alive] for numbers, alive in zip(listed, self._alive, strict=True)]
        self._sentences = lru_cache(maxsize=_READ)(self._read_sentences)

    def cosines(self, asked: Floats) -> Scores:
        """Return float64, shape (entries,): the cosine of each entry as a whole with *asked*."""
        listed = [cosines(vectors.entries, asked) for vectors in self._vectors]
        if self._parts.whole:
            return listed[0].astype(np.float64)
        found = np.zeros(self._parts.size)
        for numbers, alive, values in zip(self._numbers, self._alive, listed, strict=True):
            found[numbers] = values[alive]
        return found

    def of(self, numbers: NDArray[np.intp], asked: Floats) -> Scores:
        """Return float64, one for each of *numbers*: what `cosines` has for it."""
        return cosines(self.entries(numbers), asked).astype(np.float64)

    def entries(self, numbers: NDArray[np.intp]) -> Floats:
        """Return float32, one row for each of *numbers*: the vector of the entry as a whole."""
        return self._gathered([vectors.entries for vectors in self._vectors], numbers)

    def best_sentence(self, numbers: NDArray[np.intp], asked: Floats) -> Floats:
        """Return, for each of *numbers*, the cosine of its sentence (or title) nearest to *asked*."""
        if not len(numbers):
            return np.zeros(0, np.float32)
        rows = [self._sentences(number) for number in numbers.tolist()]
        lengths = np.array([len(listed) for listed in rows])
        return np.maximum.reduceat(cosines(np.concatenate(rows), asked), np.cumsum(lengths) - lengths)

    def _read_sentences(self, number: int) -> Floats:
        owner, row = self._parts.owner(number)
        vectors = self._vectors[owner]
        return vectors.sentences[vectors.starts[row] : vectors.starts[row + 1]].astype(np.float32)

    def _gathered(self, columns: Sequence[Floats], numbers: NDArray[np.intp]) -> Floats:
        if self._parts.places is None:
            return columns[0][numbers]
        owners, rows = (column[numbers] for column in self._parts.places)
        found = np.zeros((len(numbers), columns[0].shape[1]), np.float32)
        for at, column in enumerate(columns):
            found[owners == at] = column[rows[owners == at]]
        return found


class Ranker:
    """Score entries for a question. Entries go by their number in the collection."""

    def __init__(self, index: Bm25Index, texts: TextVectors | None, words: WordVectors | None) -> None:
        """Score with *index*, and by meaning with the vectors of *texts* and *words*, if there are any."""
        self._index = index
        self._texts = texts
        self._words = words
        self._as_one = lru_cache(maxsize=min(_SPELLED, _SPELLED_POSTINGS // max(index.size, 1)))(self._weighed_as_one)

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
        cosines = self._cosines(self._texts, asked, words, allowed)
        # In the first pass the entry as a whole stands for its sentences; only candidates are looked at closely.
        total = _even(words + 2 * half * cosines)
        if allowed is not None:
            total = np.where(allowed, total, -np.inf)
        near = best(total, _CANDIDATES)
        total[near] = _even(total[near] + half * (self._texts.best_sentence(near, asked) - cosines[near]))
        near = np.sort(best(total, _SMOOTHED))
        total[near] = _even(total[near] + _LENT * self._lent(near, total[near]))
        return total, words

    def _cosines(self, texts: TextVectors, asked: Floats, words: Scores, allowed: NDArray[np.bool_] | None) -> Scores:
        """Return float64, shape (size,): the cosine of each entry as a whole with *asked*.

        Where looking at all would take longer than everything else, only those get one that the words put first; for a
        question in other words than any entry's that is no choice, and all of them do.
        """
        if self._index.size <= _ALL_BY_MEANING or not words.any():
            return texts.cosines(asked)
        near = best(words if allowed is None else np.where(allowed, words, -np.inf), _BY_WORDS_FIRST)
        found = np.zeros(self._index.size)
        found[near] = texts.of(near, asked)
        return found

    def lexical(self, query: Query) -> Scores:
        """Return the share of the question that each entry's words cover.

        BM25 over the most that the question's terms could give, (k1 + 1) * idf each: 0 when nothing matches, near 1
        when everything is there often. A term that is nowhere in the collection counts in full, so that a question
        in other words than the authors' leaves room for the part that goes by meaning.
        """
        found: list[Weighed] = []
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
        whole = float(self._texts.cosines(asked)[entry])
        return {"words": words, "meaning of the entry": half * whole, "meaning of a sentence": half * sentence}

    def _add(self, found: list[Weighed], term: QueryTerm) -> float:
        """Add to *found* what *term* gives to which documents; return the idf it could have given."""
        for other, worth in term.matches.items():
            documents, weights = self._index.weighed(other)
            found.append((documents, term.weight * worth * weights))
        return max((self._index.idf(other) for other in term.matches), default=self._index.lucene_idf(0))

    def _add_as_one(self, found: list[Weighed], term: QueryTerm) -> float:
        """Take the matches for spellings of one idea: add their frequencies, and count the entries with any."""
        documents, weights = self._as_one(tuple(term.matches.items()), term.long_form)
        found.append((documents, term.weight * weights))
        return self._index.lucene_idf(0 if term.by_meaning else len(documents))

    def _weighed_as_one(
        self, matches: Sequence[tuple[str, float]], long_form: Sequence[str]
    ) -> tuple[NDArray[np.intp], Scores]:
        """Return which entries have any of the spellings, and what that gives each."""
        frequencies = np.zeros(self._index.size)
        for other, worth in matches:
            frequencies[self._index.documents(other)] += worth * self._index.frequencies(other)
        if long_form:
            together, times = self._together(long_form)
            frequencies[together] += times
        there = np.flatnonzero(frequencies)
        return there, self._index.lucene_idf(len(there)) * self._index.saturated(frequencies[there], there)

    def _together(self, terms: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return which entries have all of *terms*, and how often these can stand together in each.

        As often as the one of them that is there least often.
        """
        listed = [(self._index.documents(term), self._index.frequencies(term)) for term in terms]
        (there, least), *others = sorted(listed, key=lambda found: len(found[0]))
        for documents, frequencies in others:
            every = np.zeros(self._index.size, np.int32)
            every[documents] = frequencies
            least = np.minimum(least, every[there])
        return there[least > 0], least[least > 0]

    def _lent(self, entries: NDArray[np.intp], own: Scores) -> Scores:
        """Return what the nearest neighbours of each of *entries* have, by nearness.

        Score regularisation as in Diaz, "Regularizing ad hoc retrieval scores" (CIKM 2005): entries about the same
        thing should score alike.
        """
        lenders = min(_LENDERS, len(entries) - 1)
        if lenders < 1 or self._texts is None:
            return np.zeros(len(entries))
        vectors = self._texts.entries(entries)
        alike = _even(np.maximum(vectors @ vectors.T, 0).astype(np.float64))
        np.fill_diagonal(alike, 0)
        lending = np.argsort(-alike, axis=1, kind="stable")[:, :lenders]  # among equally near ones the first
        nearness = np.take_along_axis(alike, lending, axis=1)
        return np.asarray((nearness * np.maximum(own, 0)[lending]).sum(axis=1) / _LENDERS, np.float64)


def _even(scores: Scores) -> Scores:
    """Return *scores* without the last digits, in which a matrix product of equal rows can differ by place."""
    return np.round(scores, _DECIMALS)


def best(scores: Scores, count: int) -> NDArray[np.intp]:
    """Return the numbers of the *count* highest scores, best first; equal ones by number.

    What may not be found (minus infinity) is left out.
    """
    bound = _at_most_the_last_of_best(scores, count)
    high = (scores > bound).nonzero()[0]
    if len(high) < count and np.isfinite(bound):
        # A partition of scores most of which are equal takes ten times longer than one of others.
        equal = (scores == bound).nonzero()[0]
        high = np.concatenate([high, equal[: count - len(high)]])
    elif len(high) > _SORTED * count:
        found = scores[high]
        least = np.partition(found, len(found) - count)[len(found) - count]
        above, equal = high[found > least], high[found == least]
        high = np.concatenate([above, equal[: count - len(above)]])
    return high[(-scores[high]).argsort(kind="stable")[:count]]


def _at_most_the_last_of_best(scores: Scores, count: int) -> float:
    """Return a number that at least *count* of *scores* reach, and few more where they come in no order.

    They are dealt out to groups, so that as many groups as have a member that reaches it prove as many scores. To find
    the highest of some of each group costs a fraction of a partition of them all.
    """
    groups = min(_GROUPS * count, len(scores) // _SMALLEST_GROUP)
    if groups < count:
        return -np.inf
    size = len(scores) // groups
    rounds = scores[: groups * size].reshape(size, groups)
    highest = np.maximum.reduce(rounds[:: max(size // _LOOKED_AT, 1)])
    highest.partition(groups - count)
    return float(highest[groups - count])
