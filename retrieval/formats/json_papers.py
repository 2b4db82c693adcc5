"""Read JSON of every kind that papers come in; each object is read as the service that it looks like describes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from retrieval.formats.draft import finished
from retrieval.formats.json_stream import JsonRecord, json_records
from retrieval.formats.rows import row_records
from retrieval.formats.services import SHAPES, NotAPaperError, shape_of
from retrieval.formats.source import SourceFile
from retrieval.records import Fault, Record

__all__ = ["json_reader", "looks_like_json", "read_json"]


def looks_like_json(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is JSON."""
    text = head.lstrip("\ufeff \t\r\n")
    return text.startswith("{") or (text.startswith("[") and text[1:].lstrip()[:1] in {"{", "]", ""})


def json_reader(shape: str) -> Callable[[SourceFile], Iterator[Record | Fault]]:
    """Return a reader that takes every object for one of *shape*, a name in `SHAPES`."""

    def read(source: SourceFile) -> Iterator[Record | Fault]:
        return _read(source, shape)

    return read


def read_json(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each object gives, each by its own shape: an array, JSON Lines, or the answer of a service.

    Raises:
        SourceError: As `SourceFile.lines`.
    """
    return _read(source, None)


def _read(source: SourceFile, shape: str | None) -> Iterator[Record | Fault]:
    for record in json_records(source):
        if isinstance(record, Fault):
            yield record
        else:
            yield from _paper(record, shape or shape_of(record.fields), source.stem)


def _paper(record: JsonRecord, shape: str, stem: str) -> Iterator[Record | Fault]:
    if shape not in SHAPES:
        yield from row_records(record.fields, record.number, record.line, shape)
        return
    try:
        draft = SHAPES[shape](record.fields, record.number, stem)
    except NotAPaperError as exc:
        yield Fault(f"{exc}; left out", record.number, record.line)
        return
    yield from finished(dataclasses.replace(draft, line=record.line), shape)
