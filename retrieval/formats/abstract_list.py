"""Read a folder of abstract lists: a header line that names venue and year, then one abstract a paragraph.

A list has no titles. They may stand beside it in `titles.jsonl` (see `retrieval.formats.titles`); an entry that has
none there gets a label derived from its own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from retrieval.errors import EmptyCollectionError, SourceError
from retrieval.formats.titles import SIDECAR_NAME, Title, read_titles
from retrieval.model import Entry, Source
from retrieval.text.cleaning import display_text
from retrieval.text.labels import derived_label, system_name

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_PARAGRAPH_CHARS",
    "AbstractList",
    "list_header",
    "read_folder",
    "read_list",
    "read_utf8",
]

MAX_FILE_BYTES: Final = 64_000_000
MAX_PARAGRAPH_CHARS: Final = 50_000
_MAX_HEADER_CHARS: Final = 120
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_HEADER_WORDS: Final = re.compile(
    r"论文列表|论文|摘要|列表|\b(?:list|of|the|accepted|papers?|abstracts?|proceedings|conference)\b",
    re.IGNORECASE,
)
_VENUE: Final = re.compile(r"[^\W_][\w&+./’' -]*")
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class AbstractList:
    """One file as it was read.

    Attributes:
        venue: As the header names it, for example "NeurIPS".
        year: As the header names it.
        abstracts: The raw abstracts in order; the ordinal of each is its index.
        lines: The number of the line that each begins on, from 1.
    """

    venue: str
    year: int
    abstracts: tuple[str, ...]
    lines: tuple[int, ...]


def read_folder(folder: Path) -> tuple[Entry, ...]:
    """Return the entries of every `*.txt` list in *folder*, files in the order of their names.

    Args:
        folder: Holds the lists and, if there are titles, `titles.jsonl`, which may cover some entries only.

    Raises:
        SourceError: If the folder, a list or the titles cannot be read as what they should be.
        EmptyCollectionError: If the folder holds no list.
    """
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "there is no such folder"
        raise SourceError(folder, f"{problem}; name a folder that holds *.txt abstract lists")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".txt" and not path.is_dir())
    if not paths:
        raise EmptyCollectionError(f"{folder}: holds no *.txt abstract list; put one there or name another folder")
    lists = {path.name: read_list(_inside(path, folder)) for path in paths}
    sidecar = folder / SIDECAR_NAME
    abstracts = {name: read.abstracts for name, read in lists.items()}
    titles: Mapping[tuple[str, int], Title] = {}
    if sidecar.exists():
        titles = read_titles(_inside(sidecar, folder), read_utf8(sidecar), abstracts)
    return tuple(
        _entry(name, read, ordinal, titles.get((name, ordinal)))
        for name, read in lists.items()
        for ordinal in range(len(read.abstracts))
    )


def read_list(path: Path) -> AbstractList:
    """Read one abstract list.

    The first line that is not blank is the header, in English or Chinese: "NeurIPS 2026 论文列表", "ICLR 2026 papers",
    "List of papers: KDD 2025". Blank lines separate the abstracts; one may stand on several lines.

    Raises:
        SourceError: If the file is no such list: not UTF-8 text, no header, no abstract, or a paragraph too long.
    """
    lines = read_utf8(path).split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise SourceError(path, "is empty; it needs a header such as “ICLR 2026 papers”, a blank line, and abstracts")
    venue, year = _header(path, lines[first].strip(), first + 1)
    paragraphs = _paragraphs(path, lines, first + 1)
    if not paragraphs:
        raise SourceError(path, "has a header but no abstract after it; add one a paragraph", line=first + 1)
    return AbstractList(venue, year, tuple(paragraphs.values()), tuple(paragraphs))


def list_header(line: str) -> tuple[str, int]:
    """Return the venue and the year that a list's header names.

    Raises:
        ValueError: If *line* is no such header; the message says what one looks like.
    """
    years = _YEAR.findall(line) if len(line) <= _MAX_HEADER_CHARS else []
    venue = _VENUE.search(" ".join(_HEADER_WORDS.sub(" ", _YEAR.sub(" ", line)).split()))
    if len(years) != 1 or venue is None:
        shown = line if len(line) <= 40 else line[:40] + "…"
        expected = "expected a header that names venue and year, such as “ICLR 2026 papers” or “NeurIPS 2026 论文列表”"
        raise ValueError(f"{expected}; found “{display_text(shown)}”")
    return venue[0].rstrip(" .-/"), int(years[0])


def read_utf8(path: Path) -> str:
    """Return the text of *path* with plain line feeds and without a byte order mark.

    Raises:
        SourceError: If it cannot be opened, is longer than `MAX_FILE_BYTES`, binary, or not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise SourceError(path, f"cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_FILE_BYTES:
        raise SourceError(path, f"is longer than {MAX_FILE_BYTES:,} bytes; split it into several lists")
    if data.startswith(_UTF16_MARKS):
        raise SourceError(path, "is UTF-16; save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise SourceError(path, "holds a NUL byte, so it is not text; save it as UTF-8 text", line=line)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(path, f"byte {data[error.start]:#04x} is not UTF-8; save it as UTF-8", line=line) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _inside(path: Path, folder: Path) -> Path:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise SourceError(path, "is a link that leads nowhere; remove it or copy the file here") from error
    if not target.is_relative_to(folder.resolve()):
        raise SourceError(path, "is a link that leads out of the folder; copy the file here")
    return path


def _header(path: Path, line: str, number: int) -> tuple[str, int]:
    try:
        return list_header(line)
    except ValueError as error:
        raise SourceError(path, str(error), line=number) from error


def _paragraphs(path: Path, lines: list[str], start: int) -> dict[int, str]:
    """Return the paragraphs from line index *start* on, by the number of the line that each begins on."""
    paragraphs: dict[int, list[str]] = {}
    number, size = 0, 0
    for index in range(start, len(lines)):
        line = lines[index].strip()
        if not line:
            number = 0
            continue
        if not number:
            number, size = index + 1, 0
        size += len(line) + 1
        if size > MAX_PARAGRAPH_CHARS:
            limit = f"{MAX_PARAGRAPH_CHARS:,} characters"
            raise SourceError(
                path, f"an abstract is longer than {limit}; separate abstracts by blank lines", line=number
            )
        paragraphs.setdefault(number, []).append(line)
    return {number: "\n".join(parts) for number, parts in paragraphs.items()}


def _entry(file: str, read: AbstractList, ordinal: int, title: Title | None) -> Entry:
    raw = read.abstracts[ordinal]
    abstract = display_text(raw)
    given = title or Title()
    return Entry(
        entry_id=f"{Path(file).stem}:{ordinal}",
        title=given.title or derived_label(abstract),
        title_derived=not given.title,
        abstract=abstract,
        raw_abstract=raw,
        name=given.name or system_name(abstract),
        authors=given.authors,
        authors_complete=given.authors_complete,
        venue=read.venue,
        year=read.year,
        url=given.url,
        keywords=given.keywords,
        ids=MappingProxyType({"arxiv": given.arxiv_id} if given.arxiv_id else {}),
        source=Source(file, ordinal),
    )
