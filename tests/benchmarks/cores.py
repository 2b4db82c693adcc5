"""Ranking cores behind one interface: documents of tokens in, the numbers of the ten best out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from rank_bm25 import BM25Okapi

from retrieval.bm25 import Bm25Index, LuceneBM25
from retrieval.ranking import best

__all__ = ["CORES", "TOP", "Core", "OwnCore", "RankBm25Core", "available", "same_scores"]

TOP = 10
_HEAP_BYTES = 128_000_000


class Core(Protocol):
    """An engine on one collection."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None: ...

    def top(self, query: Sequence[str]) -> list[int]:
        """Return the numbers of the best documents for *query*, at most ten, best first."""
        ...


class OwnCore:
    """Ours: every score as a float64, then the ten best."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        """Index *documents*."""
        self.index = Bm25Index.build(documents)

    def top(self, query: Sequence[str]) -> list[int]:
        """Return the best documents; ties by number."""
        found: list[int] = best(self.index.scores(query), TOP).tolist()
        return found


class RankBm25Core:
    """rank-bm25, as its README uses it."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        """Index *documents*."""
        self.reference = BM25Okapi(documents)

    def top(self, query: Sequence[str]) -> list[int]:
        """Return the best documents by `get_scores`; `get_top_n` sorts the same scores the same way."""
        scores = self.reference.get_scores(query)
        return [int(n) for n in np.argsort(scores)[::-1][:TOP]]


class Bm25sCore:
    """bm25s with its numba kernels."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        """Index *documents*."""
        import bm25s

        self._index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend="numba")
        self._index.index([list(document) for document in documents], show_progress=False)
        self._known = self._index.vocab_dict
        self._top = min(TOP, len(documents))

    def top(self, query: Sequence[str]) -> list[int]:
        """Return the best documents."""
        known = [term for term in query if term in self._known]
        if not known:
            return []
        found = self._index.retrieve([known], k=self._top, return_as="documents", show_progress=False)
        return [int(n) for n in found[0]]


class TantivyCore:
    """tantivy, in memory, in one segment; the tokens go through its whitespace tokenizer as they are."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        """Index *documents*."""
        import tantivy

        self._tantivy = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("number", stored=True)
        builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
        for number, document in enumerate(documents):
            writer.add_document(tantivy.Document(number=number, text=" ".join(document)))
        writer.commit()
        index.reload()
        self._searcher = index.searcher()

    def top(self, query: Sequence[str]) -> list[int]:
        """Return the best documents."""
        terms = [self._tantivy.Query.term_query(self._schema, "text", term, "freq") for term in query]
        either = self._tantivy.Query.boolean_query([(self._tantivy.Occur.Should, term) for term in terms])
        hits = self._searcher.search(either, TOP).hits
        return [int(self._searcher.doc(address)["number"][0]) for _, address in hits]


CORES: Mapping[str, type[Core]] = {
    "Pullquote": OwnCore,
    "bm25s (numba)": Bm25sCore,
    "tantivy": TantivyCore,
    "rank-bm25": RankBm25Core,
}
"""The cores by the name that they are shown under; what takes most memory when it is built comes early."""

_PACKAGES = {"bm25s (numba)": ("bm25s", "numba"), "tantivy": ("tantivy",)}


def available() -> tuple[str, ...]:
    """Return the names of the cores whose packages are installed."""
    return tuple(name for name in CORES if all(map(find_spec, _PACKAGES.get(name, ()))))


def same_scores(documents: Sequence[Sequence[str]], queries: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return for how many of *queries* our scores are rank-bm25's bit for bit: with its own idf, and with Lucene's."""
    counts = []
    for scorer in (BM25Okapi, LuceneBM25):
        reference = scorer(documents)  # type: ignore[no-untyped-call]
        index = Bm25Index.like(reference)
        counts.append(sum(np.array_equal(index.scores(q), reference.get_scores(q)) for q in queries))
    return counts[0], counts[1]
