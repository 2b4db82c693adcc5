"""Work with the numbered results of a conversation: open one, cite one, say why one is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.bibliography import bibtex, citation
from bot.commands import Command, Verb
from bot.conversation import Conversation
from bot.model import Answer, Verdict
from bot.present import printable, title_of, venue_year
from retrieval.engine import Engine
from retrieval.model import Entry

__all__ = ["HELP", "NO_RESULTS", "Reply", "TableCommands", "no_such_number"]

HELP = """Ask about the abstracts in your own words; every answer is a quote.

While results are on the table:
- more: the next entries; open 2: the whole abstract
- more like 2: entries like it; compare 1 and 3: both side by side
- only ICLR 2026, only 2026, by Smith, -survey: keep those
- why 1: how it was scored; bib 1, cite 1: for your paper

Of the whole list: how many papers mention diffusion? list the causal discovery papers; which venues do you cover?

To be told of new entries: subscribe causal inference at 9:00 mon-fri Europe/London; digest shows what is new so far.
Under an answer: watch this, and I answer again when a new entry does. subscriptions, watches: what there is.

Operators: "exact phrase"  -word  title:word  author:name  venue:ICLR  year:2025..2026"""

_GREETING = "Hello. Ask me about the abstracts; “help” shows what else I can do."
_THANKS = "You are welcome."
NO_RESULTS = "There are no numbered results yet: ask a question first."
_Handler = Callable[[Conversation, Command], tuple[str, str, Conversation]]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it gets its id, and the conversation after it."""

    answer: Answer
    conversation: Conversation


class TableCommands:
    """The commands that need nothing but what is on the table; their answers quote nothing."""

    def __init__(self, engine: Engine) -> None:
        """Look entries and scores up in *engine*."""
        self._engine = engine
        self._handlers: Mapping[Verb, _Handler] = {
            Verb.HELP: lambda talk, _: (HELP, "", talk),
            Verb.GREETING: lambda talk, _: (_GREETING, "", talk),
            Verb.THANKS: lambda talk, _: (_THANKS, "", talk),
            Verb.QUIT: lambda talk, _: ("Goodbye.", "", talk),
            Verb.CLEAR: lambda talk, _: ("The table is clear.", "", Conversation(talk.conversation_id)),
            Verb.OPEN: self._open,
            Verb.WHY: self._why,
            Verb.BIB: self._bib,
            Verb.CITE: self._cite,
        }

    def handles(self, command: Command) -> bool:
        """Tell whether *command* is one of these."""
        return command.verb in self._handlers

    def reply(self, talk: Conversation, command: Command) -> Reply:
        """Carry *command* out; what it refers to may be missing, and then the reply says so."""
        lead, verbatim, after = self._handlers[command.verb](talk, command)
        return Reply(Answer("", "", Verdict.REPLY, lead=lead, verbatim=verbatim), after)

    def _open(self, talk: Conversation, command: Command) -> tuple[str, str, Conversation]:
        entry, problem = self._numbered(talk, command)
        if entry is None:
            return problem, "", talk
        return described(entry), "", replace(talk, focus=entry.entry_id)

    def _why(self, talk: Conversation, command: Command) -> tuple[str, str, Conversation]:
        entry, problem = self._numbered(talk, command)
        if entry is None:
            return problem, "", talk
        lines = self._engine.explain(talk.question, entry.entry_id)
        return "\n".join([f"{title_of(entry)}: why it is there.", *lines]), "", talk

    def _bib(self, talk: Conversation, command: Command) -> tuple[str, str, Conversation]:
        entries, problem = self._chosen(talk, command)
        return problem, bibtex(entries), talk

    def _cite(self, talk: Conversation, command: Command) -> tuple[str, str, Conversation]:
        entries, problem = self._chosen(talk, command)
        return problem, "\n".join(citation(entry) for entry in entries), talk

    def _numbered(self, talk: Conversation, command: Command) -> tuple[Entry | None, str]:
        if command.numbers or talk.focus is None:
            return self._lookup(talk, command.numbers[0] if command.numbers else 1)
        return self._lookup(talk, talk.number(talk.focus) if talk.focus in talk.numbered else 1)

    def _chosen(self, talk: Conversation, command: Command) -> tuple[Sequence[Entry], str]:
        """Return the entries named, or all that have a number; the problem when there is none."""
        if command.numbers:
            found = [self._lookup(talk, number) for number in dict.fromkeys(command.numbers)]
            problem = "\n".join(problem for _, problem in found if problem)
            return [entry for entry, _ in found if entry is not None], problem
        known = [self._engine.collection.entry(i) for i in talk.numbered if i in self._engine.collection]
        return known, "" if known else NO_RESULTS

    def _lookup(self, talk: Conversation, number: int) -> tuple[Entry | None, str]:
        entry_id = talk.entry_id(number)
        if entry_id is not None and entry_id in self._engine.collection:
            return self._engine.collection.entry(entry_id), ""
        return None, no_such_number(talk, number)


def no_such_number(talk: Conversation, number: int) -> str:
    """Return what to say when *number* names no result."""
    if not talk.numbered:
        return NO_RESULTS
    known = "only 1" if len(talk.numbered) == 1 else f"1 to {len(talk.numbered)}"
    return f"There is no result {number}; the numbers given out are {known}."


def described(entry: Entry) -> str:
    """Return all that is known of *entry*: title, authors, venue, address and the whole abstract."""
    more = " and others" if entry.authors and not entry.authors_complete else ""
    authors = ", ".join(printable(a) for a in entry.authors) + more
    about = " · ".join(part for part in (authors, venue_year(entry), entry.url or "") if part)
    return "\n".join((title_of(entry), about, "", entry.abstract or "There is no abstract."))
