"""Digests and answers to watched questions, on time and once: claim, compose, keep, post, prove."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.delivering import Delivering, Prepared
from bot.errors import BotError
from bot.incidents import new_incident
from bot.news import News
from bot.ports import Clock, DeliveryLog, Outlet, SubscriptionStore
from bot.preparing import Preparing
from bot.schedule import latest_due
from bot.subscription import Delivery, Place, RunState, Subscription, Watch, is_daily
from retrieval.errors import QuerySyntaxError, RetrievalError

__all__ = ["Digests"]

log = logging.getLogger(__name__)

_TICK_S = 20.0
_FAILED_DAYS = 3


@dataclass(slots=True)
class Digests:
    """Everything that is posted without being asked for.

    Attributes:
        news: Returns what is new now; may take long, and is called in a thread of its own.
        preparing: Works out what to post.
        sent_on: Told when a digest is out.
    """

    subscriptions: SubscriptionStore
    deliveries: DeliveryLog
    news: Callable[[], News]
    outlets: Sequence[Outlet]
    clock: Clock
    preparing: Preparing
    sent_on: Callable[[Subscription], None] = lambda _subscription: None
    tick_s: float = _TICK_S
    ticked_at: datetime | None = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _delivering: Delivering = field(init=False)

    def __post_init__(self) -> None:
        self._delivering = Delivering(self.deliveries, self._prepared, self.clock)

    def wake(self) -> None:
        """Look now for what is due."""
        self._wake.set()

    async def health(self) -> Mapping[str, object]:
        """Return facts for a health check: when it was last looked for what is due, and how the last digests went."""
        subscriptions = await asyncio.to_thread(self.subscriptions.subscriptions)
        ends: Counter[str] = Counter()
        for one in subscriptions:
            latest = await asyncio.to_thread(self.deliveries.deliveries, one.subscription_id)
            ends.update(run.state.value for run in list(filter(is_daily, latest))[:1])
        return {
            "looked_at": None if self.ticked_at is None else self.ticked_at.isoformat(),
            "subscriptions": len(subscriptions),
            "paused_for_a_problem": sum(bool(one.problem) for one in subscriptions),
            "last": dict(sorted(ends.items())),
        }

    async def run(self, stop: asyncio.Event) -> None:
        """Look now and then for what is due, until *stop* is set."""
        stopping = asyncio.create_task(stop.wait())
        try:
            while not stop.is_set():
                self._wake.clear()
                await self.tick()
                waking = asyncio.create_task(self._wake.wait())
                await asyncio.wait({stopping, waking}, timeout=self.tick_s, return_when=asyncio.FIRST_COMPLETED)
                waking.cancel()
        finally:
            stopping.cancel()

    async def tick(self) -> None:
        """Do everything that is due. What fails is logged, holds up nothing else, and is tried again."""
        now = self.clock.now()
        for work in (self._go_on, self._begin_digests, self._begin_watches):
            try:
                await work(now)
            except (BotError, RetrievalError) as exc:
                log.error("digests cannot go on", extra={"reason": str(exc)})  # noqa: TRY400
            except Exception:  # the next tick finds everything as it was
                log.exception("failed", extra={"incident": new_incident(), "doing": "digests"})
        self.ticked_at = now

    async def _begin_digests(self, now: datetime) -> None:
        for subscription in await asyncio.to_thread(self.subscriptions.subscriptions):
            due = latest_due(subscription.schedule, now) if subscription.enabled else None
            if due is None or due.at <= subscription.created_at or self._outlet(subscription.place) is None:
                continue
            await self._begin(subscription.subscription_id, due.day.isoformat(), now, skipped=due.too_late)

    async def _begin_watches(self, now: datetime) -> None:
        watches = await asyncio.to_thread(self.subscriptions.watches)
        reachable = [watch for watch in watches if self._outlet(watch.place) is not None]
        if not reachable:
            return
        upto = (await asyncio.to_thread(self.news)).upto
        for watch in reachable:
            after = await asyncio.to_thread(self.deliveries.progress, watch.watch_id)
            if after is not None and after < upto:
                await self._begin(watch.watch_id, f"to {upto}", now)

    async def _begin(self, owner_id: str, key: str, now: datetime, *, skipped: bool = False) -> None:
        delivery = await asyncio.to_thread(
            self.deliveries.claim, owner_id, key, now=now, lease_s=self._delivering.lease_s
        )
        if delivery is None:
            return
        if skipped:
            ended = replace(delivery, state=RunState.SKIPPED, ended_at=now, error="too late; the next one brings it")
            await asyncio.to_thread(self.deliveries.finish, ended, now=now, advance=False)
            return
        await self._safely(delivery)

    async def _go_on(self, now: datetime) -> None:
        """Take up what was left, by us or by a process that is gone."""
        while True:
            delivery = await asyncio.to_thread(self.deliveries.take_over, now=now, lease_s=self._delivering.lease_s)
            if delivery is None:
                return
            await self._safely(delivery)

    async def _safely(self, delivery: Delivery) -> None:
        try:
            await self._deliver(delivery)
        except Exception:  # it stays claimed until its lease ends, and is taken up again
            facts = {"incident": new_incident(), "owner": delivery.owner_id, "key": delivery.key}
            log.exception("failed", extra=facts)

    async def _deliver(self, delivery: Delivery) -> None:
        owner = await asyncio.to_thread(self._owner, delivery.owner_id)
        outlet = None if owner is None else self._outlet(owner.place)
        if owner is None:
            gone = replace(delivery, state=RunState.FAILED, error="nobody wants it any more")
            await asyncio.to_thread(self.deliveries.finish, gone, now=self.clock.now(), advance=False)
            return
        if outlet is None:  # the platform is not connected yet
            await asyncio.to_thread(self.deliveries.keep, delivery, now=self.clock.now(), lease_s=0, wait_s=self.tick_s)
            return
        ended = await self._delivering.deliver(delivery, owner.place, outlet)
        if ended is None:
            return
        log.info("digest ended", extra={"owner": ended.owner_id, "key": ended.key, "state": ended.state.value})
        if isinstance(owner, Subscription):
            if ended.state is RunState.SENT:
                await asyncio.to_thread(self.sent_on, owner)
            elif ended.state is RunState.FAILED:
                await self._give_up(owner, outlet, ended.error)

    async def _give_up(self, subscription: Subscription, outlet: Outlet, error: str) -> None:
        """Pause a subscription that has failed for days, and tell who made it, once."""
        latest = await asyncio.to_thread(self.deliveries.deliveries, subscription.subscription_id, limit=_FAILED_DAYS)
        days = [one for one in latest if one.state is RunState.FAILED]
        if len(days) < _FAILED_DAYS and is_daily(latest[0]):
            return
        current = await asyncio.to_thread(self.subscriptions.at, subscription.place)
        if current is None or not current.enabled or current.subscription_id != subscription.subscription_id:
            return
        await asyncio.to_thread(self.subscriptions.save, replace(current, enabled=False, problem=error))
        said = f"I could not post the digest ({subscription.wants}) there, and have paused it: {error}"
        await outlet.tell(subscription.place, subscription.created_by, said)

    def _owner(self, owner_id: str) -> Subscription | Watch | None:
        subscriptions = {one.subscription_id: one for one in self.subscriptions.subscriptions()}
        watches = {one.watch_id: one for one in self.subscriptions.watches()}
        return subscriptions.get(owner_id) or watches.get(owner_id)

    def _outlet(self, place: Place) -> Outlet | None:
        return next((outlet for outlet in self.outlets if outlet.serves(place)), None)

    def _prepared(self, delivery: Delivery) -> Prepared:
        """Work out what to post; runs in a thread."""
        owner = self._owner(delivery.owner_id)
        outlet = None if owner is None else self._outlet(owner.place)
        if owner is None or outlet is None:
            return Prepared((), (), 0, {})
        if text := delivery.facts.get("text"):
            notice = outlet.render_notice(str(text), by=str(delivery.facts.get("by", "")))
            return Prepared((notice,), (), 0, delivery.facts)
        news = self.news()
        try:
            if isinstance(owner, Watch):
                return self.preparing.watched(owner, outlet, news)
            return self.preparing.digest(owner, outlet, news, delivery)
        except QuerySyntaxError as exc:  # checked when it was made, by a release that read it otherwise
            problem = f"I can no longer read what this digest is about: {exc}"
            return Prepared((outlet.render_notice(problem),), (), news.upto, {})
