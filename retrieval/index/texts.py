"""Texts taken apart beforehand: what a close look at an entry needs of each sentence, and where to look for phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from retrieval.collection import Collection
from retrieval.corpus import Corpus
from retrieval.index.strings import Strings
from retrieval.ownnames import own_names
from retrieval.semantic import WordVectors
from retrieval.text.analysis import chunk_tokens, chunks
from retrieval.text.phrases import in_singular

__all__ = ["Texts", "read_texts"]

_BETWEEN_TERMS, _BETWEEN_TEXTS = "\t", "\n"  # in no term, however it was folded
_END = np.iinfo(np.uint16).max  # of a list of pieces, whose numbers are those of a vocabulary half as large
_ENTRIES_AT_ONCE = 1_024


@dataclass(frozen=True, slots=True)
class Texts:
    """The heading of each entry, which is its published title and its system's name, then its sentences.

    Attributes:
        singular: For each entry its title and abstract as `retrieval.text.phrases` has them, to look for phrases in.
        terms: For each entry the different terms of its texts, and those that its authors call their work by.
        pieces: uint16, for each entry the word pieces of its heading, of the same in lower case, of each sentence, and
            of each different word of all these; the highest number there is ends each of these lists. None at all
            without word vectors.
        starts: int64, where an entry's pieces begin; one more at the end.
    """

    singular: Strings
    terms: Strings
    pieces: NDArray[np.uint16]
    starts: NDArray[np.int64]

    def terms_of(self, row: int) -> tuple[list[list[str]], list[str]]:
        """Return the different terms of the heading and of each sentence of the entry at *row*, and its own names."""
        *listed, called = (text.split(_BETWEEN_TERMS) if text else [] for text in self.terms[row].split(_BETWEEN_TEXTS))
        return listed, called

    def pieces_of(self, row: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pieces of all lists of the entry at *row*, one after the other, and how many each list has."""
        listed = self.pieces[self.starts[row] : self.starts[row + 1]]
        is_end = listed == _END
        return listed[~is_end].astype(np.intp), np.diff(is_end.nonzero()[0], prepend=-1) - 1


def read_texts(collection: Collection, corpus: Corpus, vectors: WordVectors | None) -> Texts:
    """Return the texts of *collection*, of which *corpus* was read; *vectors* know the word pieces."""
    terms: list[str] = []
    pieces = [np.zeros(0, np.uint16)]
    batch: list[_Read] = []
    for read in _read(collection, corpus):
        terms.append(_BETWEEN_TEXTS.join(map(_BETWEEN_TERMS.join, (*read.words, read.called))))
        batch.append(read)
        if vectors is not None and (len(batch) == _ENTRIES_AT_ONCE or len(terms) == len(collection)):
            pieces += _pieces(batch, vectors)
            batch = []
    lengths = [len(listed) for listed in pieces] if vectors is not None else [0] * (len(collection) + 1)
    singular = Strings.of(in_singular([entry.title, entry.abstract]) for entry in collection)
    return Texts(singular, Strings.of(terms), np.concatenate(pieces), np.cumsum(lengths, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class _Read:
    """An entry's heading and sentences, the terms of each with the last word that stands for them, its own names."""

    texts: tuple[str, ...]
    words: Sequence[Mapping[str, str]]
    called: Sequence[str]

    @property
    def different_words(self) -> list[str]:
        return list({term: word for words in self.words for term, word in words.items()}.values())


def _read(collection: Collection, corpus: Corpus) -> Iterator[_Read]:
    pairs = [tuple((token.term, token.word) for token in tokens) for tokens in corpus.tokens]
    stream, texts = corpus.stream.tolist(), corpus.texts.tolist()
    for row, entry in enumerate(collection):
        published, name = "" if entry.title_derived else entry.title, entry.name or ""
        sentences = collection.sentences(row)
        heading = f"{published} {name}".strip()
        first, title = int(corpus.entries[row]), int(corpus.entries[row + 1]) - 1
        chunk_pairs = [map(pairs.__getitem__, stream[texts[at] : texts[at + 1]]) for at in range(first, title)]
        heading_pairs = [(token.term, token.word) for chunk in chunks(heading) for token in chunk_tokens(chunk)]
        words = [dict(heading_pairs), *(dict(chain.from_iterable(listed)) for listed in chunk_pairs)]
        yield _Read((heading, heading.lower(), *sentences), words, sorted(own_names(published, name, sentences)))


def _pieces(batch: Sequence[_Read], vectors: WordVectors) -> Iterator[NDArray[np.uint16]]:
    of_texts = iter(vectors.pieces([text for read in batch for text in read.texts]))
    words = [read.different_words for read in batch]
    different = list(dict.fromkeys(chain.from_iterable(words)))
    of_word = dict(zip(different, vectors.pieces(different), strict=True))
    for read, own in zip(batch, words, strict=True):
        flat: list[int] = []
        for listed in chain(islice(of_texts, len(read.texts)), map(of_word.__getitem__, own)):
            flat += listed
            flat.append(_END)
        yield np.array(flat, np.uint16)
