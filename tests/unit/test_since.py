"""When something began, as people say it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.since import began

# A Wednesday.
_NOW = datetime(2026, 12, 2, 15, 30, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("today", "2026-12-02"),
        ("yesterday", "2026-12-01"),
        ("since Monday", "2026-11-30"),
        ("since wednesday", "2026-11-25"),
        ("last Thursday", "2026-11-26"),
        ("this week", "2026-11-30"),
        ("this month", "2026-12-01"),
        ("last week", "2026-11-25"),
        ("past 3 days", "2026-11-29"),
        ("2 weeks ago", "2026-11-18"),
        ("since 2026-11-20", "2026-11-20"),
    ],
)
def test_a_day_is_read(said: str, day: str) -> None:
    begin = began(said, _NOW)

    assert begin is not None
    assert begin.isoformat() == f"{day}T00:00:00+01:00"


@pytest.mark.parametrize("said", ["since forever", "2026-13-01", "", "soon"])
def test_what_names_no_day_is_none(said: str) -> None:
    assert began(said, _NOW) is None


@given(st.text(max_size=30))
def test_any_text_is_read_without_failing_and_never_names_the_future(said: str) -> None:
    begin = began(said, _NOW)

    assert begin is None or begin.year < 2027 or said.strip().startswith(("since 2", "2"))
