"""What every store of subscriptions and every log of deliveries promises."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from bot.adapters.sqlite import SqliteDeliveries, SqliteOpinions, SqliteSubscriptions
from bot.ports import DeliveryLog, OpinionStore, SubscriptionStore
from bot.schedule import EVERY_DAY, Schedule
from bot.subscription import Breadth, Opinion, Part, Place, RunState, Sent, Subscription, Watch
from tests.fakes.digests import MemoryDeliveries, MemoryOpinions, MemorySubscriptions

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
HERE = Place("T1", "C1")

Two = tuple[DeliveryLog, DeliveryLog]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SubscriptionStore:
    return MemorySubscriptions() if request.param == "memory" else SqliteSubscriptions(tmp_path / "data" / "kept")


@pytest.fixture(params=["memory", "sqlite"])
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Two:
    """Return one log as two processes see it."""
    if request.param == "memory":
        first = MemoryDeliveries()
        return first, MemoryDeliveries(first)
    return SqliteDeliveries(tmp_path / "data" / "kept"), SqliteDeliveries(tmp_path / "data" / "kept")


def _subscription(name: str = "s1", place: Place = HERE) -> Subscription:
    return Subscription(
        name,
        place,
        "U1",
        NOW,
        topics=("causal «discovery» 图", "title:bandits"),
        without=("survey",),
        breadth=Breadth.NARROW,
        schedule=Schedule(time(7, 45), "Asia/Kathmandu", EVERY_DAY),
        most=12,
        heartbeat=True,
        personal=True,
    )


def _sent(entry_id: str, title: str = "A title") -> Sent:
    return Sent(entry_id, title, "ICLR 2026", None, "An abstract.", "An abstract.", ("Ada Smith", "Bo Chen"), NOW)


def test_a_subscription_is_kept_as_it_is(store: SubscriptionStore) -> None:
    store.save(_subscription())

    assert store.subscriptions() == (_subscription(),)
    assert store.at(HERE) == _subscription()
    assert store.at(Place("T2", "C1")) is None


def test_a_place_has_one_subscription(store: SubscriptionStore) -> None:
    store.save(_subscription())
    changed = dataclasses.replace(_subscription(), enabled=False, problem="is_archived", topics=())
    store.save(changed)

    assert store.subscriptions() == (changed,)


def test_a_subscription_that_is_removed_is_gone(store: SubscriptionStore) -> None:
    store.save(_subscription())
    store.save(_subscription("s2", Place("T1", "C2")))
    store.remove("s1")
    store.remove("nobody's")

    assert [one.subscription_id for one in store.subscriptions()] == ["s2"]


def test_a_question_is_watched_once_in_a_thread(store: SubscriptionStore) -> None:
    watch = Watch("w1", Place("T1", "C1", "17.5"), "U1", "which bandits are causal?", NOW)

    assert store.add_watch(watch)
    assert not store.add_watch(dataclasses.replace(watch, watch_id="w2", person="U2"))
    assert store.add_watch(dataclasses.replace(watch, watch_id="w3", place=Place("T1", "C1", "18.5")))
    assert [one.watch_id for one in store.watches()] == ["w1", "w3"]
    assert store.watches()[0] == watch
    store.remove_watch("w1")
    assert [one.watch_id for one in store.watches()] == ["w3"]


def test_a_window_begins_where_it_was_started_and_moves_on(two: Two) -> None:
    log, _ = two

    assert log.progress("s1") is None
    log.start("s1", 7)
    log.start("s1", 99)
    assert log.progress("s1") == 7
    log.start("s1", 12, again=True)
    assert log.progress("s1") == 12


def test_a_key_is_claimed_once_by_whomever(two: Two) -> None:
    first, second = two

    assert first.claim("s1", "2026-11-30", now=NOW, lease_s=60) is not None
    assert second.claim("s1", "2026-11-30", now=LATER, lease_s=60) is None
    assert second.claim("s1", "2026-12-01", now=LATER, lease_s=60) is not None
    assert second.claim("s2", "2026-11-30", now=LATER, lease_s=60) is not None


def test_a_lease_that_has_ended_is_taken_over_and_whoever_had_it_is_told(two: Two) -> None:
    first, second = two
    held = first.claim("s1", "2026-11-30", now=NOW, lease_s=60)
    assert held is not None

    assert second.take_over(now=NOW + timedelta(seconds=59), lease_s=60) is None
    taken = second.take_over(now=NOW + timedelta(seconds=60), lease_s=60)
    assert taken == held
    assert not first.keep(held, now=LATER, lease_s=60)
    assert not first.finish(dataclasses.replace(held, state=RunState.SENT), now=LATER, advance=True)
    assert second.keep(taken, now=LATER, lease_s=60)


def test_what_is_written_is_what_is_taken_over(two: Two) -> None:
    first, second = two
    held = first.claim("s1", "2026-11-30", now=NOW, lease_s=60)
    assert held is not None
    sending = dataclasses.replace(
        held,
        state=RunState.SENDING,
        upto=41,
        parts=(Part('{"text": "«1»"}', ("a", "b")), Part("second", ("c",))),
        posted=("17.5",),
        trying=True,
        looks=1,
        attempts=3,
        error="timeout",
        facts={"new": 3, "sources": {"arxiv:cs.IR": "2026-11-30"}},
    )
    assert first.keep(sending, now=NOW, lease_s=60, wait_s=30)

    assert second.take_over(now=NOW + timedelta(seconds=29), lease_s=60) is None
    assert second.take_over(now=NOW + timedelta(seconds=30), lease_s=60) == sending


def test_an_entry_is_sent_when_that_is_proven(two: Two) -> None:
    log, other = two
    log.start("s1", 7)
    held = log.claim("s1", "2026-11-30", now=NOW, lease_s=60)
    assert held is not None
    assert log.keep(held, now=NOW, lease_s=60, to_send=[_sent("a"), _sent("b"), _sent("c")])

    assert log.sent("s1") == {}
    assert log.keep(held, now=NOW, lease_s=60, proven=["b"])
    assert other.sent("s1") == {"b": _sent("b")}


@pytest.mark.parametrize(("advance", "kept", "progress"), [(True, ["a", "b"], 41), (False, ["a"], 7)])
def test_a_delivery_that_ends_moves_the_window_or_leaves_it(
    two: Two, advance: bool, kept: list[str], progress: int
) -> None:
    log, other = two
    log.start("s1", 7)
    held = log.claim("s1", "2026-11-30", now=NOW, lease_s=60)
    assert held is not None
    log.keep(held, now=NOW, lease_s=60, to_send=[_sent("a"), _sent("b")], proven=["a"])
    ended = dataclasses.replace(held, state=RunState.SENT if advance else RunState.FAILED, upto=41, ended_at=LATER)
    assert log.finish(ended, now=LATER, advance=advance)

    assert list(other.sent("s1")) == kept
    assert other.progress("s1") == progress
    assert other.take_over(now=LATER + timedelta(days=1), lease_s=60) is None
    assert not log.keep(held, now=LATER, lease_s=60)
    assert other.deliveries("s1") == (ended,)


def test_what_is_known_of_an_entry_is_what_was_sent_last(two: Two) -> None:
    log, _ = two
    for day, title in (("2026-11-30", "Before"), ("2026-12-01", "After")):
        held = log.claim("s1", day, now=NOW, lease_s=60)
        assert held is not None
        log.keep(held, now=NOW, lease_s=60, to_send=[_sent("a", title)])
        log.finish(dataclasses.replace(held, state=RunState.SENT), now=NOW, advance=True)

    assert log.sent("s1")["a"].title == "After"


def test_the_latest_deliveries_come_first(two: Two) -> None:
    log, _ = two
    for owner in ("s1", "s2"):
        for day in ("2026-11-30", "2026-12-01"):
            log.claim(owner, day, now=NOW, lease_s=60)

    assert [one.key for one in log.deliveries("s1")] == ["2026-12-01", "2026-11-30"]
    assert [one.owner_id for one in log.deliveries(limit=3)] == ["s2", "s2", "s1"]


def test_what_a_message_shows_is_known_by_its_name(two: Two) -> None:
    first, second = two
    parts = (Part("one", ("a", "b")), Part("two", ("c",)), Part("three", ("d",)))
    for owner in ("s1", "s2"):
        claimed = first.claim(owner, "2026-11-30", now=NOW, lease_s=60)
        assert claimed is not None
        posted = dataclasses.replace(claimed, state=RunState.SENDING, parts=parts, posted=(f"{owner}.1", f"{owner}.2"))
        assert first.keep(posted, now=NOW, lease_s=60)
    for log in (first, second):
        assert log.shown_by("s1", "s1.1") == ("a", "b")
        assert log.shown_by("s1", "s1.2") == ("c",)
        assert log.shown_by("s1", "s2.1") == log.shown_by("s1", "1.") == log.shown_by("nobody", "s1.1") == ()
    first.forget("s1")
    assert second.shown_by("s1", "s1.1") == ()


def test_nothing_is_left_of_what_is_forgotten(two: Two) -> None:
    log, _ = two
    log.start("s1", 7)
    log.start("s2", 7)
    held = log.claim("s1", "2026-11-30", now=NOW, lease_s=60)
    assert held is not None
    log.keep(held, now=NOW, lease_s=60, to_send=[_sent("a")], proven=["a"])
    log.forget("s1")

    assert (log.progress("s1"), log.progress("s2")) == (None, 7)
    assert log.sent("s1") == {}
    assert log.deliveries() == ()


def test_reading_leaves_no_file_behind(tmp_path: Path) -> None:
    deliveries, subscriptions = (
        SqliteDeliveries(tmp_path / "data" / "kept"),
        SqliteSubscriptions(tmp_path / "data" / "kept"),
    )
    subscriptions.remove("nobody's")

    assert deliveries.take_over(now=NOW, lease_s=1) is None
    assert deliveries.deliveries() == ()
    assert deliveries.shown_by("s1", "1.0") == ()
    assert subscriptions.subscriptions() == ()
    assert subscriptions.watches() == ()
    assert not (tmp_path / "data").exists()


@pytest.fixture(params=["memory", "sqlite"])
def opinions(request: pytest.FixtureRequest, tmp_path: Path) -> OpinionStore:
    return MemoryOpinions() if request.param == "memory" else SqliteOpinions(tmp_path / "data" / "kept")


def _opinion(entry_id: str = "e1", person: str = "U1", *, liked: bool = True, at: datetime = NOW) -> Opinion:
    return Opinion("T1", "C1", person, entry_id, "A «title» 图", "An abstract.", liked, at)


def test_an_opinion_replaces_the_one_before_and_is_taken_back(opinions: OpinionStore) -> None:
    opinions.put(_opinion())
    opinions.put(_opinion(liked=False, at=LATER))
    opinions.put(_opinion(person="U2"))

    assert opinions.of("T1", "C1") == (_opinion(person="U2"), _opinion(liked=False, at=LATER))
    assert opinions.of("T1", "C2") == opinions.of("T2", "C1") == ()
    opinions.take_back(HERE, "U1", "e1")
    opinions.take_back(HERE, "U1", "nothing")
    assert opinions.of("T1", "C1") == (_opinion(person="U2"),)


def test_a_reading_list_has_the_latest_first_and_each_once(opinions: OpinionStore) -> None:
    assert opinions.save("T1", "U1", "e1", at=NOW)
    assert opinions.save("T1", "U1", "e2", at=LATER)
    assert not opinions.save("T1", "U1", "e1", at=LATER + timedelta(hours=1))

    assert opinions.saved("T1", "U1") == ("e2", "e1")
    assert opinions.saved("T1", "U2") == opinions.saved("T2", "U1") == ()


def test_a_person_is_forgotten_and_nobody_else(opinions: OpinionStore) -> None:
    opinions.put(_opinion())
    opinions.put(_opinion(person="U2"))
    opinions.save("T1", "U1", "e1", at=NOW)
    opinions.save("T2", "U1", "e1", at=NOW)

    assert opinions.forget("T1", "U1") == 2
    assert opinions.of("T1", "C1") == (_opinion(person="U2"),)
    assert opinions.saved("T1", "U1") == ()
    assert opinions.saved("T2", "U1") == ("e1",)
    assert opinions.forget("T1", "U1") == 0
