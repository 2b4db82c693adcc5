"""A collection: entries in a fixed order, their sentences, and facts about the whole."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.collection import Collection
from retrieval.errors import CollectionError, EmptyCollectionError, EntryNotFoundError
from tests.fakes.entries import THREE, entry


@given(st.permutations(THREE))
def test_entries_stand_by_id_whatever_order_they_came_in(entries: list[object]) -> None:
    collection = Collection(e for e in THREE if e in entries)

    assert [e.entry_id for e in collection] == ["a", "b", "c"]
    assert [collection.number(e.entry_id) for e in collection] == [0, 1, 2]
    assert collection.fingerprint == Collection(THREE).fingerprint


def test_no_entry_is_no_collection() -> None:
    with pytest.raises(EmptyCollectionError, match="PULLQUOTE_SEEDS_DIR"):
        Collection([])


def test_two_entries_of_one_id_are_refused_by_name() -> None:
    with pytest.raises(CollectionError, match='"b"'):
        Collection([*THREE, THREE[1]])


def test_an_unknown_id_is_named() -> None:
    collection = Collection(THREE)

    assert "nobody" not in collection
    with pytest.raises(EntryNotFoundError, match='"nobody"'):
        collection.entry("nobody")


def test_passages_are_the_numbered_sentences_of_an_abstract() -> None:
    collection = Collection([*THREE, entry("d", "Empty", "")])

    passages = collection.passages(2)

    assert [(p.entry_id, p.number, p.count) for p in passages] == [("c", 1, 3), ("c", 2, 3), ("c", 3, 3)]
    assert [p.span.of(THREE[2].abstract) for p in passages][1] == "Satellites see the ice."
    assert collection.passages(3) == ()


def test_the_fingerprint_changes_with_any_word_and_only_then() -> None:
    before = Collection(THREE)

    changed = Collection([replace(THREE[0], abstract=THREE[0].abstract + "!"), *THREE[1:]])
    same = Collection([replace(THREE[0], url="https://example.org/new"), *THREE[1:]])

    assert re.fullmatch("[0-9a-f]{12}", before.fingerprint)
    assert changed.fingerprint != before.fingerprint == same.fingerprint


def test_venues_are_counted_with_their_year_the_most_frequent_first() -> None:
    more = [entry(f"n{n}", "T", "x", venue="NeurIPS", year=2025) for n in range(2)]

    collection = Collection([*THREE, *more])

    assert collection.venues == ("NeurIPS 2025", "ICLR 2026")
    assert collection.summary == "5 abstracts: NeurIPS 2025 (3), ICLR 2026 (1)"


def test_a_summary_names_six_venues_and_counts_the_rest() -> None:
    collection = Collection(entry(f"e{n}", "T", "x", venue=f"V{n}") for n in range(9))

    assert collection.summary.endswith("V5 (1) and 3 more")


def test_a_summary_of_entries_without_venue_is_their_number() -> None:
    assert Collection([THREE[2], entry("d", "T", "x")]).summary == "2 abstracts"


def test_a_single_entry_is_one_abstract() -> None:
    assert Collection([THREE[2]]).summary == "1 abstract"
