"""Check an answer that was given, and give it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.model import Answer, Verdict
from bot.present import printable, title_of
from bot.records import AnswerRecord, QuoteRecord
from bot.version import version
from retrieval.collection import Collection

__all__ = ["recorded", "replay_report", "verify_report"]


def recorded(answer: Answer, *, state: str, k: int, fingerprint: str) -> AnswerRecord:
    """Return what is kept of *answer*, given in a conversation of *state* over a collection of *fingerprint*."""
    quotes = tuple(QuoteRecord(q.entry.entry_id, q.span.start, q.span.end, q.text) for q in answer.quotes)
    return AnswerRecord(
        answer.answer_id,
        answer.question,
        state,
        k,
        answer.verdict,
        quotes,
        answer.missing_terms,
        fingerprint,
        version(),
    )


def verify_report(record: AnswerRecord, collection: Collection) -> Answer:
    """Say of each quote of *record* whether the collection still has those words in that place."""
    lines = [f"Answer {record.answer_id} to: {printable(record.question)}"]
    lines += [f"{n}. {_standing(quote, collection)}" for n, quote in enumerate(record.quotes, start=1)]
    if not record.quotes:
        lines.append("It quoted nothing.")
    return Answer("", "", Verdict.REPLY, lead="\n".join(lines), total=len(record.quotes))


def replay_report(record: AnswerRecord, collection: Collection, ask_again: Callable[[], Answer]) -> Answer:
    """Give the answer of *record* again, and say first whether it is the same or what changed.

    Args:
        ask_again: Answers the recorded question from the recorded state of its conversation.
    """
    answer = ask_again()
    before = [(quote.entry_id, quote.text) for quote in record.quotes]
    after = [(quote.entry.entry_id, quote.text) for quote in answer.quotes]
    if before == after and record.verdict is answer.verdict:
        note = "The same answer as before."
    else:
        note = _difference(record, answer, before, after)
    if collection.fingerprint != record.fingerprint:
        note += " The collection has changed since."
    if version() != record.version:
        note += f" It was given by version {record.version}; this is {version()}."
    lead = f"{note}\n{answer.lead}" if answer.lead else note
    return replace(answer, lead=lead)


def _standing(quote: QuoteRecord, collection: Collection) -> str:
    if quote.entry_id not in collection:
        return f"{quote.entry_id} is not in the collection any more."
    entry = collection.entry(quote.entry_id)
    name = title_of(entry)
    if entry.abstract[quote.start : quote.end] == quote.text:
        return f"{name}: verbatim, characters {quote.start} to {quote.end}."
    at = entry.abstract.find(quote.text)
    if at >= 0:
        return f"{name}: verbatim, now at characters {at} to {at + len(quote.text)}."
    return f"{name}: the abstract has changed and no longer says this."


def _difference(
    record: AnswerRecord, answer: Answer, before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]
) -> str:
    new = sum(pair not in before for pair in after)
    gone = sum(pair not in after for pair in before)
    moved = sum(after.index(pair) != place for place, pair in enumerate(before) if pair in after)
    counts = [f"{count} {what}" for count, what in ((new, "new"), (gone, "gone"), (moved, "moved")) if count]
    verdict = "" if record.verdict is answer.verdict else f" It was “{record.verdict}”, it is “{answer.verdict}”."
    return f"Not the same as before: {', '.join(counts) or 'the quotes are the same'}.{verdict}"
