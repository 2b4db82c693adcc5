"""Entries as the index keeps them, and back."""

from __future__ import annotations

import json
from datetime import datetime

from retrieval.index.strings import encoded
from retrieval.model import Entry, Source

__all__ = ["entry_from", "record_of"]


def record_of(entry: Entry) -> bytes:
    """Return *entry* as JSON text, equal for equal entries."""
    return encoded(
        json.dumps(
            [
                entry.entry_id,
                entry.title,
                entry.abstract,
                entry.title_derived,
                None if entry.raw_abstract == entry.abstract else entry.raw_abstract,
                entry.name,
                entry.authors,
                entry.authors_complete,
                entry.venue,
                entry.year,
                entry.url,
                entry.keywords,
                dict(entry.ids),
                entry.source and [entry.source.file, entry.source.ordinal],
                entry.arrived_at and entry.arrived_at.isoformat(),
            ],
            ensure_ascii=False,
            separators=(",", ":"),
        )
    )


def entry_from(record: str) -> Entry:
    """Return the entry that `record_of` wrote."""
    (
        entry_id, title, abstract, title_derived, raw_abstract, name, authors, authors_complete, venue, year, url,
        keywords, ids, source, arrived_at,
    ) = json.loads(record)  # fmt: skip
    return Entry(
        entry_id=entry_id,
        title=title,
        abstract=abstract,
        title_derived=title_derived,
        raw_abstract=abstract if raw_abstract is None else raw_abstract,
        name=name,
        authors=tuple(authors),
        authors_complete=authors_complete,
        venue=venue,
        year=year,
        url=url,
        keywords=tuple(keywords),
        ids=ids,
        source=None if source is None else Source(*source),
        arrived_at=None if arrived_at is None else datetime.fromisoformat(arrived_at),
    )
