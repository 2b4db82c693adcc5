"""Facts about the whole collection: counts, lists, groups and authors, exact and with their conditions shown."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from bot.compose import quoted_words
from bot.facts import Fact, FactKind
from bot.model import Answer, Verdict
from bot.ports import Clock
from bot.present import printable
from bot.since import began
from retrieval.engine import Engine
from retrieval.found import Found
from retrieval.listing import Grouping
from retrieval.model import Entry
from retrieval.query import ParsedQuestion

__all__ = ["CollectionFacts"]

_MOST_GROUPS = 30
_MOST_NEW = 100
_MOST_TOPICS = 8
_GROUPINGS: Mapping[str, Grouping] = {"venue": "venue", "year": "year", "keyword": "keyword"}
_OR = re.compile(r",?\s+or\s+", re.IGNORECASE)


class CollectionFacts:
    """Answer questions about the collection by looking at all of it."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        """Look at the collection of *engine*; *clock* says what is new."""
        self._engine = engine
        self._clock = clock
        self._answers: Mapping[FactKind, Callable[[Fact, ParsedQuestion], Answer]] = {
            FactKind.COUNT: self._count,
            FactKind.LIST: self._list,
            FactKind.VENUES: self._venues,
            FactKind.GROUPS: self._groups,
            FactKind.CONTENTS: self._contents,
            FactKind.NEW: self._new,
        }

    def answer(self, fact: Fact, parsed: ParsedQuestion) -> Answer | None:
        """Return the answer to *fact*; None when it is a question about the subject after all.

        Every condition of *parsed* is applied, and shown.
        """
        return self._answers[fact.kind](fact, parsed) if fact.kind in self._answers else None

    def _matching(self, topic: str, parsed: ParsedQuestion) -> Found:
        """Return the entries that mention *topic* (one of them, for "LLMs or agents"), or have it for a keyword."""
        found = [self._engine.listing.mentioning(one, parsed.conditions) for one in _OR.split(topic)]
        found += [self._engine.listing.tagged(one, parsed.conditions) for one in _OR.split(topic) if one]
        return reduce(operator.or_, found)

    def _wanted(self, fact: Fact, parsed: ParsedQuestion) -> Found:
        found = self._matching(fact.topic, parsed)
        return found - self._matching(fact.without, parsed) if fact.without else found

    def _count(self, fact: Fact, parsed: ParsedQuestion) -> Answer:
        entries = self._wanted(fact, parsed)
        lead = f"{_counted(len(entries), len(self._engine.collection))}{_mention(fact, len(entries))}."
        return self._listed(
            lead, entries if fact.topic or fact.without or parsed.conditions else (), parsed, total=len(entries)
        )

    def _list(self, fact: Fact, parsed: ParsedQuestion) -> Answer:
        entries = self._wanted(fact, parsed)
        lead = f"{_counted(len(entries), len(self._engine.collection))}{_mention(fact, len(entries))}:"
        return self._listed(lead if entries else f"{lead[:-1]}.", entries, parsed, total=len(entries))

    def _listed(self, lead: str, entries: Sequence[Entry], parsed: ParsedQuestion, *, total: int) -> Answer:
        verdict = Verdict.ANSWERED if total else Verdict.NOTHING
        return Answer("", "", verdict, lead=lead, listing=entries, total=total, filters=parsed.filters())

    def _venues(self, _: Fact, parsed: ParsedQuestion) -> Answer:
        return self._grouped("venue", parsed)

    def _groups(self, fact: Fact, parsed: ParsedQuestion) -> Answer:
        return self._grouped(_GROUPINGS[fact.by], parsed)

    def _grouped(self, by: Grouping, parsed: ParsedQuestion) -> Answer:
        found = self._matching("", parsed)
        groups: Counter[str] = Counter()
        for group, count in self._engine.listing.grouped(by, found).items():
            groups[printable(group)] += count
        ordered = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
        lines = [f"{group}: {count:,}" for group, count in ordered[:_MOST_GROUPS]]
        if len(ordered) > _MOST_GROUPS:
            lines.append(f"and {len(ordered) - _MOST_GROUPS:,} more")
        lead = "\n".join(lines) or f"No entry here has a {by}."
        return Answer("", "", Verdict.REPLY, lead=lead, total=len(found), filters=parsed.filters())

    def _contents(self, _fact: Fact, _parsed: ParsedQuestion) -> Answer:
        everything = self._engine.listing.mentioning("")
        keywords = Counter(self._engine.listing.grouped("keyword", everything))
        lines = [f"{self._engine.collection.summary}."]
        if keywords:
            ordered = sorted(keywords.items(), key=lambda item: (-item[1], item[0]))
            topics = ", ".join(f"{printable(k)} ({n:,})" for k, n in ordered[:_MOST_TOPICS])
            lines.append(f"Topics: {topics}.")
        return Answer("", "", Verdict.REPLY, lead="\n".join(lines), total=len(everything))

    def _new(self, fact: Fact, parsed: ParsedQuestion) -> Answer:
        """List what arrived since the day that is named, the last week when none is; the newest first."""
        now = self._clock.now().astimezone()
        since = began(fact.since or "last week", now)
        if since is None:
            lead = f"When is {quoted_words([fact.since])}? Say a weekday, “this week”, “past 3 days” or a date."
            return Answer("", "", Verdict.REPLY, lead=lead)
        entries = self._engine.listing.arrived(self._matching(fact.topic, parsed), since)
        count = f"{len(entries):,} {'entry' if len(entries) == 1 else 'entries'}" if entries else "Nothing"
        lead = f"{count} arrived since {since:%A}, {since.day} {since:%B %Y}{':' if entries else '.'}"
        if not entries:
            lead = f"{lead} {self._latest()}"
        verdict = Verdict.ANSWERED if entries else Verdict.REPLY
        return Answer(
            "", "", verdict, lead=lead, listing=entries[:_MOST_NEW], total=len(entries), filters=parsed.filters()
        )

    def _latest(self) -> str:
        latest = self._engine.listing.latest_arrival
        if latest is None:
            return "The lists that Pullquote began with carry no day; what is imported does."
        latest = latest.astimezone()
        return f"The latest came on {latest:%A}, {latest.day} {latest:%B %Y}."


def _counted(count: int, of: int) -> str:
    return f"{count:,} of {of:,} abstracts" if count != of else f"All {of:,} abstracts" if of > 1 else "1 abstract"


def _mention(fact: Fact, count: int) -> str:
    verb = "mentions" if count == 1 else "mention"
    has = f" {verb} {quoted_words(_OR.split(fact.topic), joined_by='or')}" if fact.topic else ""
    without = quoted_words(_OR.split(fact.without), joined_by="or")
    lacks = f"{' and do' if has else ' do'}{'es' if count == 1 else ''} not mention {without}"
    return f"{has}{lacks}" if fact.without else has
