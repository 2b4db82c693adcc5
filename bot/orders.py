"""Orders as people type them, in any adapter: subscribe, digest, watch this, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.digest_lines import count_line, note_line
from bot.errors import BotError
from bot.model import Answer, Verdict
from bot.present import printable
from bot.subscribing import Subscribing, described
from bot.subscription import Delivery, Digest, Place, RunState, Subscription
from bot.tastes import Tastes
from bot.wishes import Order, OrderVerb, Wish, parse_order, parse_wish, wish_of
from retrieval.errors import QuerySyntaxError

__all__ = ["From", "Orders", "previewed", "run_said", "subscription_line"]

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

    def __init__(self, subscribing: Subscribing, tastes: Tastes) -> None:
        """Do it with *subscribing*, and with *tastes* what is about single entries."""
        self._subscribing, self._tastes = subscribing, tastes
        do = subscribing
        self._handlers: Mapping[OrderVerb, Callable[[Order, From], Answer | str]] = {
            OrderVerb.SUBSCRIBE: self._subscribed,
            OrderVerb.UNSUBSCRIBE: lambda _, whence: do.remove(whence.place, whence.person),
            OrderVerb.PAUSE: lambda _, whence: do.pause(whence.place, whence.person),
            OrderVerb.RESUME: lambda _, whence: do.resume(whence.place, whence.person),
            OrderVerb.PREVIEW: lambda _, whence: previewed(do.preview(whence.place)),
            OrderVerb.SUBSCRIPTIONS: lambda _, whence: self._listed(whence),
            OrderVerb.WATCH: lambda order, whence: do.watch(whence.place, whence.person, order.text or whence.question),
            OrderVerb.WATCHES: lambda _, whence: self._watched(whence.place),
            OrderVerb.UNWATCH: lambda order, whence: do.unwatch(whence.place, order.text),
            OrderVerb.SAVED: self._saved,
            OrderVerb.LIKES: lambda _, whence: tastes.likes(whence.place),
            OrderVerb.FORGET: lambda _, whence: tastes.forget(whence.place.team, whence.person),
        }

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
        if order.verb in _CHANGES and (refused := whence.may_change(self._subscribing.of(whence.place))):
            return _said(refused)
        said = self._handlers[order.verb](order, whence)
        return said if isinstance(said, Answer) else _said(said)

    def _subscribed(self, order: Order, whence: From) -> str:
        before = self._subscribing.of(whence.place)
        default = Wish() if before is None else wish_of(before)
        made = self._subscribing.put(whence.place, whence.person, parse_wish(order.text, default=default))
        before_that = "" if before else " “what is new in the last 7 days?” shows what came before."
        return f"{described(made)}. “digest” shows what the next one would be; “unsubscribe” ends it.{before_that}"

    def _saved(self, order: Order, whence: From) -> Answer:
        lead, verbatim = self._tastes.saved(whence.place.team, whence.person, as_bibtex=bool(order.text))
        return Answer("", "", Verdict.REPLY, lead=lead, verbatim=verbatim)

    def _listed(self, whence: From) -> str:
        here, do = self._subscribing.of(whence.place), self._subscribing
        mine = [one for one in do.of_person(whence.place.team, whence.person) if whence.person and one != here]
        lines = [f"Here: {subscription_line(here, do.last_run(here))}"] if here else ["There is no digest here."]
        lines += [f"{one.place.channel}: {subscription_line(one, do.last_run(one))}" for one in mine]
        return "\n".join(lines)

    def _watched(self, place: Place) -> str:
        watches = self._subscribing.watched(place)
        return "\n".join(f"{n}. {printable(one.question)}" for n, one in enumerate(watches, 1)) or "Nothing is watched."


_CHANGES = {OrderVerb.SUBSCRIBE, OrderVerb.UNSUBSCRIBE, OrderVerb.PAUSE, OrderVerb.RESUME}


def subscription_line(subscription: Subscription, last: Delivery | None) -> str:
    """Return what a subscription is, and how its last digest went."""
    state = "" if subscription.enabled else " (paused)"
    problem = f" {_sentence(subscription.problem)}" if subscription.problem else ""
    return f"{described(subscription)}{state}.{problem} {_sentence(run_said(last))}"


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
    lines = [count_line(digest), *map(note_line, digest.notes)]
    quotes = tuple(entry.quote for entry in shown if entry.quote is not None)
    listing = tuple(entry.entry for entry in shown if entry.quote is None)
    left = digest.total - len(shown)
    return Answer(
        "", "", Verdict.ANSWERED, lead="\n".join(lines), quotes=quotes, listing=listing, total=digest.total, left=left
    )


def _said(lead: str) -> Answer:
    return Answer("", "", Verdict.REPLY, lead=lead)


def _sentence(text: str) -> str:
    said = text.strip()
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")
