"""From what is new to a digest: which entries, in which sections, with which sentence of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.compose import quote_of
from bot.news import News
from bot.present import printable
from bot.standing import Standing
from bot.subscription import Digest, DigestEntry, Section, Sent, Subscription
from retrieval.model import Entry
from retrieval.text.analysis import fold

__all__ = ["Composed", "Order", "compose"]

Order = Callable[[Sequence[tuple[Entry, float]]], Sequence[tuple[Entry, tuple[str, ...]]]]
"""Puts the entries of a section, with their scores, in a personal order, and says the words for which they stand so."""

_FEW = 8  # entries that need no headings
_LEAST = 3  # entries that make a heading
_MOST_HEADINGS = 8
_TOO_COMMON = 0.6  # of the entries; a heading that says this much of nothing
_OTHERS = "Others"


@dataclass(frozen=True, slots=True)
class Composed:
    """A digest, with what counts as sent once it is posted.

    Attributes:
        sent: Its entries, those that it only counts, and those that it has notes of.
        facts: How many there were of each kind, and which arrived last.
    """

    digest: Digest
    sent: tuple[Sent, ...]
    facts: Mapping[str, object]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to say."""
        return not self.digest.entries and not self.digest.notes


def compose(
    news: News,
    subscription: Subscription,
    *,
    after: int,
    sent: Mapping[str, Sent],
    now: datetime,
    day: date,
    since: date | None = None,
    order: Order | None = None,
) -> Composed:
    """Return what there is to say to *subscription*.

    Args:
        news: The collection, and what arrived.
        subscription: What is wanted.
        after: The change after which everything is new.
        sent: What was posted there before.
        now: The present instant.
        day: The local day.
        since: The day of the digest before, where days were missed.
        order: For a personal order of each section.

    Raises:
        QuerySyntaxError: If a topic uses an operator wrongly.
    """
    arrived = news.arrived(after=after, sent=sent)
    found = _sections(news, subscription, arrived)
    total = sum(len(entries) for _, entries in found)
    ordered = [(heading, _ordered(entries, order)) for heading, entries in found]
    sections, shown = _numbered(news, _fitted(ordered, subscription.most))
    notes = news.notes(after=after, sent=sent)
    counted = [entry for _, entries in found for entry, _ in entries]
    kept = [news.sent(entry, now, shown=entry.entry_id in shown) for entry in counted]
    digest = Digest(subscription, day, since, sections, tuple(note for note, _ in notes), total)
    newest = news.engine.collection.entry(arrived[-1]).title if arrived else ""
    counts = {"new": len(arrived), "passed_over": len(arrived) - total, "wanted": total, "shown": len(shown)}
    facts = {**counts, "notes": len(notes), "newest": newest}
    return Composed(digest, (*kept, *(remembered for _, remembered in notes)), facts)


_Scored = list[tuple[Entry, float]]
_Explained = Sequence[tuple[Entry, tuple[str, ...]]]


def _sections(news: News, subscription: Subscription, arrived: Sequence[str]) -> list[tuple[str, _Scored]]:
    """Return the entries wanted, each under the first topic that wants it."""
    standing = Standing(news.engine, news.parse)
    entry = news.engine.collection.entry
    if not subscription.topics:
        kept = standing.kept(arrived, without=subscription.without)
        return _grouped([entry(entry_id) for entry_id in kept])
    left, found = list(arrived), []
    for topic in subscription.topics:
        hits = standing.wanted(topic, left, breadth=subscription.breadth, without=subscription.without)
        taken = {hit.entry_id for hit in hits}
        left = [entry_id for entry_id in left if entry_id not in taken]
        heading = topic if len(subscription.topics) > 1 else ""
        found.append((heading, [(entry(hit.entry_id), hit.score) for hit in hits]))
    return [(heading, entries) for heading, entries in found if entries]


def _grouped(entries: Sequence[Entry]) -> list[tuple[str, _Scored]]:
    """Return *entries* under their most frequent keywords, each once; under none where there are few."""
    if len(entries) <= _FEW:
        return [("", [(entry, 0.0) for entry in entries])] if entries else []
    left, found = [(entry, {fold(k): k for k in entry.keywords}) for entry in entries], []
    for _ in range(_MOST_HEADINGS):
        counts = Counter(keyword for _, keywords in left for keyword in keywords)
        usable = [(-n, keyword) for keyword, n in counts.items() if _LEAST <= n <= _TOO_COMMON * len(entries)]
        if not usable:
            break
        _, keyword = min(usable)
        group = [(entry, keywords) for entry, keywords in left if keyword in keywords]
        found.append((printable(group[0][1][keyword]), [(entry, 0.0) for entry, _ in group]))
        left = [(entry, keywords) for entry, keywords in left if keyword not in keywords]
    if left:
        found.append((_OTHERS if found else "", [(entry, 0.0) for entry, _ in left]))
    return found


def _ordered(entries: _Scored, order: Order | None) -> _Explained:
    return [(entry, ()) for entry, _ in entries] if order is None else order(entries)


def _fitted(sections: Sequence[tuple[str, _Explained]], most: int) -> list[tuple[str, _Explained]]:
    """Return the first entries of each section, *most* in all: none goes short so that another may have more."""
    room, shares = most, [0] * len(sections)
    while room and (hungry := [n for n, (_, entries) in enumerate(sections) if shares[n] < len(entries)]):
        for n in hungry[:room]:
            shares[n] += 1
        room -= min(room, len(hungry))
    return [(heading, entries[:share]) for (heading, entries), share in zip(sections, shares, strict=True) if share]


def _numbered(news: News, sections: Sequence[tuple[str, _Explained]]) -> tuple[tuple[Section, ...], frozenset[str]]:
    made, number = [], 0
    for heading, entries in sections:
        listed = []
        for entry, why in entries:
            number += 1
            chosen = news.engine.contribution(entry.entry_id)
            quote = None if chosen is None else quote_of(entry, chosen, rank=number, score=0.0)
            listed.append(DigestEntry(number, entry, quote, why))
        made.append(Section(heading, tuple(listed)))
    return tuple(made), frozenset(one.entry.entry_id for section in made for one in section.entries)
