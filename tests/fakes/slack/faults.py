"""What goes wrong on purpose: per method and call for the Web API, per delivery for events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "ApiFault",
    "DropAfter",
    "DropBefore",
    "Error",
    "Faults",
    "HttpStatus",
    "RateLimited",
    "RefuseBlocks",
    "Slow",
]


@dataclass(frozen=True, slots=True)
class RateLimited:
    """Answer 429 with a Retry-After header, without doing anything."""

    retry_after_s: int = 1


@dataclass(frozen=True, slots=True)
class HttpStatus:
    """Answer with a bare HTTP status, without doing anything; as an HTML page when `html`."""

    status: int = 503
    html: bool = False


@dataclass(frozen=True, slots=True)
class Error:
    """Answer `ok: false` with `error`, without doing anything; after doing it when `applied`."""

    error: str
    applied: bool = False


@dataclass(frozen=True, slots=True)
class DropBefore:
    """Cut the connection without doing anything."""


@dataclass(frozen=True, slots=True)
class DropAfter:
    """Do it, then cut the connection without an answer."""


@dataclass(frozen=True, slots=True)
class Slow:
    """Do it, and answer only once the clock has moved on by `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class RefuseBlocks:
    """Answer `invalid_blocks` to a call that carries blocks; others pass and do not count."""


ApiFault: TypeAlias = RateLimited | HttpStatus | Error | DropBefore | DropAfter | Slow | RefuseBlocks


@dataclass(slots=True)
class _Plan:
    fault: ApiFault
    skip: int
    left: int | None

    def take(self) -> bool:
        """Count one call; tell whether the fault strikes it."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


Trouble: TypeAlias = Literal["duplicate", "ignore_ack", "cut"]


@dataclass(slots=True)
class Faults:
    """The faults that a test has asked for.

    Attributes:
        held: Whether deliveries are kept back until `FakeSlack.release`.
    """

    held: bool = False
    struck: list[tuple[str, ApiFault]] = field(default_factory=list)
    _plans: dict[str, list[_Plan]] = field(default_factory=dict)
    _trouble: dict[Trouble, int] = field(default_factory=dict)

    def api(self, method: str, fault: ApiFault, *, call: int = 1, times: int | None = 1) -> None:
        """Let *fault* strike calls of *method*.

        Args:
            method: A name such as "chat.postMessage".
            fault: What happens instead.
            call: The first call to be struck, counted from 1 and from now on.
            times: How many calls in a row; None for every one from there.
        """
        self._plans.setdefault(method, []).append(_Plan(fault, call - 1, times))

    def take(self, method: str, *, with_blocks: bool) -> ApiFault | None:
        """Count one call of *method* and return the fault that strikes it, if one does."""
        for plan in self._plans.get(method, []):
            if isinstance(plan.fault, RefuseBlocks) and not with_blocks:
                continue
            if plan.take():
                self.struck.append((method, plan.fault))
                return plan.fault
        return None

    def duplicate(self, deliveries: int = 1) -> None:
        """Send each of the next deliveries twice: two envelopes, one event id."""
        self._trouble["duplicate"] = deliveries

    def ignore_acks(self, acks: int = 1) -> None:
        """Lose the next acks on their way, so that Slack delivers again after the budget."""
        self._trouble["ignore_ack"] = acks

    def cut(self, deliveries: int = 1) -> None:
        """Cut the connection right after sending each of the next deliveries, before any ack."""
        self._trouble["cut"] = deliveries

    def hold(self) -> None:
        """Keep deliveries back until they are released, in another order if wanted."""
        self.held = True

    def strikes(self, trouble: Trouble) -> bool:
        """Tell whether *trouble* is due, and count it down."""
        left = self._trouble.get(trouble, 0)
        self._trouble[trouble] = max(0, left - 1)
        return left > 0
