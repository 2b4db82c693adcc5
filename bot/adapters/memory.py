"""What is kept for as long as the process lives."""

from __future__ import annotations

from collections import OrderedDict

from bot.conversation import Conversation

__all__ = ["MemoryConversations"]


class MemoryConversations:
    """Conversations in memory, the longest without a turn forgotten first."""

    def __init__(self, *, keep: int = 10_000) -> None:
        """Keep at most *keep* conversations."""
        self._keep = keep
        self._conversations: OrderedDict[str, Conversation] = OrderedDict()

    def load(self, conversation_id: str) -> Conversation:
        """Return the conversation as last saved; an empty one when none is kept."""
        return self._conversations.get(conversation_id, Conversation(conversation_id))

    def save(self, conversation: Conversation) -> None:
        """Keep *conversation* in place of what was kept under its id."""
        self._conversations[conversation.conversation_id] = conversation
        self._conversations.move_to_end(conversation.conversation_id)
        while len(self._conversations) > self._keep:
            self._conversations.popitem(last=False)
