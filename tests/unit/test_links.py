"""A link opens the page at the quote where the page can do that."""

from __future__ import annotations

import pytest

from bot.links import quote_link
from bot.model import Quote
from retrieval.model import Entry, Span

_TEXT = "We propose a memory, half-life and all, that keeps short and long interests apart."


def _quote(url: str | None, *, raw: str = _TEXT) -> Quote:
    entry = Entry(entry_id="e", title="A title", abstract=_TEXT, raw_abstract=raw, url=url)
    return Quote(rank=1, entry=entry, span=Span(0, len(_TEXT)), text=_TEXT, first=1, last=1, count=1)


def test_a_plain_page_is_opened_at_the_first_and_last_words() -> None:
    link = quote_link(_quote("https://arxiv.org/abs/2610.07505"))

    assert link == (
        "https://arxiv.org/abs/2610.07505#:~:text=We%20propose%20a%20memory%2C,and%20long%20interests%20apart."
    )


@pytest.mark.parametrize(
    "url",
    ["https://openreview.net/forum?id=x", "https://arxiv.org/pdf/2610.07505", "https://arxiv.org.example.com/abs/1"],
)
def test_other_pages_are_linked_as_they_are(url: str) -> None:
    assert quote_link(_quote(url)) == url


def test_words_that_were_written_with_markup_are_not_looked_for() -> None:
    quote = _quote("https://arxiv.org/abs/1", raw=_TEXT.replace("memory", r"\emph{memory}"))

    assert quote_link(quote) == "https://arxiv.org/abs/1"


def test_an_entry_without_an_address_has_no_link() -> None:
    assert quote_link(_quote(None)) is None
