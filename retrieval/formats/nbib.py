"""Read PubMed's nbib, the MEDLINE display of its records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import SourceFile
from retrieval.formats.tagged import Layout, Tagged, tagged_records
from retrieval.records import Fault, Record

__all__ = ["looks_like_nbib", "read_nbib"]

_FIRST: Final = re.compile(r"\s*PMID ?- ?\d")
_LAYOUT: Final = Layout(
    tag=re.compile(r"(?P<tag>[A-Z]{2,4}) {0,2}- (?P<value>.*)"),
    begins=lambda tag, record, blank: tag == "PMID",
    continues=re.compile(r"\s+\S"),
)
_DOI: Final = re.compile(r"(?<!\S)(\S++) \[doi\]")


def looks_like_nbib(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is nbib."""
    return _FIRST.match(head) is not None


def read_nbib(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each record gives; full author names are taken where they are given."""
    for tagged in tagged_records(source, _LAYOUT):
        yield from finished(_draft(tagged), "nbib")


def _draft(tagged: Tagged) -> Draft:
    doi = next((match[1] for text in tagged.all("LID", "AID") if (match := _DOI.search(text))), "")
    return Draft(
        number=tagged.number,
        line=tagged.line,
        title=tagged.first("TI", "BTI", "TT"),
        abstract=tagged.first("AB"),
        authors=(tagged.all("FAU") or tagged.all("AU")) + tagged.all("CN"),
        venue=tagged.first("JT", "TA"),
        year=tagged.first("DP", "DEP"),
        keywords=[word.replace("*", "") for word in tagged.all("OT") or tagged.all("MH")],
        ids={"doi": doi, "pubmed": tagged.first("PMID"), "pmc": tagged.first("PMC")},
        withdrawn="Retracted Publication" in tagged.all("PT"),
    )
