"""Show how far an import is, where somebody watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeRemainingColumn

from bot.importing import ImportReport
from bot.importing import Progress as Tell

__all__ = ["import_progress"]


@contextmanager
def import_progress(file: TextIO) -> Iterator[Tell | None]:
    """Give what shows a bar for each file on the terminal *file*; nothing where it is no terminal."""
    if not file.isatty():
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[kept]:,} kept"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=file), transient=True) as bar:
        tasks: dict[Path, TaskID] = {}

        def tell(path: Path, share: float, report: ImportReport) -> None:
            if path not in tasks:
                tasks[path] = bar.add_task(path.name, total=1.0, kept=0)
            bar.update(tasks[path], completed=min(share, 1.0), kept=report.committed)

        yield tell
