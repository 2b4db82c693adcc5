"""An entry's text for everything that looks at it closely, with the vectors of its sentences and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.semantic import Floats, WordVectors, unit

__all__ = ["EntryText"]


@dataclass(frozen=True)  # cached properties need a dictionary, so no slots
class EntryText:
    """The title, name and sentences of an entry, with their terms and word pieces.

    Attributes:
        entry_id: Whose text this is.
        title: As published; empty when it was derived from the abstract.
        name: What the authors call their system; empty when unknown.
        called: The terms that the authors call their work by (see `retrieval.ownnames`).
        sentences: At least one.
        listed_terms: The different terms of title and name, then of each sentence.
        listed_pieces: The numbers of the word pieces of title and name, of the same in lower case, of each sentence,
            and of each different word of all these; none without word vectors.
        lengths: How many pieces each of these has.
        vectors: Of the pieces; None leaves them out.
    """

    entry_id: str
    title: str
    name: str
    called: Sequence[str]
    sentences: tuple[str, ...]
    listed_terms: Sequence[Sequence[str]]
    listed_pieces: NDArray[np.intp]
    lengths: NDArray[np.intp]
    vectors: WordVectors | None

    @cached_property
    def heading(self) -> frozenset[str]:
        """The terms of title and name."""
        return frozenset(self.listed_terms[0])

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """The terms of each sentence."""
        return tuple(map(frozenset, self.listed_terms[1:]))

    @property
    def title_pieces(self) -> NDArray[np.intp]:
        """The pieces of title and name, as written and in lower case."""
        return self.listed_pieces[: self.lengths[:2].sum()]

    @cached_property
    def words(self) -> Floats:
        """float32, one row for each different word, of length 1; no row without word vectors."""
        if self.vectors is None:
            return np.zeros((0, 1), np.float32)
        texts = len(self.sentences) + 2
        return unit(self.vectors.sums(self.listed_pieces[self.lengths[:texts].sum() :], self.lengths[texts:]))

    @cached_property
    def rows(self) -> Floats:
        """float32, one row for each different piece of the sentences and the title. Needs word vectors."""
        return _needed(self.vectors).rows(self._numbered[0])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each sentence, a row, has each of the pieces of `rows`, a column."""
        return self._numbered[1][1:]

    @cached_property
    def pooled(self) -> Floats:
        """float32, one row a sentence: its pooled vector. One column of zeros without word vectors."""
        if self.vectors is None:
            return np.zeros((len(self.sentences), 1), np.float32)
        weights = self._weights[1:]
        return np.asarray(weights @ self.rows / weights.sum(axis=1, keepdims=True), np.float32)

    @cached_property
    def whole(self) -> Floats:
        """float32: the pooled vector of sentences and title together. Needs word vectors."""
        weights = self._weights.sum(axis=0)
        return np.asarray(weights @ self.rows / weights.sum(), np.float32)

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """The different pieces, ascending, and how often title and name, the first row, and each sentence have them."""
        as_written = np.delete(self.lengths[: len(self.sentences) + 2], 1)
        folded = slice(self.lengths[0], self.lengths[:2].sum())
        pieces = np.delete(self.listed_pieces[: as_written.sum() + self.lengths[1]], folded)
        different, columns = np.unique(pieces, return_inverse=True)
        rows = np.repeat(np.arange(len(as_written)), as_written)
        cells = np.bincount(rows * len(different) + columns, minlength=len(as_written) * len(different))
        return different, cells.reshape(len(as_written), len(different))

    @cached_property
    def _weights(self) -> Floats:
        different, counts = self._numbered
        return np.asarray(counts * _needed(self.vectors).commonness[different], np.float32)


def _needed(vectors: WordVectors | None) -> WordVectors:
    if vectors is None:
        raise RuntimeError("there are no word vectors")  # unreachable: who asks for rows looks first
    return vectors
