"""Make records of table rows whose columns have the usual names: shared by text tables, workbooks and plain JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from retrieval.formats.columns import columns_of
from retrieval.formats.draft import Draft, finished
from retrieval.formats.values import people, text, texts
from retrieval.people import split_names
from retrieval.records import Fault, Record

__all__ = ["Row", "row_records"]

Row = Mapping[str, object]
"""One value by column name."""

_SOURCE: Final = re.compile(r"(.{2,200}?) \(((?:19|20)\d\d)\)")
_RUN_TOGETHER: Final = re.compile(r"(?<=[a-zß-ÿ])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLe)(?<!\bLa)(?<!\bDi)(?=[A-Z])")
_WITHDRAWN: Final = re.compile(r"withdr|retract", re.IGNORECASE)


def row_records(row: Row, number: int, line: int | None, name: str) -> Iterator[Record | Fault]:
    """Yield what one row gives.

    Args:
        name: The format's name.
    """
    names = list(row)
    columns = columns_of(tuple(names))
    values = list(row.values())

    def first(meaning: str, read: Callable[[object], str] = text) -> str:
        return next((value for at in columns.get(meaning, ()) if (value := read(values[at]).strip())), "")

    year, venue = first("year"), first("venue")
    if (cited := _SOURCE.match(venue)) and not year:  # a journal with issue and pages, as Embase exports it
        venue, year = cited[1], cited[2]
    draft = Draft(
        number=number,
        line=line,
        title=first("title"),
        abstract=first("abstract"),
        authors=next(
            (listed for at in columns.get("authors", ()) if (listed := _authors(values[at], names[at], row))), []
        ),
        venue=venue,
        year=year,
        url=next((link for at in columns.get("url", ()) if (link := text(values[at])).startswith("http")), ""),
        urls=[link for at in columns.get("url", ()) if (link := text(values[at]))],
        keywords=[word for at in columns.get("keywords", ())[:1] for word in _keywords(values[at])],
        ids={scheme: first(scheme) for scheme in ("doi", "arxiv", "openreview", "pubmed", "pmc")},
        updated=first("updated"),
        withdrawn=_WITHDRAWN.search(first("status")) is not None,
    )
    yield from finished(draft, name)


def _authors(value: object, column: str, row: Row) -> list[str]:
    if isinstance(value, list):
        return people(value)
    listed = text(value).strip()
    if column == "Authors" and "Item Title" in row:  # Springer's tables print names without anything in between
        return [name for name in _RUN_TOGETHER.split(listed) if name]
    return split_names(listed)


def _keywords(value: object) -> list[str]:
    listed = text(value).strip() if not isinstance(value, list) else ""
    if listed.startswith("["):
        return split_names(listed)
    return texts(value, separators=";|\n" if ";" in listed or "|" in listed else ",\n")
