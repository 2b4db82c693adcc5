"""The form of a digest's settings: what it shows is what there is, and what is entered is what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

import pytest

from bot.adapters.slack.digest_modal import digest_modal, filled_in
from bot.schedule import EVERY_DAY, Schedule
from bot.subscription import MOST_TOPICS, Breadth, Place, Subscription
from bot.wishes import Wish, wish_of
from tests.fakes.slack.view_check import check_view
from tests.fakes.slack.view_state import Values, state_of

FULL = Subscription(
    "s1",
    Place("T1", "C1"),
    "U1",
    datetime(2026, 11, 30, tzinfo=UTC),
    topics=("causal discovery", '"exact words" -survey'),
    without=("robot", "vehicle"),
    breadth=Breadth.WIDE,
    schedule=Schedule(time(7, 45), "Asia/Kathmandu", frozenset({0, 3})),
    most=12,
    heartbeat=True,
    personal=True,
)


def _submitted(subscription: Subscription | None, values: Mapping[str, Values] | None = None) -> dict[str, Any]:
    view: dict[str, Any] = dict(digest_modal(subscription, channel="C1"))
    assert check_view(view) == []
    return view | {"state": {"values": state_of(view["blocks"], values or {})}}


def test_what_there_is_comes_back_as_it_was() -> None:
    filled = filled_in(_submitted(FULL))

    assert (filled.channel, filled.is_new, filled.errors) == ("C1", False, {})
    assert filled.wish == wish_of(FULL)


def test_a_new_one_is_of_everything_on_workdays_where_it_was_asked_for() -> None:
    filled = filled_in(_submitted(None))

    assert (filled.channel, filled.is_new, filled.errors) == ("C1", True, {})
    assert filled.wish == Wish()


def test_what_is_entered_is_kept() -> None:
    entered: dict[str, Values] = {"topics": " graphs \n\n bandits\ngraphs", "without": "a,, b c ,a", "most": "200"}
    filled = filled_in(_submitted(None, {**entered, "at": "23:59", "zone": " UTC ", "days": list("6543210")}))

    assert filled.errors == {}
    assert (filled.wish.topics, filled.wish.without) == (("graphs", "bandits"), ("a", "b c"))
    assert (filled.wish.most, filled.wish.schedule) == (200, Schedule(time(23, 59), "UTC", EVERY_DAY))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("zone", "Europe/Lodnon", "no time zone"),
        ("zone", "", "no time zone"),
        ("days", [], "At least one day"),
        ("most", "0", "from 1 to 200"),
        ("most", "201", "from 1 to 200"),
        ("most", "9" * 400, "from 1 to 200"),
        ("most", "²", "from 1 to 200"),
        ("at", "", "no time of day"),
        ("topics", "\n".join(f"topic {n}" for n in range(MOST_TOPICS + 1)), "At most 20 topics"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(field: str, value: Values, said: str) -> None:
    filled = filled_in(_submitted(FULL, {field: value}))

    assert list(filled.errors) == [field]
    assert said in filled.errors[field]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    filled = filled_in({})

    assert set(filled.errors) == {"channel", "most", "days", "zone", "at"}


def test_a_paused_one_says_why_and_that_saving_turns_it_on() -> None:
    paused = Subscription("s1", Place("T1", "C1"), "U1", FULL.created_at, enabled=False, problem="it is archived")

    assert "It is paused; saving turns it on again. It could not be posted: it is archived." in str(
        digest_modal(paused)["blocks"]
    )


def test_the_longest_settings_come_back_whole() -> None:
    topics = tuple(f"{n:02}{'x' * 198}" for n in range(MOST_TOPICS))
    longest = Subscription("s1", Place("T1", "D1"), "U1", FULL.created_at, topics=topics)

    assert filled_in(_submitted(longest)).wish == wish_of(longest)
