"""The query language: what is taken out of a question, and what is said when it is used wrongly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import QuerySyntaxError
from retrieval.model import Entry
from retrieval.query import Condition, ParsedQuestion, canonical_venue, parse_question

_VENUES = ("ICLR", "NeurIPS")


def _year(low: int, high: int) -> Condition:
    return Condition("year", f"{low}..{high}")


@pytest.mark.parametrize(
    ("question", "text", "conditions"),
    [
        ("how does MARS work?", "how does MARS work?", ()),
        ('memory "half-life priors"', "memory half-life priors", (Condition("phrase", "half-life priors"),)),
        ("diffusion -survey", "diffusion", (Condition("word", "survey", negated=True),)),
        ('bandits -"pareto regret"', "bandits", (Condition("phrase", "pareto regret", negated=True),)),
        ("title:bayes causal", "causal", (Condition("title", "bayes"),)),
        ('author:"Elias Bareinboim" bounds', "bounds", (Condition("author", "elias bareinboim"),)),
        ("venue:NIPS routing", "routing", (Condition("venue", "neurips"),)),
        ("-venue:ICLR routing", "routing", (Condition("venue", "iclr", negated=True),)),
        ("year:2025..2026 routing", "routing", (_year(2025, 2026),)),
        ("year:2024.. routing", "routing", (_year(2024, 9999),)),
        (
            "ICLR 2026 papers on causal discovery",
            "papers on causal discovery",
            (Condition("venue", "iclr"), _year(2026, 2026)),
        ),
        ("recommendation papers from NeurIPS", "recommendation papers", (Condition("venue", "neurips"),)),
        ("causal discovery since 2024", "causal discovery", (_year(2024, 9999),)),
        ("what is new since 2026-11-30?", "what is new since 2026-11-30?", ()),
        ("routing between 2020 and 2024", "routing", (_year(2020, 2024),)),
        ("papers by Elias Bareinboim", "papers", (Condition("author", "elias bareinboim"),)),
        ("how many NeurIPS papers mention it", "how many papers mention it", (Condition("venue", "neurips"),)),
        ("papers by smith on routing", "papers on routing", (Condition("author", "smith"),)),
        ("front-door adjustment: what is it?", "front-door adjustment: what is it?", ()),
        ("papers by Ludwig van der Berg", "papers", (Condition("author", "ludwig van der berg"),)),
        ("papers by J. Smith", "papers", (Condition("author", "j. smith"),)),
        ("which papers were written by Ming Yin?", "which papers?", (Condition("author", "ming yin"),)),
        ("what did Ming Yin write?", "?", (Condition("author", "ming yin"),)),
        ('author:"Yin, Ming"', "", (Condition("author", "ming yin"),)),
        ("papers by using contrastive learning", "papers by using contrastive learning", ()),
        ("a context window of 2048 tokens", "a context window of 2048 tokens", ()),
        ("samples in 2000 steps", "samples in 2000 steps", ()),
        ("papers not from ICLR 2026", "papers", (Condition("venue", "iclr", negated=True),)),
        ("Pareto optimality by Kocaoglu?", "Pareto optimality", (Condition("author", "kocaoglu"),)),
        ("trained by Adam", "trained by Adam", ()),
    ],
)
def test_conditions_are_taken_out_of_the_question(question: str, text: str, conditions: tuple[Condition, ...]) -> None:
    parsed = parse_question(question, venues=_VENUES, is_author=lambda name: name == "Kocaoglu")

    assert parsed == ParsedQuestion(text, conditions)


@pytest.mark.parametrize(
    ("question", "position", "reason"),
    [
        ('what is "half-life', 8, "not closed"),
        ('memory ""', 7, "no word between"),
        ('memory -"?"', 8, "no word between"),
        ("routing year:soon", 13, "expected a year"),
        ("routing year:2026..2024", 13, "2024..2026"),
        ("routing title:", 14, "title:diffusion"),
    ],
)
def test_a_wrong_use_shows_its_place_and_the_way_out(question: str, position: int, reason: str) -> None:
    with pytest.raises(QuerySyntaxError, match=reason) as caught:
        parse_question(question)

    assert caught.value.position == position


def _parsed_or_refused(question: str) -> ParsedQuestion | QuerySyntaxError:
    try:
        return parse_question(question, venues=_VENUES)
    except QuerySyntaxError as exc:
        return exc


@given(st.text(max_size=200))
def test_any_text_is_parsed_or_refused_with_a_place_inside_it(question: str) -> None:
    parsed = _parsed_or_refused(question)

    assert isinstance(parsed, ParsedQuestion) or 0 <= parsed.position <= len(question)


@given(
    st.lists(st.sampled_from(['"', "-", "title:", "year:", "a", " ", "2026", "..", "ICLR", "by", "since"])).map("".join)
)
def test_operators_in_any_order_are_parsed_or_refused(question: str) -> None:
    parsed = _parsed_or_refused(question)

    assert isinstance(parsed, ParsedQuestion) or 0 <= parsed.position <= len(question)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Condition("title", "posterior sampling"), True),
        (Condition("title", "posterior samples"), False),
        (Condition("author", "eva"), True),
        (Condition("author", "ev"), False),
        (Condition("venue", "neurips"), True),
        (_year(2020, 2025), False),
        (_year(2026, 2026), True),
        (Condition("phrase", "naive bayes"), True),
        (Condition("word", "bayes", negated=True), False),
    ],
)
def test_a_condition_holds_for_an_entry_or_not(condition: Condition, *, holds: bool) -> None:
    entry = Entry(
        entry_id="e",
        title="Posterior-Sampling at Scale",
        abstract="A naïve Bayes baseline.",
        authors=("Eva Müller",),
        venue="NIPS",
        year=2026,
    )

    assert condition.holds(entry) is holds


def test_venues_have_one_name() -> None:
    assert canonical_venue("NIPS") == canonical_venue("NeurIPS") == canonical_venue(" neurips ")
