"""Read formats of tagged lines: RIS, PubMed's nbib, EndNote's and Web of Science's.

They differ in how a tag looks, where a record begins and how a value goes on; what the tags mean is said in the modules
of the formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from retrieval.formats.source import Limits, SourceFile

__all__ = ["Layout", "Tagged", "tagged_records"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines of one format look.

    Attributes:
        tag: Matches the beginning of a line that opens a field; groups "tag" and "value".
        begins: Tells from a tag, the record so far and whether the line before was blank, that a new record begins.
        ends: The tags that close a record.
        continues: Matches a line that goes on with the value before it; any other without a tag is noise.
    """

    tag: re.Pattern[str]
    begins: Callable[[str, Tagged | None, bool], bool]
    ends: frozenset[str] = frozenset()
    continues: re.Pattern[str] = re.compile("")


@dataclass(slots=True)
class Tagged:
    """One record: its fields in the order of the file.

    Attributes:
        closed: Whether the record was closed by its end tag or by the next record.
        long: Whether it went past the size limit and lost what came after.
    """

    number: int
    line: int
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    size: int = 0
    closed: bool = False
    long: bool = False

    def __contains__(self, tag: str) -> bool:
        return any(name == tag for name, _ in self.fields)

    def all(self, *tags: str) -> list[str]:
        """Return the values of every field with one of *tags*, those of the first tag first."""
        return [value for tag in tags for name, lines in self.fields if name == tag and (value := _joined(lines))]

    def first(self, *tags: str) -> str:
        """Return the first value that is not blank, in the order of *tags*; else an empty text."""
        return next(iter(self.all(*tags)), "")

    def each_line(self, tag: str) -> list[str]:
        """Return every line of the fields with *tag*, for formats that list values on lines."""
        return [line.strip() for name, lines in self.fields if name == tag for line in lines if line.strip()]


def tagged_records(source: SourceFile, layout: Layout) -> Iterator[Tagged]:
    """Yield the records of *source*; lines that stand outside a record are passed over.

    Raises:
        SourceError: As `SourceFile.lines`.
    """
    record: Tagged | None = None
    number, blank = 0, True
    for line_number, line in enumerate(source.lines(), start=1):
        match = layout.tag.match(line)
        tag = match["tag"] if match else ""
        if match and layout.begins(tag, record, blank):
            if record is not None:
                record.closed = True
                yield record
            number += 1
            record = Tagged(number, line_number)
        if record is not None and match and tag in layout.ends:
            record.closed = True
            yield record
            record = None
        elif record is not None and (match or layout.continues.match(line)):
            _add(record, tag, (match["value"] or "") if match else line)
        blank = not line.strip()
    if record is not None:
        record.closed = not layout.ends
        yield record


def _add(record: Tagged, tag: str, text: str) -> None:
    record.size += len(text) + 1
    if record.size > Limits.RECORD_CHARS:
        record.long = True
    elif tag:
        record.fields.append((tag, [text]))
    elif record.fields:
        record.fields[-1][1].append(text)


def _joined(lines: list[str]) -> str:
    return "\n".join(line.strip() for line in lines).strip()
