"""Where the terms of a collection point in meaning: each where its words do, the more written the more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.index.parts import Parts
from retrieval.index.segment import Segment, padded
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts, added
from retrieval.semantic import Floats, WordVectors, unit
from retrieval.text.analysis import stem

__all__ = ["TermVectors", "vectors_of_terms"]


def vectors_of_terms(terms: Strings, words: Counts, vectors: WordVectors) -> Floats:
    """Return the `term_vectors` of a segment with these *terms* and *words*."""
    return _pointing(terms, ((word, numbers[0]) for word, numbers in words.items()), vectors)


class TermVectors:
    """The vectors of all terms, for a question's word that is none of them.

    Those of the largest segment are at hand; for terms whose words are counted elsewhere too they are worked out when
    first asked for.
    """

    def __init__(self, parts: Parts, vectors: WordVectors, knows: Callable[[str], bool]) -> None:
        """Read the terms of *parts*; *knows* tells whether one is still indexed."""
        self._parts = parts
        self._vectors = vectors
        self._knows = knows

    def near(self, word: str, *, least: float, count: int) -> list[tuple[str, float]]:
        """Return the *count* terms nearest to *word*, with their cosines of at least *least*; ties by spelling."""
        asked = unit(self._vectors.of([word]))[0]
        found: list[tuple[str, float]] = []
        if self._base is not None and self._base.term_vectors is not None:
            terms, nearness = self._base.postings.terms, self._base.term_vectors @ asked
            nearness[self._stale] = 0
            found += [(terms[n], float(nearness[n])) for n in np.flatnonzero(nearness >= least).tolist()]
        fresh, rows = self._fresh
        nearness = rows @ asked
        found += [(fresh[n], float(nearness[n])) for n in np.flatnonzero(nearness >= least).tolist()]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:count]

    @cached_property
    def _base(self) -> Segment | None:
        having = [segment for segment in self._parts.segments if segment.term_vectors is not None]
        return max(having, key=len, default=None)

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The terms that are not only counted by the base."""
        listed: set[str] = set()
        for part in self._parts.parts:
            if part.segment is not self._base:
                listed.update(part.segment.words.keys)
            listed.update(part.gone_words)
        return frozenset(map(stem, listed))

    @cached_property
    def _stale(self) -> NDArray[np.intp]:
        """The rows of the base that stand for changed terms."""
        places = (self._base.postings.terms.find(term) for term in self._changed) if self._base else iter(())
        return np.array(sorted(place for place in places if place >= 0), np.intp)

    @cached_property
    def _fresh(self) -> tuple[Sequence[str], Floats]:
        """The changed terms, and their vectors."""
        terms = sorted(term for term in self._changed if self._knows(term))
        return terms, _pointing(terms, self._words_of(frozenset(terms)), self._vectors)

    def _words_of(self, terms: frozenset[str]) -> Iterable[tuple[str, int]]:
        """Return the words of *terms*, ascending, with how often each is written as a word of its own."""
        if not terms:
            return []
        counts: list[Iterable[tuple[str, tuple[int, ...]]]] = []
        signs = []
        for part in self._parts.parts:
            counts += [_of_terms(part.segment, terms), part.gone_words.items()]
            signs += [1, -1]
        return ((word, numbers[0]) for word, numbers in sorted(added(counts, signs).items()) if stem(word) in terms)


def _of_terms(segment: Segment, terms: frozenset[str]) -> Iterable[tuple[str, tuple[int, ...]]]:
    return ((word, numbers) for word, numbers in segment.words.items() if stem(word) in terms)


def _pointing(terms: Sequence[str], words: Iterable[tuple[str, int]], vectors: WordVectors) -> Floats:
    """Return float32, a row for each of *terms*, padded; *words* ascend, so that equal sums round alike."""
    numbers: Mapping[str, int] = {term: number for number, term in enumerate(terms)}
    listed = [
        (number, word, count) for word, count in words if count and (number := numbers.get(stem(word))) is not None
    ]
    rows = np.zeros((len(numbers), vectors.dimensions), np.float32)
    if listed:
        weighed = unit(vectors.of([word for _, word, _ in listed]))
        weighed *= np.array([[count] for *_, count in listed], np.float32)
        np.add.at(rows, [number for number, *_ in listed], weighed)
    return padded(unit(rows))
