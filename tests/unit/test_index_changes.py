"""Whatever was added, replaced and withdrawn, in whatever order: the engine answers as one that is made anew."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.current import CurrentEngine
from retrieval.engine import Engine
from retrieval.index.building import build_segment
from retrieval.index.merging import merged
from retrieval.index.parts import Part, Parts
from retrieval.index.store import IndexStore
from retrieval.model import Entry
from retrieval.query import Condition
from tests.fakes.entries import THREE, entry, word_vectors
from tests.fakes.supply import FakeSupply

_SENTENCES = st.sampled_from(
    [
        "A temporal knowledge graph (TKG) grows.",
        "A tiny known gadget (TKG) shrinks.",
        "We propose BUDGE, a causal bandit.",
        "Recommendation by causal discovery (CD).",
        "Compact discs (CD) of the LPSFed recommender; front-door.",
        "Glaciers melt, glaciers recommend recommendations.",
        "Our code is at https://github.com/a/b for all.",
        "图 graphs 3.5 TNF-α",
    ]
)
_ENTRY = st.builds(
    entry,
    st.sampled_from("abcdefgh"),
    st.sampled_from(["BUDGE: a bandit", "Neural Effect Search", "On glaciers", "Of graphs and graph"]),
    st.lists(_SENTENCES, max_size=3).map(" ".join),
    authors=st.lists(st.sampled_from(["Ada Smith", "Bo Chen"]), max_size=2),
    venue=st.sampled_from(["", "ICLR"]),
    year=st.none() | st.just(2025),
    keywords=st.lists(st.sampled_from(["causal graphs", "ice"]), max_size=2),
    name=st.sampled_from([None, "BUDGE", "Neural Effect Search", "New Ear Sound"]),
    title_derived=st.booleans(),
)
_STEP = _ENTRY | st.sampled_from("abcdefgh")
_QUESTIONS = (
    "what is TKG?", "temporal knowledge graph", "recomendation by causal discovry", "NES", "BUDGE", "causaldiscovery",
    "icebergs", "compact discs for glaciers", "of the",
)  # fmt: skip


def _same(one: Engine, other: Engine) -> None:
    assert [e.entry_id for e in one.collection] == [e.entry_id for e in other.collection]
    assert list(one.collection) == list(other.collection)
    assert one.collection.fingerprint == other.collection.fingerprint
    assert one.collection.summary == other.collection.summary
    assert one.listing.with_code() == other.listing.with_code()
    assert one.listing.latest_arrival == other.listing.latest_arrival
    everything = one.listing.mentioning("")
    assert everything == other.listing.mentioning("")
    for by in ("venue", "year", "keyword"):
        assert one.listing.grouped(by, everything) == other.listing.grouped(by, everything)
    for conditions in ([Condition("author", "smith")], [Condition("venue", "iclr", negated=True)]):
        assert one.listing.mentioning("glacier", conditions) == other.listing.mentioning("glacier", conditions)
    assert one.listing.tagged("causal graph") == other.listing.tagged("causal graph")
    for question in _QUESTIONS:
        asked = one.understand(question)
        assert asked == other.understand(question)
        assert one.named(question) == other.named(question)
        assert one.search(asked, k=5) == other.search(asked, k=5)
        ids = [hit.entry_id for hit in one.search(asked, k=3).hits]
        assert repr(one.evidence(asked, ids)) == repr(other.evidence(asked, ids))
        terms = [term.term for term in asked.terms]
        assert np.array_equal(one.index.scores(terms), other.index.scores(terms))
    assert one.lexicon.meant("recomendation") == other.lexicon.meant("recomendation")


@pytest.mark.parametrize("semantic", [True, False])
@settings(max_examples=30, deadline=None)
@given(steps=st.lists(st.lists(_STEP, min_size=1, max_size=4), min_size=1, max_size=8), forgetful=st.booleans())
def test_changes_one_by_one_give_what_a_rebuild_gives(
    steps: list[list[Entry | str]], *, forgetful: bool, semantic: bool
) -> None:
    vectors = word_vectors() if semantic else None
    supply = FakeSupply(THREE, forgetful=forgetful)
    current = CurrentEngine(supply, vectors, None)

    for together in steps:
        for step in together:
            if isinstance(step, Entry):
                supply.put(step)
            elif supply.now.keys() - {step}:
                supply.withdraw(step)
        current.latest()

    _same(current.latest(), Engine.of(supply.now.values(), vectors))


@settings(max_examples=30, deadline=None)
@given(entries=st.lists(_ENTRY, min_size=2, max_size=8, unique_by=lambda entry: entry.entry_id), data=st.data())
def test_segments_put_together_are_the_segment_of_all_their_entries(entries: list[Entry], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(entries) - 1))
    gone = data.draw(st.lists(st.sampled_from(entries[:at]), unique_by=lambda entry: entry.entry_id))
    first = Part(build_segment(entries[:at], word_vectors()))
    if gone:
        rows = [first.row(entry.entry_id) for entry in gone]
        first = first.without(rows, build_segment(gone, None))

    one = dict(merged(Parts([first, Part(build_segment(entries[at:], word_vectors()))])).columns())

    other = dict(build_segment([e for e in entries if e not in gone], word_vectors()).columns())
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) and one[name].dtype == other[name].dtype for name in one)


def test_who_has_an_engine_keeps_what_it_knows_while_others_come() -> None:
    supply = FakeSupply(THREE)
    current = CurrentEngine(supply, None, None)
    before = current.latest()

    supply.put(entry("d", "Later Things", "Volcanoes erupt."))
    supply.withdraw("a")

    after = current.latest()
    assert [e.entry_id for e in before.collection] == ["a", "b", "c"]
    assert before.search(before.understand("bandits"), k=1).hits[0].entry_id == "a"
    assert [e.entry_id for e in after.collection] == ["b", "c", "d"]
    assert after.search(after.understand("volcanoes"), k=1).hits[0].entry_id == "d"


def test_nothing_new_is_the_same_engine() -> None:
    supply = FakeSupply(THREE)
    current = CurrentEngine(supply, None, None)

    one = current.latest()
    supply.put(THREE[0])

    assert current.latest() is one


def test_an_entry_is_kept_whole() -> None:
    full = replace(
        THREE[0],
        raw_abstract="raw",
        arrived_at=datetime(2026, 1, 2, tzinfo=UTC),
        ids={"doi": "10.1/x"},
        url="https://a.b",
    )

    engine = Engine.of([full], None)

    assert engine.collection.entry("a") == full


def test_a_change_that_takes_long_is_taken_in_behind_the_scenes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.index.live._AT_ONCE", 2)
    monkeypatch.setattr("retrieval.index.live._WORTH_REWRITING", 2)
    supply = FakeSupply(THREE)
    store = IndexStore(tmp_path, None)
    current = CurrentEngine(supply, None, store)
    more = [entry(f"m{n}", f"Title {n}", f"Volcano number {n} erupts.") for n in range(5)]

    for one in more:
        supply.put(one)
    current.latest()
    engine = current.caught_up()

    assert len(engine.collection) == 8
    assert len(engine.parts.parts) == 1
    _same(engine, Engine.of(supply.now.values(), None))
