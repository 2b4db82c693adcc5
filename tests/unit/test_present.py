"""The small texts around a quote hold one line of plain characters, whatever came in."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Answer, Correction, Quote, Verdict
from bot.present import byline, entry_line, lead_lines, position, printable, title_of, venue_year
from retrieval.model import Span
from tests.fakes.entries import THREE, entry

_HOSTILE = "A\x1b[31m red\x07\x9b1m\u202e title\r\n\x00<b>*x*\u2066"


def _quote(first: int = 3, last: int = 3) -> Quote:
    return Quote(1, THREE[0], Span(0, 7), "Bandits", first, last, 8)


@given(st.text(max_size=100))
def test_printable_text_is_one_line_without_control_characters(text: str) -> None:
    shown = printable(text)

    assert not any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert printable(shown) == shown


@given(st.text("abcäβ图 ", max_size=40))
def test_printable_text_keeps_every_letter(text: str) -> None:
    assert printable(text).split() == text.split()


@pytest.mark.parametrize(
    ("venue", "year", "shown"),
    [("ICLR", 2026, "ICLR 2026"), ("ICLR", None, "ICLR"), ("", 2026, "2026"), ("", None, "")],
)
def test_venue_and_year_are_what_is_known_of_them(venue: str, year: int | None, shown: str) -> None:
    assert venue_year(entry("e", "T", "x", venue=venue, year=year)) == shown


@pytest.mark.parametrize(("first", "last", "shown"), [(3, 3, "sentence 3 of 8"), (3, 4, "sentences 3 and 4 of 8")])
def test_a_position_counts_sentences_from_one(first: int, last: int, shown: str) -> None:
    assert position(_quote(first, last)) == shown


def test_a_derived_title_is_marked_and_a_known_one_is_not() -> None:
    derived, known = (entry("e", "Memory", "x", title_derived=derived) for derived in (True, False))

    assert title_of(known) == "Memory"
    assert title_of(derived).startswith("Memory [")


def test_a_byline_leaves_out_what_is_not_known() -> None:
    assert byline(_quote()) == "ICLR 2026 · sentence 3 of 8"
    assert entry_line(THREE[2]) == "Glaciers from Above"


@pytest.mark.parametrize("show", [title_of, entry_line, venue_year])
def test_hostile_metadata_is_shown_without_control_characters(show: object) -> None:
    assert callable(show)
    listed = entry("e", _HOSTILE, "x", venue=_HOSTILE, year=2026)

    shown = show(listed)

    assert not any(unicodedata.category(c) == "Cc" for c in shown)
    assert "\u202e" not in shown


def test_corrections_filters_and_lead_stand_above_the_quotes_in_this_order() -> None:
    answer = Answer(
        "",
        "q",
        Verdict.NOTHING,
        lead="One.\nTwo.",
        corrections=(Correction("causla", "causal"),),
        filters={"venue": "iclr"},
    )

    assert lead_lines(answer) == ("Read as: causal (typed causla).", "Only: venue iclr.", "One.", "Two.")


def test_a_hostile_correction_or_filter_stays_on_one_plain_line() -> None:
    answer = Answer(
        "", "q", Verdict.NOTHING, corrections=(Correction(_HOSTILE, "x"),), filters={"author": _HOSTILE}
    )  # fmt: skip

    lines = lead_lines(answer)

    assert len(lines) == 2
    assert not any(unicodedata.category(c) == "Cc" for line in lines for c in line)
