"""From a reader's loose strings to a record, in one place for all formats: trimmed, checked, its faults named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from retrieval.identifiers import arxiv_version, find_ids, http_url, landing_page
from retrieval.people import filed_names
from retrieval.records import Fault, Record
from retrieval.text.cleaning import display_text

__all__ = ["MAX_ABSTRACT_CHARS", "WITHDRAWAL", "Draft", "finished"]

WITHDRAWAL: Final = (
    r"(?:this|the) (?:paper|article|submission|manuscript|work|preprint) (?:has been|was|is) (?:hereby )?"
    r"(?:withdrawn|retracted)\b"
)
"""Matches a sentence by which a paper says that it was withdrawn, whatever case it is in."""
MAX_ABSTRACT_CHARS: Final = 100_000
_MAX_TITLE_CHARS: Final = 2_000
_MAX_AUTHORS: Final = 10_000
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_WITHDRAWN: Final = re.compile(rf"\s*(?:<p>)?{WITHDRAWAL}", re.IGNORECASE)
_NO_AUTHOR: Final = re.compile(r"et al\.?|others", re.IGNORECASE)


@dataclass(slots=True)
class Draft:
    """What a reader found in one record, as written.

    Attributes:
        authors: Names in any order of their parts.
        year: A year, or any text that holds one.
        url: Where the paper can be read about; the first of `urls` that is an address stands in.
        urls: Further addresses; identifiers are looked for in all of them.
        ids: Identifier by scheme, as written.
    """

    number: int
    line: int | None = None
    title: str = ""
    abstract: str = ""
    authors: list[str] = field(default_factory=list)
    venue: str = ""
    year: str = ""
    url: str = ""
    urls: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    updated: str = ""
    withdrawn: bool = False


def finished(draft: Draft, name: str) -> Iterator[Record | Fault]:
    """Yield the faults of *draft* and then its record, unless nothing is left to keep.

    Args:
        name: The format's name.
    """
    title, abstract = draft.title.strip(), draft.abstract.strip()
    place = {"record": draft.number, "line": draft.line}
    if len(abstract) > MAX_ABSTRACT_CHARS or len(title) > _MAX_TITLE_CHARS:
        long, limit = (
            ("abstract", MAX_ABSTRACT_CHARS) if len(abstract) > MAX_ABSTRACT_CHARS else ("title", _MAX_TITLE_CHARS)
        )
        yield Fault(f"longer than {limit:,} characters; left out", draft.number, draft.line, long)
        return
    if not display_text(title) and not display_text(abstract):
        yield Fault("neither a title nor an abstract; left out", draft.number, draft.line, "title")
        return
    year = _YEAR.search(draft.year)
    if draft.year.strip() and year is None:
        reason = f"“{display_text(draft.year)[:40]}” holds no year from 1500 to 2100; kept without"
        yield Fault(reason, field="year", refused=False, **place)
    urls = [draft.url, *draft.urls]
    ids = find_ids(draft.ids, urls)
    versions = [version for text in (draft.ids.get("arxiv", ""), *urls) if (version := arxiv_version(text))]
    named = [display_text(name) for name in draft.authors[:_MAX_AUTHORS]]
    yield Record(
        format=name,
        number=draft.number,
        line=draft.line,
        title=title,
        abstract=abstract,
        authors=filed_names(name for name in named if not _NO_AUTHOR.fullmatch(name)),
        authors_complete=not any(_NO_AUTHOR.fullmatch(name) for name in named),
        venue=display_text(draft.venue[:1_000]),
        year=int(year[0]) if year else None,
        url=next((url for text in urls if (url := http_url(text))), None) or landing_page(ids),
        keywords=tuple(
            dict.fromkeys(k for word in draft.keywords[:1_000] if (k := display_text(word[:200]).strip(" *;,.")))
        ),
        ids=ids,
        version=versions[0] if "arxiv" in ids and versions else None,
        updated=day[0] if (day := _DAY.match(draft.updated)) else "",
        withdrawn=draft.withdrawn or _WITHDRAWN.match(abstract) is not None,
    )
