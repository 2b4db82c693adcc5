"""Read lists of abstracts as a stream: a header that names venue and year, then one abstract a paragraph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from retrieval.errors import SourceError
from retrieval.formats.abstract_list import list_header, read_list, read_utf8
from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import SourceFile
from retrieval.formats.titles import SIDECAR_NAME, Title, read_titles
from retrieval.records import Fault, Record

__all__ = ["looks_like_abstracts", "read_abstracts"]

_MAX_PARAGRAPH_CHARS = 1_000_000


def looks_like_abstracts(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is such a list: its first line is a header, a blank one follows."""
    first, _, rest = head.lstrip("\ufeff \t\r\n").partition("\n")
    try:
        list_header(first.strip())
    except ValueError:
        return False
    return rest[:2].lstrip("\r").startswith("\n") and bool(rest.strip())


def read_abstracts(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield each paragraph as a record; titles that stand beside the file in `titles.jsonl` are taken from there.

    Raises:
        SourceError: As `SourceFile.lines`, or if the first line is no header.
    """
    lines = enumerate(source.lines(), start=1)
    header_line, header = next(((number, line) for number, line in lines if line.strip()), (1, ""))
    try:
        venue, year = list_header(header.strip())
    except ValueError as exc:
        raise SourceError(source.path, str(exc), line=header_line) from exc
    titles: Mapping[tuple[str, int], Title] = {}
    try:
        titles = _titles(source)
    except SourceError as exc:
        yield Fault(f"{SIDECAR_NAME}: {exc.reason}; the titles were left out", refused=False)
    for number, (line, paragraph) in enumerate(_paragraphs(lines), start=1):
        title = titles.get((source.path.name, number - 1), Title())
        draft = Draft(
            number=number,
            line=line,
            title=title.title,
            abstract=paragraph,
            authors=list(title.authors) + ([] if title.authors_complete else ["et al."]),
            venue=venue,
            year=str(year),
            url=title.url or "",
            keywords=list(title.keywords),
            ids={"arxiv": title.arxiv_id or ""},
        )
        yield from finished(draft, "abstracts")


def _paragraphs(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    start, parts, size = 0, [], 0
    for number, line in lines:
        if line.strip():
            start = start or number
            size += len(line) + 1
            if size <= _MAX_PARAGRAPH_CHARS:
                parts.append(line.strip())
        elif parts:
            yield start, "\n".join(parts)
            start, parts, size = 0, [], 0
    if parts:
        yield start, "\n".join(parts)


def _titles(source: SourceFile) -> Mapping[tuple[str, int], Title]:
    """Return the titles beside the file, those of other lists left unread."""
    sidecar = source.path.with_name(SIDECAR_NAME)
    if not source.path.is_file() or not sidecar.is_file() or source.compressed:
        return {}
    beside = sorted(path for path in source.path.parent.glob("*.txt") if path.is_file())
    lists: dict[str, tuple[str, ...]] = {}
    for path in beside:
        try:
            lists[path.name] = read_list(path).abstracts
        except SourceError:
            continue  # it is somebody else's text, or reports its own fault when it is imported
    return read_titles(sidecar, read_utf8(sidecar), lists)
