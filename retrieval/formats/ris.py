"""Read RIS, as reference managers and publishers write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import SourceFile
from retrieval.formats.tagged import Layout, Tagged, tagged_records
from retrieval.identifiers import pubmed_in
from retrieval.records import Fault, Record

__all__ = ["looks_like_ris", "read_ris"]

_FIRST: Final = re.compile(r"^[^\S\n]*TY {1,2}- ?", re.MULTILINE)
_LAYOUT: Final = Layout(
    tag=re.compile(r"(?P<tag>(?:TY|ER)(?= {1,2}-)|[A-Z][A-Z0-9]{1,3}(?=  -))\s+- ?(?P<value>.*)"),
    begins=lambda tag, record, blank: tag == "TY",
    ends=frozenset({"ER"}),
)
_JOURNALS: Final = ("JF", "T2", "JO", "JA", "J2", "BT", "C3", "T3")
_PROCEEDINGS: Final = ("T2", "BT", "C3", "JF", "JO", "T3", "JA", "J2")


def looks_like_ris(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is RIS; anything may stand before the first record."""
    return _FIRST.search(head) is not None


def read_ris(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each record gives.

    The title is TI, T1, CT or BT, the abstract AB or N2, authors are AU or A1; notes may hold a PubMed number.
    """
    for tagged in tagged_records(source, _LAYOUT):
        yield from _record(tagged)


def _record(tagged: Tagged) -> Iterator[Record | Fault]:
    if tagged.long:
        yield Fault("the record is too long; kept as far as it was read", tagged.number, tagged.line, refused=False)
    elif not tagged.closed:
        reason = "the file ends inside the record, before its ER; kept as far as it goes"
        yield Fault(reason, tagged.number, tagged.line, refused=False)
    conference = tagged.first("TY") in {"CONF", "CPAPER", "CHAP"}
    doi = tagged.first("DO", "DI") or next((text for text in tagged.all("M3", "N1", "L3") if "doi" in text.lower()), "")
    draft = Draft(
        number=tagged.number,
        line=tagged.line,
        title=tagged.first("TI", "T1", "CT") or tagged.first("BT"),
        abstract=tagged.first("AB", "N2"),
        # Some publishers write each author twice.
        authors=list(dict.fromkeys(name for text in tagged.all("AU") or tagged.all("A1") for name in text.split(";"))),
        venue=tagged.first(*(_PROCEEDINGS if conference else _JOURNALS)),
        year=tagged.first("PY", "Y1", "DA"),
        url=tagged.first("UR"),
        urls=tagged.all("LK", "L2", "L1"),
        keywords=[word for text in tagged.all("KW") for word in re.split(r"[\n;]", text)],
        ids={
            "doi": doi.lower().partition("doi:")[2] if doi.lower().startswith("doi:") else doi,
            "pubmed": tagged.first("PMID") or pubmed_in("\n".join(tagged.all("N1", "AN", "C6"))),
            "wos": text if (text := tagged.first("AN")).startswith("WOS:") else "",
        },
    )
    yield from finished(draft, "ris")
