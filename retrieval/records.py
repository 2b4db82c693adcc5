"""What a reader makes of one record of a file, before it becomes part of an entry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Fault", "Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One paper as one source describes it.

    Attributes:
        format: Which reader made it, such as "bibtex".
        number: Which record of its file it is, from 1.
        line: The line that it begins on, from 1; None where a format has no lines.
        title: As written, with its markup; empty when the source gives none.
        abstract: As written, with its markup; empty when the source gives none.
        authors: "Family, Given" each, in the order of the paper.
        authors_complete: False when the source says that there are more.
        venue: As written.
        year: From 1500 to 2100.
        url: Absolute http(s) address, or None.
        ids: Normalised identifier by scheme: "doi", "arxiv", "openreview", "pubmed", …
        version: Which version of the paper this is, where the source counts them.
        updated: The day of this version, YYYY-MM-DD, where the source says so.
        withdrawn: Whether the source says that the paper was withdrawn or retracted.
    """

    format: str
    number: int
    line: int | None = None
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    authors_complete: bool = True
    venue: str = ""
    year: int | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    ids: Mapping[str, str] = field(default_factory=dict)
    version: int | None = None
    updated: str = ""
    withdrawn: bool = False

    def content(self) -> dict[str, object]:
        """Return what the record says, apart from where it stood, as JSON can hold it."""
        return {
            "title": self.title,
            "abstract": self.abstract,
            "authors": list(self.authors),
            "authors_complete": self.authors_complete,
            "venue": self.venue,
            "year": self.year,
            "url": self.url,
            "keywords": list(self.keywords),
            "ids": dict(sorted(self.ids.items())),
            "version": self.version,
            "updated": self.updated,
            "withdrawn": self.withdrawn,
        }

    def digest(self) -> str:
        """Return 32 hexadecimal digits that are the same exactly when two records of a format say the same."""
        said = json.dumps([self.format, self.content()], ensure_ascii=True, sort_keys=True)
        return hashlib.sha256(said.encode("ascii")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a file that could not be read as meant.

    Attributes:
        record: Which record of the file, from 1; None when the file as a whole is at fault.
        line: Line number, from 1, where the format has lines.
        field: The field at fault, when it is one.
        reason: What is wrong and what became of it.
        refused: Whether the whole record was left out; otherwise it was kept without what is at fault.
    """

    reason: str
    record: int | None = None
    line: int | None = None
    field: str | None = None
    refused: bool = True
