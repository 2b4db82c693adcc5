"""Entries that were found behave as the tuple of them, and as a set where two are put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.found import Found
from retrieval.model import Entry
from tests.fakes.entries import entry

_ALL = tuple(entry(f"e{n}", f"Title {n}", "") for n in range(8))
_NUMBERS = st.lists(st.integers(0, 7), unique=True)


def _found(numbers: list[int]) -> Found:
    return Found(_ALL, np.array(numbers, np.intp))


@given(numbers=_NUMBERS, start=st.integers(-9, 9), stop=st.integers(-9, 9))
def test_it_is_the_sequence_of_its_entries(numbers: list[int], start: int, stop: int) -> None:
    found, listed = _found(numbers), tuple(_ALL[n] for n in numbers)

    assert found == listed
    assert list(found) == list(listed)
    assert found[start:stop] == listed[start:stop]
    assert [found[n] for n in range(-len(listed), len(listed))] == [*listed, *listed]
    assert bool(found) is bool(listed)


@given(one=_NUMBERS, other=_NUMBERS)
def test_two_are_put_together_and_taken_apart_by_id(one: list[int], other: list[int]) -> None:
    assert _ids(_found(one) | _found(other)) == sorted({f"e{n}" for n in {*one, *other}})
    assert _ids(_found(one) - _found(other)) == sorted({f"e{n}" for n in set(one) - set(other)})


def test_others_are_not_the_same() -> None:
    assert _found([1, 2]) != _found([2, 1])
    assert _found([1, 2]) != _ALL[1:2]
    assert _found([1]) != "1"


def _ids(found: Sequence[Entry]) -> list[str]:
    return [known.entry_id for known in found]
