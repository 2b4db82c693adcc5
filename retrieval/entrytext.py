"""An entry's text taken apart once, for everything that looks at it closely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from retrieval.semantic import Floats, WordVectors
from retrieval.text.analysis import chunk_tokens, chunks

__all__ = ["EntryText"]


@dataclass(frozen=True)  # cached properties need a dictionary, so no slots
class EntryText:
    """The title, name and sentences of an entry; their terms and word pieces are found when first asked for.

    Attributes:
        entry_id: Whose text this is.
        title: As published; empty when it was derived from the abstract.
        name: What the authors call their system; empty when unknown.
        sentences: At least one.
        vectors: What takes texts apart into word pieces; None leaves them out.
    """

    entry_id: str
    title: str
    name: str
    sentences: tuple[str, ...]
    vectors: WordVectors | None

    @cached_property
    def heading_words(self) -> Mapping[str, str]:
        """The terms of title and name, each with the last of the folded words that stand for it."""
        return _words(self._heading)

    @cached_property
    def words(self) -> tuple[Mapping[str, str], ...]:
        """The same of each sentence."""
        return tuple(map(_words, self.sentences))

    @property
    def title_pieces(self) -> Sequence[int]:
        """Numbers of the word pieces of title and name as written; empty without word vectors."""
        return self._pieces[0]

    @property
    def folded_title_pieces(self) -> Sequence[int]:
        """The same in lower case."""
        return self._pieces[1]

    @property
    def pieces(self) -> Sequence[Sequence[int]]:
        """The same of each sentence, as written."""
        return self._pieces[2:]

    @cached_property
    def rows(self) -> Floats:
        """float32, one row for each different piece of the sentences and the title. Needs word vectors."""
        return _needed(self.vectors).rows(self._numbered[0])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each sentence, a row, has each of the pieces of `rows`, a column."""
        return self._numbered[1][:-1]

    @cached_property
    def pooled(self) -> Floats:
        """float32, one row a sentence: its pooled vector. One column of zeros without word vectors."""
        if self.vectors is None:
            return np.zeros((len(self.sentences), 1), np.float32)
        weights = self._weights[:-1]
        return np.asarray(weights @ self.rows / weights.sum(axis=1, keepdims=True), np.float32)

    @cached_property
    def whole(self) -> Floats:
        """float32: the pooled vector of sentences and title together. Needs word vectors."""
        weights = self._weights.sum(axis=0)
        return np.asarray(weights @ self.rows / weights.sum(), np.float32)

    @property
    def _heading(self) -> str:
        return f"{self.title} {self.name}".strip()

    @cached_property
    def _pieces(self) -> Sequence[Sequence[int]]:
        texts = [self._heading, self._heading.lower(), *self.sentences]
        return [()] * len(texts) if self.vectors is None else self.vectors.pieces(texts)

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The different pieces, ascending, and how often each sentence has them; the title's row is the last."""
        texts = (*self.pieces, self.title_pieces)
        different, columns = np.unique(np.fromiter(chain.from_iterable(texts), np.int64), return_inverse=True)
        rows = np.repeat(np.arange(len(texts)), [len(pieces) for pieces in texts])
        cells = np.bincount(rows * len(different) + columns, minlength=len(texts) * len(different))
        return different, cells.reshape(len(texts), len(different))

    @cached_property
    def _weights(self) -> Floats:
        different, counts = self._numbered
        return np.asarray(counts * _needed(self.vectors).commonness[different], np.float32)


def _words(text: str) -> dict[str, str]:
    return {token.term: token.word for chunk in chunks(text) for token in chunk_tokens(chunk)}


def _needed(vectors: WordVectors | None) -> WordVectors:
    if vectors is None:
        raise RuntimeError("there are no word vectors")  # unreachable: who asks for rows looks first
    return vectors
