"""Search one collection: the front door of this package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import count
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.background import Background
from retrieval.bm25 import Bm25Index
from retrieval.code import code_in, is_link
from retrieval.contribution import contribution
from retrieval.entrytext import EntryText
from retrieval.evidence import EntryWords, Evidence, gather
from retrieval.filtering import Filter
from retrieval.index.building import build_segment
from retrieval.index.parts import Part, Parts
from retrieval.index.stored import StoredCollection
from retrieval.index.terms import TermVectors
from retrieval.lexicon import Lexicon
from retrieval.listing import Listing
from retrieval.model import Entry, Hit, Query, QueryTerm, Ranking, Selection
from retrieval.names import Names
from retrieval.query import Condition
from retrieval.ranking import Ranker, TextVectors, best
from retrieval.selection import (
    AskedSentence,
    SentenceProfile,
    best_sentences,
    marked_selection,
    profile,
    read_question,
    sentence_scores,
)
from retrieval.semantic import WordVectors
from retrieval.text.analysis import tokens
from retrieval.understanding import Understanding

__all__ = ["Engine", "Engines"]

_PROFILES = 256  # each takes up to 300 KB
_TEXTS = 16  # as large, and rarely needed once both kinds of profile are made
_QUESTIONS = 64
_LOOKED_AT = 3  # hits that a verdict looks at
_RARE_SHARE = 0.005  # a name is rare when so few of the entries have it


class Engines(Protocol):
    """Gives the engine of the moment."""

    def latest(self) -> Engine:
        """Return the engine on the collection as it is now; the same as before when nothing came."""
        ...

    def caught_up(self) -> Engine:
        """Return the same, and wait for it however much came."""
        ...


class Engine:
    """An index of a collection and the ways to ask it."""

    def __init__(self, parts: Parts, vectors: WordVectors | None, background: Background | None = None) -> None:
        """Search *parts*, which were compiled with the same *vectors*; without them words alone decide.

        Args:
            background: What an engine before this one had; made when left out.
        """
        self.parts = parts
        self.collection = StoredCollection(parts)
        self.index = Bm25Index([segment.postings for segment in parts.segments], parts.numbers)
        self.lexicon = Lexicon(parts, self.index.__contains__)
        self.vectors = None if vectors is None else TextVectors(parts)
        self._word_vectors = vectors
        # A profile takes a millisecond to make and half of one to use; the entries asked about are few.
        self._text = lru_cache(maxsize=_TEXTS)(self._make_text)
        self._profile = lru_cache(maxsize=_PROFILES)(self._make_profile)
        self._read = lru_cache(maxsize=_QUESTIONS)(self._read_question)  # the same question meets several entries
        self._words = lru_cache(maxsize=_PROFILES)(self._make_words)
        self.background = background or Background(vectors)
        self._names = Names(parts)
        self._filter = Filter(self.collection, self.index, parts)
        self.listing = Listing(self.collection, parts, self._filter)
        self._ranker = Ranker(self.index, self.vectors, vectors)
        terms = None if vectors is None else TermVectors(parts, vectors, self.index.__contains__)
        self._understanding = Understanding(self.lexicon, vectors, terms)

    @classmethod
    def of(cls, entries: Iterable[Entry], vectors: WordVectors | None) -> Engine:
        """Compile *entries* and search them; without *vectors* words alone decide.

        Raises:
            EmptyCollectionError: If there is none.
            CollectionError: If two have the same id.
        """
        return cls(Parts([Part(build_segment(tuple(entries), vectors))]), vectors)

    def latest(self) -> Engine:
        """Return itself: this engine's collection never changes."""
        return self

    def caught_up(self) -> Engine:
        """Return itself, for the same reason."""
        return self

    def understand(self, text: str) -> Query:
        """Return what *text*, a question without its conditions, is searched for as."""
        return self._understanding.query(text)

    def search(
        self,
        query: Query,
        *,
        k: int,
        conditions: Sequence[Condition] = (),
        within: Iterable[str] | None = None,
        without: str = "",
    ) -> Ranking:
        """Return the best *k* entries.

        Args:
            query: From `understand`.
            k: At least 1.
            conditions: What every hit must fulfil.
            within: Entry ids to choose from; all when left out.
            without: The id of an entry that is not to be found.

        Returns:
            Score descending, ties by entry id. An entry that shares no word with the question can be found by its
            meaning, so that the ranking says what is nearest, not that anything is near.

        Raises:
            ValueError: If *k* is less than 1.
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, got {k}")
        allowed = self._filter.mask(conditions, within)
        if without:
            allowed = np.ones(len(self.collection), np.bool_) if allowed is None else allowed
            allowed[self.collection.number(without)] = False
        scores, words = self._ranker.scores(query, allowed)
        # Entries are numbered by id, so the number breaks ties as the id would.
        found = best(scores, k)
        ids = self.collection.entry_ids(found)
        return Ranking(tuple(map(Hit, count(1), ids, scores[found].tolist(), words[found].tolist())))

    def select(self, query: Query, entry_id: str, *, k: int = 1) -> tuple[Selection, ...]:
        """Return the best *k* places of an entry to quote for *query*, best first; none when it has no abstract.

        The first may be two neighbouring sentences; the others are single ones that it does not hold.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        number = self.collection.number(entry_id)
        known = self._profile(number)
        if known is None:
            return ()
        scores = sentence_scores(self._asked(query), known, self._idf)
        first, last = best_sentences(scores, known.sentences)
        order = sorted(range(len(scores)), key=lambda n: (-float(scores[n]), n))
        pairs = [(first, last), *((n, n) for n in order if not first <= n <= last)]
        passages = self.collection.passages(number)
        return tuple(
            marked_selection(query, known.sentences, passages, pair, float(scores[pair[0] : pair[1] + 1].max()))
            for pair in pairs[:k]
        )

    def sentences(self, query: Query, entry_id: str, *, k: int) -> tuple[str, ...]:
        """Return the best *k* single sentences of an entry for *query*, best first.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        known = self._profile(self.collection.number(entry_id))
        if known is None:
            return ()
        scores = sentence_scores(self._asked(query), known, self._idf)
        order = sorted(range(len(scores)), key=lambda n: (-float(scores[n]), n))
        return tuple(known.sentences[number] for number in order[:k])

    def contribution(self, entry_id: str) -> Selection | None:
        """Return the sentence of an entry that says what is new in it; None when it has no abstract.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        number = self.collection.number(entry_id)
        entry, listed = self.collection.entries[number], self.collection.sentences(number)
        if not listed:
            return None
        at = contribution(listed, title="" if entry.title_derived else entry.title, name=entry.name)
        return marked_selection(Query("", ""), listed, self.collection.passages(number), (at, at), 0.0)

    def evidence(self, query: Query, entry_ids: Sequence[str], *, on_table: bool = False) -> Evidence | None:
        """Return what *query* asks for against its best hits; None when none of them has an abstract.

        Args:
            entry_ids: The hits, best first.
            on_table: Whether the talk is about the first one already.
        """
        hits = [
            words for entry_id in entry_ids[:_LOOKED_AT] if (words := self._words(self.collection.number(entry_id)))
        ]
        if not hits:
            return None
        highest = self.index.lucene_idf(0)
        return gather(
            query,
            hits,
            background=self.background,
            rareness=lambda term: self._idf(term) / highest,
            size=len(self.collection),
            on_table=on_table,
        )

    def rareness(self, term: str) -> float:
        """Return Lucene's idf of *term* in the collection; the highest there is for an unknown one."""
        return self.index.lucene_idf(self.index.document_frequency(term))

    def covering(
        self, query: Query, hits: Sequence[Hit], weights: Mapping[str, float], *, share: float
    ) -> tuple[Hit, ...]:
        """Return those of *hits* whose words cover enough of *query*, in their order.

        Args:
            weights: What each word of the query weighs, by how it was typed; words left out weigh nothing.
            share: Of what the best entry of the whole collection covers, filtered or not: a condition finds
                nothing that the question without it does not.
        """
        covered = np.zeros(len(self.collection))
        for term in query.terms:
            weight = weights.get(term.shown, 0.0)
            if term.counted and weight:
                covered += weight * self._holding(term)
        least = share * float(covered.max())
        return tuple(hit for hit in hits if covered[self.collection.number(hit.entry_id)] >= least)

    def _holding(self, term: QueryTerm, among: NDArray[np.int32] | None = None) -> NDArray[np.bool_]:
        """Return bool, one an entry or one for each of *among*: which have *term*, or what is spelled for it."""
        found = np.zeros(len(self.collection) if among is None else len(among), np.bool_)
        for other in () if term.by_meaning else term.matches:
            found |= self.index.holding(other, among)
        if term.long_form:
            found |= np.logical_and.reduce([self.index.holding(other, among) for other in term.long_form])
        return found

    def lacking(self, query: Query, entry_ids: Sequence[str] | None) -> tuple[str, ...]:
        """Return the words of *query* that none of the entries has, nor anything that stands for them.

        Args:
            entry_ids: Which entries; None for all.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        among = None if entry_ids is None else np.array([self.collection.number(i) for i in entry_ids], np.int32)
        return tuple(term.shown for term in query.terms if term.counted and not self._holding(term, among).any())

    def code_place(self, entry_id: str) -> Selection | None:
        """Return where an entry links to code or says that there is some; None where it does not.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        number = self.collection.number(entry_id)
        sentences = self.collection.sentences(number)
        at = code_in(sentences)
        if at is None:
            return None
        score = float(is_link(sentences[at]))
        return marked_selection(Query("", ""), sentences, self.collection.passages(number), (at, at), score)

    def explain(self, text: str, entry_id: str) -> tuple[str, ...]:
        """Return lines that say what *entry_id* was found for: the terms matched and where, and the parts of its score.

        Raises:
            EntryNotFoundError: If there is no such entry.
        """
        query, number = self.understand(text), self.collection.number(entry_id)
        entry = self.collection.entries[number]
        in_title = {token.term for token in tokens(entry.title)}
        in_abstract = {token.term for token in tokens(entry.abstract)}
        lines = []
        for term in query.terms:
            places = [
                place
                for place, there in (("title", in_title), ("abstract", in_abstract))
                if there & term.matches.keys() or (term.long_form and there.issuperset(term.long_form))
            ]
            read_as = f" (read as {term.correction})" if term.correction else ""
            lines.append(f"- {term.shown}{read_as}: {' and '.join(places) or 'not there'}")
        parts = self._ranker.parts(query, number)
        lines.append("Score: " + ", ".join(f"{name} {value:.2f}" for name, value in parts.items()))
        return tuple(lines)

    def named(self, text: str) -> tuple[str, ...]:
        """Return the ids of the entries that *text* names, by the name of their system or their whole title.

        In the order in which they are named; where two names start at one place, the longer first.
        """
        return tuple(self.collection.entry_id(number) for number in self._names.in_text(text))

    def _asked(self, query: Query) -> AskedSentence:
        wanted = [term for term in query.terms if term.counted]
        # What is only near in meaning chose the entry; its sentence is chosen by the word's own vector.
        listed = [other for term in wanted for other in _to_choose_by(term)]
        return self._read(query.read_as, tuple(listed), len(wanted))

    def _read_question(self, text: str, listed: tuple[str, ...], n_terms: int) -> AskedSentence:
        return read_question(text, listed, self._word_vectors, n_terms=n_terms)

    def _make_text(self, number: int) -> EntryText:
        entry = self.collection.entries[number]
        segment, row = self.parts.place(number)
        listed, called = segment.texts.terms_of(row)
        return EntryText(
            entry.entry_id,
            "" if entry.title_derived else entry.title,
            entry.name or "",
            called,
            self.collection.sentences(number),
            listed,
            *segment.texts.pieces_of(row),
            self._word_vectors,
        )

    def _make_profile(self, number: int) -> SentenceProfile | None:
        return profile(self._text(number)) if self.collection.sentences(number) else None

    def _make_words(self, number: int) -> EntryWords | None:
        if not self.collection.sentences(number):
            return None
        few = max(2, _RARE_SHARE * len(self.collection))
        return EntryWords(
            partial(self._text, number), self.background, rare=lambda term: self.index.document_frequency(term) <= few
        )

    def _idf(self, term: str) -> float:
        return self.index.idf(term) or self.index.lucene_idf(0)


def _to_choose_by(term: QueryTerm) -> Iterable[str]:
    return (term.term,) if term.by_meaning or not term.matches else term.matches
