"""Use case: take files into the catalogue, and say what became of each record."""

from __future__ import annotations

import hashlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final

from bot.errors import UnknownFormatError
from retrieval.catalogue.ingest import Outcome
from retrieval.catalogue.joining import Joined
from retrieval.catalogue.store import Batches, Catalogue
from retrieval.errors import SourceError
from retrieval.formats.registry import FORMATS, read_source
from retrieval.formats.source import SourceFile
from retrieval.formats.titles import SIDECAR_NAME
from retrieval.records import Fault, Record
from retrieval.text.cleaning import display_text
from retrieval.text.labels import derived_label

__all__ = ["FileFault", "ImportReport", "Progress", "files_in", "import_files", "import_object", "take_source"]

MAX_FAULTS: Final = 10_000
"""More faults than these are counted, not listed."""

Progress = Callable[[Path, float, "ImportReport"], None]
"""Told now and then: the file being read, which share of it was read, and what happened so far."""

_PROGRESS_EVERY: Final = 200


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault and the file that it is in, as the file was named."""

    file: str
    fault: Fault

    def __str__(self) -> str:
        fault = self.fault
        place = f"{self.file}:{fault.line}" if fault.line else self.file
        record = f"record {fault.record}" if fault.record else ""
        return ": ".join(part for part in (place, record, fault.field, fault.reason) if part)


@dataclass(slots=True)
class ImportReport:
    """What an import did so far.

    Attributes:
        outcomes: How many records had each outcome.
        without_abstract: How many of the records that were kept have a title only.
        withdrawn: How many of them say that the paper was withdrawn.
        refused: How many records were left out.
        faults: The first `MAX_FAULTS`; `n_faults` counts all of them.
        records: The first of the records themselves, as many as were asked for.
        committed: How many records survive whatever comes.
    """

    files: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    without_abstract: int = 0
    withdrawn: int = 0
    refused: int = 0
    faults: list[FileFault] = field(default_factory=list)
    n_faults: int = 0
    records: list[Record] = field(default_factory=list)
    committed: int = 0

    @property
    def kept(self) -> int:
        """How many records were readable."""
        return self.outcomes.total()

    @property
    def read(self) -> int:
        """How many records the files hold, readable or not."""
        return self.kept + self.refused

    @property
    def nothing_readable(self) -> bool:
        """Whether something was wrong and nothing came of it."""
        return self.kept == 0 and self.n_faults > 0


def files_in(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that *paths* name, those of a folder and its folders by name.

    What is hidden in a folder is passed over. The titles beside abstract lists are read with them, so they are no file
    of their own.
    """
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            lists = any(name.lower().endswith(".txt") for name in names)
            for name in sorted(names):
                if not name.startswith(".") and not (lists and name == SIDECAR_NAME):
                    yield Path(folder) / name


def import_files(
    paths: Sequence[Path],
    catalogue: Catalogue,
    *,
    now: datetime,
    known: Joined | None = None,
    format_name: str | None = None,
    keep_records: int = 0,
    progress: Progress | None = None,
) -> ImportReport:
    """Take in everything that *paths* hold.

    Args:
        known: The entries that the collection has without the catalogue; what is one of them counts as merged.
        format_name: Read every file as this format instead of what it looks like.
        keep_records: Put so many records, the first, into the report.
        progress: Told how far things are.

    Raises:
        UnknownFormatError: If there is no such format.
        CatalogueError: If the catalogue cannot be written.
    """
    if format_name is not None and format_name not in FORMATS:
        raise UnknownFormatError(format_name, sorted(FORMATS))
    report = ImportReport()
    with catalogue.importing(now) as batches:
        for path in files_in(paths):
            report.files += 1
            try:
                source = SourceFile.at(path)
            except SourceError as exc:
                _note(report, path, Fault(exc.reason, line=exc.line))
                continue
            for number, item in enumerate(read_source(source, name=format_name), start=1):
                _take(item, path, batches, report, known, keep_records=keep_records)
                if progress is not None and number % _PROGRESS_EVERY == 0:
                    report.committed = batches.kept
                    progress(path, source.position / max(source.size, 1), report)
        for was, record in batches.take_back():
            report.outcomes[_counted(was, record, known)] -= 1
            report.outcomes[Outcome.UPDATED] += 1
    report.committed = batches.kept
    return report


def take_source(source: SourceFile, catalogue: Catalogue, report: ImportReport, *, now: datetime) -> None:
    """Take in one file that is at hand already, and add what came of it to *report*, the records too.

    Raises:
        CatalogueError: If the catalogue cannot be written.
    """
    report.files += 1
    with catalogue.importing(now) as batches:
        for item in read_source(source):
            _take(item, source.path, batches, report, None, keep_records=sys.maxsize)


def import_object(report: ImportReport, *, with_records: bool) -> Mapping[str, object]:
    """Return *report* as the JSON object pullquote.import/1; the records with their texts as they would be shown."""
    made: dict[str, object] = {
        "schema": "pullquote.import/1",
        "files": report.files,
        "read": report.read,
        **{outcome.value: report.outcomes[outcome] for outcome in Outcome},
        "without_abstract": report.without_abstract,
        "refused": report.refused,
        "faults": [
            {
                "file": one.file,
                "record": one.fault.record,
                "line": one.fault.line,
                "field": one.fault.field,
                "reason": one.fault.reason,
            }
            for one in report.faults
        ],
    }
    if with_records:
        made["records"] = [_record_object(record) for record in report.records]
    return made


def _take(
    item: Record | Fault,
    path: Path,
    batches: Batches,
    report: ImportReport,
    known: Joined | None,
    *,
    keep_records: int,
) -> None:
    if isinstance(item, Fault):
        _note(report, path, item)
        return
    report.outcomes[_counted(batches.add(item, file=path.name, folder=_folder(path)), item, known)] += 1
    report.without_abstract += not item.abstract
    report.withdrawn += item.withdrawn
    if len(report.records) < keep_records:
        report.records.append(item)


@lru_cache(maxsize=64)
def _folder(path: Path) -> str:
    """Return what tells files of one name apart, and nobody where they lie."""
    return hashlib.blake2b(os.fsencode(path.absolute().parent), digest_size=8).hexdigest()


def _counted(outcome: Outcome, record: Record, known: Joined | None) -> Outcome:
    """Return as what *outcome* counts, considering what the collection has without the catalogue."""
    return Outcome.MERGED if outcome is Outcome.NEW and known is not None and known.has(record) else outcome


def _note(report: ImportReport, path: Path, fault: Fault) -> None:
    report.refused += fault.refused and fault.record is not None
    report.n_faults += 1
    if len(report.faults) < MAX_FAULTS:
        report.faults.append(FileFault(str(path), fault))


def _record_object(record: Record) -> Mapping[str, object]:
    title, abstract = display_text(record.title), display_text(record.abstract)
    return {
        "title": title or derived_label(abstract),
        "title_derived": not title,
        "abstract": abstract,
        "authors": list(record.authors),
        "year": record.year,
        "venue": record.venue,
        "url": record.url,
        "ids": dict(record.ids),
    }
