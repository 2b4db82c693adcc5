"""Orders as people type them, and what they are told."""

from __future__ import annotations

import dataclasses

import pytest

from bot.model import Verdict
from bot.orders import From
from bot.subscription import Place, Subscription, Watch
from tests.fakes.arrivals import HERE, Office, paper

_THREAD = dataclasses.replace(HERE, thread="17.5")


@pytest.fixture
def office() -> Office:
    return Office()


def _said(office: Office, text: str, *, question: str = "", person: str = "U1", place: Place = _THREAD) -> str:
    answer = office.orders.reply(text, From(place, person, question))
    assert answer is not None
    return answer.lead


def test_a_question_is_left_alone(office: Office) -> None:
    assert office.orders.reply("what is BUDGE?", From(_THREAD, "U1")) is None


def test_subscribing_says_what_will_come_and_when(office: Office) -> None:
    said = _said(office, "subscribe bandits; glaciers without survey at 9:30 daily Europe/London")

    assert said.startswith("every day, 09:30 Europe/London: bandits, glaciers (not: survey).")
    assert _said(office, "subscriptions") == (
        "Here: every day, 09:30 Europe/London: bandits, glaciers (not: survey). No digest was due yet."
    )


def test_what_was_not_said_again_stays(office: Office) -> None:
    _said(office, "subscribe bandits at 9:30 daily Europe/London")

    assert _said(office, "subscribe glaciers").startswith("every day, 09:30 Europe/London: glaciers.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("subscribe bandits Europe/Lodnon", '"Europe/Lodnon" is no time zone'),
        ("subscribe bandits at 25", "is no time of day"),
        ("subscribe the of and", "says nothing to look for"),
        ('subscribe venue:"', "venue"),
        ("unsubscribe", "There is no digest here"),
        ("digest", "There is no digest here"),
        ("watch this", "Ask a question first"),
        ("unwatch", "Nothing is watched here."),
    ],
)
def test_what_cannot_be_done_is_said_with_the_way_out(office: Office, text: str, said: str) -> None:
    assert said in _said(office, text)


async def test_a_preview_shows_what_is_new_with_quotes_and_posts_nothing(office: Office) -> None:
    _said(office, "subscribe bandits at 9:30 daily")
    await office.after(seconds=1)
    office.arrive([paper(1, "bandits"), paper(2, "whales")])
    before = len(office.wall.posts)
    answer = office.orders.reply("digest", From(_THREAD, "U1"))

    assert answer is not None
    assert (answer.verdict, answer.total) == (Verdict.ANSWERED, 1)
    assert answer.lead == "1 new for bandits"
    assert answer.quotes[0].text.startswith("We propose qqqbnet")
    await office.after(seconds=60)
    assert len(office.wall.posts) == before
    await office.after(hours=1)
    assert office.posted() == ["arxiv:2611.00001"]


def test_nothing_new_is_said_so(office: Office) -> None:
    _said(office, "subscribe bandits at 9:30 daily")

    assert _said(office, "digest") == "Nothing new yet for bandits."


def test_a_question_is_watched_until_it_is_no_longer(office: Office) -> None:
    assert "I watch “what melts?”" in _said(office, "watch this", question="what melts?")
    assert _said(office, "watch this", question="what melts?") == "“what melts?” is watched already."
    _said(office, "watch for glaciers seen from above")
    assert _said(office, "watches") == "1. what melts?\n2. glaciers seen from above"
    assert "say which" in _said(office, "unwatch").lower()
    assert _said(office, "unwatch 2") == "I no longer watch “glaciers seen from above”."
    assert _said(office, "unwatch") == "I no longer watch “what melts?”."
    assert _said(office, "watches") == "Nothing is watched."


def test_pausing_and_ending_is_said(office: Office) -> None:
    _said(office, "subscribe bandits")
    assert _said(office, "mute").startswith("The digest is paused")
    assert "(paused)" in _said(office, "subscriptions")
    assert _said(office, "mute") == "The digest is paused already."
    assert _said(office, "unmute") == "The digest is on again."
    assert _said(office, "unsubscribe") == "There will be no more digests here."
    assert _said(office, "subscriptions") == "There is no digest here."


async def test_how_the_last_digest_went_is_said(office: Office) -> None:
    _said(office, "subscribe bandits at 9:30 daily")
    office.arrive([paper(1), paper(2)])
    await office.after(hours=1)

    assert "Last digest 2026-11-30: 2 entries." in _said(office, "subscriptions")
    await office.after(hours=24)
    assert "Last digest 2026-12-01: nothing new." in _said(office, "subscriptions")
    office.wall.faults = ["refused"]
    office.arrive([paper(3)])
    await office.after(hours=24)
    assert "could not be posted (the wall says refused)." in _said(office, "subscriptions")


def test_whoever_may_not_change_it_is_told_why(office: Office) -> None:
    _said(office, "subscribe bandits")
    whence = From(_THREAD, "U2", may_change=lambda found: f"Only {found.created_by} may." if found else None)
    answer = office.orders.reply("unsubscribe", whence)

    assert answer is not None
    assert answer.lead == "Only U1 may."
    assert office.subscribing.of(HERE) is not None


def test_ones_own_subscriptions_elsewhere_are_listed(office: Office) -> None:
    _said(office, "subscribe bandits")
    _said(office, "subscribe whales", place=Place("T1", "C2"))
    _said(office, "subscribe glaciers", place=Place("T2", "C3"))

    assert [line.partition(":")[0] for line in _said(office, "subscriptions").splitlines()] == ["Here", "C2"]


def test_a_subscription_and_a_watch_begin_before_anybody_can_see_them(office: Office) -> None:
    seen: list[int | None] = []
    save, add = office.subscriptions.save, office.subscriptions.add_watch

    def saving(subscription: Subscription) -> None:
        seen.append(office.deliveries.progress(subscription.subscription_id))
        save(subscription)

    def adding(watch: Watch) -> bool:
        seen.append(office.deliveries.progress(watch.watch_id))
        return add(watch)

    office.subscriptions.save, office.subscriptions.add_watch = saving, adding  # type: ignore[method-assign]
    office.arrive([paper(1)])
    _said(office, "subscribe bandits")
    _said(office, "watch for glaciers seen from above")

    assert seen == [1, 1]
