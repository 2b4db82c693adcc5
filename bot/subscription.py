"""Who wants to hear of what, and what became of it: subscriptions, watches, digests and deliveries. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from bot.model import Quote
from bot.schedule import Schedule
from retrieval.model import Entry

__all__ = [
    "MOST_ENTRIES",
    "MOST_TOPICS",
    "Breadth",
    "Delivery",
    "Digest",
    "DigestEntry",
    "DigestNote",
    "Opinion",
    "Part",
    "Place",
    "Posted",
    "RunState",
    "Section",
    "Sent",
    "Subscription",
    "Watch",
    "is_daily",
]

MOST_ENTRIES = 200
"""As many entries one digest may show at most; what is left is counted in its last line."""

MOST_TOPICS = 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a digest is read.

    Attributes:
        team: The workspace; empty for a place of this machine.
        channel: The platform's id of a channel or person, or the name of a local place.
        thread: The root of a thread, for watches.
    """

    team: str
    channel: str
    thread: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is read on this machine."""
        return not self.team


class Breadth(StrEnum):
    """How much of a topic an entry must have to be about it."""

    NARROW = "narrow"
    """All that the topic says."""

    NORMAL = "normal"
    """What would answer a question of these words."""

    WIDE = "wide"
    """Half of it, and near in meaning."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A standing wish to hear of new entries at one place, which has one at most.

    Attributes:
        topics: Standing queries in the language of questions, each a section; everything when there is none.
        without: Words that no entry may mention.
        most: As many entries are shown in one digest at most.
        heartbeat: Whether a week without anything new is said to be one.
        personal: Whether what people there think of entries decides their order.
        enabled: Whether it is sent; `problem` says why it is not when nobody asked for that.
    """

    subscription_id: str
    place: Place
    created_by: str
    created_at: datetime
    topics: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    breadth: Breadth = Breadth.NORMAL
    schedule: Schedule = field(default_factory=Schedule)
    most: int = 30
    heartbeat: bool = False
    personal: bool = False
    enabled: bool = True
    problem: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.most <= MOST_ENTRIES:
            raise ValueError(f"a digest shows from 1 to {MOST_ENTRIES} entries, got {self.most}")
        if len(self.topics) > MOST_TOPICS:
            raise ValueError(f"a digest has at most {MOST_TOPICS} topics, got {len(self.topics)}")

    @property
    def wants(self) -> str:
        """What it asks for, in words."""
        topics = ", ".join(self.topics) or "everything new"
        return f"{topics} (not: {', '.join(self.without)})" if self.without else topics


@dataclass(frozen=True, slots=True)
class Watch:
    """A question that is to be answered in its thread again when a new entry answers it."""

    watch_id: str
    place: Place
    person: str
    question: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """An entry as a digest shows it.

    Attributes:
        number: From 1, through all sections.
        quote: The sentence that says what is new in it; None when it has no abstract.
        why: The words for which it stands where it stands, when the order is a personal one.
    """

    number: int
    entry: Entry
    quote: Quote | None
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DigestNote:
    """What became of an entry that was posted before; *said* is such as "accepted at ICLR 2026"."""

    entry_id: str
    title: str
    url: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Section:
    """Entries under one heading; an empty heading is none."""

    heading: str
    entries: tuple[DigestEntry, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """What there is to say at one place at one time.

    Attributes:
        day: The local day that it is of.
        since: The day of the digest before, where days were missed in between; else None.
        total: How many new entries are wanted there; those that no section shows are counted with them.
        quiet: Whether it says nothing but that everything still runs.
    """

    subscription: Subscription
    day: date
    since: date | None = None
    sections: tuple[Section, ...] = ()
    notes: tuple[DigestNote, ...] = ()
    total: int = 0
    quiet: bool = False

    @property
    def entries(self) -> tuple[DigestEntry, ...]:
        """Every entry shown, in order."""
        return tuple(entry for section in self.sections for entry in section.entries)


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a digest, rendered.

    Attributes:
        content: Opaque but for who rendered it.
        entry_ids: The entries that it shows.
    """

    content: str
    entry_ids: tuple[str, ...] = ()


class RunState(StrEnum):
    """Where a delivery is."""

    CLAIMED = "claimed"
    """Somebody works out what to post."""

    SENDING = "sending"
    """What to post is on the disk, and some of it may have been posted."""

    SENT = "sent"
    EMPTY = "empty"
    """There was nothing new."""

    SKIPPED = "skipped"
    """It was too late for it; the next one brings it along."""

    UNKNOWN = "unknown"
    """It may have been posted, and there is no way to look."""

    FAILED = "failed"
    """It could not be posted; the next one brings it along."""

    @property
    def is_open(self) -> bool:
        """Whether there is still something to do."""
        return self in {RunState.CLAIMED, RunState.SENDING}


@dataclass(frozen=True, slots=True)
class Delivery:
    """One digest on its way, and the record of it afterwards.

    Attributes:
        owner_id: The subscription or watch.
        key: Names the window: the local day, or where in the catalogue it ends.
        upto: The change of the catalogue that it reaches to.
        posted: What the platform calls the parts that are posted, in order.
        trying: Whether the next part may stand there already.
        looks: How often it was looked for there.
        facts: What was seen: counts by name, and the feeds.
    """

    owner_id: str
    key: str
    state: RunState
    begun_at: datetime
    upto: int = 0
    parts: tuple[Part, ...] = ()
    posted: tuple[str, ...] = ()
    trying: bool = False
    looks: int = 0
    attempts: int = 0
    error: str = ""
    ended_at: datetime | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def shown_by(self, name: str) -> tuple[str, ...]:
        """Return the entries that the part which the platform calls *name* shows; none when it is none of its parts."""
        return next(
            (part.entry_ids for part, posted in zip(self.parts, self.posted, strict=False) if posted == name), ()
        )


@dataclass(frozen=True, slots=True)
class Sent:
    """What was posted of an entry, to tell later what has changed of it.

    Attributes:
        shown: False when it was only counted.
    """

    entry_id: str
    title: str
    venue: str
    url: str | None
    abstract: str
    sentence: str
    authors: tuple[str, ...]
    at: datetime
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Opinion:
    """What somebody thinks of an entry at a place, and what the entry said then."""

    team: str
    channel: str
    person: str
    entry_id: str
    title: str
    abstract: str
    liked: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Posted:
    """How posting one message ended.

    Attributes:
        outcome: "posted"; "absent" (certainly not there, may be posted); "later" (certainly not there, wait first);
            "uncertain" (has to be looked for); "unknowable" (cannot be looked for); "refused" (will never work).
        name: What the platform calls the message, where it was posted.
        wait_s: For how long, where it is for later.
        reason: Why it was not posted.
    """

    outcome: str
    name: str = ""
    wait_s: float = 0.0
    reason: str = ""


def is_daily(delivery: Delivery) -> bool:
    """Tell whether *delivery* is the digest of a day, whose ISO date is its key."""
    return delivery.key[:4].isdecimal()
