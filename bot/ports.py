"""What the bot needs from outside, as contracts. Adapters fulfil them without inheriting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.conversation import Conversation
from bot.model import Answer
from bot.records import AnswerRecord
from bot.subscription import Delivery, Digest, Opinion, Part, Place, Posted, Sent, Subscription, Watch

__all__ = [
    "AnswerLog",
    "Clock",
    "ConversationStore",
    "DeliveryLog",
    "Fetched",
    "Fetcher",
    "OpinionStore",
    "Outlet",
    "SubscriptionStore",
]


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...

    def monotonic_s(self) -> float:
        """Return seconds that never go back, for measuring how long something took."""
        ...


class ConversationStore(Protocol):
    """Keep conversations between turns, and between runs where the adapter says so.

    Bounded: an implementation forgets the conversations that were longest without a turn.
    """

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept under this id.

        Raises:
            StoreError: If the store cannot be read.
        """
        ...

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*, in place of what was kept under its id.

        Raises:
            StoreError: If the store cannot be written.
        """
        ...


class AnswerLog(Protocol):
    """Keep the answers given. Bounded: an implementation forgets the oldest."""

    def record(self, record: AnswerRecord) -> None:
        """Keep *record*; the same answer given again counts once more.

        Raises:
            StoreError: If the log cannot be written.
        """
        ...

    def find(self, answer_id: str) -> AnswerRecord:
        """Return the answer of that id.

        Raises:
            UnknownAnswerError: If none is kept.
            StoreError: If the log cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave.

    Attributes:
        url: Where it was found in the end.
        changed: False when it is as it was; then there is no body.
        etag: To be given back the next time; empty when there is none.
        last_modified: The same.
    """

    url: str
    body: bytes = b""
    changed: bool = True
    etag: str = ""
    last_modified: str = ""


class Fetcher(Protocol):
    """Gets what is outside."""

    async def get(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return what *url* gives, or that it did not change since *etag* or *last_modified*.

        Raises:
            FetchError: If it cannot be had.
        """
        ...


class SubscriptionStore(Protocol):
    """Keep what people want to hear of. Several processes may use it at once."""

    def subscriptions(self) -> tuple[Subscription, ...]:
        """Return every subscription, the oldest first.

        Raises:
            StoreError: If the store cannot be read; so for the other methods, and when it cannot be written.
        """
        ...

    def at(self, place: Place) -> Subscription | None:
        """Return the subscription of a place; None when it has none."""
        ...

    def save(self, subscription: Subscription) -> None:
        """Keep *subscription*, in place of the one that its place had."""
        ...

    def remove(self, subscription_id: str) -> None:
        """Forget a subscription."""
        ...

    def watches(self) -> tuple[Watch, ...]:
        """Return every watch, the oldest first."""
        ...

    def add_watch(self, watch: Watch) -> bool:
        """Keep *watch*; return False, and do nothing, when the same question is watched there already."""
        ...

    def remove_watch(self, watch_id: str) -> None:
        """Forget a watch."""
        ...


class DeliveryLog(Protocol):
    """Keep what was posted where, so that nothing is posted twice or left out. Several processes may use it at once.

    A delivery belongs to whoever claimed it until the lease ends; each write prolongs the lease. Whoever lost a
    delivery is told so by the next write, and must then leave it alone.
    """

    def start(self, owner_id: str, sequence: int, *, again: bool = False) -> None:
        """Let the first window of a subscription or watch begin after change *sequence*, if it has none yet.

        Args:
            again: Let the next window begin there in any case, and leave out what came before.
        """
        ...

    def progress(self, owner_id: str) -> int | None:
        """Return the change after which its next window begins; None before `start`."""
        ...

    def claim(self, owner_id: str, key: str, *, now: datetime, lease_s: float) -> Delivery | None:
        """Begin the delivery of that key; None when it was ever begun, by whomever."""
        ...

    def take_over(self, *, now: datetime, lease_s: float) -> Delivery | None:
        """Claim an open delivery whose lease has ended and whose wait is over, the oldest; None when there is none."""
        ...

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
        """Write *delivery* down as it is now; return whether it is still ours.

        Args:
            wait_s: Let go of it instead, to be taken over after so many seconds; 0 keeps it.
            to_send: What is going to be posted with it; it counts as sent once that is proven.
            proven: The entries of it that are now known to be posted.
        """
        ...

    def finish(self, delivery: Delivery, *, now: datetime, advance: bool) -> bool:
        """Write down how *delivery* ended; return whether it was still ours.

        Args:
            advance: Whether it reached its end, so that all it was going to post is sent, and the next window begins
                after `delivery.upto`. Otherwise what is not proven is not sent.
        """
        ...

    def sent(self, owner_id: str) -> Mapping[str, Sent]:
        """Return what was posted, by entry id."""
        ...

    def deliveries(self, owner_id: str | None = None, *, limit: int = 20) -> tuple[Delivery, ...]:
        """Return the latest deliveries, of one owner or of all, the latest first; without their parts."""
        ...

    def shown_by(self, owner_id: str, name: str) -> tuple[str, ...]:
        """Return the entries that the message which the platform calls *name* shows; none when it is not known."""
        ...

    def forget(self, owner_id: str) -> None:
        """Forget everything of a subscription or watch."""
        ...


class OpinionStore(Protocol):
    """Keep what people like, dislike and save. Several processes may use it at once."""

    def put(self, opinion: Opinion) -> None:
        """Keep *opinion*, in place of what the person thought of the entry there before.

        Raises:
            StoreError: If the store cannot be written; so for the other methods, and when it cannot be read.
        """
        ...

    def take_back(self, place: Place, person: str, entry_id: str) -> None:
        """Forget what *person* thought of an entry there."""
        ...

    def of(self, team: str, channel: str) -> tuple[Opinion, ...]:
        """Return what people think at a place, the oldest first."""
        ...

    def save(self, team: str, person: str, entry_id: str, *, at: datetime) -> bool:
        """Put an entry on the reading list of *person*; return False when it is there already."""
        ...

    def saved(self, team: str, person: str) -> tuple[str, ...]:
        """Return the entries on the reading list of *person*, the latest first."""
        ...

    def forget(self, team: str, person: str) -> int:
        """Forget everything of *person* in a workspace; return how many things that was."""
        ...


class Outlet(Protocol):
    """Post at the places of one platform. Rendering is pure; nothing here waits or tries again by itself."""

    def serves(self, place: Place) -> bool:
        """Tell whether *place* is one of its places."""
        ...

    def render(self, digest: Digest) -> tuple[Part, ...]:
        """Return the messages of *digest*: the first stands by itself, the others in its thread."""
        ...

    def render_answer(self, watch: Watch, answer: Answer) -> Part:
        """Return the message that tells the thread of *watch* of a new answer."""
        ...

    def render_notice(self, text: str, *, by: str = "") -> Part:
        """Return a message of plain words; *by* is the person who had it said, if anybody."""
        ...

    async def post(self, place: Place, part: Part, *, key: str, root: str) -> Posted:
        """Post *part* once; what goes wrong is a value.

        Args:
            place: Where.
            part: From one of the methods above.
            key: Names this message among all, for `find`.
            root: The message in whose thread it belongs; empty for the first, which goes into the thread of *place*.
        """
        ...

    async def find(self, place: Place, *, key: str, root: str, since: datetime) -> Posted:
        """Look whether the message of *key* stands there: "posted", "absent", "later" or "unknowable"."""
        ...

    async def tell(self, place: Place, person: str, text: str) -> None:
        """Tell *person* something about *place*, as well as that can be done."""
        ...
