"""Read tables: text separated by commas, semicolons, tabs or bars, and Excel workbooks."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from retrieval.errors import SourceError
from retrieval.formats.columns import columns_of
from retrieval.formats.rows import row_records
from retrieval.formats.source import Limits, SourceFile
from retrieval.records import Fault, Record

__all__ = ["looks_like_table", "looks_like_workbook", "read_table", "read_workbook"]

_SEPARATORS: Final = ",;\t|"
_MAX_COLUMNS: Final = 1_000
_UNPACKED_BYTES: Final = 512_000_000


def looks_like_table(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is a table: its first line names a title or an abstract."""
    return bool(_separator(head))


def looks_like_workbook(source: SourceFile) -> bool:
    """Tell whether *source* is a zip archive with a workbook in it."""
    if source.magic != b"PK\x03\x04":
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(source.whole())) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, SourceError, NotImplementedError, ValueError):
        return False


def read_table(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each row below the header gives; a row with more values than columns is kept and said to have them.

    Raises:
        SourceError: As `SourceFile.lines`, or if no column has a name for a title or an abstract.
    """
    separator = _separator(source.head)
    if not separator:
        raise SourceError(source.path, "no column is named title or abstract", line=1)
    lines = _Lines(source.lines())
    csv.field_size_limit(Limits.RECORD_CHARS)
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
    names = [name.strip("\ufeff \t") for name in next(rows)]
    number = 0
    while True:
        line = lines.number + 1
        try:
            values = next(rows)
        except StopIteration:
            return
        except csv.Error as exc:
            number += 1
            yield Fault(f"the row cannot be read: {exc}; left out", number, line)
            continue
        if any(value.strip() for value in values):
            number += 1
            yield from _row(names, values, number, line)


def read_workbook(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each row of each sheet with a header gives.

    Raises:
        SourceError: If the workbook is damaged, unpacks to too much, or no sheet has a column for titles or abstracts.
    """
    import openpyxl

    data = source.whole()
    _check_archive(source, data)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        found = [sheet for sheet in book.worksheets if hasattr(sheet, "iter_rows")]
        number, described = 0, False
        for sheet in found:
            rows = sheet.iter_rows(values_only=True, max_col=_MAX_COLUMNS)
            names = [_shown(cell) for cell in next(rows, ())]
            if not columns_of(tuple(names)).keys() & {"title", "abstract"}:
                continue
            described = True
            for line, row in enumerate(rows, start=2):
                values = [_shown(cell) for cell in row]
                if any(values):
                    number += 1
                    yield from _row(names, values, number, line)
    except SourceError:
        raise
    except Exception as exc:  # the library raises whatever its parsers meet in a damaged workbook
        raise SourceError(source.path, f"is not a workbook that can be read: {type(exc).__name__}") from exc
    if not described:
        raise SourceError(source.path, "no sheet has a column named title or abstract in its first row")


class _Lines:
    """Lines, counted as they are taken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        return line.replace("\0", "")


def _row(names: Sequence[str], values: Sequence[str], number: int, line: int) -> Iterator[Record | Fault]:
    extra = [value for value in values[len(names) :] if value.strip()]
    if extra:
        reason = f"the row has {len(values)} values for {len(names)} columns; what is past the last column was left out"
        yield Fault(reason, number, line, refused=False)
    row: dict[str, object] = {}
    for name, value in zip(names, values, strict=False):
        if value.strip() or name not in row:
            row[name] = value
    yield from row_records(row, number, line, "table")


def _separator(head: str) -> str:
    """Return what separates the columns of the header, or nothing when it is no header."""
    text = head.lstrip("\ufeff\r\n \t")
    for separator in _SEPARATORS:
        names = next(csv.reader(io.StringIO(text.replace("\0", "")[:20_000]), delimiter=separator), [])
        columns = columns_of(tuple(names))
        if (
            columns.keys() & {"title", "abstract"}
            and (len(names) > 1 or "\n" in text)
            and len(columns) > (len(names) > 1)
        ):
            return separator
    return ""


def _shown(cell: object) -> str:
    match cell:
        case None | bool():
            return ""
        case float() if cell.is_integer():
            return str(int(cell))
        case date():
            return cell.isoformat()
        case _:
            return str(cell).replace("_x000D_", "").strip()


def _check_archive(source: SourceFile, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as exc:
        raise SourceError(source.path, "the archive is damaged") from exc
    if unpacked > _UNPACKED_BYTES or unpacked > max(Limits.RATIO * len(data), 1_000_000):
        raise SourceError(source.path, f"unpacks to {unpacked:,} bytes, too many for its size")
