"""What can go wrong in the bot. Each error carries its facts and its message names the way out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

__all__ = [
    "BotError",
    "FeedError",
    "FetchError",
    "InboxError",
    "PlatformError",
    "QuestionTooLongError",
    "ScheduleError",
    "SettingsError",
    "StoreError",
    "SubscriptionError",
    "UnknownAnswerError",
    "UnknownFormatError",
]


class BotError(Exception):
    """The root of every error that `bot` raises on purpose."""


class SettingsError(BotError, ValueError):
    """A setting cannot be used.

    Attributes:
        name: The setting as one sets it, such as PULLQUOTE_DATA_DIR.
        value: What it was set to; empty for a secret.
        accepted: What would be accepted.
    """

    def __init__(self, name: str, value: str, accepted: str) -> None:
        given = f" is {value[:80]!r}" if value else ""
        super().__init__(f"{name}{given}: {accepted}")
        self.name = name
        self.value = value
        self.accepted = accepted


class QuestionTooLongError(BotError, ValueError):
    """A question is longer than the configured bound."""

    def __init__(self, length: int, limit: int) -> None:
        super().__init__(f"the question has {length:,} characters; at most {limit:,} are read. Ask it in fewer words.")
        self.length = length
        self.limit = limit


class FetchError(BotError, OSError):
    """Something outside could not be had.

    Attributes:
        url: The address that was asked for.
        reason: What is wrong.
    """

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url[:200]}: {reason}")
        self.url = url
        self.reason = reason


class FeedError(BotError, ValueError):
    """A feed cannot be set up, or there is none of that name."""


class ScheduleError(BotError, ValueError):
    """A time of day, a zone or a day of the week is none."""


class SubscriptionError(BotError, ValueError):
    """A subscription or a watch cannot be had as asked for, or there is none; the message says what to do."""


class UnknownFormatError(BotError, ValueError):
    """No format that can be imported has this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f'there is no format "{name}"; known are {", ".join(known)}')
        self.name = name


class UnknownAnswerError(BotError, LookupError):
    """No answer with this id is kept."""

    def __init__(self, answer_id: str) -> None:
        super().__init__(f'no answer has the id "{answer_id}"; ids are printed by "ask --json"')
        self.answer_id = answer_id


class StoreError(BotError, OSError):
    """What is kept between runs cannot be read or written.

    Attributes:
        path: The file.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}. Move it away, or set PULLQUOTE_DATA_DIR to a folder that can be written.")
        self.path = path


class InboxError(BotError):
    """What came in from a chat platform cannot be kept or read."""


class PlatformError(BotError):
    """A chat platform refuses to work with us, or cannot be reached; the message says what to do."""
