"""One message in, one answer out, whatever happens on the way."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.answering import Answering
from bot.conversation import Conversation
from bot.errors import QuestionTooLongError
from bot.incidents import new_incident
from bot.model import Answer, Verdict
from bot.ports import ConversationStore
from retrieval.errors import QuerySyntaxError

__all__ = ["Dispatch", "Handled", "Message", "apology"]

log = logging.getLogger(__name__)

ContentT = TypeVar("ContentT")


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody wrote.

    Attributes:
        message_id: The platform's name for it, opaque.
        conversation_id: The conversation that it belongs to.
        text: As typed, without the platform's markup.
        table: What lies on the table instead of what the conversation left there: when a message is handled again
            after a crash, and when a button of an earlier answer is pressed. None for the conversation's own.
    """

    message_id: str
    conversation_id: str
    text: str
    table: Conversation | None = None


@dataclass(frozen=True, slots=True)
class Handled(Generic[ContentT]):
    """The answer to a message, as the adapter renders it, and the conversation after it.

    Attributes:
        verdict: The answer's verdict, or "incident".
        incident: Names what went wrong, in the log and in the answer; empty when nothing did.
    """

    content: ContentT
    after: Conversation
    verdict: str
    incident: str = ""


class Dispatch:
    """Handle messages for adapters on platforms that deliver at least once. May be called from several threads.

    The same message with the same table has the same answer and leaves the same conversation behind, so that a message
    whose handling was cut short is simply handled again with the `table` that it had.
    """

    def __init__(self, answering: Answering, conversations: ConversationStore) -> None:
        """Answer with *answering*, which remembers in *conversations*."""
        self._answering = answering
        self._conversations = conversations

    def table(self, conversation_id: str) -> Conversation:
        """Return what lies on the table of a conversation.

        Raises:
            StoreError: If the store cannot be read.
        """
        return self._conversations.load(conversation_id)

    def handle(
        self,
        message: Message,
        render: Callable[[Answer], ContentT],
        *,
        k: int = 3,
        instead: Callable[[], Answer | None] = lambda: None,
    ) -> Handled[ContentT]:
        """Answer *message*. What goes wrong, in *render* too, becomes an answer that says so.

        Args:
            message: What somebody wrote.
            render: Makes of an answer what the platform shows.
            k: How many entries to quote at most.
            instead: Asked first; what it returns is the answer, and leaves the conversation as it is.
        """
        try:
            if message.table is not None:
                self._conversations.save(message.table)
            if (said := instead()) is not None:
                return Handled(render(said), self._conversations.load(message.conversation_id), said.verdict.value)
            answer = self._answering.answer(message.text, conversation_id=message.conversation_id, k=k)
            after = self._conversations.load(message.conversation_id)
            return Handled(render(answer), after, answer.verdict.value)
        except (QuestionTooLongError, QuerySyntaxError) as exc:
            # The person can act on these: their messages name the value and the way out.
            answer = Answer("", message.text, Verdict.REPLY, lead=str(exc), conversation=message.conversation_id)
            return Handled(render(answer), self._left(message), answer.verdict.value)
        except Exception:  # nobody is left without a word
            incident = new_incident()
            log.exception("failed", extra={"incident": incident, "message_id": message.message_id})
            return Handled(render(apology(incident, message)), self._left(message), "incident", incident)

    def _left(self, message: Message) -> Conversation:
        return message.table or Conversation(message.conversation_id)


def apology(incident: str, message: Message) -> Answer:
    """Return the answer to a message that could not be answered."""
    lead = f"Something went wrong here, and it is written down as incident {incident}. Please ask again."
    return Answer(incident, message.text, Verdict.REPLY, lead=lead, conversation=message.conversation_id)
