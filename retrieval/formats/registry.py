"""Every format that can be imported, and which one a file has, told by what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from retrieval.errors import SourceError
from retrieval.formats.abstracts import looks_like_abstracts, read_abstracts
from retrieval.formats.bibtex import looks_like_bibtex, read_bibtex
from retrieval.formats.endnote import looks_like_endnote, read_endnote
from retrieval.formats.feed import looks_like_feed, read_feed
from retrieval.formats.json_papers import json_reader, looks_like_json, read_json
from retrieval.formats.nbib import looks_like_nbib, read_nbib
from retrieval.formats.pubmed_xml import looks_like_pubmed, read_pubmed
from retrieval.formats.ris import looks_like_ris, read_ris
from retrieval.formats.services import SHAPES
from retrieval.formats.source import SourceFile
from retrieval.formats.table import looks_like_table, looks_like_workbook, read_table, read_workbook
from retrieval.formats.wos import looks_like_wos, read_wos
from retrieval.records import Fault, Record

__all__ = ["FORMATS", "Format", "detected", "read_source"]

Reader = Callable[[SourceFile], Iterator[Record | Fault]]


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        about: What it is, in a few words, for people.
        reads: Yields what each record of a file gives; file-level failures are raised as SourceError.
        matches: Tells from a file's beginning whether it is in this format; None for one that has to be named.
    """

    name: str
    about: str
    reads: Reader
    matches: Callable[[SourceFile], bool] | None = None


def _by_head(matches: Callable[[str], bool]) -> Callable[[SourceFile], bool]:
    return lambda source: matches(source.head)


# The surest signs come first: a table's header could stand anywhere, a PubMed set nowhere else.
_DETECTED: Final = (
    Format("xlsx", "Excel workbook with the usual column names", read_workbook, looks_like_workbook),
    Format("pubmed", "PubMed and MEDLINE XML", read_pubmed, _by_head(looks_like_pubmed)),
    Format("feed", "Atom and RSS, arXiv's among them", read_feed, _by_head(looks_like_feed)),
    Format("json", "JSON or JSON Lines of any kind below", read_json, _by_head(looks_like_json)),
    Format("nbib", "PubMed nbib", read_nbib, _by_head(looks_like_nbib)),
    Format("wos", "Web of Science tagged text", read_wos, _by_head(looks_like_wos)),
    Format("endnote", "EndNote tagged text", read_endnote, _by_head(looks_like_endnote)),
    Format("ris", "RIS", read_ris, _by_head(looks_like_ris)),
    Format("bibtex", "BibTeX and BibLaTeX", read_bibtex, _by_head(looks_like_bibtex)),
    Format("abstracts", "abstracts under a header of venue and year", read_abstracts, _by_head(looks_like_abstracts)),
    Format("csv", "table separated by commas, semicolons, tabs or bars", read_table, _by_head(looks_like_table)),
)  # fmt: skip
FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {one.name: one for one in _DETECTED}
    | {shape: Format(shape, f"JSON as {shape} writes it", json_reader(shape)) for shape in SHAPES}
)
"""Every format by its name; the first that matches a file is its own."""


def detected(source: SourceFile) -> Format:
    """Return the format of *source*.

    Raises:
        SourceError: If it is in none that is known; the message says what would be.
    """
    if not source.head.strip("\ufeff \t\r\n"):
        raise SourceError(source.path, "is empty")
    found = next((one for one in FORMATS.values() if one.matches and one.matches(source)), None)
    if found is None:
        kind = "is not text" if "\0" in source.head else "is in no format that is known"
        names = ", ".join(one.name for one in _DETECTED)
        raise SourceError(source.path, f"{kind}; known are {names}. A table needs a column named title or abstract")
    return found


def read_source(source: SourceFile, *, name: str | None = None) -> Iterator[Record | Fault]:
    """Yield what each record of *source* gives, by the format of that *name* or, without one, by its own.

    What stops a file midway is its last fault; nothing is raised once reading has begun.

    Raises:
        KeyError: If there is no format of that name.
    """
    reads = FORMATS[name].reads if name else None
    try:
        yield from (reads or detected(source).reads)(source)
    except SourceError as exc:
        yield Fault(exc.reason, line=exc.line)
