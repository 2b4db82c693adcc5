"""From what was found to what is said: verbatim quotes, what is missing, what to try instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.conversation import Conversation
from bot.model import Answer, Correction, Quote, Verdict
from bot.present import printable
from retrieval.engine import Engine
from retrieval.model import Entry, Query, QueryTerm, Selection
from retrieval.query import ParsedQuestion
from retrieval.text.languages import foreign_function_words, is_east_asian

__all__ = [
    "corrections_of",
    "nothing_found",
    "quote_entries",
    "quote_entry",
    "quote_of",
    "quoted_words",
    "refused",
    "related_lead",
]

_CHINESE = "这里的摘要都是英文的，请用英文提问；专有名词和缩写可以照写。"
_OTHER_LANGUAGE = "The abstracts here are in English: ask in English; names and acronyms can stay as they are."
_MOST_NAMED = 4
_NEAR_BEST = 4.0  # of a sentence's score; from 0 to 4 the gold sentence is among three in .89 to 1.0 of 93 questions


def quote_of(entry: Entry, selection: Selection, *, rank: int, score: float) -> Quote:
    """Return the quote of *entry* that *selection* names; its text is sliced here and checked by `Quote`."""
    return Quote(
        rank=rank,
        entry=entry,
        span=selection.span,
        text=selection.span.of(entry.abstract),
        first=selection.first,
        last=selection.last,
        count=selection.count,
        highlights=selection.highlights,
        score=score,
    )


def quote_entries(
    engine: Engine, query: Query, scored: Iterable[tuple[str, float]], talk: Conversation
) -> tuple[tuple[Quote, ...], Conversation]:
    """Quote the best sentence of each entry, under the number it has or gets in *talk*.

    An entry without an abstract has nothing to quote and is passed over.
    """
    quotes: list[Quote] = []
    for entry_id, score in scored:
        if selections := engine.select(query, entry_id):
            talk = talk.show((entry_id,))
            if entry_id not in talk.numbered:
                break  # every number that a conversation has is given out
            entry = engine.collection.entry(entry_id)
            quotes.append(quote_of(entry, selections[0], rank=talk.number(entry_id), score=score))
    return tuple(quotes), talk


def quote_entry(
    engine: Engine, query: Query, entry_id: str, score: float, talk: Conversation, *, k: int
) -> tuple[tuple[Quote, ...], Conversation]:
    """Quote what an entry says to *query*: its best sentence, and up to *k* in all that come near it."""
    entry = engine.collection.entry(entry_id)
    quotes: list[Quote] = []
    selections = engine.select(query, entry_id, k=k)
    for selection in selections:
        if selection.score < selections[0].score - _NEAR_BEST:
            break
        talk = talk.show_again(entry_id) if quotes else talk.show((entry_id,))
        if entry_id not in talk.numbered:
            break  # every number that a conversation has is given out
        rank = len(talk.numbered) if quotes else talk.number(entry_id)
        quotes.append(quote_of(entry, selection, rank=rank, score=score))
    return tuple(quotes), talk


def corrections_of(query: Query) -> tuple[Correction, ...]:
    """Return the words of *query* that were read as other words."""
    return tuple(Correction(term.shown, term.correction) for term in query.terms if term.correction)


def related_lead(missing: Sequence[str], nowhere: Sequence[str], about: Entry | None) -> str:
    """Return the line above quotes that are near but no answer.

    Args:
        missing: Words asked for that the quoted entries lack.
        nowhere: Those of them that no entry has.
        about: The entry asked about, when it is one; the line is then about its abstract.
    """
    if about is not None:
        what = f"mention {quoted_words(missing)}" if missing else "say"
        return f"The abstract of {printable(about.name or about.title)} does not {what}. Closest to it:"
    if nowhere:
        return f"No abstract here mentions {quoted_words(nowhere, joined_by='or')}. Closest:"
    if missing:
        return f"Nothing found here brings in {quoted_words(missing)}. Closest:"
    return "No abstract here quite answers this. Closest:"


def refused(engine: Engine, parsed: ParsedQuestion, query: Query) -> Answer:
    """Return the answer when the collection has nothing on *query*: why, what may have been meant, what there is."""
    unknown = [term for term in query.terms if term.counted and (not term.matches or term.by_meaning)]
    words = tuple(term.shown for term in unknown)
    lines = ["Nothing in this collection answers that."]
    if language := _language_line(parsed.text):
        lines.append(language)
    elif words:
        lines.append(f"{_capital(quoted_words(words))} {'occurs' if len(words) == 1 else 'occur'} nowhere in it.")
    lines.append(f"It holds {engine.collection.summary}.")
    return Answer(
        "",
        "",
        Verdict.NOTHING,
        lead="\n".join(lines),
        missing_terms=words,
        suggestions=() if language else _meant(engine, parsed.text, unknown),
        filters=parsed.filters(),
    )


def _meant(engine: Engine, text: str, unknown: Sequence[QueryTerm]) -> tuple[str, ...]:
    """Return *text* with its unknown words read as known ones, when that makes every one of them known."""
    read = printable(text)
    for term in unknown:
        other = engine.lexicon.meant(term.word)
        if other is None:
            return ()
        read = read.replace(term.shown, other)
    return (read,) if read != printable(text) else ()


def nothing_found(engine: Engine, parsed: ParsedQuestion) -> Answer:
    """Return the answer when the conditions of a question leave no entry: how many each of them leaves alone."""
    lines = ["No entry fulfils all the conditions."]
    for condition in parsed.conditions:
        alone = len(engine.listing.mentioning("", (condition,)))
        lines.append(f"{condition.field} {condition}: {alone} {'entry' if alone == 1 else 'entries'}.")
    lines.append(f"The collection holds {engine.collection.summary}.")
    suggestions = (printable(parsed.text),) if parsed.text else ()
    return Answer("", "", Verdict.NOTHING, lead="\n".join(lines), suggestions=suggestions, filters=parsed.filters())


def quoted_words(words: Sequence[str], *, joined_by: str = "and") -> str:
    """Return *words* as "“a”, “b” and “c”", the first few of them; empty for none."""
    shown = [f"“{printable(word)}”" for word in words[:_MOST_NAMED]]
    if len(words) > _MOST_NAMED:
        shown.append("more")
    return f" {joined_by} ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else ""


def _language_line(text: str) -> str:
    letters = [c for c in text if c.isalpha()]
    if sum(is_east_asian(c) for c in letters) * 2 > len(letters):
        return _CHINESE if any("\u4e00" <= c <= "\u9fff" for c in letters) else _OTHER_LANGUAGE
    foreign = foreign_function_words(text)
    other_script = sum(c.isascii() for c in letters) * 2 < len(letters)
    return _OTHER_LANGUAGE if foreign or other_script else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
