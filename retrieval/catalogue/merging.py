"""Make one entry of everything that its sources say, and of nothing else but which import they came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from retrieval.people import given_first
from retrieval.records import Record
from retrieval.text.cleaning import display_text
from retrieval.text.labels import derived_label, system_name
from retrieval.venues import is_preprint_server

__all__ = ["ENRICHED", "Merged", "entry_id_of", "merged"]

ENRICHED: Final = "enriched"
"""The format of records that were looked up: they fill what the others leave open, and win over none."""

_NAMING: Final = ("openreview", "arxiv", "doi", "pubmed", "pmc", "semanticscholar", "openalex", "dblp")


@dataclass(frozen=True, slots=True)
class Merged:
    """An entry as it is kept, without its id and place."""

    title: str
    title_derived: bool
    abstract: str
    raw_abstract: str
    name: str | None
    authors: tuple[str, ...]
    authors_complete: bool
    venue: str
    year: int | None
    url: str | None
    keywords: tuple[str, ...]
    ids: tuple[tuple[str, str], ...]
    withdrawn: bool


def merged(records: Sequence[Record], *, imports: Sequence[int]) -> Merged:
    """Return the entry that *records*, at least one, are together; *imports* are the numbers of those they came in.

    Names come from the record that writes most of them out; every other field from the best record that has it: one
    that still stands before one that was withdrawn, one from where the paper appeared before a preprint, a later
    version before an earlier one, one with an abstract before one without, and of equals the one that came last.
    Withdrawn is what no identified source lets
    stand.
    """
    came = sorted(zip(imports, records, strict=True), key=lambda one: _rank(*one), reverse=True)
    ranked = [record for _, record in came]
    raw = next((record.abstract for record in ranked if record.abstract), "")
    abstract = display_text(raw)
    title = next((title for record in ranked if (title := display_text(record.title))), "")
    by_authors = max(ranked, key=_fullness)
    by_venue = next((record for record in ranked if record.venue and not is_preprint_server(record.venue)), None)
    by_venue = by_venue or next((record for record in ranked if record.venue), ranked[0])
    ids = {scheme: value for record in reversed(ranked) for scheme, value in record.ids.items()}
    return Merged(
        title=title or derived_label(abstract),
        title_derived=not title,
        abstract=abstract,
        raw_abstract=raw,
        name=system_name(abstract),
        authors=tuple(given_first(name) for name in by_authors.authors),
        authors_complete=by_authors.authors_complete,
        venue=by_venue.venue,
        year=by_venue.year or next((record.year for record in ranked if record.year), None),
        url=next((record.url for record in ranked if record.url), None),
        keywords=next((record.keywords for record in ranked if record.keywords), ()),
        ids=tuple(sorted(ids.items())),
        withdrawn=_withdrawn(records),
    )


def entry_id_of(record: Record) -> str:
    """Return the id of a new entry that *record* begins: its best identifier, or one made of its words."""
    named = next((f"{scheme}:{record.ids[scheme]}" for scheme in _NAMING if scheme in record.ids), None)
    return named or f"{record.format}:{record.digest()[:10]}"


def _rank(number: int, record: Record) -> tuple[object, ...]:
    return (
        record.format != ENRICHED,
        not record.withdrawn,
        bool(record.venue) and not is_preprint_server(record.venue),
        record.version or 0,
        record.updated,
        bool(record.abstract),
        bool(record.ids),
        len(record.authors),
        record.year or 0,
        number,
        record.digest(),
    )


def _fullness(record: Record) -> tuple[object, ...]:
    return record.format != ENRICHED, record.authors_complete, len(record.authors), sum(map(len, record.authors))


def _withdrawn(records: Sequence[Record]) -> bool:
    identified = [record for record in records if record.ids and record.format != ENRICHED] or list(records)
    return any(record.withdrawn for record in records) and all(record.withdrawn for record in identified)
