"""Delivery at least once: an ack within three seconds, or the same event again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from tests.fakes.slack.activity import Activity
from tests.fakes.slack.clock import Clock
from tests.fakes.slack.faults import Faults
from tests.fakes.slack.wire import Ids, JsonObject, RefusedError

__all__ = ["BUDGET_S", "RETRY_AFTER_S", "Attempt", "Courier", "Delivery", "Kind", "Transport"]

Kind: TypeAlias = Literal["events_api", "slash_commands", "interactive"]

BUDGET_S = 3.0
# After a failure: at once, a minute later, five minutes later; then Slack gives up.
RETRY_AFTER_S = (0.0, 60.0, 300.0)


@dataclass(slots=True)
class Attempt:
    """One try at delivering.

    Attributes:
        key: The envelope's id.
        number: 0 for the first try.
        reason: Why the try before failed, "" for the first.
        failed: Why this one failed.
        ignored: Whether its ack was lost on purpose.
        waiting: Whether it is on its way and nothing stands between it and an ack.
    """

    key: str
    number: int
    reason: str
    sent_at: float
    acked_at: float | None = None
    failed: str | None = None
    ignored: bool = False
    cut: bool = False

    @property
    def waiting(self) -> bool:
        """Whether an ack can still come without the clock moving."""
        return self.acked_at is None and self.failed is None and not self.ignored and not self.cut


@dataclass(slots=True)
class Delivery:
    """Something that Slack tells the app, with the history of telling it.

    Attributes:
        label: What it is, for reading: "app_mention", "/pullquote", "block_actions".
        event_id: Stays the same over every attempt; empty for what is not an event.
        accepts_response: Whether an ack may carry a payload.
        response: The payload of the ack.
    """

    kind: Kind
    label: str
    payload: JsonObject
    team_id: str
    event_id: str = ""
    accepts_response: bool = False
    on_ack: Callable[[JsonObject], None] = lambda _: None
    on_lost: Callable[[str], None] = lambda _: None
    attempts: list[Attempt] = field(default_factory=list)
    state: Literal["held", "pending", "acked", "lost"] = "pending"
    response: JsonObject | None = None

    @property
    def late(self) -> bool:
        """Whether any attempt ran out of time that no fault kept from being acked."""
        return any(a.failed == "timeout" and not a.ignored and not a.cut for a in self.attempts)


class Transport(Protocol):
    """A way to the app: sockets, or signed HTTP."""

    async def send(self, delivery: Delivery, attempt: Attempt) -> str | None:
        """Send; return None when an ack may follow, else why it cannot."""
        ...

    def cut(self, attempt: Attempt) -> None:
        """Break the connection on which *attempt* went out."""
        ...


class Courier:
    """Sends deliveries, counts their budget, tries again.

    Attributes:
        deliveries: Everything that was to be delivered, in order.
        strays: Ids in acks that name no envelope.
        surprises: Labels of deliveries whose ack carried a payload that Slack does not accept there.
        refused: Labels of deliveries whose ack carried an invalid payload, with Slack's word for it.
    """

    def __init__(
        self, *, clock: Clock, ids: Ids, faults: Faults, activity: Activity, spawn: Callable[..., None]
    ) -> None:
        self.transport: Transport | None = None
        self.deliveries: list[Delivery] = []
        self.strays: list[str] = []
        self.surprises: list[str] = []
        self.refused: list[tuple[str, RefusedError]] = []
        self._clock, self._ids, self._faults = clock, ids, faults
        self._activity, self._spawn = activity, spawn
        self._open: dict[str, tuple[Delivery, Attempt]] = {}

    def post(self, delivery: Delivery) -> Delivery:
        """Deliver, now or, while deliveries are held, at the release."""
        self.deliveries.append(delivery)
        if self._faults.held:
            delivery.state = "held"
        else:
            self._start(delivery)
        self._activity.note()
        return delivery

    def _start(self, delivery: Delivery) -> None:
        delivery.state = "pending"
        self._try(delivery, number=0, reason="")
        if self._faults.strikes("duplicate"):
            self._try(delivery, number=0, reason="")

    def release(self, reorder: Callable[[list[Delivery]], list[Delivery]]) -> None:
        """Send what was held, in the order that *reorder* puts it in."""
        self._faults.held = False
        for delivery in reorder([d for d in self.deliveries if d.state == "held"]):
            self._start(delivery)

    def _try(self, delivery: Delivery, *, number: int, reason: str) -> None:
        attempt = Attempt(self._ids.uuid(), number, reason, self._clock.now())
        delivery.attempts.append(attempt)
        self._open[attempt.key] = delivery, attempt
        self._clock.call_at(attempt.sent_at + BUDGET_S, lambda: self.failed(attempt.key, "timeout"))
        self._spawn(self._send(delivery, attempt))

    async def _send(self, delivery: Delivery, attempt: Attempt) -> None:
        cut = self._faults.strikes("cut")
        problem = await self.transport.send(delivery, attempt) if self.transport else "connection_failed"
        if problem is not None:
            self.failed(attempt.key, problem)
        elif cut and self.transport is not None:
            attempt.cut = True
            self.transport.cut(attempt)
        self._activity.note()

    def acked(self, key: str, payload: JsonObject | None) -> None:
        """Take an ack. A second one for the same delivery changes nothing."""
        if key not in self._open:
            self.strays.append(key)
            self._activity.note()
            return
        delivery, attempt = self._open[key]
        if attempt.cut or self._faults.strikes("ignore_ack"):
            attempt.ignored = True
        elif attempt.acked_at is None:
            attempt.acked_at = self._clock.now()
            self._done(delivery, payload)
        self._activity.note()

    def _done(self, delivery: Delivery, payload: JsonObject | None) -> None:
        if payload and not delivery.accepts_response:
            self.surprises.append(delivery.label)
        if delivery.state == "pending":
            delivery.state, delivery.response = "acked", payload
            try:
                delivery.on_ack(payload or {})
            except RefusedError as refusal:
                self.refused.append((delivery.label, refusal))

    def failed(self, key: str, reason: str, *, again: bool = True) -> None:
        """Note that an attempt came to nothing, and plan the next if there is one."""
        delivery, attempt = self._open[key]
        if attempt.acked_at is not None or attempt.failed is not None:
            return
        attempt.failed = reason
        newest = delivery.attempts[-1] is attempt
        if delivery.state == "pending" and newest:
            self._after_failure(delivery, attempt, reason, again=again)
        self._activity.note()

    def _after_failure(self, delivery: Delivery, attempt: Attempt, reason: str, *, again: bool) -> None:
        if not again or delivery.kind != "events_api" or attempt.number >= len(RETRY_AFTER_S):
            delivery.state = "lost"
            delivery.on_lost(reason)
            return
        when = self._clock.now() + RETRY_AFTER_S[attempt.number]
        self._clock.call_at(when, lambda: self._retry(delivery, attempt.number + 1, reason))
        if RETRY_AFTER_S[attempt.number] == 0:
            self._spawn(self._soon(delivery, attempt.number + 1, reason))

    async def _soon(self, delivery: Delivery, number: int, reason: str) -> None:
        self._retry(delivery, number, reason)

    def _retry(self, delivery: Delivery, number: int, reason: str) -> None:
        if delivery.state == "pending" and delivery.attempts[-1].number < number:
            self._try(delivery, number=number, reason=reason)

    @property
    def waiting(self) -> list[Delivery]:
        """Deliveries whose ack can still come without the clock moving."""
        return [d for d in self.deliveries if d.state == "pending" and any(a.waiting for a in d.attempts)]
