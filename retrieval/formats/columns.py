"""Know the usual names of columns: what tables, and objects of no particular service, call their fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

__all__ = ["KNOWN_COLUMNS", "column_key", "columns_of"]

KNOWN_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "title": tuple(
            "title itemtitle papertitle articletitle documenttitle primarytitle publicationtitlename ti t1 name".split()
        ),
        "abstract": tuple(
            "abstract abstracttext abstractnote paperabstract notesabstract summary n2 ab text description".split()
        ),
        "authors": tuple(
            "authors authorfullnames author authornames authorlist firstauthors authorsite creators au a1 "
            "firstauthor".split()
        ),
        "year": tuple(
            "year publicationyear pubyear yearofpublication py date publicationdate publicationdateyyyymmdd published "
            "publishdate coverdate y1".split()
        ),
        "venue": tuple(
            "venue journalbook journal sourcetitle publicationtitle publicationname conference booktitle "
            "containertitle secondarytitle journaltitle publication conferencename source so jf t2".split()
        ),
        "url": tuple(
            "url link urls openreview site openurllink articleurl itemurl landingpage fulltexturl pdflink pdf".split()
        ),
        "keywords": tuple("keywords authorkeywords tags topics kw manualtags primaryarea".split()),
        "doi": tuple("doi itemdoi articledoi do".split()),
        "arxiv": tuple("arxiv arxivid eprint".split()),
        "openreview": tuple("openreviewid forum".split()),
        "pubmed": tuple("pmid pubmedid pubmed".split()),
        "pmc": tuple("pmcid pmc".split()),
        "id": tuple("id paperid".split()),
        "status": tuple("status decision".split()),
        "updated": tuple("updated lastmodified".split()),
    }
)
"""The names of columns by what they hold, the surest first."""


def column_key(name: str) -> str:
    """Return a column's name as it is compared: "Publication Year " is "publicationyear"."""
    return re.sub(r"[\W_]+", "", name.casefold())


@lru_cache(maxsize=256)
def columns_of(names: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
    """Return the positions of the columns that hold each thing, the surest name first; unknown ones are left out."""
    keys = [column_key(name) for name in names]
    found = {
        meaning: [position for known in aliases for position, key in enumerate(keys) if key == known]
        for meaning, aliases in KNOWN_COLUMNS.items()
    }
    return {meaning: positions for meaning, positions in found.items() if positions}
