"""A collection's text as numbers: taken apart once, for everything that is built from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.collection import Collection
from retrieval.text.analysis import Token, chunk_tokens, chunks

__all__ = ["Corpus", "read_corpus"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts of a collection: of each entry its sentences in order, then its title.

    Attributes:
        chunks: The different chunks (see `retrieval.text.analysis.chunks`), the rarest first; they go by number.
        tokens: Of each chunk.
        stream: The chunks of all texts, one after the other.
        texts: Where each text begins in `stream`; one more at the end.
        entries: Which text is the first of each entry; one more at the end.
        titled: Whether each entry's title was published; one that was derived is not indexed.
    """

    chunks: Sequence[str]
    tokens: Sequence[tuple[Token, ...]]
    stream: NDArray[np.int32]
    texts: NDArray[np.int64]
    entries: NDArray[np.int64]
    titled: NDArray[np.bool_]

    def documents(self, *, title_repeats: int) -> Iterator[list[str]]:
        """Yield the terms of each entry, those of its title *title_repeats* times."""
        terms = [tuple(token.term for token in listed) for listed in self.tokens]
        for number, titled in enumerate(self.titled):
            body, title = self._chunks_of(number)
            listed = title.tolist() * title_repeats if titled else []
            yield [term for chunk in (*listed, *body.tolist()) for term in terms[chunk]]

    def counts(self) -> list[int]:
        """Return how often each chunk is written, derived titles left out."""
        counts = np.bincount(self.stream, minlength=len(self.chunks))
        for number in np.flatnonzero(~self.titled):
            np.subtract.at(counts, self._chunks_of(int(number))[1], 1)
        return [int(count) for count in counts]

    def _chunks_of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the chunks of an entry's sentences, and of its title."""
        first, title, end = (self.texts[self.entries[number + at] - back] for at, back in ((0, 0), (1, 1), (1, 0)))
        return self.stream[first:title], self.stream[title:end]


def read_corpus(collection: Collection) -> Corpus:
    """Take the texts of *collection* apart."""
    numbers: dict[str, int] = {}
    streams: list[NDArray[np.int32]] = []
    lengths, counts = [0], [0]
    for number, entry in enumerate(collection):
        texts = [chunks(text) for text in (*collection.sentences(number), entry.title)]
        streams.append(np.array([numbers.setdefault(c, len(numbers)) for text in texts for c in text], np.int32))
        lengths += map(len, texts)
        counts.append(len(texts))
    stream = np.concatenate(streams)
    order = np.argsort(np.bincount(stream, minlength=len(numbers)), kind="stable")
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    seen = list(numbers)
    listed = [seen[number] for number in order]
    return Corpus(
        listed,
        # What remembers the last that it was asked for keeps the most frequent, which questions meet.
        [chunk_tokens(chunk) for chunk in listed],
        places[stream],
        np.cumsum(lengths),
        np.cumsum(counts),
        np.array([not entry.title_derived for entry in collection]),
    )
