"""Read a few bytes the way an import does, and make records by hand."""

from __future__ import annotations

from retrieval.errors import SourceError
from retrieval.formats.registry import read_source
from retrieval.formats.source import SourceFile
from retrieval.records import Fault, Record

__all__ = ["faults_in", "read", "record", "records_in"]


def read(content: str | bytes, *, name: str = "papers", kind: str | None = None) -> list[Record | Fault]:
    """Return what *content* gives, read as *kind* or as what it looks like."""
    data = content.encode() if isinstance(content, str) else content
    try:
        source = SourceFile.of(data, name)
    except SourceError as exc:
        return [Fault(exc.reason, line=exc.line)]
    return list(read_source(source, name=kind))


def records_in(content: str | bytes, *, name: str = "papers", kind: str | None = None) -> list[Record]:
    """Return the records alone."""
    return [item for item in read(content, name=name, kind=kind) if isinstance(item, Record)]


def faults_in(content: str | bytes, *, name: str = "papers", kind: str | None = None) -> list[Fault]:
    """Return the faults alone."""
    return [item for item in read(content, name=name, kind=kind) if isinstance(item, Fault)]


def record(
    title: str = "",
    *,
    abstract: str = "",
    authors: tuple[str, ...] = (),
    year: int | None = None,
    venue: str = "",
    kind: str = "bibtex",
    version: int | None = None,
    withdrawn: bool = False,
    **ids: str,
) -> Record:
    """Return a record as a reader would make it; the other keywords are its identifiers."""
    return Record(
        format=kind,
        number=1,
        title=title,
        abstract=abstract,
        authors=authors,
        year=year,
        venue=venue,
        ids=ids,
        version=version,
        withdrawn=withdrawn,
    )
