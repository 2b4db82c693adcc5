"""A process that changes a collection and keeps its index, until it is killed: `… index_writer FOLDER`.

What happens to the collection is the same each time, so that where it stood says what the index must hold.
"""

from __future__ import annotations

import sys
from pathlib import Path

from retrieval.current import CurrentEngine
from retrieval.index.store import IndexStore
from retrieval.model import Entry
from tests.fakes.entries import entry
from tests.fakes.supply import FakeSupply

__all__ = ["supply_at"]

_ENTRIES = 40
_WORDS = "causal bandit glacier volcano graph mask budget radar orchid tensor".split()


def supply_at(position: int) -> FakeSupply:
    """Return the collection after so many changes."""
    supply = FakeSupply([_entry(number) for number in range(3)])
    for number in range(position):
        change(supply, number)
    return supply


def change(supply: FakeSupply, number: int) -> None:
    """Make the change of that number."""
    if number % 7 == 6:
        supply.withdraw(f"e{(number * 5) % _ENTRIES}")
    else:
        supply.put(_entry(number))


def _entry(number: int) -> Entry:
    words = [_WORDS[(number * step) % len(_WORDS)] for step in (1, 3, 7, number)]
    return entry(f"e{number % _ENTRIES}", f"Title {number}", f"We study {' '.join(words)}. It is the {number}th.")


def _write(folder: Path) -> None:
    store = IndexStore(folder, None)
    found = store.open()
    at = 0 if isinstance(found, str) else int(found.position)
    supply = supply_at(at)
    current = CurrentEngine(supply, None, store)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        change(supply, at)
        at += 1
        parts = current.latest().parts
        if at % 3 == 0:
            store.write(parts, supply.position())
            current = CurrentEngine(supply, None, store)


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
