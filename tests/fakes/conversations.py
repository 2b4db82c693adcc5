"""Conversations in memory: the store that tests talk through."""

from __future__ import annotations

from bot.conversation import Conversation

__all__ = ["MemoryConversations"]


class MemoryConversations:
    """Conversations for as long as the process lives, at most *keep*: those longest without a turn are forgotten."""

    def __init__(self, *, keep: int = 10_000) -> None:
        """Begin with none."""
        self._keep = keep
        self._kept: dict[str, Conversation] = {}

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept under this id."""
        return self._kept.get(conversation_id, Conversation(conversation_id))

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation*, in place of what was kept under its id."""
        self._kept.pop(conversation.conversation_id, None)
        self._kept[conversation.conversation_id] = conversation
        while len(self._kept) > self._keep:
            del self._kept[next(iter(self._kept))]
