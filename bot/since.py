"""Read when something began, as people say it. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

__all__ = ["began"]

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS_AGO = re.compile(
    r"(?:in |for )?(?:the )?(?:last|past) (?:(?P<number>\d{1,3}) )?(?P<unit>day|week|month)s?"
    r"|(?P<ago>\d{1,3}) (?P<of>day|week|month)s? ago"
)
_LENGTHS = {"day": 1, "week": 7, "month": 30}
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def began(said: str, now: datetime) -> datetime | None:
    """Return the beginning of the day that *said* names, in the zone of *now*; None when it names none.

    Read are "today", "yesterday", "this week" and "this month", "last week", "past 3 days", "2 weeks ago", a weekday
    (the latest one before today), and a date such as 2026-11-30; "since" may stand before them.
    """
    text = " ".join(said.lower().split()).removeprefix("since ").strip()
    day = _day(text, now.date())
    return None if day is None else datetime.combine(day, time(), tzinfo=now.tzinfo)


def _day(text: str, today: date) -> date | None:
    named = {
        "today": today,
        "yesterday": today - timedelta(days=1),
        "this week": today - timedelta(days=today.weekday()),
        "this month": today.replace(day=1),
    }
    if text in named:
        return named[text]
    weekday = text.removeprefix("last ")
    if weekday in _WEEKDAYS:
        return today - timedelta(days=(today.weekday() - _WEEKDAYS.index(weekday) - 1) % 7 + 1)
    if match := _DAYS_AGO.fullmatch(text):
        count = int(match["number"] or match["ago"] or 1)
        return today - timedelta(days=count * _LENGTHS[match["unit"] or match["of"]])
    if _ISO.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    return None
