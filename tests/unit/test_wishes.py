"""What people type to be told of new entries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BotError, ScheduleError, SubscriptionError
from bot.subscription import Breadth
from bot.wishes import OrderVerb, Wish, parse_order, parse_wish


@pytest.mark.parametrize(
    ("text", "topics", "without", "said"),
    [
        ("graph learning", ("graph learning",), (), "Mon to Fri, 09:00 UTC"),
        ("everything at 9:30 Europe/London", (), (), "Mon to Fri, 09:30 Europe/London"),
        ("", (), (), "Mon to Fri, 09:00 UTC"),
        ("friday", (), (), "Fri, 09:00 UTC"),
        ("attention at scale at 5pm", ("attention at scale",), (), "Mon to Fri, 17:00 UTC"),
        ("bandits on monday and thursday", ("bandits",), (), "Mon, Thu, 09:00 UTC"),
        ("papers on sunspots daily", ("papers on sunspots",), (), "every day, 09:00 UTC"),
        (
            "text/image retrieval in Asia/Kathmandu time",
            ("text/image retrieval",),
            (),
            "Mon to Fri, 09:00 Asia/Kathmandu",
        ),
        ("robustness not about adversarial at 7", ("robustness",), ("adversarial",), "Mon to Fri, 07:00 UTC"),
        (
            "graph learning; causal discovery without survey, review at 9:15 mon-wed Europe/London",
            ("graph learning", "causal discovery"),
            ("survey", "review"),
            "Mon, Tue, Wed, 09:15 Europe/London",
        ),
    ],
)
def test_a_wish_is_read_as_people_write_it(
    text: str, topics: tuple[str, ...], without: tuple[str, ...], said: str
) -> None:
    wish = parse_wish(text, default=Wish())

    assert (wish.topics, wish.without, wish.schedule.said) == (topics, without, said)


def test_how_much_and_how_many_can_be_said_in_any_order() -> None:
    wish = parse_wish("causal most 20 narrow weekly sign", default=Wish())

    assert (wish.topics, wish.most, wish.breadth, wish.heartbeat) == (("causal",), 20, Breadth.NARROW, True)


def test_what_is_not_said_stays_but_for_the_topics() -> None:
    before = parse_wish("a topic without survey at 7 daily wide", default=Wish())
    after = parse_wish("another", default=before)

    assert after.topics == ("another",)
    assert (after.without, after.schedule, after.breadth) == (before.without, before.schedule, before.breadth)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("causal at 25", ScheduleError),
        ("causal Europe/Lodnon", ScheduleError),
        ("causal most 1000", SubscriptionError),
        (";".join(f"topic {n}" for n in range(30)), SubscriptionError),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(text: str, error: type[BotError]) -> None:
    with pytest.raises(error):
        parse_wish(text, default=Wish())


@given(st.text(max_size=80))
def test_any_text_is_a_wish_or_refused(text: str) -> None:
    try:
        wish = parse_wish(text, default=Wish())
    except (ScheduleError, SubscriptionError):
        return
    assert all(topic.strip() for topic in wish.topics)


@pytest.mark.parametrize(
    ("text", "verb", "rest"),
    [
        ("subscribe", OrderVerb.SUBSCRIBE, ""),
        ("Subscribe to graph learning at 9", OrderVerb.SUBSCRIBE, "graph learning at 9"),
        ("/subscribe causal", OrderVerb.SUBSCRIBE, "causal"),
        ("unsubscribe!", OrderVerb.UNSUBSCRIBE, ""),
        ("pause the digest", OrderVerb.PAUSE, ""),
        ("mute", OrderVerb.PAUSE, ""),
        ("resume digest", OrderVerb.RESUME, ""),
        ("digest", OrderVerb.PREVIEW, ""),
        ("my subscriptions", OrderVerb.SUBSCRIPTIONS, ""),
        ("watch this", OrderVerb.WATCH, ""),
        ("watch for unbiased estimators of regret", OrderVerb.WATCH, "unbiased estimators of regret"),
        ("watches", OrderVerb.WATCHES, ""),
        ("unwatch 2", OrderVerb.UNWATCH, "2"),
        ("saved bib", OrderVerb.SAVED, "bib"),
        ("forget me", OrderVerb.FORGET, ""),
    ],
)
def test_orders_are_told_from_questions(text: str, verb: OrderVerb, rest: str) -> None:
    order = parse_order(text)

    assert order is not None
    assert (order.verb, order.text) == (verb, rest)


@pytest.mark.parametrize(
    "text", ["what is a digest?", "which papers watch birds?", "more", "watch", "who is saved?", ""]
)
def test_questions_are_no_orders(text: str) -> None:
    order = parse_order(text)

    assert order is None or (text == "watch" and order.verb is OrderVerb.WATCH)
