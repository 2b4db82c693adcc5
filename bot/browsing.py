"""Go on from the results on the table: more of them, others like one, two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.compose import quote_entries, quote_of, quoted_words
from bot.conversation import Conversation
from bot.model import Answer, Verdict
from bot.present import entry_line, printable
from bot.results import NO_RESULTS, Reply, no_such_number
from retrieval.engine import Engine
from retrieval.model import Entry
from retrieval.query import ParsedQuestion

__all__ = ["Browsing"]

_MOST_HITS = 10


class Browsing:
    """Commands that quote more, from what is on the table."""

    def __init__(self, engine: Engine) -> None:
        """Search with *engine*."""
        self._engine = engine

    def more(self, talk: Conversation, *, k: int) -> Reply:
        """Quote the next entries that the question on the table found."""
        left = [entry_id for entry_id in talk.ranking if entry_id not in talk.numbered]
        if not left:
            return _said("That was all." if talk.numbered else NO_RESULTS, talk)
        query = self._engine.understand(talk.question)
        quotes, after = quote_entries(self._engine, query, [(entry_id, 0.0) for entry_id in left[:k]], talk)
        unseen = len(left) - len(quotes)
        return Reply(Answer("", "", Verdict.ANSWERED, quotes=quotes, total=len(talk.ranking), left=unseen), after)

    def like(self, talk: Conversation, number: int, *, k: int) -> Reply:
        """Quote the entries most like the one shown under *number*."""
        entry_id = talk.entry_id(number)
        if entry_id is None or entry_id not in self._engine.collection:
            return _said(no_such_number(talk, number), talk)
        entry = self._engine.collection.entry(entry_id)
        query = self._engine.understand(f"{entry.title}. {entry.abstract}")
        if len(self._engine.collection) == 1:
            return _said("There is no other entry.", talk)
        ranking = self._engine.search(query, k=_MOST_HITS, without=entry_id)
        about = self._engine.understand(entry.title)
        quotes, after = quote_entries(self._engine, about, [(h.entry_id, h.score) for h in ranking.hits[:k]], talk)
        after = replace(after, ranking=tuple(hit.entry_id for hit in ranking.hits), question=entry.title)
        lead = f"Most like {number}:"
        return Reply(Answer("", "", Verdict.ANSWERED, lead=lead, quotes=quotes, total=len(quotes)), after)

    def code(self, talk: Conversation, parsed: ParsedQuestion, *, k: int) -> Reply:
        """Quote where abstracts link to code, or say that there is some: links first, then by entry id."""
        found = self._engine.listing.with_code(parsed.conditions)
        start = Conversation(talk.conversation_id, questions=talk.questions)
        after, quotes = start, []
        for entry in found[:k]:
            if selection := self._engine.code_place(entry.entry_id):
                after = after.show((entry.entry_id,))
                number = after.number(entry.entry_id)
                quotes.append(quote_of(entry, selection, rank=number, score=selection.score))
        ranking = tuple(self._engine.collection.entry_id(number) for number in found.numbers.tolist())
        after = replace(after, question="code available", ranking=ranking, focus=ranking[0] if ranking else None)
        verdict = Verdict.ANSWERED if quotes else Verdict.NOTHING
        count = f"{len(found):,} of {len(self._engine.collection):,} abstracts"
        lead = f"{count} link to code, or say that there is some{':' if quotes else '.'}"
        left = len(found) - len(quotes)
        answer = Answer(
            "", "", verdict, lead=lead, quotes=tuple(quotes), total=len(found), left=left, filters=parsed.filters()
        )
        return Reply(answer, after)

    def authors(self, talk: Conversation, topic: str, parsed: ParsedQuestion) -> Reply:
        """Say who wrote the entry that *topic* names, and put it on the table."""
        entry = self._meant(topic, parsed)
        if entry is None:
            lead = f"No entry here is named {quoted_words([topic])}."
            return Reply(Answer("", "", Verdict.NOTHING, lead=lead, filters=parsed.filters()), talk)
        after = replace(talk.show((entry.entry_id,)), focus=entry.entry_id)
        names = ", ".join(printable(author) for author in entry.authors)
        if not names:
            lead = f"The list does not name the authors of {entry_line(entry)}."
        else:
            lead = f"{entry_line(entry)}: {names}{'' if entry.authors_complete else ' and others'}."
        number = f"{after.number(entry.entry_id)}. " if entry.entry_id in after.numbered else ""
        return Reply(Answer("", "", Verdict.REPLY, lead=f"{number}{lead}", total=1), after)

    def _meant(self, topic: str, parsed: ParsedQuestion) -> Entry | None:
        if named := self._engine.named(topic):
            return self._engine.collection.entry(named[0])
        mentioned = self._engine.listing.mentioning(topic, parsed.conditions) if topic else ()
        titled = [entry for entry in mentioned if topic.casefold() in entry.title.casefold()]
        return titled[0] if len(titled) == 1 else None

    def compare(self, talk: Conversation, numbers: Sequence[int]) -> Reply:
        """Quote the entries shown under *numbers* side by side."""
        if len(set(numbers)) < len(numbers):
            return _said("To compare takes two different entries.", talk)
        entry_ids: list[str] = []
        for number in numbers:
            entry_id = talk.entry_id(number)
            if entry_id is None or entry_id not in self._engine.collection:
                return _said(no_such_number(talk, number), talk)
            entry_ids.append(entry_id)
        query = self._engine.understand(f"what does it propose? {talk.question}")
        quotes, after = quote_entries(self._engine, query, [(entry_id, 0.0) for entry_id in entry_ids], talk)
        return Reply(Answer("", "", Verdict.ANSWERED, quotes=quotes, total=len(quotes)), after)


def _said(lead: str, talk: Conversation) -> Reply:
    return Reply(Answer("", "", Verdict.REPLY, lead=lead), talk)
