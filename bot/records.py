"""What is kept of an answer, to check it and to give it again."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Verdict

__all__ = ["AnswerRecord", "Gap", "QuoteRecord"]


@dataclass(frozen=True, slots=True)
class QuoteRecord:
    """A quote as it was shown: which characters of which entry, and what they were."""

    entry_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer as it was given.

    Attributes:
        state: The conversation before it, as JSON; with question and k it makes the answer again.
        missing: Words that were asked for and not found.
        fingerprint: Of the collection at the time.
        version: Of Pullquote at the time.
    """

    answer_id: str
    question: str
    state: str
    k: int
    verdict: Verdict
    quotes: tuple[QuoteRecord, ...]
    missing: tuple[str, ...]
    fingerprint: str
    version: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A question that was not answered, and how often it was asked. Nothing says by whom."""

    question: str
    verdict: Verdict
    times: int
    missing: tuple[str, ...]
