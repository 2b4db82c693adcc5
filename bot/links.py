"""Links that open a page at the quote, where the page can do that."""

from __future__ import annotations

from urllib.parse import quote as percent_encoded
from urllib.parse import urlsplit

from bot.model import Quote

__all__ = ["quote_link"]

# Pages whose abstract is in the HTML that the server sends; a text fragment finds nothing on one drawn by a script.
_PLAIN_PAGES = {
    "arxiv.org": "/abs/",
    "aclanthology.org": "/",
    "www.jmlr.org": "/papers/",
    "papers.nips.cc": "/paper_files/",
    "proceedings.mlr.press": "/",
    "proceedings.neurips.cc": "/paper_files/",
    "pubmed.ncbi.nlm.nih.gov": "/",
}
_WORDS_AT_EACH_END = 4


def quote_link(quote: Quote) -> str | None:
    """Return the address of the quoted entry, with a text fragment where its page is plain HTML; None without one.

    The fragment names the first and the last words of the quote (`#:~:text=first,last`). It is left out where the
    abstract as it was read, markup included, does not hold those words, since the page would not either.
    """
    url = quote.entry.url
    if url is None or not _is_plain_page(url):
        return url
    words = quote.text.split()
    ends = [" ".join(words[:_WORDS_AT_EACH_END]), " ".join(words[-_WORDS_AT_EACH_END:])]
    if len(words) < 2 * _WORDS_AT_EACH_END or any(end not in quote.entry.raw_abstract for end in ends):
        return url
    return f"{url.partition('#')[0]}#:~:text={','.join(_encoded(end) for end in ends)}"


def _is_plain_page(url: str) -> bool:
    parts = urlsplit(url)
    folder = _PLAIN_PAGES.get(parts.hostname or "")
    return folder is not None and parts.path.startswith(folder)


def _encoded(text: str) -> str:
    # A hyphen separates the parts of a text directive, so it is encoded as well.
    return percent_encoded(text, safe="").replace("-", "%2D")
