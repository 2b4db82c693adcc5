"""The small texts around a quote, the same in every adapter."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model import Answer, Quote
from retrieval.model import Entry

__all__ = [
    "byline",
    "entry_line",
    "footer",
    "inert",
    "is_same_entry",
    "lead_lines",
    "position",
    "printable",
    "quoted",
    "same_entry_line",
    "title_of",
    "venue_year",
]

_CONTROL = dict.fromkeys((*range(32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)))


def printable(text: str) -> str:
    """Return *text* on one line, without control characters or those that turn the writing direction."""
    return " ".join(" ".join(text.split()).translate(_CONTROL).split())


def inert(text: str) -> str:
    """Return *text* with its lines and blanks as they are, without control characters and the like."""
    return "\n".join(line.translate(_CONTROL) for line in text.split("\n"))


def venue_year(entry: Entry) -> str:
    """Return "ICLR 2026", or what is known of it; empty when nothing is."""
    return printable(" ".join(part for part in (entry.venue, str(entry.year or "")) if part))


def title_of(entry: Entry) -> str:
    """Return the title; one that was derived from the abstract is marked as such."""
    return (
        f"{printable(entry.title)} [untitled; label from its abstract]"
        if entry.title_derived
        else printable(entry.title)
    )


def position(quote: Quote) -> str:
    """Return "sentence 3 of 8", or "sentences 3 and 4 of 8"."""
    if quote.first == quote.last:
        return f"sentence {quote.first} of {quote.count}"
    return f"sentences {quote.first} and {quote.last} of {quote.count}"


def same_entry_line(quote: Quote) -> str:
    """Return the line over a further quote from the same abstract."""
    return f"also there, {position(quote)}"


def byline(quote: Quote) -> str:
    """Return the line under a title: venue and year, and where the quote stands."""
    return " · ".join(part for part in (venue_year(quote.entry), position(quote)) if part)


def entry_line(entry: Entry) -> str:
    """Return the line that names an entry in a list: its title, venue and year."""
    place = venue_year(entry)
    return f"{title_of(entry)} ({place})" if place else title_of(entry)


def quoted(text: str) -> str:
    """Return *text* between quotation marks."""
    return f"“{text}”"


def lead_lines(answer: Answer) -> tuple[str, ...]:
    """Return what stands above the quotes: corrections that changed the result, filters in force, the lead."""
    lines = []
    if answer.corrections:
        lines.append(f"Read as: {_listed(f'{c.used} (typed {c.typed})' for c in answer.corrections)}.")
    if answer.filters:
        lines.append(f"Only: {_listed(_condition(name, value) for name, value in answer.filters.items())}.")
    lines.extend(inert(answer.lead).splitlines())
    return tuple(lines)


def _condition(name: str, value: str) -> str:
    if name == "word":  # a single word is a condition only where it must not stand
        return f"without {value.replace('not ', '')}"
    return f"{name} {value}"


def footer(answer: Answer) -> str:
    """Return the line under the quotes: how many more entries there are; empty when all are shown."""
    if not answer.left:
        return ""
    found = f"{answer.left:,} more {'entry' if answer.left == 1 else 'entries'} found"
    return f"{found}: say “more”." if answer.conversation else f"{found}; -k shows more."


def is_same_entry(answer: Answer, number: int) -> bool:
    """Tell whether the quote at *number*, from 0, is from the entry of the quote before it."""
    return number > 0 and answer.quotes[number].entry.entry_id == answer.quotes[number - 1].entry.entry_id


def _listed(parts: Iterable[str]) -> str:
    return printable(", ".join(parts))
