"""Answers to judged questions are as good as `baseline.toml` says, and no quote is other than the authors' words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.evaluating import QuestionReport, read_questions
from bot.model import Verdict
from retrieval.formats.abstract_list import read_folder
from retrieval.text.cleaning import display_text
from tests.fakes.entries import SEEDS
from tests.relevance.figures import EVAL, QUESTIONS, question_figures, report

_BASELINE = tomllib.loads(Path(__file__).with_name("baseline.toml").read_text(encoding="utf-8"))
_SETS = sorted(QUESTIONS)
_GROUPS = [(name, group) for name in _SETS for group in _BASELINE[name]]


def _needed(name: str) -> None:
    if not QUESTIONS[name].exists():
        pytest.skip(f"there is no judged data at {EVAL}")


def _report(name: str) -> QuestionReport:
    _needed(name)
    return report(name)


@pytest.mark.parametrize(("name", "group"), _GROUPS)
def test_no_figure_is_below_the_baseline_by_half_a_question(name: str, group: str) -> None:
    _needed(name)
    expected: Mapping[str, float] = _BASELINE[name][group]

    found = question_figures(name)[group]

    below = {figure: (found[figure], value) for figure, value in expected.items() if _falls(found, figure, value)}
    assert below == {}


def _falls(found: Mapping[str, float], figure: str, value: float) -> bool:
    return found[figure] < value - 0.5 / found["questions"]


@pytest.mark.parametrize("name", _SETS)
def test_every_group_has_a_baseline(name: str) -> None:
    assert set(_report(name).groups) == set(_BASELINE[name])


@pytest.mark.parametrize("name", _SETS)
def test_far_off_questions_are_never_quoted(name: str) -> None:
    far = [outcome for outcome in _report(name).outcomes if outcome.judged.group == "unanswerable far"]

    assert far
    assert [o.judged.question for o in far if o.answer.quotes or o.answer.verdict is Verdict.ANSWERED] == []


@pytest.mark.parametrize("name", _SETS)
def test_questions_about_the_bot_or_the_list_are_never_quoted(name: str) -> None:
    meta = [outcome for outcome in _report(name).outcomes if outcome.judged.kind == "meta"]

    assert meta
    assert [outcome.judged.question for outcome in meta if outcome.answer.quotes] == []


@pytest.mark.parametrize("name", _SETS)
def test_every_quote_is_the_slice_of_what_the_seeds_say(name: str) -> None:
    shown = {entry.entry_id: display_text(entry.raw_abstract) for entry in read_folder(SEEDS)}

    quotes = [quote for outcome in _report(name).outcomes for quote in outcome.answer.quotes]

    assert len(quotes) > 100
    assert [q.text for q in quotes if shown[q.entry.entry_id][q.span.start : q.span.end] != q.text] == []


def test_our_own_questions_name_abstracts_and_sentences_that_exist() -> None:
    raw = {(e.source.file, e.source.ordinal): e.raw_abstract for e in read_folder(SEEDS) if e.source}

    questions = read_questions(QUESTIONS["own_questions"])

    assert len({judged.question_id for judged in questions}) == len(questions)
    for judged in questions:
        assert judged.relevant <= raw.keys(), judged.question_id
        abstracts = [display_text(raw[place]) for place in judged.relevant]
        golds = [display_text(gold) for gold in judged.gold_sentences]
        assert all(any(gold in abstract for abstract in abstracts) for gold in golds), judged.question_id
        assert bool(judged.relevant) is (judged.kind not in {"unanswerable", "meta"}), judged.question_id
