"""Where texts point in meaning: each the sum of its content words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrieval.corpus import Corpus
from retrieval.index.segment import EntryVectors
from retrieval.semantic import Floats, WordVectors, unit
from retrieval.text.analysis import words_of_tokens

__all__ = ["text_vectors"]

_ENTRIES_AT_ONCE = 16  # their words stay in the cache of a core
_TITLE_IN_VECTOR = 2  # a title's words count as if they stood there twice


def text_vectors(corpus: Corpus, vectors: WordVectors) -> EntryVectors:
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
    return EntryVectors(entries, sentences, starts)


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
