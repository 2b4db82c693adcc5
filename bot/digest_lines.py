"""The small texts of a digest, the same in every adapter. Pure."""

from __future__ import annotations

from datetime import date, timedelta

from bot.present import printable, venue_year
from bot.subscription import Digest, DigestNote
from retrieval.model import Entry

__all__ = ["about_line", "count_line", "day_said", "heading_of", "left_line", "note_line"]

_MOST_AUTHORS = 4


def day_said(day: date) -> str:
    """Return "Mon 30 Nov"."""
    return f"{day:%a} {day.day} {day:%b}"


def heading_of(digest: Digest) -> str:
    """Return the first lines: the day, what it is of, and the days that it makes up for."""
    return f"New papers · {day_said(digest.day)}\n{count_line(digest)}"


def count_line(digest: Digest) -> str:
    """Return "12 new for causal inference, since Fri 27 Nov", or what there is to say instead."""
    wants = printable(digest.subscription.wants)
    if digest.quiet:
        return f"Still watching for {wants}: nothing new for a week."
    since = f", since {day_said(digest.since)}" if digest.since else ""
    if not digest.total:
        return f"Nothing new for {wants}{since}"
    return f"{digest.total:,} new for {wants}{since}"


def about_line(entry: Entry) -> str:
    """Return the authors, the first few of them, and the venue."""
    shown = [printable(author) for author in entry.authors[:_MOST_AUTHORS]]
    left = len(entry.authors) - len(shown)
    more = f" and {left} others" if left > 1 else " and 1 other" if left else ""
    others = " and others" if shown and not left and not entry.authors_complete else ""
    return " · ".join(part for part in (f"{', '.join(shown)}{more}{others}", venue_year(entry)) if part)


def note_line(note: DigestNote) -> str:
    """Return what became of an entry."""
    return f"{printable(note.title)}: {printable(note.said)}"


def left_line(digest: Digest) -> str:
    """Return how many entries are not shown, and how to see them; empty when all are."""
    left = digest.total - len(digest.entries)
    if left <= 0:
        return ""
    since = digest.since or _day_before(digest)
    return f"and {left:,} more: ask “what is new since {since.isoformat()}?”"


def _day_before(digest: Digest) -> date:
    """Return the day of the digest before: what came after it is new, also what came on the days in between."""
    days = (digest.day - timedelta(days=number) for number in range(1, 8))
    return next(filter(digest.subscription.schedule.is_on, days))
