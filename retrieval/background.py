"""What general English knows without the collection: how rare a word is, what it is like, what else there is to ask."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from retrieval.entrytext import EntryText
from retrieval.questionwords import ASKING, DETAILS, GENERAL, TECHNICAL
from retrieval.semantic import Floats, WordVectors, unit
from retrieval.subjects import SUBJECTS
from retrieval.text.analysis import content_words, terms

__all__ = ["Background"]

_LAST_OF_VOCABULARY = 1.0
_RARER_BY_PIECE = 0.1
_RAREST = 1.3


class Background:
    """Background knowledge, from the word vectors; without them every word is as rare as any other and unlike it."""

    def __init__(self, vectors: WordVectors | None) -> None:
        """Prepare the word lists and the vectors of the subjects."""
        self._vectors = vectors
        self.asking, self.general, self.details, self.technical = (
            frozenset(terms(text)) for text in (ASKING, GENERAL, DETAILS, TECHNICAL)
        )
        self.rarity = lru_cache(maxsize=1 << 16)(self._rarity)
        self.in_pieces = lru_cache(maxsize=1 << 16)(self._in_pieces)  # no word of the vocabulary
        self._subjects = self.pooled(SUBJECTS)

    def pooled(self, texts: Sequence[str]) -> Floats:
        """Return float32, one row for each of *texts*: its vector without what all texts share, of length 1."""
        if self._vectors is None:
            return np.zeros((len(texts), 1), np.float32)
        return self.residual(np.stack([self._vectors.pooled(pieces) for pieces in self._vectors.pieces(texts)]))

    def question(self, text: str) -> Floats:
        """Return the vector of the content of a question; of the whole, when it has none."""
        (vector,) = self.pooled([" ".join(content_words(text)) or text])
        return np.asarray(vector, np.float32)

    def document(self, text: EntryText) -> Floats:
        """Return the vector of an entry as a whole, without what all texts share, of length 1."""
        if self._vectors is None:
            return np.zeros(1, np.float32)
        return self.residual(text.whole)

    def residual(self, vectors: Floats) -> Floats:
        """Return *vectors*, one or one a row, without the direction that all texts share, of length 1."""
        if self._vectors is None:
            return vectors
        common = self._vectors.common
        return unit(vectors - (vectors @ common)[..., None] * common)

    def words(self, words: Sequence[str]) -> Floats:
        """Return float32, one row for each of *words*: the mean of its pieces, of length 1."""
        # A sum has the direction of the mean, and only that counts.
        return np.zeros((len(words), 1), np.float32) if self._vectors is None else unit(self._vectors.of(words))

    def elsewhere(self, question: Floats) -> float:
        """Return the cosine of *question* with the nearest subject that is not the collection's."""
        return float((self._subjects @ question).max())

    def is_strange(self, word: str) -> bool:
        """Tell whether *word* is so far from the vocabulary that nobody but the authors would use it."""
        return self.rarity(word) > _LAST_OF_VOCABULARY

    def _rarity(self, word: str) -> float:
        """Return how rare *word* is in English: 0 the commonest, 1 the last of 30,000, more when it has no piece."""
        if self._vectors is None:
            return _LAST_OF_VOCABULARY
        pieces = self._vectors.pieces([word.lower()])[0]
        if len(pieces) == 1:
            return self._vectors.log_rank(pieces[0])
        return min(_LAST_OF_VOCABULARY + _RARER_BY_PIECE * (len(pieces) - 2), _RAREST) if pieces else 0.0

    def _in_pieces(self, word: str) -> bool:
        return self._vectors is not None and len(self._vectors.pieces([word.lower()])[0]) > 1
