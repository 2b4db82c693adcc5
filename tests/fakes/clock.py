"""A clock that moves only when told to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

__all__ = ["StandingClock"]


class StandingClock:
    """Stands at one instant; `advance` moves it."""

    def __init__(self) -> None:
        """Begin on the last day of November 2026, at nine in the morning."""
        self._now = datetime(2026, 11, 30, 9, tzinfo=UTC)

    def advance(self, seconds: float) -> None:
        """Let *seconds* go by."""
        self._now += timedelta(seconds=seconds)

    def set(self, now: datetime) -> None:
        """Be at *now*."""
        self._now = now

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return self._now

    def monotonic_s(self) -> float:
        """Return seconds that never go back."""
        return self._now.timestamp()
