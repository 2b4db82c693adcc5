"""The values that retrieval speaks in. Frozen; each checks its own invariants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

__all__ = ["Entry", "Hit", "Passage", "Query", "QueryTerm", "Ranking", "Selection", "Source", "Span"]

_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f]+")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of characters, end exclusive. Never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"a span needs 0 <= start < end, got {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the characters of *text* that this span covers.

        Raises:
            ValueError: If the span reaches past the end of *text*.
        """
        if self.end > len(text):
            raise ValueError(f"span {self.start}..{self.end} reaches past a text of {len(text)} characters")
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Source:
    """Where an entry was read.

    Attributes:
        file: The file's name, without its folder.
        ordinal: Which abstract of the file it is, from 0, after any header line.
    """

    file: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One abstract with its metadata.

    Attributes:
        entry_id: Opaque and stable: the same text from the same place has the same id.
        title: As published, or a label derived from the abstract; then `title_derived` is true.
        abstract: Display text, made once from `raw_abstract`. Every span refers to it.
            Empty when the source gave none.
        raw_abstract: The abstract as it was read, before cleaning.
        name: What the authors call their system, when the source says so.
        authors: In the order of the paper; `authors_complete` is false when there are more.
        keywords: As given by the source; topics are keywords too.
        ids: Identifier by scheme: "doi", "arxiv", "openreview", "pubmed".
        url: Absolute http(s) address, or None.
        arrived_at: When it came into the collection, aware; None when it has always been there.
    """

    entry_id: str
    title: str
    abstract: str
    title_derived: bool = False
    raw_abstract: str = ""
    name: str | None = None
    authors: tuple[str, ...] = ()
    authors_complete: bool = True
    venue: str = ""
    year: int | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    arrived_at: datetime | None = None

    def __post_init__(self) -> None:
        if not self.entry_id:
            raise ValueError("an entry needs an id")
        if not self.title:
            raise ValueError(f"entry {self.entry_id} needs a title, known or derived")
        if self.url is not None and _ADDRESS.fullmatch(self.url) is None:
            raise ValueError(f"entry {self.entry_id}: url must be an http(s) address, got {self.url!r}")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of one entry's abstract: the unit that is ranked and quoted.

    Attributes:
        span: Where it stands in the entry's display text.
        number: Which sentence it is, from 1.
        count: How many sentences the abstract has.
    """

    entry_id: str
    span: Span
    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise ValueError(f"sentence {self.number} of {self.count} cannot be")


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One thing a question asks for, and the terms of the collection that stand for it.

    Attributes:
        word: Folded; `typed` is how it was written.
        term: Folded and stemmed.
        weight: How much it counts beside the other terms, before rarity; 1 for an ordinary word.
        matches: Terms of the collection that count as it, each with the share of its weight that a match is
            worth (1 for the term itself); empty when the collection has nothing like it.
        correction: The word it was read as, when the collection does not know it and knows one spelled almost so.
        counted: Whether it counts among what the question asks for; variants of another term do not.
        long_form: For an acronym, the terms that together mean the same.
        by_meaning: Whether `matches` are the nearest in meaning, for want of anything better.
    """

    word: str
    term: str
    weight: float = 1.0
    matches: Mapping[str, float] = field(default_factory=dict)
    correction: str | None = None
    counted: bool = True
    long_form: tuple[str, ...] = ()
    by_meaning: bool = False
    typed: str = ""

    @property
    def shown(self) -> str:
        """The word as it was typed."""
        return self.typed or self.word


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it is searched for.

    Attributes:
        text: The question without its conditions.
        read_as: The same with the corrections made.
        terms: In the order typed, without repetition; empty when only stop words were typed.
    """

    text: str
    read_as: str
    terms: tuple[QueryTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry found.

    Attributes:
        rank: From 1.
        score: Higher is better; comparable only inside one ranking.
        words: The share of the question that the entry's words cover, from 0 to about 1; part of the score.
    """

    rank: int
    entry_id: str
    score: float
    words: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one query, best first; ties by entry id."""

    hits: tuple[Hit, ...] = ()

    def __post_init__(self) -> None:
        if [hit.rank for hit in self.hits] != list(range(1, len(self.hits) + 1)):
            raise ValueError("the ranks of a ranking run from 1 without gaps")


@dataclass(frozen=True, slots=True)
class Selection:
    """One sentence of an entry, or two neighbours, chosen to be quoted.

    Attributes:
        span: In the entry's display text.
        first: The first sentence, from 1.
        last: The last one; at most one more than `first`.
        count: How many sentences the abstract has.
        score: Higher is better; comparable only among the sentences of one entry and one query.
        highlights: Ranges of matched words inside `span`, ascending, without overlap.
    """

    span: Span
    first: int
    last: int
    count: int
    score: float
    highlights: tuple[Span, ...] = ()
