"""An entry's text taken apart once, for everything that looks at it closely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from retrieval.semantic import Floats, WordVectors
from retrieval.text.analysis import Token, tokens

__all__ = ["EntryText", "read_text"]


@dataclass(frozen=True)  # cached properties need a dictionary, so no slots
class EntryText:
    """The title, name and sentences of an entry, with their tokens and word pieces.

    Attributes:
        entry_id: Whose text this is.
        title: As published; empty when it was derived from the abstract.
        name: What the authors call their system; empty when unknown.
        sentences: At least one.
        headings: The tokens of title and name.
        tokens: Of each sentence, with offsets in it.
        title_pieces: Numbers of the word pieces of title and name as written; empty without word vectors.
        folded_title_pieces: The same in lower case.
        pieces: Of each sentence.
    """

    entry_id: str
    title: str
    name: str
    sentences: tuple[str, ...]
    headings: Sequence[Token]
    tokens: tuple[Sequence[Token], ...]
    title_pieces: Sequence[int]
    folded_title_pieces: Sequence[int]
    pieces: tuple[Sequence[int], ...]
    vectors: WordVectors | None

    @cached_property
    def pooled(self) -> Floats:
        """float32, one row a sentence: its pooled vector. One column of zeros without word vectors."""
        if self.vectors is None:
            return np.zeros((len(self.sentences), 1), np.float32)
        return np.stack([self.vectors.pooled(pieces) for pieces in self.pieces])


def read_text(entry_id: str, title: str, name: str, sentences: Sequence[str], vectors: WordVectors | None) -> EntryText:
    """Take an entry's text apart; *sentences* has at least one."""
    heading = f"{title} {name}".strip()
    texts = [heading, heading.lower(), *sentences]
    listed: Sequence[Sequence[int]] = [()] * len(texts) if vectors is None else vectors.pieces(texts)
    return EntryText(
        entry_id,
        title,
        name,
        tuple(sentences),
        tokens(heading),
        tuple(tokens(sentence) for sentence in sentences),
        listed[0],
        listed[1],
        tuple(listed[2:]),
        vectors,
    )
