"""Which entries pass: what the index finds is what looking at every entry would find."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.collection import Collection
from retrieval.filtering import Filter
from retrieval.model import Entry
from retrieval.query import Condition
from retrieval.text.analysis import fold
from tests.fakes.entries import THREE, engine_on, entry

_WORDS = [
    "front",
    "door",
    "front-door",
    "Causal",
    "GPTs",
    "of",
    "the",
    "FooBar",
    "3.5",
    "3",
    "5",
    "Müller's",
    "图",
    "k-n-n",
]
_TEXT = st.lists(st.sampled_from(_WORDS), max_size=6).map(" ".join)
_PHRASE = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=2).map(lambda words: fold(" ".join(words)))
_ENTRY = st.builds(
    entry,
    st.uuids().map(str),
    _TEXT.map(lambda text: f"T {text}"),
    _TEXT,
    authors=st.lists(st.sampled_from(["Ada Smith", "Bo Chen", "Eva Müller"]), max_size=2),
    venue=st.sampled_from(["", "NIPS", "NeurIPS", "ICLR"]),
    year=st.none() | st.integers(2023, 2026),
)
_ENTRIES = st.lists(_ENTRY, min_size=1, max_size=6, unique_by=lambda entry: entry.entry_id)
_CONDITION = st.one_of(
    st.builds(Condition, st.just("phrase"), _PHRASE, st.booleans()),
    st.builds(Condition, st.just("title"), _PHRASE, st.booleans()),
    st.builds(Condition, st.just("author"), st.sampled_from(["smith", "eva muller", "ada", "mull"]), st.booleans()),
    st.builds(Condition, st.just("venue"), st.sampled_from(["neurips", "iclr", "kdd"]), st.booleans()),
    st.builds(Condition, st.just("year"), st.sampled_from(["2024..2025", "2026..9999", "2023..2023"]), st.booleans()),
)


def _filter(entries: list[Entry] | tuple[Entry, ...]) -> tuple[Collection, Filter]:
    engine = engine_on(entries, semantic=False)
    return engine.collection, Filter(engine.collection, engine.index, engine.parts)


@given(entries=_ENTRIES, conditions=st.lists(_CONDITION, min_size=1, max_size=3))
def test_an_entry_passes_when_every_condition_holds_for_it(entries: list[Entry], conditions: list[Condition]) -> None:
    collection, filtering = _filter(entries)

    mask = filtering.mask(conditions)

    assert mask is not None
    assert mask.tolist() == [all(c.holds(e) for c in conditions) for e in collection]


@given(entries=_ENTRIES, condition=_CONDITION)
def test_a_condition_and_its_negation_part_the_collection(entries: list[Entry], condition: Condition) -> None:
    _, filtering = _filter(entries)

    kept = filtering.mask([condition])
    dropped = filtering.mask([Condition(condition.field, condition.value, negated=not condition.negated)])

    assert kept is not None
    assert dropped is not None
    assert (kept ^ dropped).all()


@given(entries=_ENTRIES, conditions=st.lists(_CONDITION, min_size=1, max_size=4), data=st.data())
def test_the_order_of_conditions_does_not_matter(
    entries: list[Entry], conditions: list[Condition], data: st.DataObject
) -> None:
    _, filtering = _filter(entries)
    shuffled = data.draw(st.permutations(conditions))

    one, other = filtering.mask(conditions), filtering.mask(shuffled)

    assert one is not None
    assert other is not None
    assert one.tolist() == other.tolist()


@given(entries=_ENTRIES, conditions=st.lists(_CONDITION, max_size=2), data=st.data())
def test_within_narrows_to_the_ids_given_and_passes_over_unknown_ones(
    entries: list[Entry], conditions: list[Condition], data: st.DataObject
) -> None:
    collection, filtering = _filter(entries)
    within = data.draw(st.lists(st.sampled_from([*(e.entry_id for e in entries), "unknown"])))

    mask = filtering.mask(conditions, within)

    assert mask is not None
    assert mask.tolist() == [e.entry_id in within and all(c.holds(e) for c in conditions) for e in collection]


@pytest.mark.parametrize(
    ("abstract", "phrase"),
    [
        ("A front door model.", "front-door"),
        ("A front-door model.", "front door"),
        ("A pre trained-model.", "pre-trained model"),
        ("We use GPTs.", "gpts"),
        ("Ratios 3 5 and 7.", "3.5"),
        ("Bayes's rule.", "bayes s rule"),
    ],
)
def test_a_phrase_is_found_whatever_joins_its_words(abstract: str, phrase: str) -> None:
    _, filtering = _filter([entry("e", "Title", abstract)])

    mask = filtering.mask([Condition("phrase", phrase)])

    assert mask is not None
    assert mask.tolist() == [True]


def test_nothing_to_filter_by_is_no_mask() -> None:
    _, filtering = _filter(THREE)

    assert filtering.mask([]) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [("bandit", [True, False, False]), ("glaciers radar", [False, False, True]), ("the of", [False, False, False])],
)
def test_words_are_unwanted_where_every_one_stands_in_any_form(text: str, found: list[bool]) -> None:
    _, filtering = _filter(THREE)

    passing = filtering.mask([Condition("word", text, negated=True)])

    assert passing is not None
    assert (~passing).tolist() == found


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("causal bandit", [True, False, False]),
        ("bandit causal", [False, False, False]),
        ("it has", [True, False, False]),
        ("...", [False, False, False]),
    ],
)
def test_a_phrase_is_mentioned_where_its_words_stand_one_after_the_other(phrase: str, found: list[bool]) -> None:
    _, filtering = _filter(THREE)

    assert filtering.mentioning(phrase).tolist() == found
    assert filtering.mentioning(phrase, np.zeros(3, np.bool_)).tolist() == [False, False, False]


@pytest.mark.parametrize(("text", "abstract"), [("front-door", "A front door."), ("front door", "A front-door.")])
def test_a_hyphenated_word_is_mentioned_where_it_is_written_apart(text: str, abstract: str) -> None:
    _, filtering = _filter([entry("e", "Title", abstract)])

    assert filtering.mentioning(text).tolist() == [True]


def test_a_word_that_must_not_occur_leaves_its_other_forms_out_as_well() -> None:
    _, filtering = _filter(THREE)

    mask = filtering.mask([Condition("word", "bandit", negated=True)])

    assert mask is not None
    assert mask.tolist() == [False, True, True]


def test_a_word_made_of_stop_words_is_mentioned_written_as_one_or_apart() -> None:
    written = ("All-to-all communication.", "From all to all of them.", "Of all.")
    _, filtering = _filter([entry(f"e{n}", "T", text) for n, text in enumerate(written)])

    assert filtering.mentioning("all-to-all").tolist() == [True, True, False]
    unwanted = filtering.mask([Condition("word", "all-to-all", negated=True)])
    assert unwanted is not None
    assert unwanted.tolist() == [False, True, True]
