"""What a delivery is to post: the digest of a subscription, or the new answer to a watched question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from bot.delivering import Prepared
from bot.digesting import Composed, Order, compose
from bot.news import News
from bot.ports import Clock, DeliveryLog, Outlet
from bot.schedule import zone_named
from bot.subscription import Delivery, Digest, RunState, Subscription, Watch, is_daily
from bot.watching import answer_for

__all__ = ["Preparing"]

_QUIET_DAYS = 7
_LOOKED_BACK = 60


@dataclass(frozen=True, slots=True)
class Preparing:
    """Works out what to post.

    Attributes:
        order: Returns the personal order of a subscription's place; None for none.
    """

    deliveries: DeliveryLog
    clock: Clock
    order: Callable[[Subscription, News], Order | None] = lambda _subscription, _news: None

    def watched(self, watch: Watch, outlet: Outlet, news: News) -> Prepared:
        """Return what there is to say to *watch*.

        Raises:
            QuerySyntaxError: If its question uses an operator wrongly.
        """
        sent = self.deliveries.sent(watch.watch_id)
        after = self._after(watch.watch_id, news)
        found = answer_for(watch, news, after=after, sent=sent, now=self.clock.now())
        if found is None:
            return Prepared((), (), news.upto, {})
        answer, entries = found
        return Prepared((outlet.render_answer(watch, answer),), entries, news.upto, {"answers": len(entries)})

    def digest(self, subscription: Subscription, outlet: Outlet, news: News, delivery: Delivery) -> Prepared:
        """Return what there is to say to *subscription* in *delivery*.

        Raises:
            QuerySyntaxError: If a topic uses an operator wrongly.
        """
        day = date.fromisoformat(delivery.key)
        composed = self.composed(subscription, news, day)
        facts: dict[str, object] = {**composed.facts, "sources": dict(news.sources)}
        if not composed.is_empty:
            return Prepared(outlet.render(composed.digest), composed.sent, news.upto, facts)
        if not self._is_quiet_for_long(subscription, day):
            return Prepared((), (), news.upto, facts)
        quiet = Digest(subscription, day, quiet=True)
        return Prepared(outlet.render(quiet), (), news.upto, facts | {"quiet": True})

    def composed(self, subscription: Subscription, news: News, day: date) -> Composed:
        """Return the digest of *day* as it would be now.

        Raises:
            QuerySyntaxError: If a topic uses an operator wrongly.
        """
        return compose(
            news,
            subscription,
            after=self._after(subscription.subscription_id, news),
            sent=self.deliveries.sent(subscription.subscription_id),
            now=self.clock.now(),
            day=day,
            since=self._since(subscription, day),
            order=self.order(subscription, news) if subscription.personal else None,
        )

    def _after(self, owner_id: str, news: News) -> int:
        """Return the change after which everything is new; what began nowhere begins now."""
        progress = self.deliveries.progress(owner_id)
        return news.upto if progress is None else progress

    def _since(self, subscription: Subscription, day: date) -> date | None:
        """Return the day of the digest before, where days on which one was due went by without it."""
        covered = self._said_on(subscription, {RunState.SENT, RunState.EMPTY, RunState.UNKNOWN}, before=day)
        missed = (day - timedelta(days=n) for n in range(1, (day - covered).days))
        return covered if any(map(subscription.schedule.is_on, missed)) else None

    def _is_quiet_for_long(self, subscription: Subscription, day: date) -> bool:
        last = self._said_on(subscription, {RunState.SENT, RunState.UNKNOWN}, before=day)
        return subscription.heartbeat and (day - last).days >= _QUIET_DAYS

    def _said_on(self, subscription: Subscription, states: set[RunState], *, before: date) -> date:
        """Return the last day before *before* whose digest ended in one of *states*; that of its making, at first."""
        zone = zone_named(subscription.schedule.zone)
        latest = self.deliveries.deliveries(subscription.subscription_id, limit=_LOOKED_BACK)
        days = [date.fromisoformat(one.key) for one in latest if one.state in states and is_daily(one)]
        return max([subscription.created_at.astimezone(zone).date(), *(day for day in days if day < before)])
