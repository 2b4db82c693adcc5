"""Where the terms of a collection point in meaning: each where its words do, the more written the more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from retrieval.index.parts import Parts
from retrieval.index.segment import Segment
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts, added
from retrieval.semantic import Floats, WordVectors, cosines, unit
from retrieval.text.analysis import stem

__all__ = ["TermVectors", "vectors_of_terms"]

_WORDS_AT_ONCE = 1 << 14
_REMEMBERED = 1_024


def vectors_of_terms(terms: Strings, words: Counts, vectors: WordVectors) -> tuple[Floats, NDArray[np.int32]]:
    """Return the `term_vectors` and `word_terms` of a segment with these *terms* and *words*."""
    numbers = {term: number for number, term in enumerate(terms)}
    owners = np.fromiter((numbers.get(stem(word), -1) for word in words.keys), np.int32, len(words.keys))
    return _pointing(list(words.keys), owners, words.numbers[:, 0], len(terms), vectors), owners


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
        self.near = lru_cache(maxsize=_REMEMBERED)(self._near)  # a talk comes back to its words

    def _near(self, word: str, *, least: float, count: int) -> tuple[tuple[str, float], ...]:
        """Return the *count* terms nearest to *word*, with their cosines of at least *least*; ties by spelling."""
        asked = unit(self._vectors.of([word]))[0]
        found: list[tuple[str, float]] = []
        if self._base is not None and self._base.term_vectors is not None:
            alike = cosines(self._base.term_vectors, asked)
            alike[self._stale] = 0
            found += _named(self._base.postings.terms, alike, least)
        fresh, rows = self._fresh
        found += _named(fresh, cosines(rows, asked), least)
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0]))[:count])

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
        numbers = {term: number for number, term in enumerate(terms)}
        words = sorted(self._words().items())
        owners = np.array([numbers.get(stem(word), -1) for word, _ in words], np.int32)
        counts = np.array([count for _, (count, _) in words], np.int64)
        return terms, _pointing([word for word, _ in words], owners, counts, len(terms), self._vectors)

    def _words(self) -> dict[str, tuple[int, ...]]:
        """Return the words of the changed terms, and others, with how often each is written."""
        counts: list[Iterable[tuple[str, tuple[int, ...]]]] = []
        for part in self._parts.parts:
            counts += [self._of_changed(part.segment), part.gone_words.items()]
        return added(counts, (1, -1) * len(self._parts.parts))

    def _of_changed(self, segment: Segment) -> Iterable[tuple[str, tuple[int, ...]]]:
        if segment is not self._base or segment.word_terms is None:
            return segment.words.items()
        words = segment.words
        places = np.flatnonzero(np.isin(segment.word_terms, self._stale)).tolist()
        return [(words.keys[place], tuple(words.numbers[place].tolist())) for place in places]


def _named(terms: Sequence[str], alike: Floats, least: float) -> list[tuple[str, float]]:
    return [(terms[n], float(alike[n])) for n in np.flatnonzero(alike >= least).tolist()]


def _pointing(
    words: Sequence[str], owners: NDArray[np.int32], counts: NDArray[np.int64], size: int, vectors: WordVectors
) -> Floats:
    """Return float32: a row for each of *size* terms, the sum of its words' by how often they are written.

    The *words* ascend, so that equal sums round alike wherever they come from; *owners* says whose each is.
    """
    rows = np.zeros((size, vectors.dimensions), np.float32)
    counted = np.flatnonzero((owners >= 0) & (counts > 0))
    for first in range(0, len(counted), _WORDS_AT_ONCE):
        places = counted[first : first + _WORDS_AT_ONCE]
        weighed = unit(vectors.of([words[place] for place in places.tolist()]))
        weighed *= counts[places].astype(np.float32)[:, None]
        np.add.at(rows, owners[places], weighed)
    return unit(rows)
