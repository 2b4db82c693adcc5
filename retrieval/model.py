"""The values that retrieval speaks in. Frozen; each checks its own invariants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Entry", "Passage", "Source", "Span"]


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

    def __post_init__(self) -> None:
        if not self.entry_id:
            raise ValueError("an entry needs an id")
        if not self.title:
            raise ValueError(f"entry {self.entry_id} needs a title, known or derived")
        if self.url is not None and not self.url.startswith(("http://", "https://")):
            raise ValueError(f"entry {self.entry_id}: url must be http(s), got {self.url!r}")


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
