"""Answers in the terminal: wrapped at its width, links whole, colour only where it is wanted, hostile text inert."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from bot.adapters.console.render import Color, make_console, rendered
from bot.model import Answer, Quote, Verdict
from retrieval.model import Span
from tests.fakes.entries import THREE, answering_on, entry, seed_engine

_URL = "https://example.org/" + "very-long-path/" * 12 + "end"
_ABSTRACT = (
    "We propose [bold]MARS[/bold], a memory that keeps :smile: every one of the clicks of its users for ever. It wins."
)
_LONG = entry("e", "MARS: " + "A Memory for Clicks " * 5, _ABSTRACT, venue="ICLR", year=2026, url=_URL)
_QUESTIONS = ["What is PreDiff?", "causal discovery", "best pizza", "/help", "list the recommendation papers"]


def _quote() -> Quote:
    end = _ABSTRACT.index(" It wins")
    return Quote(1, _LONG, Span(0, end), _ABSTRACT[:end], 1, 1, 2, (Span(3, 10), Span(17, 21)))


def _shown(answer: Answer, width: int, *, colour: bool = False) -> str:
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=colour, color_system="truecolor" if colour else None, markup=False,
        emoji=False, highlight=False, legacy_windows=False,
    )  # fmt: skip
    console.print(rendered(answer), crop=False)
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("question", _QUESTIONS)
def test_lines_fit_the_width_unless_they_hold_an_address(width: int, question: str) -> None:
    answer = answering_on(seed_engine()).answer(question)

    lines = _shown(answer, width).splitlines()

    assert [line for line in lines if len(line.rstrip()) > width and "http" not in line] == []


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("colour", [True, False])
def test_an_address_is_never_cut(width: int, *, colour: bool) -> None:
    shown = _shown(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),)), width, colour=colour)

    assert _URL in re.sub(r"\x1b(?:\[[0-9;]*m|\][^\x1b]*\x1b\\)", "", shown)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("question", _QUESTIONS)
def test_without_colour_there_are_no_codes_at_all(width: int, question: str) -> None:
    shown = _shown(answering_on(seed_engine()).answer(question), width)

    assert "\x1b" not in shown


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_word_of_a_quote_is_shown_as_it_stands(width: int) -> None:
    shown = _shown(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),)), width)

    assert " ".join(_quote().text.split()) in " ".join(shown.split())


def test_with_colour_the_matched_words_stand_out_and_the_address_is_a_link() -> None:
    shown = _shown(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),)), 80, colour=True)

    assert re.search(r"\x1b\[1;32mpropose\x1b\[0m", shown)
    assert f";{_URL}\x1b\\" in shown


def test_text_that_looks_like_markup_is_shown_and_not_obeyed() -> None:
    shown = " ".join(_shown(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),)), 120).split())

    assert "[bold]MARS[/bold]" in shown
    assert ":smile:" in shown


def test_a_hostile_title_sends_no_control_sequence() -> None:
    hostile = entry("e", "Red \x1b[31m\x1b]8;;https://evil.example\x07click\x9b2J", _ABSTRACT, venue="\x1b[2J")
    answer = Answer(
        "", "q", Verdict.ANSWERED, quotes=(Quote(1, hostile, Span(0, 2), "We", 1, 1, 2),), listing=(hostile,)
    )

    shown = _shown(answer, 80)

    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)


def test_text_to_copy_is_not_wrapped() -> None:
    record = "@misc{x,\n  title = {" + "word " * 40 + "},\n}"

    shown = _shown(Answer("", "q", Verdict.REPLY, verbatim=record), 40)

    assert [line.rstrip() for line in shown.splitlines()] == [line.rstrip() for line in record.splitlines()]


@pytest.mark.parametrize(
    ("color", "no_color", "coloured"),
    [("always", False, True), ("always", True, True), ("never", False, False), ("auto", False, False)],
)
def test_colour_is_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, color: Color, *, no_color: bool, coloured: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1") if no_color else monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    file = io.StringIO()

    make_console(file, color).print(rendered(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),))))

    assert ("\x1b[" in file.getvalue()) is coloured


def test_lines_are_never_longer_than_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")

    assert make_console(io.StringIO(), "never").width <= 100


def test_further_results_are_counted_under_the_quotes() -> None:
    shown = _shown(Answer("", "q", Verdict.ANSWERED, quotes=(_quote(),), total=9, left=8), 80)

    assert "8 more entries found" in shown


def test_listed_entries_are_named_one_a_line() -> None:
    shown = _shown(Answer("", "q", Verdict.ANSWERED, listing=THREE), 80)

    assert [line for line in shown.splitlines() if line] == [
        "1. Budgeted Bandits (ICLR 2026)",
        "2. Masks for Recommenders (NeurIPS 2025)",
        "3. Glaciers from Above",
    ]
