"""The rankings on judged collections are as good as `baseline.toml` says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.relevance.figures import COLLECTIONS, EVAL, collection_figures

_BASELINE = tomllib.loads(Path(__file__).with_name("baseline.toml").read_text(encoding="utf-8"))["collections"]
_SLOW = {"scifact"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in _SLOW else ()) for name in COLLECTIONS]
)
def test_no_measure_is_below_the_baseline_by_half_a_query(name: str) -> None:
    if not (EVAL / name).is_dir():
        pytest.skip(f"there is no judged collection at {EVAL / name}")

    found = collection_figures(name)

    below = {
        m: (found[m], value) for m, value in _BASELINE[name].items() if found[m] < value - 0.5 / found["questions"]
    }
    assert below == {}
