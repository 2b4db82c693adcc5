"""What a conversation remembers: the results on the table and what the talk is about. Pure values."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Self

__all__ = ["MAX_NUMBERED", "Conversation"]

MAX_NUMBERED = 200
_MAX_QUESTIONS = 12


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of one conversation; small, and bounded however long the talk goes on.

    Attributes:
        conversation_id: Chosen by the adapter; opaque.
        question: The question that the results on the table answer, without its conditions.
        narrowing: Its conditions, and those added since, in the query language.
        ranking: Entry ids that the question found, best first.
        numbered: Entry ids by the number they were shown under, from 1. Only grows until a new question. An entry
            that was quoted twice has two numbers.
        focus: The entry the talk is about, if any.
        questions: The latest questions, oldest first.
    """

    conversation_id: str
    question: str = ""
    narrowing: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    focus: str | None = None
    questions: tuple[str, ...] = ()

    def entry_id(self, number: int) -> str | None:
        """Return the entry shown under *number*; None when no such number was given out."""
        return self.numbered[number - 1] if 1 <= number <= len(self.numbered) else None

    def show(self, entry_ids: tuple[str, ...]) -> Self:
        """Number *entry_ids* that have no number yet, after those given out before."""
        new = tuple(entry_id for entry_id in dict.fromkeys(entry_ids) if entry_id not in self.numbered)
        return replace(self, numbered=(self.numbered + new)[:MAX_NUMBERED])

    def show_again(self, entry_id: str) -> Self:
        """Give a further number to *entry_id*, for a further quote from it."""
        return replace(self, numbered=(*self.numbered, entry_id)[:MAX_NUMBERED])

    def number(self, entry_id: str) -> int:
        """Return the number of an entry that was shown.

        Raises:
            ValueError: If it was not.
        """
        return self.numbered.index(entry_id) + 1

    def asked(self, question: str) -> Self:
        """Remember that *question* was asked; the oldest ones are forgotten."""
        return replace(self, questions=(*self.questions, question)[-_MAX_QUESTIONS:])

    def to_json(self) -> str:
        """Return the state as JSON, for a store."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the state that `to_json` wrote.

        Raises:
            ValueError: If *text* is not such a state.
        """
        try:
            fields = json.loads(text)
            return cls(
                conversation_id=str(fields["conversation_id"]),
                question=str(fields["question"]),
                narrowing=tuple(map(str, fields["narrowing"])),
                ranking=tuple(map(str, fields["ranking"])),
                numbered=tuple(map(str, fields["numbered"])),
                focus=None if fields["focus"] is None else str(fields["focus"]),
                questions=tuple(map(str, fields["questions"])),
            )
        except (TypeError, KeyError) as exc:
            raise ValueError(f"not a conversation: {exc}") from exc
