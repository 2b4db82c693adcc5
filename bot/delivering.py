"""One digest out of the door, exactly once as near as a platform allows: each step is on the disk before the next."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.ports import Clock, DeliveryLog, Outlet
from bot.subscription import Delivery, Part, Place, Posted, RunState, Sent

__all__ = ["Delivering", "Prepared"]

log = logging.getLogger(__name__)

_LEASE_S = 300.0
_LOOK_AGAIN_S = 30.0
_LOOKS = 2
_LONGEST_WAIT_S = 900.0
_GIVE_UP_AFTER = timedelta(hours=20)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a delivery is to post.

    Attributes:
        parts: None when there is nothing to say.
        sent: The entries that count as sent once it is posted.
        upto: The change of the catalogue that it reaches to.
        facts: What was seen on the way.
    """

    parts: tuple[Part, ...]
    sent: Sequence[Sent]
    upto: int
    facts: Mapping[str, object]


class Delivering:
    """Takes deliveries through their states.

    A part is marked as tried before it is posted. When that cannot be followed by the proof that it was, because the
    program died or the platform's answer was lost, the platform is asked before anything is posted again.
    """

    def __init__(
        self,
        deliveries: DeliveryLog,
        prepare: Callable[[Delivery], Prepared],
        clock: Clock,
        *,
        lease_s: float = _LEASE_S,
        look_again_s: float = _LOOK_AGAIN_S,
    ) -> None:
        """Write down in *deliveries* what happens to what *prepare* says, which is called in a thread."""
        self._deliveries = deliveries
        self._prepare = prepare
        self._clock = clock
        self.lease_s = lease_s
        self._look_again_s = look_again_s

    async def deliver(self, delivery: Delivery, place: Place, outlet: Outlet) -> Delivery | None:
        """Take *delivery* as far as it goes now; return it when it has ended, None when it is to be gone on with.

        Raises:
            StoreError: If what happens cannot be written down; then it is taken over once its lease has ended.
        """
        if delivery.state is RunState.CLAIMED:
            prepared = await asyncio.to_thread(self._prepare, delivery)
            delivery = replace(delivery, upto=prepared.upto, parts=prepared.parts, facts=prepared.facts)
            if not prepared.parts:
                return await self._end(delivery, RunState.EMPTY)
            delivery = replace(delivery, state=RunState.SENDING)
            if not await self._kept(delivery, to_send=prepared.sent):
                return None
        while len(delivery.posted) < len(delivery.parts):
            stepped = await self._step(delivery, place, outlet)
            if stepped is None or not stepped.state.is_open:
                return stepped
            delivery = stepped
        return await self._end(delivery, RunState.SENT)

    async def _step(self, delivery: Delivery, place: Place, outlet: Outlet) -> Delivery | None:
        """Post the next part, or find out whether it stands there; None when that has to wait."""
        number = len(delivery.posted)
        part, root = delivery.parts[number], delivery.posted[0] if delivery.posted else ""
        key = f"{delivery.owner_id}:{delivery.key}:{number}"
        if delivery.trying:
            result = await outlet.find(place, key=key, root=root, since=delivery.begun_at)
            if result.outcome == "absent" and delivery.looks + 1 >= _LOOKS:
                delivery = replace(delivery, trying=False, looks=0)
            else:
                return await self._looked(delivery, result)
        delivery = replace(delivery, trying=True, attempts=delivery.attempts + 1)
        if not await self._kept(delivery):
            return None
        result = await outlet.post(place, part, key=key, root=root)
        return await self._tried(delivery, result)

    async def _looked(self, delivery: Delivery, result: Posted) -> Delivery | None:
        match result.outcome:
            case "posted":
                return await self._posted(delivery, result.name)
            case "unknowable":
                # Twice is worse than never, and what it would have said is not said again tomorrow.
                return await self._end(replace(delivery, error=result.reason), RunState.UNKNOWN)
            case "absent":
                return await self._wait(replace(delivery, looks=delivery.looks + 1), self._look_again_s, result)
            case _:
                return await self._wait(delivery, max(result.wait_s, self._look_again_s), result)

    async def _tried(self, delivery: Delivery, result: Posted) -> Delivery | None:
        match result.outcome:
            case "posted":
                return await self._posted(delivery, result.name)
            case "refused":
                return await self._end(replace(delivery, trying=False, error=result.reason), RunState.FAILED)
            case "absent" | "later":
                again_s = min(_LONGEST_WAIT_S, 10.0 * 2.0 ** min(delivery.attempts, 10))
                return await self._wait(replace(delivery, trying=False), result.wait_s or again_s, result)
            case _:
                return await self._wait(delivery, self._look_again_s, result)

    async def _posted(self, delivery: Delivery, name: str) -> Delivery | None:
        part = delivery.parts[len(delivery.posted)]
        delivery = replace(delivery, posted=(*delivery.posted, name), trying=False, looks=0, attempts=0, error="")
        return delivery if await self._kept(delivery, proven=part.entry_ids) else None

    async def _wait(self, delivery: Delivery, wait_s: float, result: Posted) -> Delivery | None:
        now = self._clock.now()
        delivery = replace(delivery, error=result.reason)
        if now - delivery.begun_at > _GIVE_UP_AFTER:
            return await self._end(delivery, RunState.UNKNOWN if delivery.trying else RunState.FAILED)
        log.warning("digest waits", extra={"owner": delivery.owner_id, "wait_s": wait_s, "reason": result.reason})
        await asyncio.to_thread(
            self._deliveries.keep, delivery, now=now, lease_s=self.lease_s, wait_s=max(wait_s, 0.001)
        )
        return None

    async def _kept(self, delivery: Delivery, *, to_send: Sequence[Sent] = (), proven: Sequence[str] = ()) -> bool:
        now = self._clock.now()
        ours = await asyncio.to_thread(
            self._deliveries.keep, delivery, now=now, lease_s=self.lease_s, to_send=to_send, proven=proven
        )
        if not ours:
            log.warning("digest taken over by another process", extra={"owner": delivery.owner_id})
        return ours

    async def _end(self, delivery: Delivery, state: RunState) -> Delivery | None:
        now = self._clock.now()
        delivery = replace(delivery, state=state, ended_at=now)
        advance = state in {RunState.SENT, RunState.EMPTY, RunState.UNKNOWN}
        ours = await asyncio.to_thread(self._deliveries.finish, delivery, now=now, advance=advance)
        return delivery if ours else None
