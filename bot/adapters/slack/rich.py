"""Rich text elements: what they hold is text and nothing else, so nothing in it needs escaping."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.adapters.slack.mrkdwn import safe_url
from bot.model import Quote

__all__ = [
    "Block",
    "bullets",
    "link",
    "numbered",
    "preformatted",
    "quotation",
    "quote_parts",
    "rich_text",
    "section",
    "text",
]

Block: TypeAlias = dict[str, object]


def text(words: str, *, bold: bool = False) -> Block:
    """Return a piece of text."""
    return {"type": "text", "text": words, **({"style": {"bold": True}} if bold else {})}


def link(words: str, url: str | None, *, bold: bool = False) -> Block:
    """Return *words* as a link to *url*, or as text when that is no address to link to."""
    target = safe_url(url)
    if target is None:
        return text(words, bold=bold)
    return {**text(words, bold=bold), "type": "link", "url": target}


def section(*parts: Block) -> Block:
    """Return a paragraph."""
    return {"type": "rich_text_section", "elements": list(parts)}


def quotation(parts: Iterable[Block]) -> Block:
    """Return a quote, with Slack's line at its side."""
    return {"type": "rich_text_quote", "elements": list(parts)}


def bullets(items: Sequence[Sequence[Block]]) -> Block:
    """Return a bulleted list."""
    return {"type": "rich_text_list", "style": "bullet", "elements": [section(*item) for item in items]}


def numbered(items: Sequence[Sequence[Block]]) -> Block:
    """Return a list with numbers, from 1."""
    return {**bullets(items), "style": "ordered"}


def preformatted(words: str) -> Block:
    """Return text to copy as it stands."""
    return {"type": "rich_text_preformatted", "elements": [text(words)]}


def rich_text(*elements: Block) -> Block:
    """Return a block of rich text."""
    return {"type": "rich_text", "elements": list(elements)}


def quote_parts(quote: Quote, *, most: int) -> list[Block]:
    """Return a quote's text with its matched words in bold; joined, the parts are the quote, cut after *most*."""
    parts, done = [], quote.span.start
    end = min(quote.span.end, quote.span.start + most)
    for highlight in quote.highlights:
        start, stop = min(highlight.start, end), min(highlight.end, end)
        if start > done:
            parts.append(text(quote.entry.abstract[done:start]))
        if stop > start:
            parts.append(text(quote.entry.abstract[start:stop], bold=True))
        done = max(done, stop)
    if end > done:
        parts.append(text(quote.entry.abstract[done:end]))
    return parts if end == quote.span.end else [*parts, text(" …")]
