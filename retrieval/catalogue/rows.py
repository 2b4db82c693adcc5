"""Turn what the catalogue keeps into JSON text and back."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from retrieval.catalogue.merging import Merged
from retrieval.model import Entry, Source
from retrieval.records import Record

__all__ = ["entry_of", "merged_text", "record_of", "record_text"]


def record_text(record: Record) -> str:
    """Return *record* as it is kept."""
    return json.dumps(record.content(), ensure_ascii=False, separators=(",", ":"))


def record_of(text: str, *, kind: str, number: int, line: int | None) -> Record:
    """Return the record that `record_text` made, of format *kind*."""
    content: dict[str, Any] = json.loads(text)
    content["authors"], content["keywords"] = tuple(content["authors"]), tuple(content["keywords"])
    return Record(format=kind, number=number, line=line, **content)


def merged_text(merged: Merged) -> str:
    """Return *merged* as it is kept: equal texts for equal values."""
    return json.dumps(dataclasses.asdict(merged), ensure_ascii=False, separators=(",", ":"))


def entry_of(entry_id: str, text: str, file: str, ordinal: int) -> Entry:
    """Return the entry that is kept as *text*."""
    kept: dict[str, Any] = json.loads(text)
    return Entry(
        entry_id=entry_id,
        title=kept["title"],
        title_derived=kept["title_derived"],
        abstract=kept["abstract"],
        raw_abstract=kept["raw_abstract"],
        name=kept["name"],
        authors=tuple(kept["authors"]),
        authors_complete=kept["authors_complete"],
        venue=kept["venue"],
        year=kept["year"],
        url=kept["url"],
        keywords=tuple(kept["keywords"]),
        ids=dict(kept["ids"]),
        source=Source(file, ordinal),
    )
