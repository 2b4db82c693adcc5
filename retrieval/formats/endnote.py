"""Read EndNote's tagged text, also known as Refer: a per cent sign and a letter before each value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import SourceFile
from retrieval.formats.tagged import Layout, Tagged, tagged_records
from retrieval.records import Fault, Record

__all__ = ["looks_like_endnote", "read_endnote"]

_FIRST: Final = re.compile(r"\s*%[0A-Z] \S")


def _begins(tag: str, record: Tagged | None, blank: bool) -> bool:  # noqa: FBT001  # the layout calls it
    """A record begins after a blank line or, without one, where its type or title comes again."""
    return record is None or blank or (tag in {"%0", "%T"} and tag in record)


_LAYOUT: Final = Layout(tag=re.compile(r"(?P<tag>%[0-9A-Z@?!$&()*+^>~<\[]) (?P<value>.*)"), begins=_begins)


def looks_like_endnote(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is EndNote's tagged text."""
    return _FIRST.match(head) is not None


def read_endnote(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each record gives."""
    for tagged in tagged_records(source, _LAYOUT):
        yield from finished(_draft(tagged), "endnote")


def _draft(tagged: Tagged) -> Draft:
    return Draft(
        number=tagged.number,
        line=tagged.line,
        title=tagged.first("%T"),
        abstract=tagged.first("%X"),
        authors=tagged.all("%A"),
        venue=tagged.first("%J", "%B", "%S"),
        year=tagged.first("%D", "%8"),
        url=tagged.first("%U"),
        urls=tagged.all("%U", "%>"),
        keywords=[word for text in tagged.all("%K") for word in re.split(r"[\n;,]", text)],
        ids={"doi": tagged.first("%R"), "pubmed": tagged.first("%M")},
    )
