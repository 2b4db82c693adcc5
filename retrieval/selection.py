"""Choose the sentence of an entry that answers: one score in one place.

The terms that name an entry have chosen the entry; the rest of the question chooses its sentence, and so does the kind
of sentence that is asked for. Figures for each part are in docs/decisions/0003-choosing-the-quote.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.cues import SentenceCues, column, leans_back, number_near, prior
from retrieval.entrytext import EntryText
from retrieval.intents import Intents, asked_quantity, intents, outcome_of
from retrieval.model import Passage, Query, Selection, Span
from retrieval.semantic import Floats, WordVectors, unit
from retrieval.text.analysis import terms, tokens

__all__ = [
    "AskedSentence",
    "SentenceProfile",
    "best_sentences",
    "profile",
    "read_question",
    "sentence_scores",
]

_COVERAGE = 3.0
_RESIDUAL = 1.0
_SOFT = 3.5
_OUTCOME = 4.4
_IN_TITLE = 0.3  # what is left of a term's weight when it is in the title or the name
_CLOSE = 1.25  # a neighbour this near to the best score comes along


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """A question as the choice of a sentence sees it.

    Attributes:
        terms: Content terms in order, without repetition.
        outcome: The terms of the outcome in "the effect of A (compared with B) on the outcome".
        intents: What kind of sentence is asked for.
        counted: The noun in "how many nouns"; else empty.
        pieces: Numbers of its word pieces, with their unit vectors and weights; empty without word vectors.
        vector: The pooled vector; zeros without word vectors.
    """

    terms: tuple[str, ...]
    outcome: tuple[str, ...]
    intents: Intents
    counted: str
    pieces: tuple[int, ...]
    units: Floats
    weights: Floats
    vector: Floats


@dataclass(frozen=True, slots=True)
class SentenceProfile:
    """What is known of an entry's sentences before any question; computed once.

    Attributes:
        sentences: As shown.
        terms: The terms of each sentence.
        title: Terms of the title and the system's name.
        cues: What each does in the abstract.
        vectors: Pooled vector of each sentence without the entry's own direction, of length 1.
        axis: That direction: the mean of the sentences, of length 1.
        titled: Numbers of the title's word pieces, in both cases.
        units: Unit vectors of the entry's different word pieces.
        flat: Rows of `units`, one sentence after the other; `bounds` says where each begins.
    """

    sentences: tuple[str, ...]
    terms: tuple[frozenset[str], ...]
    title: frozenset[str]
    cues: SentenceCues
    vectors: Floats
    axis: Floats
    titled: frozenset[int]
    units: Floats
    flat: NDArray[np.intp]
    bounds: NDArray[np.intp]


def read_question(text: str, asked: Sequence[str], vectors: WordVectors | None, *, n_terms: int) -> AskedSentence:
    """Return *text* prepared for `sentence_scores`.

    Args:
        asked: The collection's terms for what *text* asks, corrections made.
        n_terms: How many things it asks for.
    """
    pieces = () if vectors is None else tuple(vectors.pieces([text])[0])
    empty = np.zeros((0, 0), np.float32)
    return AskedSentence(
        terms=tuple(dict.fromkeys(asked)),
        outcome=tuple(dict.fromkeys(terms(outcome_of(text)))),
        intents=intents(text, n_terms),
        counted=asked_quantity(text),
        pieces=pieces,
        units=empty if vectors is None else unit(vectors.rows(pieces)),
        weights=empty if vectors is None else vectors.commonness[list(pieces)],
        vector=empty if vectors is None else vectors.pooled(pieces),
    )


def profile(text: EntryText) -> SentenceProfile:
    """Return what is known of the sentences of *text* before any question."""
    known = (text.sentences, text.terms, text.heading, SentenceCues(text.sentences))
    if text.vectors is None:
        empty, none = np.zeros((0, 0), np.float32), np.zeros(0, np.intp)
        return SentenceProfile(*known, empty, empty, frozenset(), empty, none, none)
    axis = unit(text.pooled.mean(axis=0))
    rows, flat = np.nonzero(text.counts)
    return SentenceProfile(
        *known,
        vectors=unit(text.pooled - np.outer(text.pooled @ axis, axis)),
        axis=axis,
        titled=frozenset(text.title_pieces.tolist()),
        units=unit(text.rows),
        flat=flat,
        bounds=np.searchsorted(rows, np.arange(len(text.sentences))),
    )


def sentence_scores(asked: AskedSentence, entry: SentenceProfile, idf: Callable[[str], float]) -> Floats:
    """Return float32, one score for each sentence of *entry*: higher is better, comparable only within the entry.

    A log-linear model. A term's weight is its idf in the collection times its idf among the entry's sentences, less if
    it is in the title; beside the terms count nearness in meaning and what each cue is worth to the intents.
    """
    total = _COVERAGE * _coverage(asked.terms, entry, idf) + _cues(asked, entry, idf)
    if asked.outcome:
        total += _OUTCOME * _outcome(asked.outcome, entry, idf)
    if asked.pieces and entry.units.size:
        residual = asked.vector - (asked.vector @ entry.axis) * entry.axis
        total += _RESIDUAL * (entry.vectors @ unit(residual)) + _SOFT * _soft(asked, entry)
    return np.asarray(total, np.float32)


def best_sentences(scores: Floats, sentences: Sequence[str]) -> tuple[int, int]:
    """Return the first and the last sentence to quote, from 0: the best one, or it and a neighbour.

    A neighbour comes along when its own score is close to the best (both say something to the question), else the
    sentence before, when the best one leans on it ("It", "These") and does not stand alone.
    """
    best = int(np.argmax(scores))
    beside = [number for number in (best - 1, best + 1) if 0 <= number < len(scores)]
    second = max(beside, key=lambda number: float(scores[number]), default=None)
    if second is not None and scores[best] - scores[second] < _CLOSE:
        return min(best, second), max(best, second)
    return (best - 1, best) if best and leans_back(sentences[best]) else (best, best)


def marked_selection(
    query: Query, sentences: Sequence[str], passages: Sequence[Passage], pair: tuple[int, int], score: float
) -> Selection:
    """Return what stands from *pair*'s first to its last of *sentences*, from 0, with the words of *query* marked."""
    wanted = {term for asked in query.terms for term in (*asked.matches, *asked.long_form, asked.term)}
    first, last = passages[pair[0]], passages[pair[1]]
    marks = (
        Span(passages[number].span.start + token.start, passages[number].span.start + token.end)
        for number in range(pair[0], pair[1] + 1)
        for token in tokens(sentences[number])
        if token.term in wanted
    )
    span = Span(first.span.start, last.span.end)
    return Selection(span, first.number, last.number, first.count, score, _merged(marks))


def _merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return *spans*, ascending by start, with those that touch joined."""
    merged: list[Span] = []
    for span in spans:
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return tuple(merged)


def _cues(asked: AskedSentence, entry: SentenceProfile, idf: Callable[[str], float]) -> Floats:
    """Return what the cues of each sentence are worth to the question, those included that depend on it."""
    worth = prior(asked.intents)
    cues = entry.cues.rows(worth)
    if asked.counted and worth[column("counted")]:
        near = number_near(asked.counted)
        cues[:, column("counted")] = [bool(near.search(sentence)) for sentence in entry.sentences]
    present = [term for term in asked.terms if any(term in listed for listed in entry.terms)]
    if present and worth[column("introduces")]:
        rarest = max(present, key=lambda term: (term in entry.title) + idf(term))
        first = next(number for number, listed in enumerate(entry.terms) if rarest in listed)
        cues[first, column("introduces")] = 1
    return np.asarray(cues @ worth, np.float32)


def _coverage(asked: Sequence[str], entry: SentenceProfile, idf: Callable[[str], float]) -> Floats:
    """Return the share of the weight of the *asked* terms, of those that the entry has, in each sentence."""
    count = len(entry.terms)
    got = np.zeros(count, np.float32)
    total = 0.0
    for term in asked:
        where = [number for number, listed in enumerate(entry.terms) if term in listed]
        if where:
            rarity_here = math.log(1 + (count - len(where) + 0.5) / (len(where) + 0.5))
            weight = idf(term) * (_IN_TITLE if term in entry.title else 1.0) * rarity_here
            got[where] += weight
            total += weight
    return got / total if total else got


def _outcome(asked: Sequence[str], entry: SentenceProfile, idf: Callable[[str], float]) -> Floats:
    """Return the share of the outcome's terms in each sentence, wherever else they stand."""
    weights = np.array([idf(term) for term in asked])
    there = np.array([[term in listed for term in asked] for listed in entry.terms])
    return np.asarray(there @ weights / max(weights.sum(), 1e-9), np.float32)


def _soft(asked: AskedSentence, entry: SentenceProfile) -> Floats:
    """Return, for each sentence, the mean over the question's word pieces of the best cosine with one of its own."""
    # A claim restates what a paper found, and so does its title: there the same words choose the sentence too.
    in_title = 1.0 if "claim" in asked.intents else _IN_TITLE
    weights = asked.weights * [in_title if piece in entry.titled else 1.0 for piece in asked.pieces]
    alike = (entry.units @ asked.units.T)[entry.flat]
    best = np.maximum.reduceat(alike, entry.bounds, axis=0)
    return np.asarray(best @ weights / weights.sum(), np.float32)
