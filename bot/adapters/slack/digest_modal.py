"""The modal of a digest's settings, and what somebody entered in it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.adapters.slack.blocks import context
from bot.adapters.slack.digest_fields import Field, boxes, fixed, line, menu, number, places, time_of_day
from bot.adapters.slack.mrkdwn import cut
from bot.adapters.slack.names import DIGEST_MODAL
from bot.adapters.slack.rich import Block
from bot.errors import ScheduleError
from bot.present import printable
from bot.schedule import EVERY_DAY, Schedule, parse_time, zone_named
from bot.subscription import MOST_ENTRIES, MOST_TOPICS, Breadth, Subscription
from bot.wishes import Wish, wish_of

__all__ = ["CHANNEL", "TOPICS", "WITHOUT", "Filled", "digest_modal", "filled_in"]

CHANNEL, TOPICS, WITHOUT = "channel", "topics", "without"
_TOPICS_MORE = "topics_more"
_BREADTH, _AT, _ZONE, _DAYS, _MOST, _EXTRAS = "breadth", "at", "zone", "days", "most", "extras"
_HEARTBEAT, _PERSONAL = "heartbeat", "personal"

_BREADTHS = {
    Breadth.NARROW: "Narrow: all that the topic says",
    Breadth.NORMAL: "Normal: what would answer a question of these words",
    Breadth.WIDE: "Wide: half of it, and near in meaning",
}
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CHOICES = {
    _HEARTBEAT: "After a week without anything new, say that it still runs",
    _PERSONAL: "Put first what people here like",
}
_TOPICS_HINT = "One a line, in the words of a question; title:, author:, venue: and -word work. Left empty: everything."
_LONGEST = 3_000
_NEW = "Only what arrives from now on is posted."
_KNOWN = "“unsubscribe” ends the digest, “digest” shows what the next one would be."


@dataclass(frozen=True, slots=True)
class Filled:
    """What was entered.

    Attributes:
        channel: Where the digest is to be.
        is_new: Whether the channel was chosen, not given.
        errors: What is wrong with it, by field; then there is no wish.
    """

    channel: str
    wish: Wish = field(default_factory=Wish)
    is_new: bool = False
    errors: Mapping[str, str] = field(default_factory=dict)


def digest_modal(subscription: Subscription | None, *, channel: str = "") -> Block:
    """Return the modal, filled in with *subscription*; for a new one, *channel* is suggested."""
    wish = Wish() if subscription is None else wish_of(subscription)
    where = places(CHANNEL, "Where", channel) if subscription is None else fixed("Where", subscription.place.channel)
    return {
        "type": "modal",
        "callback_id": DIGEST_MODAL,
        "private_metadata": "" if subscription is None else subscription.place.channel,
        "title": _plain("Daily digest"),
        "submit": _plain("Save"),
        "close": _plain("Cancel"),
        "blocks": [where, *_fields(wish), *_notes(subscription)],
    }


def _fields(wish: Wish) -> list[Block]:
    schedule = wish.schedule
    days = {str(day): name for day, name in enumerate(_WEEKDAYS)}
    extras = [name for name, on in ((_HEARTBEAT, wish.heartbeat), (_PERSONAL, wish.personal)) if on]
    without = ", ".join(wish.without)
    return [
        *_topics(wish),
        line(Field(WITHOUT, "Not about", "Words between commas.", optional=True), without, most=_LONGEST),
        menu(Field(_BREADTH, "How near"), {one.value: said for one, said in _BREADTHS.items()}, wish.breadth.value),
        time_of_day(Field(_AT, "At"), f"{schedule.at:%H:%M}"),
        line(Field(_ZONE, "Time zone", "Such as Europe/London, Asia/Kathmandu or UTC."), schedule.zone, most=60),
        boxes(Field(_DAYS, "On"), days, [str(day) for day in sorted(schedule.weekdays)]),
        number(Field(_MOST, "Most entries in one digest"), wish.most, least=1, most=MOST_ENTRIES),
        boxes(Field(_EXTRAS, "Besides", optional=True), _CHOICES, extras),
    ]


def _topics(wish: Wish) -> list[Block]:
    """Return the field of the topics, and a second one for those that one field has no room for."""
    fits = len(wish.topics)
    while len("\n".join(wish.topics[:fits])) > _LONGEST:
        fits -= 1
    first, rest = "\n".join(wish.topics[:fits]), "\n".join(wish.topics[fits:])
    fields = [line(Field(TOPICS, "About", _TOPICS_HINT, optional=True), first, most=_LONGEST, multiline=True)]
    more = Field(_TOPICS_MORE, "And about", optional=True)
    return [*fields, line(more, rest, most=_LONGEST, multiline=True)] if rest else fields


def _notes(subscription: Subscription | None) -> list[Block]:
    if subscription is None:
        return [context(_NEW)]
    problem = f" It could not be posted: {printable(subscription.problem)}." if subscription.problem else ""
    paused = "" if subscription.enabled else f"It is paused; saving turns it on again.{problem} "
    return [context(f"{cut(paused, 1_000)}{_KNOWN}")]


def filled_in(view: Mapping[str, Any]) -> Filled:
    """Return what was entered in the modal, as far as that can be told without knowing the collection."""
    values = _Values(view)
    given = str(view.get("private_metadata") or "")
    channel = given or str(values.of(CHANNEL, "selected_conversation") or "")
    errors: dict[str, str] = {} if channel else {CHANNEL: "Choose where the digest is to be."}
    topics = _listed([*values.text(TOPICS).splitlines(), *values.text(_TOPICS_MORE).splitlines()])
    if len(topics) > MOST_TOPICS:
        errors[TOPICS] = f"At most {MOST_TOPICS} topics; these are {len(topics)}."
    most = values.text(_MOST).strip()
    if not (most.isascii() and most.isdecimal() and 1 <= int(most[:9]) <= MOST_ENTRIES):
        errors[_MOST] = f"A whole number from 1 to {MOST_ENTRIES}."
    schedule = _schedule(values, errors)
    if errors:
        return Filled(channel, is_new=not given, errors=errors)
    extras = values.chosen(_EXTRAS)
    wish = Wish(
        topics,
        _listed(values.text(WITHOUT).split(",")),
        Breadth(values.option(_BREADTH) or Breadth.NORMAL),
        schedule,
        int(most),
        _HEARTBEAT in extras,
        _PERSONAL in extras,
    )
    return Filled(channel, wish, is_new=not given)


def _listed(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (" ".join(part.split()) for part in parts))))


def _schedule(values: _Values, errors: dict[str, str]) -> Schedule:
    """Return when it is to come; what is wrong with that goes into *errors*."""
    schedule, zone = Schedule(), values.text(_ZONE).strip()
    days = frozenset(int(day) for day in values.chosen(_DAYS) if day.isdecimal()) & EVERY_DAY
    if not days:
        errors[_DAYS] = "At least one day."
    try:
        zone_named(zone)
    except ScheduleError as exc:
        errors[_ZONE] = f"{exc}."
    try:
        at = parse_time(str(values.of(_AT, "selected_time") or ""))
    except ScheduleError as exc:
        errors[_AT] = f"{exc}."
        at = schedule.at
    return schedule if errors else Schedule(at, zone, days)


class _Values:
    """The state of a submitted view, in which any part may be missing."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self._values: Mapping[str, Any] = (view.get("state") or {}).get("values") or {}

    def of(self, name: str, key: str) -> Any:
        """Return what the field *name*, which is its action's name too, holds under *key*."""
        return ((self._values.get(name) or {}).get(name) or {}).get(key)

    def text(self, name: str) -> str:
        return str(self.of(name, "value") or "")

    def option(self, name: str) -> str:
        return str((self.of(name, "selected_option") or {}).get("value") or "")

    def chosen(self, name: str) -> list[str]:
        return [str(option.get("value")) for option in self.of(name, "selected_options") or ()]


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
