"""Answers as plain text and as the JSON object that scripts read."""

from __future__ import annotations

from bot.digest_lines import about_line, heading_of, left_line, note_line
from bot.model import Answer, Quote
from bot.present import (
    byline,
    entry_line,
    footer,
    is_same_entry,
    lead_lines,
    printable,
    quoted,
    same_entry_line,
    title_of,
)
from bot.subscription import Digest, DigestEntry

__all__ = ["SCHEMA", "answer_object", "digest_text", "plain_text"]

SCHEMA = "pullquote.answer/1"


def plain_text(answer: Answer) -> str:
    """Return *answer* as text: the lead, then each quote under its title, then what else there is."""
    blocks = ["\n".join(lead_lines(answer))]
    blocks.extend(_quote(quote, again=is_same_entry(answer, n)) for n, quote in enumerate(answer.quotes))
    blocks.append("\n".join(f"{n}. {entry_line(entry)}" for n, entry in enumerate(answer.listing, start=1)))
    blocks.append(answer.verbatim)
    blocks.append(footer(answer))
    blocks.append("\n".join(f"Try: {suggestion}" for suggestion in answer.suggestions))
    return "\n\n".join(block for block in blocks if block)


def answer_object(answer: Answer, *, question_id: str) -> dict[str, object]:
    """Return *answer* as the object of schema `pullquote.answer/1`, ready for `json.dumps`.

    Args:
        question_id: The caller's name for the question; a batch echoes the id it was given.
    """
    return {
        "schema": SCHEMA,
        "id": question_id,
        "answer_id": answer.answer_id,
        "question": answer.question,
        "conversation": answer.conversation,
        "verdict": answer.verdict.value,
        "text": plain_text(answer),
        "quotes": [_quote_object(quote) for quote in answer.quotes],
        "total": answer.total,
        "missing_terms": list(answer.missing_terms),
        "corrections": [{"typed": c.typed, "used": c.used} for c in answer.corrections],
        "suggestions": list(answer.suggestions),
        "filters": dict(answer.filters),
        "took_ms": round(answer.took_ms, 2),
    }


def digest_text(digest: Digest) -> str:
    """Return *digest* as text: what it is of, its sections, what became of earlier entries, and what was left out."""
    blocks = [heading_of(digest)]
    for section in digest.sections:
        blocks += [printable(section.heading)] if section.heading else []
        blocks += [_digest_entry(entry) for entry in section.entries]
    blocks.append("\n".join(note_line(note) for note in digest.notes))
    blocks.append(left_line(digest))
    return "\n\n".join(block for block in blocks if block)


def _digest_entry(one: DigestEntry) -> str:
    number = f"{one.number}. "
    indent = " " * len(number)
    lines = [title_of(one.entry), about_line(one.entry)]
    lines += [one.entry.url or "", quoted(one.quote.text) if one.quote else "", " ".join(one.why)]
    return number + f"\n{indent}".join(line for line in lines if line)


def _quote(quote: Quote, *, again: bool) -> str:
    number = f"{quote.rank}. "
    indent = " " * len(number)
    if again:
        return f"{number}{same_entry_line(quote)}\n{indent}{quoted(quote.text)}"
    address = f" · {quote.entry.url}" if quote.entry.url else ""
    return f"{number}{title_of(quote.entry)}\n{indent}{byline(quote)}{address}\n{indent}{quoted(quote.text)}"


def _quote_object(quote: Quote) -> dict[str, object]:
    entry = quote.entry
    return {
        "rank": quote.rank,
        "entry_id": entry.entry_id,
        "title": entry.title,
        "title_derived": entry.title_derived,
        "venue": entry.venue,
        "year": entry.year,
        "url": entry.url,
        "authors": list(entry.authors),
        "text": quote.text,
        "start": quote.span.start,
        "end": quote.span.end,
        "sentence": [quote.first, quote.count],
        "highlights": [[h.start, h.end] for h in quote.highlights],
        "score": round(quote.score, 4),
        "source": {"file": entry.source.file, "ordinal": entry.source.ordinal} if entry.source else None,
    }
