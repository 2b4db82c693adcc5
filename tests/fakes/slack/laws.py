"""What a broken law is called, and what a test lets pass."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from tests.fakes.slack.model import Message

__all__ = ["Allowed", "Violation", "shown"]


def stated_question(message: Message) -> str | None:
    payload = (message.metadata or {}).get("event_payload")
    stated = payload.get("question_ts", payload.get("for")) if isinstance(payload, dict) else None
    return str(stated) if stated else None


@dataclass(frozen=True, slots=True)
class Violation:
    """A law that was broken, by what, and how."""

    law: str
    detail: str

    def __str__(self) -> str:
        return f"{self.law}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a test lets pass.

    Attributes:
        top_level: Which messages may stand at the top of a channel: a digest, say.
        hosts: Hosts that links may lead to; None for every http(s) address.
        mentions: User ids that may be mentioned.
        unanswered: Whether questions may stay open, as in a test that ends before the answer.
        errors: Slack errors that the test provokes.
        late: Whether acks may be late or missing.
        key: What question a message answers, when it says so; by default its metadata's "question_ts" or "for".
    """

    top_level: Callable[[Message], bool] = lambda _: False
    hosts: Collection[str] | None = None
    mentions: Collection[str] = ()
    unanswered: bool = False
    errors: Collection[str] = ()
    late: bool = False
    key: Callable[[Message], str | None] = field(default=stated_question)


def shown(message: Message) -> str:
    return f"{message.channel_id}/{message.ts} {message.text[:60]!r}"
