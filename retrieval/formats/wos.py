"""Read Web of Science's tagged text: two letters before each value, three blanks before each line that goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import SourceFile
from retrieval.formats.tagged import Layout, Tagged, tagged_records
from retrieval.records import Fault, Record

__all__ = ["looks_like_wos", "read_wos"]

_FIRST: Final = re.compile(r"\s*(?:FN .*\r?\n?\r?VR |PT [A-Z]\s*$)", re.MULTILINE)
_LAYOUT: Final = Layout(
    tag=re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*)|$)"),
    begins=lambda tag, record, blank: tag == "PT",
    ends=frozenset({"ER", "EF"}),
    continues=re.compile(r"\s+\S"),
)


def looks_like_wos(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is Web of Science's tagged text."""
    return _FIRST.match(head) is not None


def read_wos(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each record gives; full author names are taken where they are given."""
    for tagged in tagged_records(source, _LAYOUT):
        if not tagged.closed:
            reason = "the file ends inside the record, before its ER; kept as far as it goes"
            yield Fault(reason, tagged.number, tagged.line, refused=False)
        yield from finished(_draft(tagged), "wos")


def _draft(tagged: Tagged) -> Draft:
    return Draft(
        number=tagged.number,
        line=tagged.line,
        title=tagged.first("TI"),
        abstract=tagged.first("AB"),
        authors=(tagged.each_line("AF") or tagged.each_line("AU")) + tagged.each_line("CA"),
        venue=tagged.first("SO", "CT"),
        year=tagged.first("PY", "EA"),
        keywords=[word for text in tagged.all("DE") or tagged.all("ID") for word in re.split(r";\s*", text)],
        ids={"doi": tagged.first("DI"), "pubmed": tagged.first("PM"), "wos": tagged.first("UT")},
        withdrawn="Retracted Publication" in tagged.first("DT"),
    )
