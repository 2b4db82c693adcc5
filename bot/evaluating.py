"""Measure answers on judged questions: is the right entry quoted, the right sentence, and is silence kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answering import Answering
from bot.model import Answer, Quote
from retrieval.errors import EvaluationError, SourceError
from retrieval.text.cleaning import display_text

__all__ = ["JudgedQuestion", "Outcome", "QuestionReport", "evaluate_questions", "read_questions"]


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with what is known to answer it.

    Attributes:
        kind: Such as "name", "fact" or "unanswerable".
        relevant: File and ordinal of the abstracts that answer it.
        gold_sentences: Sentences as they stand in the raw abstracts; quoting any one of them is right.
        followup_of: The question to ask first, in the same conversation.
        notes: For a paraphrase or an unanswerable question, its style.
    """

    question_id: str
    kind: str
    question: str
    relevant: frozenset[tuple[str, int]] = frozenset()
    gold_sentences: tuple[str, ...] = ()
    followup_of: str | None = None
    notes: str = ""

    @property
    def group(self) -> str:
        """Return the row it is reported in: the kind, with the style where there is one."""
        for style in ("field-terms", "reworded", "far", "near", "attribute"):
            if f"={style}" in self.notes:
                return f"{self.kind} {style}"
        return self.kind


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question was answered with."""

    judged: JudgedQuestion
    answer: Answer

    def success(self, k: int) -> float:
        """Return 1 when one of the first *k* quotes is from a relevant abstract, else 0."""
        return float(any(_place(quote) in self.judged.relevant for quote in self.answer.quotes[:k]))

    def gold(self, k: int) -> float:
        """Return 1 when one of the first *k* quotes contains a gold sentence, else 0."""
        golds = [display_text(gold) for gold in self.judged.gold_sentences]
        return float(any(gold in quote.text for quote in self.answer.quotes[:k] for gold in golds))


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """The figures of a question set: by group, each a mean over its questions, and how verdicts fell."""

    groups: Mapping[str, Mapping[str, float]]
    verdicts: Mapping[str, Mapping[str, int]]
    outcomes: tuple[Outcome, ...]


def read_questions(path: Path) -> tuple[JudgedQuestion, ...]:
    """Read judged questions, one JSON object a line, in the file's order.

    Raises:
        SourceError: If the file cannot be read or a line is not such an object; it names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise SourceError(path, f"cannot be read: {getattr(exc, 'strerror', None) or exc}") from exc
    questions = tuple(_judged(path, n, line) for n, line in enumerate(lines, start=1) if line.strip())
    if not questions:
        raise SourceError(path, "holds no question; expected one JSON object a line")
    known = {judged.question_id for judged in questions}
    for judged in questions:
        if judged.followup_of is not None and judged.followup_of not in known:
            raise SourceError(path, f'{judged.question_id} follows "{judged.followup_of}", which is not in the file')
    return questions


def evaluate_questions(answering: Answering, questions: Sequence[JudgedQuestion], *, k: int = 3) -> QuestionReport:
    """Ask every question, a follow-up after its parents in a conversation of its own, and count.

    Raises:
        EvaluationError: If a question follows itself, directly or not.
    """
    by_id = {judged.question_id: judged for judged in questions}
    outcomes = tuple(Outcome(judged, _ask(answering, judged, by_id, k)) for judged in questions)
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.judged.group, []).append(outcome)
    return QuestionReport(
        {group: _figures(members) for group, members in sorted(groups.items())},
        {group: _verdicts(members) for group, members in sorted(groups.items())},
        outcomes,
    )


def _ask(answering: Answering, judged: JudgedQuestion, by_id: Mapping[str, JudgedQuestion], k: int) -> Answer:
    conversation = f"evaluation:{judged.question_id}"
    answering.forget(conversation)
    try:
        for parent in _parents(judged, by_id):
            answering.answer(parent.question, conversation_id=conversation, k=k)
        return answering.answer(judged.question, conversation_id=conversation, k=k)
    finally:
        answering.forget(conversation)


def _parents(judged: JudgedQuestion, by_id: Mapping[str, JudgedQuestion]) -> Sequence[JudgedQuestion]:
    chain: list[JudgedQuestion] = []
    parent_id = judged.followup_of
    while parent_id is not None:
        parent = by_id[parent_id]
        if parent is judged or parent in chain:
            raise EvaluationError(f"{judged.question_id} follows itself, through {parent_id}")
        chain.insert(0, parent)
        parent_id = parent.followup_of
    return chain


def _figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    figures: dict[str, float] = {"questions": len(outcomes)}
    answerable = [outcome for outcome in outcomes if outcome.judged.relevant]
    if answerable:
        figures |= {f"success@{k}": _mean(outcome.success(k) for outcome in answerable) for k in (1, 3)}
    with_gold = [outcome for outcome in answerable if outcome.judged.gold_sentences]
    if with_gold:
        figures |= {f"gold@{k}": _mean(outcome.gold(k) for outcome in with_gold) for k in (1, 3)}
    return figures


def _verdicts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome.answer.verdict.value] = counts.get(outcome.answer.verdict.value, 0) + 1
    return counts


def _mean(values: Iterator[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def _place(quote: Quote) -> tuple[str, int] | None:
    source = quote.entry.source
    return None if source is None else (source.file, source.ordinal)


def _judged(path: Path, number: int, line: str) -> JudgedQuestion:
    try:
        record = json.loads(line)
        return JudgedQuestion(
            question_id=str(record["id"]),
            kind=str(record["kind"]),
            question=str(record["question"]),
            relevant=frozenset((str(r["file"]), int(r["ordinal"])) for r in record.get("relevant") or ()),
            gold_sentences=tuple(map(str, record.get("gold_sentences") or ())),
            followup_of=None if (parent := record.get("followup_of")) is None else str(parent),
            notes=str(record.get("notes") or ""),
        )
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as exc:
        raise SourceError(path, f"not a judged question: {exc}", line=number) from exc
    except KeyError as exc:
        raise SourceError(path, f"not a judged question: {exc} is missing", line=number) from exc
