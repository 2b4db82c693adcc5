"""A process that is killed while it writes leaves an index that opens and gives the scores of a rebuild.

`PULLQUOTE_KILLS=200` makes it many times.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from retrieval.engine import Engine
from retrieval.index.parts import Parts
from retrieval.index.store import IndexStore
from tests.integration.index_writer import supply_at

_ROOT = Path(__file__).parents[2]
_KILLS = int(os.environ.get("PULLQUOTE_KILLS", "8"))
_QUERY = ("causal", "bandit", "glacier", "graph", "studi")


def test_an_index_survives_its_writer_being_killed(tmp_path: Path) -> None:
    chance = random.Random(7)
    positions = []

    for _ in range(_KILLS):
        _write_and_kill(tmp_path, chance.uniform(0, 0.12))
        found = IndexStore(tmp_path, None).open()
        if found == "there is none yet":
            continue
        assert not isinstance(found, str), found
        positions.append(int(found.position))
        kept = Engine(Parts(found.parts), None)
        rebuilt = Engine.of(supply_at(positions[-1]).now.values(), None)
        assert list(kept.collection) == list(rebuilt.collection)
        assert np.array_equal(kept.index.scores(_QUERY), rebuilt.index.scores(_QUERY))

    assert positions == sorted(positions)
    assert positions[-1] > 0


def _write_and_kill(folder: Path, after_s: float) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.integration.index_writer", str(folder)], cwd=_ROOT, stdout=subprocess.PIPE
    ) as process:
        if process.stdout is None:
            raise AssertionError("the process has no output")
        process.stdout.readline()
        time.sleep(after_s)  # so that it dies at another place each time
        process.kill()
