"""What the index keeps of an entry's text is what taking it apart says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.collection import Collection
from retrieval.corpus import read_corpus
from retrieval.index.texts import Texts, read_texts
from retrieval.model import Entry
from retrieval.ownnames import own_names
from retrieval.semantic import WordVectors
from retrieval.text.analysis import chunk_tokens, chunks
from tests.fakes.entries import entry, word_vectors

# "ﷺ" is a letter whose folded form has blanks in it.
_WORDS = st.sampled_from("graphs Graph the ﷺ ⑴ LPSFed front-door ICML's 图 TNF-α it naïve a\tb".split(" "))
_SENTENCES = st.lists(_WORDS, min_size=1, max_size=6).map(lambda words: f"We {' '.join(words)}.")
_ENTRIES = st.builds(
    entry,
    st.text("abcd", min_size=1, max_size=2),
    st.lists(_WORDS, min_size=1, max_size=4).map(" ".join),
    st.lists(_SENTENCES, max_size=3).map(" ".join),
    name=st.sampled_from([None, "BUDGE", "Neural Effect Search"]),
    title_derived=st.booleans(),
)


@given(entries=st.lists(_ENTRIES, min_size=1, max_size=5, unique_by=lambda entry: entry.entry_id))
def test_every_text_has_its_terms_and_pieces(entries: list[Entry]) -> None:
    collection, vectors = Collection(entries), word_vectors()

    texts = read_texts(collection, read_corpus(collection), vectors)

    for row, known in enumerate(collection):
        heading = f"{'' if known.title_derived else known.title} {known.name or ''}".strip()
        written = [heading, *collection.sentences(row)]
        words = [_words(text) for text in written]
        listed, called = texts.terms_of(row)
        assert listed == [list(found) for found in words]
        published = "" if known.title_derived else known.title
        assert frozenset(called) == own_names(published, known.name or "", collection.sentences(row))
        surface = {term: word for listed in words for term, word in listed.items()}
        pieces = vectors.pieces([heading, heading.lower(), *collection.sentences(row), *surface.values()])
        assert _lists(texts, row) == pieces


def test_more_entries_than_are_read_at_once_have_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.index.texts._ENTRIES_AT_ONCE", 5)
    entries = [entry(f"e{n:02}", f"Title {n}", f"We count to {n}. It is done.") for n in range(23)]
    collection = Collection(entries)
    vectors = word_vectors()

    texts = read_texts(collection, read_corpus(collection), vectors)

    one_by_one = [_alone(known, vectors) for known in collection]
    assert [(texts.terms_of(row), _lists(texts, row)) for row in range(23)] == one_by_one


def test_without_word_vectors_there_are_terms_alone() -> None:
    collection = Collection([entry("a", "On graphs", "We count graphs.")])

    texts = read_texts(collection, read_corpus(collection), None)

    assert texts.terms_of(0) == ([["graph"], ["count", "graph"]], [])
    assert _lists(texts, 0) == []


def _alone(known: Entry, vectors: WordVectors) -> tuple[tuple[list[list[str]], list[str]], list[list[int]]]:
    collection = Collection([known])
    texts = read_texts(collection, read_corpus(collection), vectors)
    return texts.terms_of(0), _lists(texts, 0)


def _words(text: str) -> dict[str, str]:
    return {token.term: token.word for chunk in chunks(text) for token in chunk_tokens(chunk)}


def _lists(texts: Texts, row: int) -> list[list[int]]:
    flat, lengths = texts.pieces_of(row)
    ends = lengths.cumsum()
    return [flat[end - length : end].tolist() for end, length in zip(ends, lengths, strict=True)]


def test_half_of_a_surrogate_pair_has_pieces_as_anything_else() -> None:
    collection = Collection([entry("a", "Half \ud800 pair", "Agents with half \ud800.")])

    texts = read_texts(collection, read_corpus(collection), word_vectors())

    assert all(_lists(texts, 0))
