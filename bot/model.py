"""The values that the bot speaks in. Frozen; each checks its own invariants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from retrieval.model import Entry, Span

__all__ = ["Answer", "Correction", "Quote", "Verdict"]


class Verdict(StrEnum):
    """What an answer claims. The words are the same in every adapter and in JSON."""

    ANSWERED = "answered"
    """The collection covers the question's key terms; the quotes answer it."""

    RELATED = "related"
    """The topic is there, a key term is not; the quotes are the closest there is and are labelled so."""

    NOTHING = "nothing"
    """Nothing relevant; there are no quotes."""

    REPLY = "reply"
    """Talk about the bot or the collection; there are no quotes."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim slice of an entry's display text. Cannot be built unless it is that slice.

    Attributes:
        rank: The number by which a conversation refers to it, from 1.
        text: Exactly the characters of `span` in the entry's abstract.
        first: The first sentence quoted, from 1.
        last: The last one; equal to `first` unless two neighbours are quoted.
        count: How many sentences the abstract has.
        highlights: Matched ranges inside `span`, in the abstract's offsets, ascending, without overlap.
        score: Higher is better; comparable only inside one answer.
    """

    rank: int
    entry: Entry
    span: Span
    text: str
    first: int
    last: int
    count: int
    highlights: tuple[Span, ...] = ()
    score: float = 0.0

    def __post_init__(self) -> None:
        if self.text != self.span.of(self.entry.abstract):
            raise ValueError(f"a quote of {self.entry.entry_id} must be the text at {self.span.start}..{self.span.end}")
        if not 1 <= self.first <= self.last <= self.count:
            raise ValueError(f"sentences {self.first} to {self.last} of {self.count} cannot be")
        if any(h.start < self.span.start or h.end > self.span.end for h in self.highlights):
            raise ValueError(f"a highlight of {self.entry.entry_id} lies outside its quote")


@dataclass(frozen=True, slots=True)
class Correction:
    """A word that was read as another one because the collection does not know it."""

    typed: str
    used: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to one message.

    Attributes:
        answer_id: Names this answer over the same collection and version; `replay` and `verify` take it.
        question: As typed.
        lead: What stands above the quotes: what is missing, the reply, a count; may be empty.
        quotes: Best first.
        listing: Entries named without a quote, for lists over the whole collection.
        verbatim: Text to copy as it stands, such as BibTeX; shown last, never wrapped.
        total: How many entries the question found, shown or not.
        left: How many of them have not been shown yet.
        missing_terms: Words of the question that no entry mentions, as typed.
        suggestions: What could be asked instead, each usable as it stands.
        filters: Restrictions in force, by name ("venue", "year", "author"), in readable form.
        took_ms: Milliseconds from question to answer.
    """

    answer_id: str
    question: str
    verdict: Verdict
    lead: str = ""
    quotes: tuple[Quote, ...] = ()
    listing: Sequence[Entry] = ()
    verbatim: str = ""
    total: int = 0
    left: int = 0
    missing_terms: tuple[str, ...] = ()
    corrections: tuple[Correction, ...] = ()
    suggestions: tuple[str, ...] = ()
    filters: Mapping[str, str] = field(default_factory=dict)
    conversation: str | None = None
    took_ms: float = 0.0

    def __post_init__(self) -> None:
        if self.quotes and self.verdict in {Verdict.NOTHING, Verdict.REPLY}:
            raise ValueError(f'an answer that says "{self.verdict}" quotes nothing')
