"""An import that is killed loses nothing that it reported as kept."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from retrieval.catalogue.store import Catalogue

_PROGRAM = """
import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from retrieval.catalogue.store import Catalogue
from retrieval.records import Record

with Catalogue(Path(sys.argv[1])) as catalogue, catalogue.importing(datetime.now(UTC), batch=20) as batches:
    for number in count():
        arxiv = f"2501.{number:05}"
        batches.add(Record("ris", number + 1, title=f"Paper {number} of many", ids={"arxiv": arxiv}), file="x")
        if batches.kept == batches.taken:
            print(batches.kept, flush=True)
"""


def test_what_was_reported_as_kept_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite3"
    process = subprocess.Popen([sys.executable, "-c", _PROGRAM, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    kept = [int(process.stdout.readline()) for _ in range(5)][-1]

    process.send_signal(signal.SIGKILL)
    kept = max([kept, *(int(line) for line in process.stdout.read().split("\n")[:-1])])
    process.stdout.close()
    process.wait()

    with Catalogue(path) as catalogue:
        assert len(list(catalogue.entries())) >= kept >= 100
        for entry in catalogue.entries():
            assert catalogue.history(entry.entry_id).sources
