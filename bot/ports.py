"""What the bot needs from outside, as contracts. Adapters fulfil them without inheriting."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.conversation import Conversation

__all__ = ["Clock", "ConversationStore"]


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
            ConversationStoreError: If the store cannot be read.
        """
        ...

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*, in place of what was kept under its id.

        Raises:
            ConversationStoreError: If the store cannot be written.
        """
        ...
