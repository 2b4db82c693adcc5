"""What the bot needs from outside, as contracts. Adapters fulfil them without inheriting."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.conversation import Conversation
from bot.records import AnswerRecord

__all__ = ["AnswerLog", "Clock", "ConversationStore"]


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
