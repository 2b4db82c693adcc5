"""The modal in which a digest is set up, and what comes back from it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import time
from typing import Any

from bot.adapters.slack.names import DIGEST_MODAL
from bot.adapters.slack.rich import Block
from bot.errors import ScheduleError
from bot.schedule import Schedule, zone_named
from bot.subscription import MOST_TOPICS, Breadth
from bot.wishes import Wish

__all__ = ["digest_modal", "read_modal"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MOST = (5, 10, 20, 30, 50, 100, 200)
_BREADTHS = {
    Breadth.NARROW: "Only what has the topic in its title, or in what is new in it",
    Breadth.NORMAL: "What says the topic in one place",
    Breadth.WIDE: "What touches the topic",
}
_EXTRAS = {
    "heartbeat": "Say so when a week goes by without anything new",
    "personal": "Order entries by what people here liked",
}
_LONGEST = 3_000  # of an input, for Slack


def digest_modal(wish: Wish, *, channel: str = "") -> Block:
    """Return the modal, filled with *wish*.

    Args:
        wish: What there is, or what is proposed.
        channel: Where the digest goes; the conversation that the modal is opened from when it is empty.
    """
    where: Block = {
        "type": "conversations_select",
        "filter": {"include": ["public", "private", "im"], "exclude_bot_users": True},
        **({"initial_conversation": channel} if channel else {"default_to_current_conversation": True}),
    }
    days = [(str(number), day) for number, day in enumerate(_DAYS)]
    extras = [name for name in _EXTRAS if getattr(wish, name)]
    topics, without = "\n".join(wish.topics), ", ".join(wish.without)
    return {
        "type": "modal",
        "callback_id": DIGEST_MODAL,
        "title": _plain("Daily digest"),
        "submit": _plain("Save"),
        "close": _plain("Cancel"),
        "blocks": [
            _input("channel", "Where", where),
            _input("topics", "Topics", _text(topics, multiline=True), optional=True, hint=_TOPICS_HINT),
            _input(
                "without", "Leave out entries that mention", _text(without), optional=True, hint="Words, with commas"
            ),
            _input("breadth", "How much of a topic it takes", _select(_BREADTHS.items(), wish.breadth)),
            _input("at", "Time", {"type": "timepicker", "initial_time": f"{wish.schedule.at:%H:%M}"}),
            _input("zone", "Time zone", _text(wish.schedule.zone), hint="Such as Europe/London or Asia/Kathmandu"),
            _input("days", "Days", _boxes(days, {str(number) for number in wish.schedule.weekdays})),
            _input("most", "Entries shown at most", _select([(str(n), str(n)) for n in _MOST], _nearest(wish.most))),
            _input("extras", "Also", _boxes(_EXTRAS.items(), extras), optional=True),
        ],
    }


_TOPICS_HINT = (
    'One a line; as in questions, with "exact words", -word, author:, venue:. Nothing here is everything new.'
)


def read_modal(view: Mapping[str, Any], before: Wish) -> tuple[str, Wish, dict[str, str]]:
    """Return the channel chosen, what is wished for, and what is wrong, by the name of the block.

    Where something is wrong the wish has what *before* says of it.
    """
    values: Mapping[str, Any] = (view.get("state") or {}).get("values") or {}
    errors: dict[str, str] = {}
    topics = tuple(line.strip() for line in _typed(values, "topics").splitlines() if line.strip())
    if len(topics) > MOST_TOPICS:
        errors["topics"] = f"A digest has at most {MOST_TOPICS} topics; these are {len(topics)}."
    days = frozenset(int(value) for value in _chosen(values, "days"))
    zone = _typed(values, "zone").strip()
    schedule = before.schedule
    try:
        zone_named(zone)
    except ScheduleError as exc:
        errors["zone"] = f"{exc}."
    if not days:
        errors["days"] = "Choose a day at least."
    if not errors:
        at = time.fromisoformat(str(_state(values, "at").get("selected_time") or "09:00"))
        schedule = Schedule(at, zone, days)
    extras = set(_chosen(values, "extras"))
    wish = Wish(
        topics[:MOST_TOPICS],
        tuple(word.strip() for word in _typed(values, "without").split(",") if word.strip()),
        Breadth(_selected(values, "breadth") or Breadth.NORMAL),
        schedule,
        int(_selected(values, "most") or before.most),
        "heartbeat" in extras,
        "personal" in extras,
    )
    channel = str(_state(values, "channel").get("selected_conversation") or "")
    return channel, wish, errors


def _state(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return (values.get(name) or {}).get(name) or {}


def _typed(values: Mapping[str, Any], name: str) -> str:
    return str(_state(values, name).get("value") or "")


def _selected(values: Mapping[str, Any], name: str) -> str:
    return str((_state(values, name).get("selected_option") or {}).get("value") or "")


def _chosen(values: Mapping[str, Any], name: str) -> list[str]:
    return [str(option["value"]) for option in _state(values, name).get("selected_options") or ()]


def _nearest(most: int) -> str:
    return str(min(_MOST, key=lambda n: abs(n - most)))


def _input(name: str, label: str, element: Block, *, optional: bool = False, hint: str = "") -> Block:
    """Return a field; block and element go by one name, under which the value comes back."""
    more = {"hint": _plain(hint)} if hint else {}
    return {
        "type": "input",
        "block_id": name,
        "label": _plain(label),
        "element": {**element, "action_id": name},
        "optional": optional,
        **more,
    }


def _text(value: str, *, multiline: bool = False) -> Block:
    initial = {"initial_value": value[:_LONGEST]} if value else {}
    return {"type": "plain_text_input", "multiline": multiline, "max_length": _LONGEST, **initial}


def _select(options: Iterable[tuple[str, str]], chosen: str) -> Block:
    every = [_option(value, label) for value, label in options]
    return {"type": "static_select", "options": every, "initial_option": _of(every, lambda v: v == chosen)[0]}


def _boxes(options: Iterable[tuple[str, str]], chosen: Iterable[str]) -> Block:
    every, wanted = [_option(value, label) for value, label in options], set(chosen)
    initial = _of(every, lambda value: value in wanted)
    return {"type": "checkboxes", "options": every, **({"initial_options": initial} if initial else {})}


def _of(options: list[Block], wanted: Callable[[str], bool]) -> list[Block]:
    return [option for option in options if wanted(str(option["value"]))]


def _option(value: str, label: str) -> Block:
    return {"text": _plain(label), "value": str(value)}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
