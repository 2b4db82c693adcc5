"""Read tables: text separated by commas, semicolons, tabs or bars, and Excel workbooks."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
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
_LOOKED_BEYOND: Final = 20
"""How many columns past the last one that has a name are looked at, to say that their values are left out."""
_SHEET_ROWS: Final = 1_048_576
_UNPACKED_BYTES: Final = 512_000_000
_ROW_LINES: Final = 10_000
_FEW_ROW_LINES: Final = 20
"""How many lines a row may span once much was read in vain."""
_RETURNED_LINES: Final = 500_000

# The csv module has one limit for all its readers, 131,072 characters: less than abstracts that never end.
csv.field_size_limit(Limits.RECORD_CHARS)


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

    A quotation mark that is open or out of place costs its own row at most.

    Raises:
        SourceError: As `SourceFile.lines`, or if no column has a name for a title or an abstract.
    """
    separator = _separator(source.head)
    if not separator:
        raise SourceError(source.path, "no column is named title or abstract", line=1)
    lines = _Lines(source.lines())
    try:
        names = next(row for row in csv.reader(lines, delimiter=separator) if any(cell.strip() for cell in row))
    except (csv.Error, StopIteration) as exc:
        raise SourceError(source.path, "the names of the columns cannot be read", line=1) from exc
    names = [name.strip("\ufeff \t") for name in names]
    number = 0
    while True:
        lines.begin()
        line = lines.number + 1
        try:
            values, fault = _values(lines, separator, len(names)), ""
        except StopIteration:
            return
        except csv.Error as exc:
            lines.give_back()
            values, fault = _values_alone(lines.row[0], separator, len(names)), str(exc)
        if any(value.strip() for value in values):
            number += 1
            if fault:
                reason = f"a quotation mark is open or out of place ({fault}); the row's first line was read alone"
                yield Fault(reason, number, line, refused=False)
            yield from _row(names, values, number, line)
        elif fault:
            number += 1
            yield Fault(f"the row cannot be read: {fault}; left out", number, line)


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
            rows = sheet.iter_rows(1, 1, max_col=_MAX_COLUMNS, values_only=True)
            names = [_shown(cell) for cell in next(rows, ())]
            while names and not names[-1]:
                names.pop()
            if not columns_of(tuple(names)).keys() & {"title", "abstract"}:
                continue
            described = True
            rows = sheet.iter_rows(2, _SHEET_ROWS, max_col=len(names) + _LOOKED_BEYOND, values_only=True)
            for line, row in enumerate(rows, start=2):
                if not any(row):
                    continue
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


def _values(lines: _Lines, separator: str, columns: int) -> list[str]:
    """Return the values of the next row.

    Raises:
        csv.Error: If quotation marks are out of place or take other rows into this one.
        StopIteration: If there is no row.
    """
    values = next(csv.reader(lines, delimiter=separator, strict=True))
    if len(values) != columns and any(
        len(_values_alone(line, separator, columns)) == columns for line in lines.row[1:]
    ):
        raise csv.Error("it takes in other rows")
    return values


def _values_alone(line: str, separator: str, columns: int) -> list[str]:
    """Return the values of a row that is one line; if they are not as many as columns, quotation marks are letters."""
    read: list[list[str]] = []
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        with suppress(csv.Error):
            read += csv.reader([line], delimiter=separator, quoting=quoting)
    fitting = next((values for values in read if len(values) == columns), read[0] if read else [])
    return [value.removeprefix('"') for value in fitting]


class _Lines:
    """Lines, counted as they are taken; those of a row that was none are given back."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._given_back: list[str] = []
        self._n_given_back = 0
        self.number = 0
        self.row: list[str] = []

    def begin(self) -> None:
        """Begin a row: it ends after `_ROW_LINES` at the latest, so that one open quotation mark takes in no file."""
        self.row = []

    def give_back(self) -> None:
        """Give back what was taken since the row began but for its first line."""
        following = self.row[:0:-1]
        self._given_back += following
        self._n_given_back += len(following)
        self.number -= len(following)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if len(self.row) >= (_ROW_LINES if self._n_given_back < _RETURNED_LINES else _FEW_ROW_LINES):
            raise StopIteration
        line = self._given_back.pop() if self._given_back else next(self._lines).replace("\0", "")
        self.number += 1
        self.row.append(line)
        return f"{line}\n"


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
