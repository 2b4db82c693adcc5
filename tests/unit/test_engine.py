"""Searching one collection: what is found does not hang on chance, order or odd entries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.engine import Engine
from retrieval.errors import EntryNotFoundError
from retrieval.model import Entry, Ranking
from retrieval.query import Condition
from retrieval.text.analysis import tokens
from tests.fakes.entries import THREE, engine_on, entry, seed_engine

_TITLES = st.sampled_from(["Causal bandits", "Masked clicks", "Ice", "Of the"])
_SENTENCES = st.lists(
    st.sampled_from(["We propose GRID, a causal bandit.", "It wins by 4%.", "Users click.", "Glaciers melt."]),
    max_size=4,
).map(" ".join)
_ENTRIES = st.lists(st.tuples(_TITLES, _SENTENCES), min_size=1, max_size=6).map(
    lambda texts: [entry(f"e{n}", *text) for n, text in enumerate(texts)]
)
_QUESTIONS = st.sampled_from(
    ["what is GRID?", "causal bandits", "when do glaciers melt?", "films", "xyzzyq", "the", ""]
)
_MODES = st.booleans()


@given(entries=_ENTRIES, question=_QUESTIONS, semantic=_MODES, data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_order_of_entries_does_not_matter(
    entries: list[Entry], question: str, semantic: bool, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(entries))

    one, other = (engine_on(listed, semantic=semantic) for listed in (entries, shuffled))

    assert _found(one, question) == _found(other, question)


def _found(engine: Engine, question: str) -> tuple[Ranking, list[object]]:
    query = engine.understand(question)
    ranking = engine.search(query, k=10)
    return ranking, [engine.select(query, hit.entry_id, k=3) for hit in ranking.hits]


@given(entries=_ENTRIES, question=_QUESTIONS, semantic=_MODES)
@settings(max_examples=30, deadline=None)
def test_hits_go_down_by_score_and_by_id_where_scores_are_equal(
    entries: list[Entry], question: str, semantic: bool
) -> None:
    engine = engine_on(entries, semantic=semantic)

    hits = engine.search(engine.understand(question), k=10).hits

    assert [hit.entry_id for hit in hits] == [h.entry_id for h in sorted(hits, key=lambda h: (-h.score, h.entry_id))]
    assert len(hits) == len(entries)


@pytest.mark.parametrize("semantic", [True, False])
@pytest.mark.parametrize("copies", [2, 25, 40, 90])
def test_identical_entries_are_found_in_the_order_of_their_ids(copies: int, *, semantic: bool) -> None:
    entries = [entry(f"e{n:03}", "Causal bandits", "We study bandits with budgets.") for n in range(copies)]
    engine = engine_on([*entries, *THREE], semantic=semantic)

    hits = engine.search(engine.understand("bandits with budgets"), k=10).hits

    found = [hit.entry_id for hit in hits if hit.entry_id.startswith("e")]
    assert len(found) > 1
    assert found == [copy.entry_id for copy in entries[: len(found)]]


@pytest.mark.parametrize("semantic", [True, False])
def test_a_collection_of_one_entry_answers(*, semantic: bool) -> None:
    engine = engine_on(THREE[:1], semantic=semantic)
    query = engine.understand("causal bandit")

    (hit,) = engine.search(query, k=5).hits
    (selection,) = engine.select(query, hit.entry_id)

    assert (hit.rank, hit.entry_id) == (1, "a")
    assert selection.first == 2


@pytest.mark.parametrize("semantic", [True, False])
def test_an_entry_without_abstract_is_found_by_its_title_and_has_nothing_to_quote(*, semantic: bool) -> None:
    engine = engine_on([*THREE, entry("d", "Polar Bears at Night", "")], semantic=semantic)
    query = engine.understand("polar bears")

    hits = engine.search(query, k=2).hits

    assert hits[0].entry_id == "d"
    assert engine.select(query, "d") == ()
    assert engine.evidence(query, ["d"]) is None


@pytest.mark.parametrize("semantic", [True, False])
@pytest.mark.parametrize("question", ["", "the", "xyzzyq", "?!", "图"])
def test_a_question_without_known_terms_ranks_all_the_same(question: str, *, semantic: bool) -> None:
    engine = engine_on(THREE, semantic=semantic)
    query = engine.understand(question)

    ranking = engine.search(query, k=3)

    assert len(ranking.hits) == 3
    assert all(engine.select(query, hit.entry_id) for hit in ranking.hits)


@pytest.mark.parametrize("k", [0, -1])
def test_fewer_than_one_hit_cannot_be_asked_for(k: int) -> None:
    engine = seed_engine()

    with pytest.raises(ValueError, match="at least 1"):
        engine.search(engine.understand("causal"), k=k)


def test_a_ranking_is_the_beginning_of_a_longer_one() -> None:
    engine = seed_engine()
    query = engine.understand("causal discovery")

    short, long = (engine.search(query, k=k).hits for k in (3, 38))

    assert short == long[:3]
    assert len(long) == 38


def test_conditions_and_within_leave_only_what_passes_both() -> None:
    engine = seed_engine()
    within = ["iclr-2026:0", "iclr-2026:1", "neurips-2026:0", "unknown"]

    ranking = engine.search(engine.understand("causal"), k=10, conditions=[Condition("venue", "iclr")], within=within)

    assert {hit.entry_id for hit in ranking.hits} == {"iclr-2026:0", "iclr-2026:1"}


def test_conditions_that_nothing_fulfils_find_nothing() -> None:
    engine = seed_engine()

    ranking = engine.search(engine.understand("causal"), k=10, conditions=[Condition("year", "1990..1990")])

    assert ranking == Ranking()


def test_mentioning_lists_every_entry_that_has_the_words_by_id() -> None:
    engine = engine_on(THREE)

    assert [e.entry_id for e in engine.listing.mentioning("")] == ["a", "b", "c"]
    assert [e.entry_id for e in engine.listing.mentioning("glacier")] == ["c"]
    assert engine.listing.mentioning("xyzzyq") == ()


def test_tagged_lists_the_entries_that_have_the_keyword() -> None:
    engine = engine_on([*THREE, entry("k", "Keyworded", "Text.", keywords=["Causal Inference"])])

    assert [e.entry_id for e in engine.listing.tagged("causal inference")] == ["k"]
    assert engine.listing.tagged("causal") == ()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("what is BUDGE?", ["a"]),
        ("maskrec or budge", ["b", "a"]),
        ("Glaciers from Above", ["c"]),
        ("a budget", []),
        ("", []),
    ],
)
def test_an_entry_is_named_by_its_system_or_its_whole_title(text: str, ids: list[str]) -> None:
    assert list(engine_on(THREE).named(text)) == ids


def test_an_explanation_says_where_each_word_stands_and_what_the_score_is_made_of() -> None:
    lines = engine_on(THREE).explain("budgeted xyzzyq causal", "a")

    assert lines[0].startswith("- budgeted: title")
    assert lines[1] == "- xyzzyq: not there"
    assert lines[2] == "- causal: abstract"
    assert lines[-1].startswith("Score: words ")


def test_an_unknown_entry_is_named_in_the_error() -> None:
    engine = engine_on(THREE)

    with pytest.raises(EntryNotFoundError, match='"nobody"'):
        engine.select(engine.understand("causal"), "nobody")


@given(question=st.sampled_from(["causal discovery", "which datasets?", "how much is saved?", "TKG", "recomendation"]))
@settings(max_examples=5, deadline=None)
def test_every_selection_is_whole_sentences_with_the_asked_words_marked_inside(question: str) -> None:
    engine = seed_engine()
    query = engine.understand(question)
    wanted = {t for term in query.terms for t in (*term.matches, *term.long_form, term.term)}

    for listed in engine.collection:
        passages = engine.collection.passages(engine.collection.number(listed.entry_id))
        for selection in engine.select(query, listed.entry_id, k=20):
            assert selection.span.start == passages[selection.first - 1].span.start
            assert selection.span.end == passages[selection.last - 1].span.end
            assert all(a.end < b.start for a, b in zip(selection.highlights, selection.highlights[1:], strict=False))
            for mark in selection.highlights:
                assert selection.span.start <= mark.start < mark.end <= selection.span.end
                assert wanted & {token.term for token in tokens(mark.of(listed.abstract))}
