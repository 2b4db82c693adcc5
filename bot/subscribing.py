"""Set up, change and end what is posted without being asked for; say in words what was done."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.errors import SubscriptionError
from bot.news import News
from bot.ports import Clock, DeliveryLog, SubscriptionStore
from bot.preparing import Preparing
from bot.present import printable
from bot.schedule import zone_named
from bot.subscription import Delivery, Digest, Place, Subscription, Watch, is_daily
from bot.wishes import Wish

__all__ = ["Subscribing", "described"]

_LONGEST_TOPIC = 200
_MOST_WATCHES = 20  # in one thread or console


@dataclass(slots=True)
class Subscribing:
    """What can be done about subscriptions and watches. Synchronous; may be called from several threads.

    Attributes:
        news: Returns what is new now.
        changed: Told when there is something to post.
        removed: Told which subscription has ended.
    """

    subscriptions: SubscriptionStore
    deliveries: DeliveryLog
    preparing: Preparing
    news: Callable[[], News]
    clock: Clock
    changed: Callable[[], None] = lambda: None
    removed: Callable[[Subscription], None] = lambda _subscription: None

    def of(self, place: Place) -> Subscription | None:
        """Return the subscription of *place*; None when it has none."""
        return self.subscriptions.at(replace(place, thread=""))

    def of_person(self, team: str, person: str) -> tuple[Subscription, ...]:
        """Return the subscriptions that *person* made, the oldest first."""
        every = self.subscriptions.subscriptions()
        return tuple(one for one in every if one.place.team == team and one.created_by == person)

    def check(self, wish: Wish) -> None:
        """Look whether *wish* can be fulfilled.

        Raises:
            SubscriptionError: If a topic is too long, or there are too many.
            QuerySyntaxError: If a topic uses an operator wrongly.
        """
        news = self.news()
        for topic in (*wish.topics, *wish.without):
            if len(topic) > _LONGEST_TOPIC:
                said = f"has {len(topic)} characters; at most {_LONGEST_TOPIC} are read"
                raise SubscriptionError(f"“{printable(topic[:40])} …” {said}")
        for topic in wish.topics:
            parsed = news.parse(topic)
            if not parsed.conditions and not news.engine.understand(parsed.text).terms:
                raise SubscriptionError(f"“{printable(topic)}” says nothing to look for; name a subject")

    def put(self, place: Place, person: str, wish: Wish) -> Subscription:
        """Keep *wish* for *place*, in place of what it wished before; it is said there, for all to see.

        A new subscription begins now: what is there already is not posted.

        Raises:
            SubscriptionError: If it cannot be fulfilled.
            QuerySyntaxError: If a topic uses an operator wrongly.
        """
        self.check(wish)
        place, now, before = replace(place, thread=""), self.clock.now(), self.of(place)
        made = Subscription(
            secrets.token_hex(6) if before is None else before.subscription_id,
            place,
            person if before is None else before.created_by,
            now if before is None else before.created_at,
            topics=wish.topics,
            without=wish.without,
            breadth=wish.breadth,
            schedule=wish.schedule,
            most=wish.most,
            heartbeat=wish.heartbeat,
            personal=wish.personal,
        )
        # First where it begins: a subscription that began nowhere would want all that there ever was.
        self.deliveries.start(made.subscription_id, self.news().upto)
        self.subscriptions.save(made)
        self._say(made, f"{'Digest on' if before is None else 'Digest changed'}, {described(made)}", person)
        return made

    def pause(self, place: Place, person: str) -> str:
        """Post no digest there until `resume`; return what to say."""
        subscription = self._at(place)
        if not subscription.enabled:
            return "The digest is paused already."
        self.subscriptions.save(replace(subscription, enabled=False, problem=""))
        self._say(subscription, "Digest paused", person)
        return "The digest is paused; “resume digest” brings it back."

    def resume(self, place: Place, person: str) -> str:
        """Post digests there again; return what to say.

        What arrived while it was paused is not posted, unless it was paused for want of a way to post it.
        """
        subscription = self._at(place)
        if subscription.enabled:
            return "The digest is on."
        if not subscription.problem:
            self.deliveries.start(subscription.subscription_id, self.news().upto, again=True)
        self.subscriptions.save(replace(subscription, enabled=True, problem=""))
        self._say(subscription, f"Digest on again, {described(subscription)}", person)
        return "The digest is on again."

    def remove(self, place: Place, person: str) -> str:
        """End the subscription of *place*; return what to say."""
        subscription = self._at(place)
        self.subscriptions.remove(subscription.subscription_id)
        self.deliveries.forget(subscription.subscription_id)
        self.removed(subscription)
        del person
        return "There will be no more digests here."

    def preview(self, place: Place) -> Digest:
        """Return the next digest of *place* as it would be now.

        Raises:
            SubscriptionError: If there is no subscription.
        """
        subscription, now = self._at(place), self.clock.now()
        day = now.astimezone(zone_named(subscription.schedule.zone)).date()
        return self.preparing.composed(subscription, self.news(), day).digest

    def last_run(self, subscription: Subscription) -> Delivery | None:
        """Return the latest digest of *subscription* that was due; None before the first."""
        latest = self.deliveries.deliveries(subscription.subscription_id)
        return next((one for one in latest if is_daily(one)), None)

    def shown_by(self, place: Place, name: str) -> tuple[str, ...]:
        """Return the entries that a message of ours at *place* shows; none when it is no digest and no new answer.

        Args:
            place: Where; its thread does not matter.
            name: What the platform calls the message.
        """
        place = replace(place, thread="")
        subscription = self.of(place)
        owners = [] if subscription is None else [subscription.subscription_id]
        owners += [one.watch_id for one in self.watched(place)]
        return next((found for owner in owners if (found := self.deliveries.shown_by(owner, name))), ())

    def watch(self, place: Place, person: str, question: str) -> str:
        """Answer *question* there again when a new entry answers it; return what to say.

        Raises:
            SubscriptionError: If there is no question, or there are too many.
            QuerySyntaxError: If it uses an operator wrongly.
        """
        if not question.strip():
            raise SubscriptionError("ask a question first, then say “watch this” under its answer")
        if not place.thread:
            raise SubscriptionError("say “watch this” in the thread of an answer; that is where I write then")
        self.check(Wish(topics=(question,)))
        if len(self.watched(place)) >= _MOST_WATCHES:
            raise SubscriptionError(f"{_MOST_WATCHES} questions are watched here already; “unwatch 1” ends one")
        watch = Watch(secrets.token_hex(6), place, person, question, self.clock.now())
        self.deliveries.start(watch.watch_id, self.news().upto)
        if not self.subscriptions.add_watch(watch):
            self.deliveries.forget(watch.watch_id)
            return f"“{printable(question)}” is watched already."
        return f"I watch “{printable(question)}”, and write here when a new entry answers it. “unwatch” ends that."

    def watched(self, place: Place) -> tuple[Watch, ...]:
        """Return the watches of *place*, the oldest first; for a place without a thread, those of all its threads."""
        there = (place.team, place.channel)
        every = [one for one in self.subscriptions.watches() if (one.place.team, one.place.channel) == there]
        return tuple(one for one in every if place.thread in {"", one.place.thread})

    def unwatch(self, place: Place, which: str) -> str:
        """End one watch of *place*, by its number from 1, or all of them; return what to say.

        Raises:
            SubscriptionError: If there is no such watch.
        """
        watches = self.watched(place)
        if not watches:
            raise SubscriptionError("nothing is watched here")
        number = int(which) if which.isdigit() else 0
        if which != "all" and (number > len(watches) or (not number and len(watches) > 1)):
            raise SubscriptionError(f"say which: “unwatch 1” to “unwatch {len(watches)}”, or “unwatch all”")
        chosen = watches if which == "all" else watches[max(number, 1) - 1 : max(number, 1)]
        for one in chosen:
            self.subscriptions.remove_watch(one.watch_id)
            self.deliveries.forget(one.watch_id)
        return f"I no longer watch {', '.join(f'“{printable(one.question)}”' for one in chosen)}."

    def _at(self, place: Place) -> Subscription:
        subscription = self.of(place)
        if subscription is None:
            raise SubscriptionError("there is no digest here; “subscribe causal inference at 9:00” makes one")
        return subscription

    def _say(self, subscription: Subscription, text: str, person: str) -> None:
        """Have *text* posted where the digest goes: all there see who did it, and it proves that it can be posted."""
        now = self.clock.now()
        delivery = self.deliveries.claim(subscription.subscription_id, f"said {now.isoformat()}", now=now, lease_s=60)
        if delivery is not None:
            said = replace(delivery, facts={"text": text, "by": person})
            self.deliveries.keep(said, now=now, lease_s=60, wait_s=0.001)
            self.changed()


def described(subscription: Subscription) -> str:
    """Return what *subscription* is, in words: "Mon to Fri, 09:00 UTC: causal inference"."""
    breadth = "" if subscription.breadth == "normal" or not subscription.topics else f" ({subscription.breadth.value})"
    return f"{subscription.schedule.said}: {printable(subscription.wants)}{breadth}"
