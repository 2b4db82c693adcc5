"""From entries to a segment: the one place where their texts are taken apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from retrieval.code import code_in, is_link
from retrieval.collection import Collection, text_digest
from retrieval.corpus import Corpus, read_corpus
from retrieval.index.acronyms import definitions, forms_of
from retrieval.index.keys import Kind, key, keys_of
from retrieval.index.postings import Postings, count_occurrences
from retrieval.index.records import record_of
from retrieval.index.segment import Segment
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts, Keyed
from retrieval.index.texts import read_texts
from retrieval.index.vectors import text_vectors
from retrieval.model import Entry
from retrieval.semantic import WordVectors

__all__ = ["TITLE_REPEATS", "build_segment"]

TITLE_REPEATS = 3  # a title's words count as if they stood there three times; keeps BM25's formula as it is


def build_segment(entries: Sequence[Entry], vectors: WordVectors | None) -> Segment:
    """Compile *entries*, at least one and no two of one id, whatever their order.

    Args:
        vectors: What says how near texts are in meaning; None leaves that out.
    """
    collection = Collection(entries)
    corpus = read_corpus(collection)
    ordered = collection.entries
    bounds = [collection.bounds(number) for number in range(len(ordered))]
    keys, forms = _keys(collection)
    return Segment(
        ids=Strings.of(entry.entry_id for entry in ordered),
        records=Strings.of_bytes([record_of(entry) for entry in ordered]),
        digests=np.frombuffer(b"".join(map(text_digest, ordered)), np.uint8).reshape(len(ordered), -1),
        bounds=np.array([at for listed in bounds for at in listed], np.int32),
        bound_starts=np.fromiter(accumulate(map(len, bounds), initial=0), np.int64, len(bounds) + 1),
        keys=keys,
        words=_words(corpus),
        forms=forms,
        postings=_postings(corpus),
        texts=read_texts(collection, corpus, vectors),
        # The last, as it needs the most memory meanwhile.
        vectors=None if vectors is None else text_vectors(corpus, vectors),
    )


def _keys(collection: Collection) -> tuple[Keyed, Counts]:
    """Return what the entries are looked up by, and what they define acronyms as."""
    rows: dict[str, list[int]] = {}
    forms: Counter[str] = Counter()
    for row, entry in enumerate(collection):
        listed = list(keys_of(entry))
        sentences = collection.sentences(row)
        if (place := code_in(sentences)) is not None:
            listed.append(key(Kind.CODE, "link" if is_link(sentences[place]) else "words"))
        for term, short, long in definitions(sentences):
            listed.append(key(Kind.SHORT, f"{term}\0{short}"))
            forms.update(forms_of(term, short, long))
        for found in dict.fromkeys(listed):
            rows.setdefault(found, []).append(row)
    return Keyed.of(rows), Counts.of({form: (count,) for form, count in forms.items()}, 1)


def _words(corpus: Corpus) -> Counts:
    """Return how often each word is written: as a word, and as any but a part of another."""
    counted: dict[str, tuple[int, ...]] = {}
    for listed, times in zip(corpus.tokens, corpus.counts(), strict=True):
        for token in listed if times else ():
            plain, whole = counted.get(token.word, (0, 0))
            counted[token.word] = (
                plain + (times if token.kind == "word" else 0),
                whole + (times if token.kind != "part" else 0),
            )
    return Counts.of(counted, 2)


def _postings(corpus: Corpus) -> Postings:
    numbers: dict[str, int] = {}
    listed = [[numbers.setdefault(token.term, len(numbers)) for token in tokens] for tokens in corpus.tokens]
    flat = np.fromiter((number for terms in listed for number in terms), np.int32)
    lengths = np.fromiter(map(len, listed), np.int64, len(listed))
    size = len(corpus.titled)
    text_lengths = np.diff(corpus.texts)
    repeats = np.ones(len(text_lengths), np.int64)
    repeats[corpus.entries[1:] - 1] = np.where(corpus.titled, TITLE_REPEATS, 0)  # the last text of each is its title
    owners = np.repeat(np.arange(size, dtype=np.int32), np.diff(corpus.entries))
    counts = lengths[corpus.stream]
    ends = np.cumsum(counts)
    places = (np.cumsum(lengths) - lengths)[corpus.stream]
    terms = flat[np.repeat(places - (ends - counts), counts) + np.arange(counts.sum())]
    times = np.repeat(np.repeat(repeats, text_lengths), counts)
    owned = np.repeat(np.repeat(owners, text_lengths), counts)
    kept = times > 0
    return count_occurrences(list(numbers), terms[kept], owned[kept], times[kept], size)
