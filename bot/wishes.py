"""What people type to be told of new entries: "subscribe graph learning at 9:00", "watch this", "unwatch 2". Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.errors import SubscriptionError
from bot.schedule import Schedule, parse_time, parse_weekdays
from bot.subscription import MOST_ENTRIES, MOST_TOPICS, Breadth, Subscription

__all__ = ["Order", "OrderVerb", "Wish", "parse_order", "parse_wish", "wish_of"]


class OrderVerb(StrEnum):
    """What can be asked for once and is done again and again, and what goes with it."""

    SUBSCRIBE = "subscribe"
    UNSUBSCRIBE = "unsubscribe"
    PAUSE = "pause"
    RESUME = "resume"
    PREVIEW = "digest"
    SUBSCRIPTIONS = "subscriptions"
    WATCH = "watch"
    WATCHES = "watches"
    UNWATCH = "unwatch"
    SAVED = "saved"
    LIKES = "likes"
    FORGET = "forget me"


@dataclass(frozen=True, slots=True)
class Order:
    """One of these, with what follows it."""

    verb: OrderVerb
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to hear of, and when; see `Subscription`."""

    topics: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    breadth: Breadth = Breadth.NORMAL
    schedule: Schedule = field(default_factory=Schedule)
    most: int = 30
    heartbeat: bool = False
    personal: bool = False


def wish_of(subscription: Subscription) -> Wish:
    """Return the wish that *subscription* was made of."""
    return Wish(
        subscription.topics,
        subscription.without,
        subscription.breadth,
        subscription.schedule,
        subscription.most,
        subscription.heartbeat,
        subscription.personal,
    )


_DIGEST = r"(?:the |this |my )?(?:daily )?digests?"
_ORDERS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), verb)
    for pattern, verb in (
        (r"subscribe(?: (?:me |us )?(?:to )?(?P<text>.+))?", OrderVerb.SUBSCRIBE),
        (rf"unsubscribe|(?:stop|end|remove) {_DIGEST}", OrderVerb.UNSUBSCRIBE),
        (rf"(?:pause|mute) {_DIGEST}|mute", OrderVerb.PAUSE),
        (rf"(?:resume|unmute|restart) {_DIGEST}|unmute", OrderVerb.RESUME),
        (rf"{_DIGEST}(?: now| preview)?|preview {_DIGEST}", OrderVerb.PREVIEW),
        (r"(?:my |our )?subscriptions?", OrderVerb.SUBSCRIPTIONS),
        (r"watch(?: (?:this|it|that|for this|this question))?", OrderVerb.WATCH),
        (r"watch(?: for)?:? (?P<text>.{8,})", OrderVerb.WATCH),
        (r"(?:my |our )?watch(?:es|list)", OrderVerb.WATCHES),
        (r"unwatch(?: (?:this|it|that|(?P<text>\d{1,3}|all)))?", OrderVerb.UNWATCH),
        (r"(?:my )?(?:saved|reading list)(?: (?P<text>bib(?:tex)?))?", OrderVerb.SAVED),
        (r"(?:what do (?:i|we) like|(?:my |our )?(?:likes|interests))\??", OrderVerb.LIKES),
        (r"forget me", OrderVerb.FORGET),
    )
)


def parse_order(message: str) -> Order | None:
    """Return the order that *message* is; None when it is a question or another command."""
    text = message.strip().removeprefix("/").strip().rstrip("!.")
    for pattern, verb in _ORDERS:
        if match := pattern.fullmatch(text):
            return Order(verb, (match.groupdict().get("text") or "").strip())
    return None


_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
_REGIONS = "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc"
_OPTIONS: tuple[tuple[re.Pattern[str], Callable[[Wish, str], Wish]], ...] = tuple(
    (re.compile(rf"(?P<rest>.*?)(?:^|[\s,;]+){pattern}", re.IGNORECASE | re.DOTALL), change)
    for pattern, change in (
        (
            r"(?:at )(?P<value>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?)",
            lambda wish, value: replace(wish, schedule=replace(wish.schedule, at=parse_time(value))),
        ),
        (
            rf"(?:on |every )?(?P<value>{_DAY}(?:(?:-|, ?| and | to ){_DAY})*|daily|every day|workdays|weekdays)",
            lambda wish, value: replace(wish, schedule=replace(wish.schedule, weekdays=_days(value))),
        ),
        (
            rf"(?:in )?(?P<value>(?:{_REGIONS})/[\w/+-]+|UTC)(?: time)?",
            lambda wish, value: replace(wish, schedule=replace(wish.schedule, zone=_zone(value))),
        ),
        (r"(?P<value>narrow|wide|normal)(?:ly)?", lambda wish, value: replace(wish, breadth=Breadth(value.lower()))),
        (r"(?:at )?most (?P<value>\d{1,4})(?: entries| papers)?", lambda wish, value: replace(wish, most=_most(value))),
        (r"(?P<value>quietly|weekly sign)", lambda wish, value: replace(wish, heartbeat=value.lower() != "quietly")),
        (  # what is left at the end, when every other option is taken off
            r"(?:without|not about|not:|excluding) (?P<value>[\w][^;]*)",
            lambda wish, value: replace(wish, without=_listed(value, ",")),
        ),
    )
)


def parse_wish(text: str, *, default: Wish) -> Wish:
    """Return what *text* wishes for; what it does not say is as in *default*, but for the topics.

    Topics come first, one after the other between semicolons, then what else there is, in any order: "graph learning;
    causal discovery without survey at 9:00 mon-fri Europe/London narrow most 20". No topic at all, or "everything",
    is everything.

    Raises:
        ScheduleError: If a time, a day or a zone is none.
        SubscriptionError: If it is more than a digest can hold.
    """
    left, wish = " ".join(text.split()), default
    while (option := _last_option(left)) is not None:
        match, change = option
        left, wish = match["rest"].strip(" ,;"), change(wish, match["value"])
    topics = () if left.lower() in {"", "everything", "all", "everything new", "all new"} else _listed(left, ";")
    if len(topics) > MOST_TOPICS:
        raise SubscriptionError(f"a digest has at most {MOST_TOPICS} topics; these are {len(topics)}")
    return replace(wish, topics=topics)


def _last_option(text: str) -> tuple[re.Match[str], Callable[[Wish, str], Wish]] | None:
    found = ((pattern.fullmatch(text), change) for pattern, change in _OPTIONS)
    return next(((match, change) for match, change in found if match), None)


def _listed(text: str, between: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(between) if part.strip()))


def _days(value: str) -> frozenset[int]:
    return parse_weekdays(re.sub(r"\s*(?:and|,)\s*", ",", value.lower()).replace(" to ", "-"))


def _zone(value: str) -> str:
    return "UTC" if value.upper() == "UTC" else value


def _most(value: str) -> int:
    if not 1 <= int(value) <= MOST_ENTRIES:
        raise SubscriptionError(f"a digest shows from 1 to {MOST_ENTRIES} entries, not {int(value)}")
    return int(value)
