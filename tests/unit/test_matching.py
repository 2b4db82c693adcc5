"""Which records are one paper."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.matching import Described, clusters
from retrieval.records import Record
from tests.reading import record

_WORDS = "birds build small nests in tall trees because cold wind and rain would harm their eggs near the river".split()
_TEXT = " ".join(_WORDS)
_OTHER = " ".join(f"{word}ish" for word in reversed(_WORDS))


def groups(*records: Record) -> list[list[int]]:
    return clusters([Described(one) for one in records])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (record("A study of nests", arxiv="2501.00001"), record("Another name entirely", arxiv="2501.00001")),
        (record("A study of nests", doi="10.1000/x"), record("", abstract=_TEXT, doi="10.1000/x")),
        (
            record("A Study of Nests!", authors=("Roe, Ann",)),
            record("a study of {Nests}", authors=("Roe, A.",), year=2020),
        ),
        (record("A study of nests", abstract=_TEXT, authors=("Roe, Ann",)), record(abstract=_TEXT)),
        (record("A study of small nests in trees", year=2020), record("A study of small nests in trees", year=2020)),
        (
            record("A study of nests", authors=("Roe, Ann",), doi="10.48550/arxiv.2501.00001", arxiv="2501.00001"),
            record("A study of nests", authors=("Roe, Ann",), doi="10.1000/x"),
        ),
        (
            record("A study of nests", authors=("Roe, Ann",), openreview="aaaaaa", venue="ICLR", year=2025),
            record("A study of nests", authors=("Roe, Ann",), openreview="bbbbbb", venue="ICML", year=2025),
        ),
    ],
)
def test_these_are_one_paper(one: Record, other: Record) -> None:
    assert groups(one, other) == [[0, 1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (record("A study of nests", authors=("Roe, Ann",)), record("A study of nests", authors=("Doe, Jo",))),
        (
            record("A study of nests", authors=("Roe, Ann",), year=2001),
            record("A study of nests", authors=("Roe, Ann",), year=2020),
        ),
        (record("A study of nests", abstract=_TEXT), record("A study of nests", abstract=_OTHER)),
        (record("A study of nests"), record("A study of nests")),
        (record("Editorial", authors=("Roe, Ann",), year=2020), record("Editorial", authors=("Roe, Ann",), year=2020)),
        (
            record("A study of nests", authors=("Roe, Ann",), arxiv="2501.00001"),
            record("A study of nests", authors=("Roe, Ann",), arxiv="2501.00002"),
        ),
        (
            record("A study of nests", authors=("Roe, Ann",), doi="10.1000/x"),
            record("A study of nests", authors=("Roe, Ann",), doi="10.1000/y"),
        ),
        (
            record("A study of small nests in trees", year=2026, venue="ICLR", openreview="aaaaaa", abstract=_TEXT),
            record("A study of small nests in trees", year=2026, venue="ICLR", openreview="bbbbbb", abstract=_TEXT),
        ),
        (
            record("A study of nests", authors=("Roe, Ann",), pubmed="5"),
            record("On whales and their songs", authors=("Doe, Jo",), pubmed="5"),
        ),
        (record(abstract=_TEXT), record("Entirely on whales", abstract=_TEXT + " " + _OTHER, authors=("Roe, Ann",))),
    ],
)
def test_these_stay_apart(one: Record, other: Record) -> None:
    assert groups(one, other) == [[0], [1]]


def test_a_link_between_two_papers_that_cannot_be_one_links_neither() -> None:
    first = record("A study of nests", authors=("Roe, Ann",), arxiv="2501.00001")
    second = record("A study of nests", authors=("Roe, Ann",), arxiv="2501.00002")
    between = record("A study of nests", authors=("Roe, Ann",))

    assert groups(first, between, second) == [[0], [1], [2]]


_RECORDS = st.builds(
    record,
    st.sampled_from(["A study of nests", "a study of NESTS", "On whales and songs", ""]),
    abstract=st.sampled_from(["", _TEXT, _OTHER, _TEXT + " again"]),
    authors=st.sampled_from([(), ("Roe, Ann",), ("Roe, Ann", "Doe, Jo"), ("Poe, Al",)]),
    year=st.sampled_from([None, 2020, 2022, 2026]),
    arxiv=st.sampled_from(["2501.00001", "2501.00002"]),
    doi=st.sampled_from(["10.1000/x", "10.1000/y", "10.48550/arxiv.2501.00001"]),
)
_LOOSE = _RECORDS.map(lambda one: record(one.title, abstract=one.abstract, authors=one.authors, year=one.year))


@given(st.lists(_RECORDS | _LOOSE, min_size=2, max_size=5), st.data())
def test_the_order_of_records_does_not_matter(records: list[Record], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(records))))

    shuffled = groups(*(records[position] for position in order))

    assert {frozenset(order[position] for position in group) for group in shuffled} == set(
        map(frozenset, groups(*records))
    )


@given(st.lists(_RECORDS | _LOOSE, min_size=1, max_size=5))
def test_every_record_is_in_exactly_one_group(records: list[Record]) -> None:
    assert sorted(itertools.chain.from_iterable(groups(*records))) == list(range(len(records)))
