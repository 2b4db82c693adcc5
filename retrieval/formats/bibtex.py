"""Read BibTeX and BibLaTeX, one entry at a time, so that what never closes spoils itself only."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import RemoveEnclosingMiddleware, ResolveStringReferencesMiddleware

from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import Limits, SourceFile
from retrieval.identifiers import arxiv_in, pubmed_in
from retrieval.people import split_names
from retrieval.records import Fault, Record

__all__ = ["looks_like_bibtex", "read_bibtex"]

_START: Final = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
_FIRST: Final = re.compile(r"^[^\S\n]*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE)
_KNOWN: Final = frozenset(
    "article inproceedings incollection inbook book booklet conference manual mastersthesis misc phdthesis proceedings "
    "techreport unpublished online electronic thesis report dataset software collection preprint string comment "
    "preamble".split()
)
_BRACES: Final = re.compile(r"\\.|[{}]")
_INNER_AT: Final = re.compile(r"@(?=\w+\s*\{)")
_FIELD: Final = re.compile(r"^[ \t]*([A-Za-z][\w-]{1,40})[ \t]*=[ \t]*", re.MULTILINE)
_AND: Final = re.compile(r"\s+and\s+", re.IGNORECASE)
_VENUES: Final = (
    "journal",
    "journaltitle",
    "booktitle",
    "maintitle",
    "eventtitle",
    "school",
    "institution",
    "howpublished",
)


@dataclass(slots=True)
class _Block:
    kind: str
    line: int
    lines: list[str] = field(default_factory=list)
    size: int = 0
    depth: int = 0


def looks_like_bibtex(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, holds an entry; comments may stand before it."""
    return _FIRST.search(head) is not None


def read_bibtex(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each entry gives; `@string` is resolved, `@comment` and `@preamble` are passed over."""
    # A fault says what the parser's own warning would say again.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    strings: list[str] = []
    number = 0
    for block in _blocks(source):
        text = "\n".join(block.lines)
        if block.kind == "string":
            strings.append(text[:10_000])
        elif block.kind not in {"comment", "preamble"}:
            number += 1
            yield from _entry(text, "\n".join(strings[-2_000:]), number, block)


def _blocks(source: SourceFile) -> Iterator[_Block]:
    """Yield each entry's own lines.

    Inside braces that are still open only a known type begins an entry: an abstract may hold an @ at a line's start.
    """
    block: _Block | None = None
    for number, line in enumerate(source.lines(), start=1):
        start = _START.match(line)
        if start and (block is None or block.depth <= 0 or start[1].lower() in _KNOWN):
            if block is not None:
                yield block
            block = _Block(start[1].lower(), number)
        if block is not None:
            block.size += len(line) + 1
            block.depth += sum({"{": 1, "}": -1}.get(brace, 0) for brace in _BRACES.findall(line))
            if block.size <= Limits.RECORD_CHARS:
                block.lines.append(line)
    if block is not None:
        yield block


def _entry(text: str, strings: str, number: int, block: _Block) -> Iterator[Record | Fault]:
    if block.size > Limits.RECORD_CHARS or text.count("{") > 10_000:
        yield Fault("the entry is too long to be one; left out", number, block.line)
        return
    # What looks like the next entry inside this one would end it for the parser; the sign put in is never shown.
    opening = text.find("{") + 1
    inside = _INNER_AT.sub("@\u2060", text[opening:])
    library = parse_string(
        f"{strings}\n{text[:opening]}{inside}",
        parse_stack=[
            ResolveStringReferencesMiddleware(allow_inplace_modification=True),
            RemoveEnclosingMiddleware(allow_inplace_modification=True),
        ],
    )
    if library.entries:
        entry = library.entries[0]
        fields = {item.key.lower(): " ".join(str(item.value).split()) for item in entry.fields}
        yield from finished(_draft(fields, entry.key, number, block.line), "bibtex")
        return
    reason = "its braces or quotes never close, or a comma is missing; read line by line"
    yield Fault(reason, number, block.line, refused=False)
    yield from finished(_draft(_fields_by_line(text), "", number, block.line), "bibtex")


def _fields_by_line(text: str) -> dict[str, str]:
    """Return the fields of an entry that does not parse: each begins a line, as everybody writes them."""
    starts = [*_FIELD.finditer(text)]
    ends = [*(match.start() for match in starts[1:]), len(text)][: len(starts)]
    values = [text[start.end() : end].strip().rstrip(",").strip() for start, end in zip(starts, ends, strict=True)]
    if values and values[-1].endswith("}"):
        values[-1] = values[-1][:-1].rstrip().rstrip(",").rstrip()
    closed = [
        value[1 : -1 if value[-1:] in {"}", '"'} else None] if value[:1] in {"{", '"'} else value for value in values
    ]
    return {start[1].lower(): " ".join(value.split()) for start, value in zip(starts, closed, strict=True)}


def _draft(fields: Mapping[str, str], key: str, number: int, line: int) -> Draft:
    def first(*names: str) -> str:
        return next((value for name in names if (value := _bare(fields.get(name, "")))), "")

    title, subtitle = first("title", "booktitle"), first("subtitle")
    return Draft(
        number=number,
        line=line,
        title=f"{title}: {subtitle}" if subtitle else title,
        abstract=first("abstract", "abstractnote"),
        authors=_authors(fields.get("author", "")),
        venue=first(*_VENUES),
        year=first("year", "date", "issued"),
        url=first("url", "ee", "link"),
        urls=[first("pdf"), first("eprint")],
        keywords=re.split(r"\s*[;,]\s*", first("keywords", "keyword", "author_keywords")),
        ids={
            "doi": first("doi"),
            "arxiv": _arxiv(fields),
            "pubmed": first("pmid") or pubmed_in(first("note", "annote")),
            "pmc": first("pmcid"),
            "dblp": key if key.startswith("DBLP:") else "",
        },
        updated=first("updated"),
    )


def _bare(value: str) -> str:
    """Return *value* without the braces that are around all of it, which only protect capitals."""
    while value.startswith("{") and value.endswith("}"):
        depth = 0
        for brace in _BRACES.finditer(value):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if depth == 0:
                break
        if depth or brace.end() < len(value):
            break
        value = value[1:-1].strip()
    return value


def _authors(text: str) -> list[str]:
    """Return the names in *text*, at each "and" outside braces; some sources separate them by commas instead."""
    names = [""]
    depth = 0
    for part in re.split(r"(\\.|[{}]|\s+and\s+)", text, flags=re.IGNORECASE):
        depth += {"{": 1, "}": -1}.get(part, 0)
        if depth <= 0 and _AND.fullmatch(part):
            names.append("")
        else:
            names[-1] += part
    return split_names(text) if len(names) == 1 and text.count(",") > 1 and "{" not in text else names


def _arxiv(fields: Mapping[str, str]) -> str:
    kind = (fields.get("archiveprefix") or fields.get("eprinttype") or "").lower()
    if kind == "arxiv":
        return fields.get("eprint", "")
    places = ("journal", "volume", "note", "howpublished")
    named = next((found for name in places if (found := arxiv_in(fields.get(name, "")))), "")
    return fields.get("arxivid", "") or named or fields.get("eprint", "")
