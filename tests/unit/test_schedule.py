"""When a digest is due, on the nights when clocks change too."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ScheduleError
from bot.schedule import EVERY_DAY, WORKDAYS, Schedule, latest_due, parse_time, parse_weekdays

ZONES = ("America/New_York", "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu")
INSTANTS = st.integers(0, 2 * 365 * 24 * 60).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n))


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "day", "at", "due"),
    [
        ("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30"),  # skipped: half past three by the new time
        ("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30"),  # twice: the first
        ("Europe/London", "2026-03-29", "01:30", "2026-03-29T01:30"),
        ("Europe/London", "2026-10-25", "01:30", "2026-10-25T00:30"),
        ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45"),  # half an hour back
        ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45"),  # half an hour forward
        ("Asia/Kathmandu", "2026-11-30", "09:00", "2026-11-30T03:15"),
    ],
)
def test_a_local_time_is_one_instant_also_where_it_comes_twice_or_never(zone: str, day: str, at: str, due: str) -> None:
    schedule = Schedule(time.fromisoformat(at), zone, EVERY_DAY)

    assert schedule.instant(date.fromisoformat(day)) == _utc(due)


@given(
    st.sampled_from(ZONES),
    st.times(),
    INSTANTS,
)
def test_every_local_day_has_one_digest_whatever_the_clocks_do(zone: str, at: time, start: datetime) -> None:
    schedule = Schedule(at.replace(second=0, microsecond=0), zone, EVERY_DAY)
    now = start
    days: list[date] = []
    for _ in range(4 * 24 * 2):
        due = latest_due(schedule, now)
        if due is not None:
            assert due.at <= now
            if not days or days[-1] != due.day:
                days.append(due.day)
        now += timedelta(minutes=30)

    assert days == [days[0] + timedelta(days=n) for n in range(len(days))]
    assert 4 <= len(days) <= 6


@given(st.sampled_from(ZONES), INSTANTS)
def test_a_digest_is_late_for_the_rest_of_its_day_and_six_hours_at_least(zone: str, when: datetime) -> None:
    schedule = Schedule(time(20), zone, EVERY_DAY)
    due = latest_due(schedule, when)

    assert due is not None
    assert due.too_late == (when - due.at >= timedelta(hours=6))


def test_there_is_none_on_other_days_of_the_week() -> None:
    schedule = Schedule(time(9), "UTC", WORKDAYS)

    due = latest_due(schedule, _utc("2026-11-28T12:00"))  # a Saturday
    assert due is not None
    assert (due.day, due.too_late) == (date(2026, 11, 27), True)
    assert latest_due(schedule, _utc("2026-11-29T12:00")) is None


@pytest.mark.parametrize("zone", ["Europe/Lodnon", "", "../etc/passwd", "America", "EST5EDT4", "a" * 300, "\0"])
def test_a_zone_that_is_none_is_refused(zone: str) -> None:
    with pytest.raises(ScheduleError, match="no time zone"):
        Schedule(time(9), zone)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9", "09:00"),
        ("9:30", "09:30"),
        ("09:05", "09:05"),
        ("5pm", "17:00"),
        ("12 am", "00:00"),
        ("12:15 p.m.", "12:15"),
    ],
)
def test_times_of_day_are_read_as_people_write_them(text: str, said: str) -> None:
    assert f"{parse_time(text):%H:%M}" == said


@pytest.mark.parametrize("text", ["", "25", "9:60", "13pm", "0am", "noon", "-1", "9:5"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(ScheduleError, match="no time of day"):
        parse_time(text)


@pytest.mark.parametrize(
    ("text", "days"),
    [("mon-fri", {0, 1, 2, 3, 4}), ("daily", {0, 1, 2, 3, 4, 5, 6}), ("Tue, Thursday", {1, 3}), ("sat-mon", {5, 6, 0})],
)
def test_days_of_the_week_are_read_as_people_write_them(text: str, days: set[int]) -> None:
    assert parse_weekdays(text) == days


@pytest.mark.parametrize("text", ["", "someday", "m", "mon-xyz", ","])
def test_what_is_no_day_of_the_week_is_refused(text: str) -> None:
    with pytest.raises(ScheduleError, match="no day of the week"):
        parse_weekdays(text)


def test_a_schedule_needs_a_day() -> None:
    with pytest.raises(ScheduleError, match="at least one day"):
        Schedule(time(9), "UTC", frozenset())


def test_a_schedule_says_what_it_is() -> None:
    assert Schedule(time(7, 45), "Asia/Kathmandu", frozenset({2, 0})).said == "Mon, Wed, 07:45 Asia/Kathmandu"
    assert Schedule().said == "Mon to Fri, 09:00 UTC"
    assert Schedule(weekdays=EVERY_DAY).said == "every day, 09:00 UTC"
