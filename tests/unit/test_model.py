"""A quote that is not the authors' own words cannot be built; neither can other values that contradict themselves."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.model import Answer, Quote, Verdict
from retrieval.model import Entry, Hit, Passage, Ranking, Span
from tests.fakes.entries import entry

_ABSTRACT = "We propose MARS. It wins by 4%. Ünïcode 图 😀 too."
_ENTRY = entry("e", "MARS", _ABSTRACT)
_SPANS = st.tuples(st.integers(0, len(_ABSTRACT)), st.integers(0, len(_ABSTRACT))).filter(lambda p: p[0] < p[1])


@given(_SPANS)
def test_a_quote_is_built_from_its_slice(place: tuple[int, int]) -> None:
    span = Span(*place)

    quote = Quote(1, _ENTRY, span, span.of(_ABSTRACT), 1, 1, 3)

    assert quote.text == _ABSTRACT[place[0] : place[1]]


@given(_SPANS, st.text(max_size=20) | st.integers(0, 60).map(lambda n: _ABSTRACT[n:]))
def test_a_quote_of_any_other_text_cannot_be_built(place: tuple[int, int], text: str) -> None:
    span = Span(*place)
    assume(text != span.of(_ABSTRACT))

    with pytest.raises(ValueError, match="must be the text at"):
        Quote(1, _ENTRY, span, text, 1, 1, 3)


def test_a_quote_that_reaches_past_the_abstract_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="reaches past"):
        Quote(1, _ENTRY, Span(0, len(_ABSTRACT) + 1), _ABSTRACT, 1, 1, 3)


@pytest.mark.parametrize(("first", "last", "count"), [(0, 1, 3), (2, 1, 3), (3, 4, 3), (1, 1, 0)])
def test_sentences_that_cannot_be_are_refused(first: int, last: int, count: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        Quote(1, _ENTRY, Span(0, 2), "We", first, last, count)


@pytest.mark.parametrize("mark", [Span(2, 5), Span(15, 20), Span(0, 4)])
def test_a_highlight_outside_its_quote_is_refused(mark: Span) -> None:
    with pytest.raises(ValueError, match="outside its quote"):
        Quote(1, _ENTRY, Span(3, 16), _ABSTRACT[3:16], 1, 1, 3, (mark,))


@pytest.mark.parametrize("verdict", [Verdict.NOTHING, Verdict.REPLY])
def test_an_answer_that_found_nothing_cannot_quote(verdict: Verdict) -> None:
    quote = Quote(1, _ENTRY, Span(0, 2), "We", 1, 1, 3)

    with pytest.raises(ValueError, match="quotes nothing"):
        Answer("", "q", verdict, quotes=(quote,))


@given(st.integers(-5, 5) | st.integers(0, 1 << 31), st.integers(-5, 5) | st.integers(0, 1 << 31))
def test_a_span_has_a_beginning_before_its_end(start: int, end: int) -> None:
    if 0 <= start < end:
        assert len(Span(start, end)) == end - start
    else:
        with pytest.raises(ValueError, match="0 <= start < end"):
            Span(start, end)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://x", "example.org", "", "file:///etc/passwd"])
def test_an_address_other_than_http_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="url must be"):
        entry("e", "T", "x", url=url)


@pytest.mark.parametrize("url", ["https://a.org/\x1b[31m", "https://a.org/x\nER  - ", "https://a.org/a b", "http://"])
def test_an_address_that_could_not_be_one_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="url must be"):
        entry("e", "T", "x", url=url)


@pytest.mark.parametrize(("entry_id", "title"), [("", "T"), ("e", "")])
def test_an_entry_needs_an_id_and_a_title(entry_id: str, title: str) -> None:
    with pytest.raises(ValueError, match="needs"):
        Entry(entry_id, title, "x")


@pytest.mark.parametrize(("number", "count"), [(0, 1), (2, 1), (1, 0)])
def test_a_passage_is_one_of_its_sentences(number: int, count: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        Passage("e", Span(0, 1), number, count)


@pytest.mark.parametrize("ranks", [[2], [1, 3], [1, 1], [0]])
def test_the_ranks_of_a_ranking_run_from_one(ranks: list[int]) -> None:
    with pytest.raises(ValueError, match="from 1"):
        Ranking(tuple(Hit(rank, "e", 1.0) for rank in ranks))
