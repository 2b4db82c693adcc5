"""What the bot needs from outside, as contracts. Adapters fulfil them without inheriting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.conversation import Conversation
from bot.records import AnswerRecord

__all__ = ["AnswerLog", "Clock", "ConversationStore", "Fetched", "Fetcher"]


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...

    def monotonic_s(self) -> float:
        """Return seconds that never go back, for measuring how long something took."""
        ...


class ConversationStore(Protocol):
    """Keep conversations between turns, and between runs where the adapter says so.

    Bounded: an implementation forgets the conversations that were longest without a turn.
    """

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept under this id.

        Raises:
            StoreError: If the store cannot be read.
        """
        ...

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*, in place of what was kept under its id.

        Raises:
            StoreError: If the store cannot be written.
        """
        ...


class AnswerLog(Protocol):
    """Keep the answers given. Bounded: an implementation forgets the oldest."""

    def record(self, record: AnswerRecord) -> None:
        """Keep *record*; the same answer given again counts once more.

        Raises:
            StoreError: If the log cannot be written.
        """
        ...

    def find(self, answer_id: str) -> AnswerRecord:
        """Return the answer of that id.

        Raises:
            UnknownAnswerError: If none is kept.
            StoreError: If the log cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave.

    Attributes:
        url: Where it was found in the end.
        changed: False when it is as it was; then there is no body.
        etag: To be given back the next time; empty when there is none.
        last_modified: The same.
    """

    url: str
    body: bytes = b""
    changed: bool = True
    etag: str = ""
    last_modified: str = ""


class Fetcher(Protocol):
    """Gets what is outside."""

    async def get(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return what *url* gives, or that it did not change since *etag* or *last_modified*.

        Raises:
            FetchError: If it cannot be had.
        """
        ...
