"""Stores of subscriptions and deliveries in memory, and a place to post that fails as platforms do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.adapters.plaintext import digest_text, plain_text
from bot.model import Answer
from bot.subscription import Delivery, Digest, Opinion, Part, Place, Posted, RunState, Sent, Subscription, Watch

__all__ = ["CrashError", "MemoryDeliveries", "MemoryOpinions", "MemorySubscriptions", "Post", "Wall"]


class MemorySubscriptions:
    """Subscriptions and watches for as long as the process lives."""

    def __init__(self) -> None:
        """Begin with none."""
        self._subscriptions: dict[tuple[str, str], Subscription] = {}
        self._watches: dict[str, Watch] = {}

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Return every subscription, the oldest first."""
        return tuple(self._subscriptions.values())

    def at(self, place: Place) -> Subscription | None:
        """Return the subscription of a place; None when it has none."""
        return self._subscriptions.get((place.team, place.channel))

    def save(self, subscription: Subscription) -> None:
        """Keep *subscription*, in place of the one that its place had."""
        self._subscriptions[subscription.place.team, subscription.place.channel] = subscription

    def remove(self, subscription_id: str) -> None:
        """Forget a subscription."""
        kept = {place: one for place, one in self._subscriptions.items() if one.subscription_id != subscription_id}
        self._subscriptions = kept

    def watches(self) -> tuple[Watch, ...]:
        """Return every watch, the oldest first."""
        return tuple(self._watches.values())

    def add_watch(self, watch: Watch) -> bool:
        """Keep *watch*; return False, and do nothing, when the same question is watched there already."""
        if any((one.place, one.question) == (watch.place, watch.question) for one in self._watches.values()):
            return False
        self._watches[watch.watch_id] = watch
        return True

    def remove_watch(self, watch_id: str) -> None:
        """Forget a watch."""
        self._watches.pop(watch_id, None)


class MemoryOpinions:
    """Opinions and reading lists for as long as the process lives."""

    def __init__(self) -> None:
        """Begin with none."""
        self._opinions: dict[tuple[str, str, str, str], Opinion] = {}
        self._saved: dict[tuple[str, str, str], datetime] = {}

    def put(self, opinion: Opinion) -> None:
        """Keep *opinion*, in place of what the person thought of the entry there before."""
        self._opinions[opinion.team, opinion.channel, opinion.person, opinion.entry_id] = opinion

    def take_back(self, place: Place, person: str, entry_id: str) -> None:
        """Forget what *person* thought of an entry there."""
        self._opinions.pop((place.team, place.channel, person, entry_id), None)

    def of(self, team: str, channel: str) -> tuple[Opinion, ...]:
        """Return what people think at a place, the oldest first."""
        found = [one for one in self._opinions.values() if (one.team, one.channel) == (team, channel)]
        return tuple(sorted(found, key=lambda one: (one.at, one.person, one.entry_id)))

    def save(self, team: str, person: str, entry_id: str, *, at: datetime) -> bool:
        """Put an entry on the reading list of *person*; return False when it is there already."""
        new = (team, person, entry_id) not in self._saved
        self._saved.setdefault((team, person, entry_id), at)
        return new

    def saved(self, team: str, person: str) -> tuple[str, ...]:
        """Return the entries on the reading list of *person*, the latest first."""
        found = [(at, key[2]) for key, at in self._saved.items() if key[:2] == (team, person)]
        return tuple(entry_id for _, entry_id in sorted(found, key=lambda one: (-one[0].timestamp(), one[1])))

    def forget(self, team: str, person: str) -> int:
        """Forget everything of *person* in a workspace; return how many things that was."""
        before = len(self._opinions) + len(self._saved)
        self._opinions = {k: v for k, v in self._opinions.items() if (k[0], k[2]) != (team, person)}
        self._saved = {k: v for k, v in self._saved.items() if k[:2] != (team, person)}
        return before - len(self._opinions) - len(self._saved)


@dataclass(slots=True)
class _Row:
    delivery: Delivery
    holder: object
    until: float
    pending: dict[str, Sent] = field(default_factory=dict)


@dataclass(slots=True)
class _Kept:
    """What several objects, each in the role of a process, share."""

    rows: dict[tuple[str, str], _Row] = field(default_factory=dict)
    progress: dict[str, int] = field(default_factory=dict)
    sent: dict[str, dict[str, Sent]] = field(default_factory=dict)


class MemoryDeliveries:
    """Deliveries for as long as the process lives."""

    def __init__(self, beside: MemoryDeliveries | None = None) -> None:
        """Begin with none, or share those of another object, as another process would."""
        self._kept: _Kept = _Kept() if beside is None else beside._kept
        self._writes_left: int | None = None
        self._dies_after = False

    def dies_at(self, write: int, *, written: bool) -> None:
        """Let the process end at that write, from 0: before it, or after it when it is to be *written*."""
        self._writes_left, self._dies_after = write, written

    def start(self, owner_id: str, sequence: int, *, again: bool = False) -> None:
        """Let the first window begin after change *sequence*, if it has none yet."""
        if again or owner_id not in self._kept.progress:
            self._kept.progress[owner_id] = sequence

    def progress(self, owner_id: str) -> int | None:
        """Return the change after which the next window begins; None before `start`."""
        return self._kept.progress.get(owner_id)

    def claim(self, owner_id: str, key: str, *, now: datetime, lease_s: float) -> Delivery | None:
        """Begin the delivery of that key; None when it was ever begun, by whomever."""
        if (owner_id, key) in self._kept.rows:
            return None
        delivery = Delivery(owner_id, key, RunState.CLAIMED, now)
        with self._write():
            self._kept.rows[owner_id, key] = _Row(delivery, self, now.timestamp() + lease_s)
        return delivery

    def take_over(self, *, now: datetime, lease_s: float) -> Delivery | None:
        """Claim an open delivery whose lease has ended and whose wait is over, the oldest; None when there is none."""
        for row in self._kept.rows.values():
            if row.delivery.state.is_open and row.until <= now.timestamp():
                row.holder, row.until = self, now.timestamp() + lease_s
                return row.delivery
        return None

    def keep(
        self,
        delivery: Delivery,
        *,
        now: datetime,
        lease_s: float,
        wait_s: float = 0.0,
        to_send: Sequence[Sent] = (),
        proven: Sequence[str] = (),
    ) -> bool:
        """Write *delivery* down as it is now; return whether it is still ours."""
        row = self._ours(delivery)
        if row is None:
            return False
        with self._write():
            row.delivery, row.holder = delivery, None if wait_s else self
            row.until = now.timestamp() + (wait_s or lease_s)
            row.pending |= {one.entry_id: one for one in to_send}
            self._prove(delivery.owner_id, {name: row.pending[name] for name in proven if name in row.pending})
        return True

    def finish(self, delivery: Delivery, *, now: datetime, advance: bool) -> bool:
        """Write down how *delivery* ended; return whether it was still ours."""
        row = self._ours(delivery)
        if row is None:
            return False
        with self._write():
            row.delivery, row.holder, row.until = delivery, None, now.timestamp()
            if advance:
                self._prove(delivery.owner_id, row.pending)
                if (before := self._kept.progress.get(delivery.owner_id)) is not None:
                    self._kept.progress[delivery.owner_id] = max(before, delivery.upto)
            row.pending = {}
        return True

    def sent(self, owner_id: str) -> Mapping[str, Sent]:
        """Return what was posted, by entry id."""
        return dict(sorted(self._kept.sent.get(owner_id, {}).items()))

    def deliveries(self, owner_id: str | None = None, *, limit: int = 20) -> tuple[Delivery, ...]:
        """Return the latest deliveries, of one owner or of all, the latest first; without their parts."""
        found = [row.delivery for row in self._kept.rows.values() if owner_id in {None, row.delivery.owner_id}]
        return tuple(replace(one, parts=()) for one in reversed(found))[:limit]

    def shown_by(self, owner_id: str, name: str) -> tuple[str, ...]:
        """Return the entries that the message which the platform calls *name* shows; none when it is not known."""
        own = [row.delivery for row in self._kept.rows.values() if row.delivery.owner_id == owner_id]
        return next((found for one in reversed(own) if (found := one.shown_by(name))), ())

    def forget(self, owner_id: str) -> None:
        """Forget everything of a subscription or watch."""
        self._kept.rows = {key: row for key, row in self._kept.rows.items() if key[0] != owner_id}
        self._kept.progress.pop(owner_id, None)
        self._kept.sent.pop(owner_id, None)

    @contextmanager
    def _write(self) -> Iterator[None]:
        dying = self._writes_left == 0
        if self._writes_left is not None:
            self._writes_left -= 1
        if dying and not self._dies_after:
            raise CrashError
        yield
        if dying:
            raise CrashError

    def _ours(self, delivery: Delivery) -> _Row | None:
        row = self._kept.rows.get((delivery.owner_id, delivery.key))
        return row if row is not None and row.holder is self and row.delivery.state.is_open else None

    def _prove(self, owner_id: str, found: Mapping[str, Sent]) -> None:
        self._kept.sent.setdefault(owner_id, {}).update(found)


class CrashError(BaseException):
    """The process is gone; nothing catches it."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message that stands on the wall."""

    place: Place
    key: str
    root: str
    text: str
    entry_ids: tuple[str, ...]


@dataclass(slots=True)
class Wall:
    """Shows what was posted, and fails when told to.

    Attributes:
        faults: What happens to the next posts, in order: an outcome of `Posted`; "lost" (posted, but that is never
            known); "crash" or "posted, crash" (the process ends before, or after).
        blind: Whether it cannot be looked at.
        told: What was said to people.
    """

    posts: list[Post] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    blind: bool = False
    connected: bool = True
    wait_s: float = 60.0
    told: list[tuple[str, str]] = field(default_factory=list)
    per_part: int = 8

    def serves(self, place: Place) -> bool:
        """Tell whether it is connected."""
        return self.connected and not place.is_local

    def render(self, digest: Digest) -> tuple[Part, ...]:
        """Return *digest* as texts of a few entries each."""
        names = [one.entry.entry_id for one in digest.entries]
        pieces = [tuple(names[at : at + self.per_part]) for at in range(0, len(names), self.per_part)] or [()]
        return tuple(Part(digest_text(digest) if not at else f"part {at}", piece) for at, piece in enumerate(pieces))

    def render_answer(self, watch: Watch, answer: Answer) -> Part:
        """Return *answer* as text."""
        return Part(f"{watch.question}\n{plain_text(answer)}", tuple(one.entry.entry_id for one in answer.quotes))

    def render_notice(self, text: str, *, by: str = "") -> Part:
        """Return *text*, and who had it said."""
        return Part(f"{text} (by {by})" if by else text)

    async def post(self, place: Place, part: Part, *, key: str, root: str) -> Posted:
        """Post *part*, unless something else is to happen."""
        fault = self.faults.pop(0) if self.faults else "posted"
        if fault == "crash":
            raise CrashError
        if fault in {"posted", "lost", "posted, crash"}:
            self.posts.append(Post(place, key, root, part.content, part.entry_ids))
        if fault == "posted, crash":
            raise CrashError
        if fault == "posted":
            return Posted("posted", name=str(len(self.posts)))
        wait_s = self.wait_s if fault == "later" else 0.0
        return Posted("uncertain" if fault == "lost" else fault, reason=f"the wall says {fault}", wait_s=wait_s)

    async def find(self, place: Place, *, key: str, root: str, since: datetime) -> Posted:
        """Look for the message of *key*."""
        del place, root, since
        if self.blind:
            return Posted("unknowable", reason="no leave to look")
        for number, one in enumerate(self.posts, start=1):
            if one.key == key:
                return Posted("posted", name=str(number))
        return Posted("absent")

    async def tell(self, place: Place, person: str, text: str) -> None:
        """Remember what was said to whom."""
        del place
        self.told.append((person, text))

    def entry_ids(self, channel: str) -> list[str]:
        """Return the entries shown in a channel, in the order in which they were posted."""
        return [name for post in self.posts if post.place.channel == channel for name in post.entry_ids]
