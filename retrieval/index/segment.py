"""A set of entries compiled: everything that a search needs of them, in columns. Never changed once it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.index.arrayfile import Arrays
from retrieval.index.postings import Postings
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts, Keyed
from retrieval.index.texts import Texts
from retrieval.semantic import Floats

__all__ = ["BULKY", "EntryVectors", "Segment"]

BULKY = frozenset(
    "records bounds entry_vectors sentence_vectors term_vectors text_singular text_terms text_pieces".split()
)
"""The arrays of which a search looks at a few places only."""


@dataclass(frozen=True, slots=True)
class EntryVectors:
    """The vectors of the entries' texts, of length 1.

    Attributes:
        entries: float32, one row an entry.
        sentences: float16, the sentences of each entry in order, then its title.
        starts: int64, where an entry's sentences begin; one more at the end.
    """

    entries: Floats
    sentences: NDArray[np.float16]
    starts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Segment:
    """Entries, which go by their row, in columns.

    Attributes:
        ids: Ascending.
        records: Each entry as `retrieval.index.records` writes it.
        digests: uint8, shape (entries, 16), of each entry's text.
        bounds: int32, start and end in turn of each sentence in its abstract.
        bound_starts: int64, where those of each entry begin; one more at the end.
        keys: What entries are looked up by: names, venues, years, authors, keywords, code (see `retrieval.index.keys`).
        words: How often each folded word is written: as one word of its own, and as any but a part of another.
        forms: How often each definition of an acronym is given (see `retrieval.index.acronyms`).
        postings: The terms of each entry.
        texts: The terms and word pieces of each of their sentences, and their texts in the singular.
        vectors: None where words alone decide.
        term_vectors: float32, one row a term of the postings: where it points in meaning, by the words of this segment
            alone; None where that was not worked out.
        word_terms: int32, the row in `term_vectors` of each of `words`, -1 for none; None where they are.
    """

    ids: Strings
    records: Strings
    digests: NDArray[np.uint8]
    bounds: NDArray[np.int32]
    bound_starts: NDArray[np.int64]
    keys: Keyed
    words: Counts
    forms: Counts
    postings: Postings
    texts: Texts
    vectors: EntryVectors | None
    term_vectors: Floats | None = None
    word_terms: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def columns(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield every array with its name; `from_arrays` takes them back."""
        yield from _text("ids", self.ids)
        yield from _text("records", self.records)
        yield "digests", self.digests
        yield "bounds", self.bounds
        yield "bounds_starts", self.bound_starts
        yield from self.columns_of(keys=self.keys, words=self.words, forms=self.forms, postings=self.postings)
        yield from _text("text_singular", self.texts.singular)
        yield from _text("text_terms", self.texts.terms)
        yield "text_pieces", self.texts.pieces
        yield "text_pieces_starts", self.texts.starts
        if self.vectors is not None:
            yield "entry_vectors", self.vectors.entries
            yield "sentence_vectors", self.vectors.sentences
            yield "sentence_starts", self.vectors.starts
        if self.term_vectors is not None:
            yield "term_vectors", self.term_vectors
        if self.word_terms is not None:
            yield "word_terms", self.word_terms

    @staticmethod
    def columns_of(
        *, keys: Keyed, words: Counts, forms: Counts, postings: Postings
    ) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the arrays of these four with their names."""
        yield from _text("keys", keys.keys)
        yield "key_rows", keys.rows
        yield "key_rows_starts", keys.starts
        yield from _text("words", words.keys)
        yield "word_numbers", words.numbers
        yield from _text("forms", forms.keys)
        yield "form_numbers", forms.numbers
        yield from _text("terms", postings.terms)
        yield "posting_starts", postings.starts
        yield "posting_documents", postings.documents
        yield "posting_frequencies", postings.frequencies
        yield "lengths", postings.lengths

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Segment:
        """Return the segment that `columns` gave.

        Raises:
            KeyError: If one is missing.
        """

        def strings(name: str) -> Strings:
            return Strings(arrays[name], arrays[f"{name}_starts"])

        return cls(
            strings("ids"),
            strings("records"),
            arrays["digests"],
            arrays["bounds"],
            arrays["bounds_starts"],
            Keyed(strings("keys"), arrays["key_rows_starts"], arrays["key_rows"]),
            Counts(strings("words"), arrays["word_numbers"]),
            Counts(strings("forms"), arrays["form_numbers"]),
            Postings(
                strings("terms"),
                arrays["posting_starts"],
                arrays["posting_documents"],
                arrays["posting_frequencies"],
                arrays["lengths"],
            ),
            Texts(strings("text_singular"), strings("text_terms"), arrays["text_pieces"], arrays["text_pieces_starts"]),
            _vectors(arrays),
            arrays.get("term_vectors"),
            arrays.get("word_terms"),
        )


def _vectors(arrays: Mapping[str, NDArray[Any]]) -> EntryVectors | None:
    if "entry_vectors" not in arrays:
        return None
    return EntryVectors(arrays["entry_vectors"], arrays["sentence_vectors"], arrays["sentence_starts"])


def _text(name: str, strings: Strings) -> Iterator[tuple[str, NDArray[Any]]]:
    yield name, strings.data
    yield f"{name}_starts", strings.starts
