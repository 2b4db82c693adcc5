"""When a digest is due: once a local day, whatever the clocks of that place do. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from bot.errors import ScheduleError

__all__ = ["EVERY_DAY", "WORKDAYS", "Due", "Schedule", "latest_due", "parse_time", "parse_weekdays", "zone_named"]

WORKDAYS = frozenset(range(5))
EVERY_DAY = frozenset(range(7))
_NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LATE = timedelta(hours=6)
_TIME = re.compile(r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?: ?(?P<half>[ap]\.?m\.?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A time of day in a zone, on some days of the week.

    Attributes:
        at: Without a zone of its own.
        zone: A name of the IANA database ("Europe/London").
        weekdays: From 0 for Monday to 6; at least one.
    """

    at: time = time(9)
    zone: str = "UTC"
    weekdays: frozenset[int] = WORKDAYS

    def __post_init__(self) -> None:
        if not self.weekdays or not self.weekdays <= EVERY_DAY:
            raise ScheduleError("a digest needs at least one day of the week, from Mon to Sun")
        if self.at.tzinfo is not None:
            raise ValueError("the time of day has no zone of its own")
        zone_named(self.zone)

    def instant(self, day: date) -> datetime:
        """Return when *day*'s digest is due, in UTC.

        Of a time that a day has twice, the first; one that it skips is as much later as the clock is put forward.
        """
        return datetime.combine(day, self.at, zone_named(self.zone)).astimezone(UTC)

    def is_on(self, day: date) -> bool:
        """Tell whether there is a digest on *day*."""
        return day.weekday() in self.weekdays

    @property
    def said(self) -> str:
        """The schedule in words: "Mon to Fri, 09:00 Europe/London"."""
        return f"{_days_said(self.weekdays)}, {self.at:%H:%M} {self.zone}"


@dataclass(frozen=True, slots=True)
class Due:
    """A digest that is due.

    Attributes:
        day: The local day that it belongs to; a day has one.
        at: When it was due, in UTC.
        too_late: Whether so much time has gone by that the next one is to bring it along.
    """

    day: date
    at: datetime
    too_late: bool


def latest_due(schedule: Schedule, now: datetime) -> Due | None:
    """Return the latest digest that was due by *now*, looking back as far as yesterday; None when none was.

    It may be late until its local day ends, and for six hours in any case.
    """
    zone = zone_named(schedule.zone)
    today = now.astimezone(zone).date()
    for day in (today, today - timedelta(days=1)):
        at = schedule.instant(day)
        if schedule.is_on(day) and at <= now:
            midnight = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
            return Due(day, at, too_late=now >= max(midnight, at + _LATE))
    return None


@lru_cache(maxsize=1_000)
def zone_named(name: str) -> ZoneInfo:
    """Return the zone called *name*.

    Raises:
        ScheduleError: If there is none.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError) as exc:  # a name that is none fails in one of these ways
        raise ScheduleError(f'"{name[:60]}" is no time zone; one looks like Europe/London or Asia/Kathmandu') from exc


def parse_time(text: str) -> time:
    """Return the time of day that *text* says: "9", "9:30", "09:30", "5pm".

    Raises:
        ScheduleError: If it says none.
    """
    match = _TIME.fullmatch(text.strip().lower())
    half = (match["half"] or "")[:1] if match else ""
    hour, minute = (int(match["hour"]), int(match["minute"] or 0)) if match else (99, 0)
    if hour > (12 if half else 23) or minute > 59 or (half and not hour):
        raise ScheduleError(f'"{text[:40]}" is no time of day; one looks like 09:00')
    return time(hour % 12 + (12 if half == "p" else 0) if half else hour, minute)


def parse_weekdays(text: str) -> frozenset[int]:
    """Return the days that *text* names: "mon,wed,fri", "mon-fri", "daily", "workdays".

    Raises:
        ScheduleError: If it names none, or something else.
    """
    said = text.strip().lower()
    if said in {"daily", "every day", "all"}:
        return EVERY_DAY
    if said in {"workdays", "weekdays", "mon-fri"}:
        return WORKDAYS
    found: set[int] = set()
    for part in said.replace(" ", ",").split(","):
        first, _, last = part.partition("-")
        if part:
            start, end = _weekday(first, text), _weekday(last or first, text)
            found |= {(start + n) % 7 for n in range((end - start) % 7 + 1)}
    if not found:
        raise ScheduleError(f'"{text[:40]}" names no day of the week; "mon-fri" or "mon,thu" does')
    return frozenset(found)


def _weekday(word: str, text: str) -> int:
    for number, name in enumerate(_NAMES):
        if len(word) >= 2 and (word.startswith(name.lower()) or name.lower().startswith(word)):
            return number
    raise ScheduleError(f'"{text[:40]}" names no day of the week; "mon-fri" or "mon,thu" does')


def _days_said(days: frozenset[int]) -> str:
    if days == EVERY_DAY:
        return "every day"
    if days == WORKDAYS:
        return "Mon to Fri"
    return ", ".join(_NAMES[day] for day in sorted(days))
