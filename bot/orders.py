"""Orders as people type them, in any adapter: subscribe, digest, watch this, and what they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.errors import BotError
from bot.model import Answer, Quote, Verdict
from bot.present import printable
from bot.subscribing import Subscribing, described
from bot.subscription import Delivery, Digest, DigestEntry, Place, RunState, Subscription
from bot.wishes import Order, OrderVerb, Wish, parse_order, parse_wish, wish_of
from retrieval.errors import QuerySyntaxError

__all__ = ["Orders", "From", "run_said"]

_STATES = {
    RunState.CLAIMED: "being made",
    RunState.SENDING: "being posted",
    RunState.EMPTY: "nothing new",
    RunState.SKIPPED: "too late; the next one brings it along",
    RunState.UNKNOWN: "may not have arrived",
}


@dataclass(frozen=True, slots=True)
class From:
    """Where an order comes from.

    Attributes:
        place: Where it was typed, with its thread.
        person: Who typed it.
        question: The question that the results on the table answer; empty when there is none.
        may_change: Returns why the person may not change a subscription; None when they may.
    """

    place: Place
    person: str
    question: str = ""
    may_change: Callable[[Subscription | None], str | None] = lambda _: None


class Orders:
    """Carry out what is typed; everything else is left alone."""

    def __init__(self, subscribing: Subscribing) -> None:
        """Do it with *subscribing*."""
        self._subscribing = subscribing

    def reply(self, text: str, whence: From) -> Answer | None:
        """Return what to say to *text*; None when it is no order."""
        order = parse_order(text)
        if order is None:
            return None
        try:
            return self._carry_out(order, whence)
        except (BotError, QuerySyntaxError) as exc:
            return _said(_sentence(str(exc)))

    def _carry_out(self, order: Order, whence: From) -> Answer:
        place, person, do = whence.place, whence.person, self._subscribing
        if order.verb in _CHANGES and (refused := whence.may_change(do.of(place))):
            return _said(refused)
        match order.verb:
            case OrderVerb.SUBSCRIBE:
                return _said(self._subscribed(order.text, whence))
            case OrderVerb.UNSUBSCRIBE:
                return _said(do.remove(place, person))
            case OrderVerb.PAUSE:
                return _said(do.pause(place, person))
            case OrderVerb.RESUME:
                return _said(do.resume(place, person))
            case OrderVerb.PREVIEW:
                return previewed(do.preview(place))
            case OrderVerb.SUBSCRIPTIONS:
                return _said(self._listed(whence))
            case OrderVerb.WATCH:
                return _said(do.watch(place, person, order.text or whence.question))
            case OrderVerb.WATCHES:
                return _said(self._watched(place))
            case OrderVerb.UNWATCH:
                return _said(do.unwatch(place, order.text))

    def _subscribed(self, text: str, whence: From) -> str:
        before = self._subscribing.of(whence.place)
        default = Wish() if before is None else wish_of(before)
        made = self._subscribing.put(whence.place, whence.person, parse_wish(text, default=default))
        return f"{described(made)}. “digest” shows what the next one would be; “unsubscribe” ends it."

    def _listed(self, whence: From) -> str:
        here, do = self._subscribing.of(whence.place), self._subscribing
        mine = [one for one in do.of_person(whence.place.team, whence.person) if whence.person and one != here]
        lines = [f"Here: {self._line(here)}"] if here else ["There is no digest here."]
        lines += [f"{one.place.channel}: {self._line(one)}" for one in mine]
        return "\n".join(lines)

    def _line(self, subscription: Subscription) -> str:
        last = self._subscribing.last_run(subscription)
        state = "" if subscription.enabled else " (paused)"
        problem = f" {_sentence(subscription.problem)}" if subscription.problem else ""
        return f"{described(subscription)}{state}.{problem} {_sentence(run_said(last))}"

    def _watched(self, place: Place) -> str:
        watches = self._subscribing.watched(place)
        return "\n".join(f"{n}. {printable(one.question)}" for n, one in enumerate(watches, 1)) or "Nothing is watched."


_CHANGES = {OrderVerb.SUBSCRIBE, OrderVerb.UNSUBSCRIBE, OrderVerb.PAUSE, OrderVerb.RESUME}


def run_said(last: Delivery | None) -> str:
    """Return how the last digest went: "last digest 2026-12-01: 5 entries"."""
    if last is None:
        return "no digest was due yet"
    if last.state is RunState.SENT:
        shown = last.facts.get("shown", 0)
        what = "still watching" if last.facts.get("quiet") else f"{shown} {'entry' if shown == 1 else 'entries'}"
    else:
        what = _STATES.get(last.state, "could not be posted")
    why = f" ({printable(last.error)})" if last.error and last.state in {RunState.FAILED, RunState.UNKNOWN} else ""
    return f"last digest {last.key}: {what}{why}"


def previewed(digest: Digest) -> Answer:
    """Return *digest* as an answer."""
    shown = digest.entries
    if not shown and not digest.notes:
        return _said(f"Nothing new yet for {printable(digest.subscription.wants)}.")
    count = f"{digest.total:,} new {'entry' if digest.total == 1 else 'entries'}"
    lines = [f"{count} for {printable(digest.subscription.wants)}:"] if shown else []
    lines += [f"{printable(note.title)}: {printable(note.said)}." for note in digest.notes]
    quotes = tuple(quote for entry in shown if (quote := _quote(entry)))
    listing = tuple(entry.entry for entry in shown if entry.quote is None)
    left = digest.total - len(shown)
    return Answer("", "", Verdict.ANSWERED, lead="\n".join(lines), quotes=quotes, listing=listing, total=digest.total, left=left)


def _quote(entry: DigestEntry) -> Quote | None:
    return entry.quote


def _said(lead: str) -> Answer:
    return Answer("", "", Verdict.REPLY, lead=lead)


def _sentence(text: str) -> str:
    said = text.strip()
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
