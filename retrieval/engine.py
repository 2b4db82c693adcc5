"""Search one collection: the front door of this package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from retrieval.bm25 import Bm25Index, Scores
from retrieval.collection import Collection
from retrieval.filtering import Filter
from retrieval.lexicon import Lexicon
from retrieval.model import Entry, Hit, Query, Ranking
from retrieval.query import Condition
from retrieval.ranking import Ranker, TextVectors
from retrieval.semantic import WordVectors
from retrieval.text.analysis import tokens
from retrieval.understanding import Understanding

__all__ = ["Engine"]

_TITLE_REPEATS = 3  # a title's words count as if they stood there three times; keeps BM25's formula as it is
_SPARE = 50  # looked at beyond what is wanted, so that ties at the end fall by entry id


class Engine:
    """An index of a collection and the ways to ask it."""

    def __init__(self, collection: Collection, vectors: WordVectors | None) -> None:
        """Index *collection*; without *vectors* words alone decide."""
        self.collection = collection
        self.lexicon = Lexicon()
        documents = [self._terms_of(entry) for entry in collection]
        texts = [(entry.title, self._sentences(number)) for number, entry in enumerate(collection)]
        self.lexicon.learn_acronyms(sentence for _, sentences in texts for sentence in sentences)
        self.index = Bm25Index.build(documents)
        self.vectors = None if vectors is None else TextVectors.build(texts, vectors)
        self._filter = Filter(collection, self.index)
        self._ranker = Ranker(self.index, self.vectors)
        self._understanding = Understanding(self.lexicon, vectors)

    def understand(self, text: str) -> Query:
        """Return what *text*, a question without its conditions, is searched for as."""
        return self._understanding.query(text)

    def search(
        self, query: Query, *, k: int, conditions: Sequence[Condition] = (), within: Iterable[str] | None = None
    ) -> Ranking:
        """Return the best *k* entries.

        Args:
            query: From `understand`.
            k: At least 1.
            conditions: What every hit must fulfil.
            within: Entry ids to choose from; all when left out.

        Returns:
            Score descending, ties by entry id. An entry that shares no word with the question can be found by its
            meaning, so that the ranking says what is nearest, not that anything is near.

        Raises:
            ValueError: If *k* is less than 1.
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, got {k}")
        allowed = self._filter.mask(conditions, within)
        scores = self._ranker.scores(query, allowed)
        best = self._best(scores, k)
        hits = tuple(
            Hit(rank, self.collection.entries[number].entry_id, float(scores[number]))
            for rank, number in enumerate(best, start=1)
        )
        return Ranking(hits, total=len(self.collection) if allowed is None else int(allowed.sum()))

    def mentioning(self, text: str, conditions: Sequence[Condition] = ()) -> tuple[Entry, ...]:
        """Return every entry that holds all terms of *text* and fulfils *conditions*, by entry id; all for no text."""
        allowed = self._filter.mask(conditions)
        found = np.ones(len(self.collection), np.bool_) if allowed is None else allowed
        if text:
            found = found & self._filter.mentioning(text)
        return tuple(self.collection.entries[number] for number in np.flatnonzero(found))

    def named(self, text: str) -> tuple[str, ...]:
        """Return the ids of the entries that *text* names by the name of their system or by their whole title.

        In the order in which they are named; where two names start at one place, the longer first.
        """
        asked = " ".join(token.term for token in tokens(text) if token.kind == "word")
        places = []
        for name, numbers in self._names.items():
            if (at := f" {asked} ".find(f" {name} ")) >= 0:
                places.extend((at, -len(name), self.collection.entries[number].entry_id) for number in numbers)
        return tuple(dict.fromkeys(entry_id for _, _, entry_id in sorted(places)))

    @cached_property
    def _names(self) -> dict[str, list[int]]:
        names: dict[str, list[int]] = {}
        for number, entry in enumerate(self.collection):
            title = "" if entry.title_derived else entry.title
            head, colon, _ = title.partition(":")
            listed = [title, head if colon and len(head.split()) <= 2 else "", *(entry.name or "").split(",")]
            for name in listed:
                key = " ".join(token.term for token in tokens(name) if token.kind == "word")
                if key and number not in names.setdefault(key, []):
                    names[key].append(number)
        return names

    def _best(self, scores: Scores, k: int) -> list[int]:
        wanted = min(k + _SPARE, len(scores))
        best = np.argpartition(-scores, wanted - 1)[:wanted]
        best = best[np.isfinite(scores[best])]
        # Entries are numbered by id, so the number breaks ties as the id would.
        return [int(number) for number in sorted(best, key=lambda n: (-scores[n], n))[:k]]

    def _terms_of(self, entry: Entry) -> list[str]:
        title = [] if entry.title_derived else list(tokens(entry.title))
        body = list(tokens(entry.abstract))
        self.lexicon.learn((*title, *body))
        return [token.term for token in title] * _TITLE_REPEATS + [token.term for token in body]

    def _sentences(self, number: int) -> tuple[str, ...]:
        abstract = self.collection.entries[number].abstract
        return tuple(passage.span.of(abstract) for passage in self.collection.passages(number))
