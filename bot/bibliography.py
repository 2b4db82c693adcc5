"""Entries as others read them: BibTeX, RIS, CSV, and a line to cite by."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from bot.present import printable, venue_year
from retrieval.model import Entry
from retrieval.text.analysis import fold
from retrieval.venues import VENUE_ALIASES, canonical_venue, is_preprint_server

__all__ = ["FORMATS", "bibtex", "citation", "csv_table", "json_lines", "ris"]

_BIBTEX_SPECIALS = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)
_CSV_FIELDS = ("entry_id", "title", "authors", "venue", "year", "url", "abstract")
_MEETING = re.compile(r"\b(?:proc|proceedings|conf|conference|workshops?|symposium|meeting|congress)\b", re.IGNORECASE)
_JOURNAL = re.compile(r"\b(?:journal|transactions|letters|J[A-Z]{2,}|T[A-Z]{3}|PNAS|PLoS)\b")


def bibtex(entries: Iterable[Entry], *, abstracts: bool = False) -> str:
    """Return BibTeX records with distinct keys; special characters escaped, capitals of the title protected."""
    taken: set[str] = set()
    return "\n\n".join(_bibtex(entry, _distinct(_key(entry), taken), abstract=abstracts) for entry in entries)


def citation(entry: Entry) -> str:
    """Return one line to cite *entry* by: authors, title, venue and year, address."""
    parts = (
        _authors_in_words(entry),
        printable(entry.title),
        venue_year(entry),
    )
    line = ". ".join(part.rstrip(".") for part in parts if part)
    return f"{line}. {entry.url}" if entry.url else f"{line}."


def ris(entries: Iterable[Entry]) -> str:
    """Return RIS records, each ended by its ER line."""
    return "\n".join(_ris(entry) for entry in entries)


def csv_table(entries: Iterable[Entry]) -> str:
    """Return a CSV table with a header line; authors are joined by semicolons.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(_CSV_FIELDS)
    for entry in entries:
        shown = ("; ".join(entry.authors), entry.venue, entry.year or "", entry.url or "", entry.abstract)
        writer.writerow([_harmless(printable(str(cell))) for cell in (entry.entry_id, entry.title, *shown)])
    return table.getvalue()


def json_lines(entries: Iterable[Entry]) -> str:
    """Return one JSON object a line, with everything that is known of an entry."""
    return "\n".join(json.dumps(_record(entry), ensure_ascii=False) for entry in entries)


FORMATS: Mapping[str, Callable[[Iterable[Entry]], str]] = {
    "bibtex": partial(bibtex, abstracts=True),
    "ris": ris,
    "csv": csv_table,
    "jsonl": json_lines,
}
"""The writers of whole lists, by the name of their format."""


def _record(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.entry_id,
        "title": entry.title,
        "title_derived": entry.title_derived,
        "authors": list(entry.authors),
        "abstract": entry.abstract,
        "venue": entry.venue,
        "year": entry.year,
        "url": entry.url,
        "keywords": list(entry.keywords),
        "ids": dict(entry.ids),
    }


def _bibtex(entry: Entry, key: str, *, abstract: bool) -> str:
    kind, venue, _ = _kind(entry.venue)
    fields = {
        "title": f"{{{_escaped(entry.title)}}}",
        "author": " and ".join(_escaped(author) for author in entry.authors)
        + ("" if entry.authors_complete or not entry.authors else " and others"),
        venue: _escaped(entry.venue),
        "year": str(entry.year or ""),
        "doi": entry.ids.get("doi", ""),
        "eprint": entry.ids.get("arxiv", ""),
        "archiveprefix": "arXiv" if "arxiv" in entry.ids else "",
        "url": entry.url or "",
        "abstract": _escaped(entry.abstract) if abstract else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _kind(venue: str) -> tuple[str, str, str]:
    """Return what a paper of *venue* is in BibTeX, the field for the venue there, and what it is in RIS."""
    if not venue:
        return "misc", "", "GEN"
    if is_preprint_server(venue):
        return "misc", "howpublished", "GEN"
    # A conference is known, says that it is one, or goes by an acronym, as few journals do.
    acronym = sum(map(str.isupper, venue.split(maxsplit=1)[0])) > 2 and not _JOURNAL.search(venue)
    if acronym or canonical_venue(venue) in VENUE_ALIASES.values() or _MEETING.search(venue):
        return "inproceedings", "booktitle", "CPAPER"
    return "article", "journal", "JOUR"


def _key(entry: Entry) -> str:
    # "Smith, Ada" has the family's name before the comma, "Ada Smith" at the end.
    family = " ".join(entry.authors[:1]).partition(",")[0].split()[-1:] or ["anonymous"]
    word = next((w for w in re.findall(r"\w+", entry.title) if len(w) > 3), "untitled")
    return re.sub(r"[^a-z0-9]", "", fold(f"{family[0]}{entry.year or ''}{word}")) or "entry"


def _distinct(key: str, taken: set[str]) -> str:
    number, candidate = 1, key
    while candidate in taken:
        number += 1
        candidate = f"{key}-{number}"
    taken.add(candidate)
    return candidate


def _ris(entry: Entry) -> str:
    tags = [
        ("TY", _kind(entry.venue)[2]),
        ("TI", printable(entry.title)),
        *(("AU", printable(author)) for author in entry.authors),
        ("T2", printable(entry.venue)),
        ("PY", str(entry.year or "")),
        ("AB", printable(entry.abstract)),
        ("DO", entry.ids.get("doi", "")),
        ("UR", entry.url or ""),
    ]
    return "\n".join([f"{tag}  - {value}" for tag, value in tags if value] + ["ER  - ", ""])


def _authors_in_words(entry: Entry) -> str:
    names = [printable(author) for author in entry.authors]
    return f"{', '.join(names)}{'' if entry.authors_complete else ' et al'}" if names else ""


def _escaped(text: str) -> str:
    return printable(text).translate(_BIBTEX_SPECIALS)


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell
