"""The use case: one message in a conversation becomes one answer."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, replace

from bot.asking import Asking
from bot.browsing import Browsing
from bot.collection import CollectionFacts
from bot.commands import Command, Verb, nearest_command, parse_command
from bot.conversation import MAX_NUMBERED, Conversation
from bot.errors import QuestionTooLongError, UnknownAnswerError
from bot.facts import Fact, FactKind, parse_fact
from bot.model import Answer, Verdict
from bot.ports import AnswerLog, Clock, ConversationStore
from bot.present import printable
from bot.records import AnswerRecord
from bot.results import NO_RESULTS, Reply, TableCommands
from bot.trust import recorded, replay_report, verify_report
from bot.version import version
from retrieval.engine import Engine, Engines
from retrieval.query import Condition, ParsedQuestion, canonical_venue
from retrieval.text.analysis import fold

__all__ = ["Answering"]

_LONGEST_NUMBER = 5
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])?")
_POINTING = frozenset({"it", "this", "that", "this one", "that one", "this paper", "that paper", "the paper"})


@dataclass(frozen=True, slots=True)
class _Desk:
    """All that answers from one state of the collection."""

    engine: Engine
    asking: Asking
    browsing: Browsing
    facts: CollectionFacts
    table: TableCommands

    @classmethod
    def on(cls, engine: Engine, clock: Clock) -> _Desk:
        return cls(engine, Asking(engine), Browsing(engine), CollectionFacts(engine, clock), TableCommands(engine))


class Answering:
    """Answer messages. The same in every adapter; may be called from several threads."""

    def __init__(
        self,
        engine: Engines,
        conversations: ConversationStore,
        clock: Clock,
        *,
        answers: AnswerLog | None = None,
        max_chars: int,
    ) -> None:
        """Answer from the latest of *engine*, remembering in *conversations*.

        Args:
            answers: Where answers are kept, for `verify` and `replay`; None keeps none.
            max_chars: Longer messages are refused.
        """
        self._engines = engine
        self._conversations = conversations
        self._clock = clock
        self._answers = answers
        self._max_chars = max_chars
        self._desk = _Desk.on(engine.latest(), clock)

    def answer(self, message: str, *, conversation_id: str | None = None, k: int = 3) -> Answer:
        """Answer *message*.

        Args:
            message: A question or a command, as typed.
            conversation_id: The conversation it belongs to; None for a question that stands alone and leaves no trace.
            k: How many entries to quote at most.

        Raises:
            QuestionTooLongError: If the message is longer than is read.
            QuerySyntaxError: If an operator is used wrongly; the message shows the place.
            StoreError: If the conversation cannot be read or kept.
        """
        started = self._clock.monotonic_s()
        message = _typed(message)
        conversation_id = None if conversation_id is None else _encodable(conversation_id)
        if len(message) > self._max_chars:
            raise QuestionTooLongError(len(message), self._max_chars)
        desk = self._now()
        talk = Conversation("") if conversation_id is None else self._conversations.load(conversation_id)
        reply = self._reply(desk, talk, message, k)
        if conversation_id is not None:
            self._conversations.save(reply.conversation.asked(message))
        answer = replace(
            reply.answer,
            answer_id=self._answer_id(desk, talk, message, k),
            question=message,
            conversation=conversation_id,
            took_ms=(self._clock.monotonic_s() - started) * 1000,
        )
        if self._answers is not None and answer.verdict is not Verdict.REPLY:
            fingerprint = desk.engine.collection.fingerprint
            self._answers.record(recorded(answer, state=talk.to_json(), k=k, fingerprint=fingerprint))
        return answer

    def forget(self, conversation_id: str) -> None:
        """Begin the conversation anew: nothing is on the table.

        Raises:
            StoreError: If the store cannot be written.
        """
        if self._conversations.load(conversation_id) != Conversation(conversation_id):
            self._conversations.save(Conversation(conversation_id))

    def parse(self, query: str) -> ParsedQuestion:
        """Take the conditions out of *query*, as is done for a question.

        Raises:
            QuerySyntaxError: If an operator is used wrongly.
        """
        return self._now().asking.parse(query)

    def verify(self, answer_id: str) -> Answer:
        """Check the quotes of an earlier answer against the collection as it is now.

        Raises:
            UnknownAnswerError: If no answer of that id is kept.
        """
        return self._verified(self._now(), answer_id)

    def replay(self, answer_id: str) -> Answer:
        """Give an earlier answer again, with what has changed since.

        Raises:
            UnknownAnswerError: If no answer of that id is kept.
        """
        return self._replayed(self._now(), answer_id)

    def _now(self) -> _Desk:
        """Return what answers from the collection as it is now; one message is answered by one of these."""
        engine = self._engines.latest()
        desk = self._desk
        if desk.engine is not engine:
            self._desk = desk = _Desk.on(engine, self._clock)
        return desk

    def _verified(self, desk: _Desk, answer_id: str) -> Answer:
        return verify_report(self._recorded(answer_id), desk.engine.collection)

    def _replayed(self, desk: _Desk, answer_id: str) -> Answer:
        record = self._recorded(answer_id)
        talk = Conversation.from_json(record.state)
        return replay_report(
            record, desk.engine.collection, lambda: self._reply(desk, talk, record.question, record.k).answer
        )

    def _recorded(self, answer_id: str) -> AnswerRecord:
        if self._answers is None:
            raise UnknownAnswerError(answer_id)
        return self._answers.find(answer_id)

    def _reply(self, desk: _Desk, talk: Conversation, message: str, k: int) -> Reply:
        if command := parse_command(message):
            reply = self._carry_out(desk, talk, command, k)
            if reply is not None:
                return reply
        elif message.strip().startswith("/"):
            return Reply(Answer("", "", Verdict.REPLY, lead=_unknown_command(message)), talk)
        parsed = desk.asking.parse(message)
        if not parsed.text and not parsed.conditions:
            return Reply(Answer("", "", Verdict.REPLY, lead="Ask a question, or say “help”."), talk)
        fact = self._pointed(desk, talk, parse_fact(parsed.text))
        of_all = self._of_all(desk, talk, fact, parsed, k) if fact else None
        return of_all or desk.asking.ask(talk, parsed, k=k)

    def _of_all(self, desk: _Desk, talk: Conversation, fact: Fact, parsed: ParsedQuestion, k: int) -> Reply | None:
        """Answer from the collection as a whole; None when it is a question about the subject after all."""
        match fact.kind:
            case FactKind.CODE:
                return desk.browsing.code(talk, parsed, k=k)
            case FactKind.AUTHORS:
                return desk.browsing.authors(talk, fact.topic, parsed)
        answer = desk.facts.answer(fact, parsed)
        if answer is None:
            return None
        return Reply(answer, _with_list(talk, answer, fact, parsed) if answer.listing else talk)

    def _pointed(self, desk: _Desk, talk: Conversation, fact: Fact | None) -> Fact | None:
        """Put the entry's title for "it" and for a number in "who wrote it?", when one is on the table."""
        if fact is None or fact.kind is not FactKind.AUTHORS:
            return fact
        number = fact.topic.removeprefix("number ").lstrip("#")
        entry_id = talk.entry_id(int(number)) if number.isdecimal() and len(number) < _LONGEST_NUMBER else None
        if fact.topic.lower() in _POINTING:
            entry_id = talk.focus
        if entry_id is None or entry_id not in desk.engine.collection:
            return fact
        return replace(fact, topic=desk.engine.collection.entry(entry_id).title)

    def _carry_out(self, desk: _Desk, talk: Conversation, command: Command, k: int) -> Reply | None:
        """Carry out a command; None when the message is a question after all ("only for discrete data?")."""
        if desk.table.handles(command):
            return desk.table.reply(talk, command)
        match command.verb:
            case Verb.MORE:
                reply = desk.browsing.more(talk, k=k)
            case Verb.LIKE:
                reply = desk.browsing.like(talk, command.numbers[0], k=k)
            case Verb.COMPARE:
                reply = desk.browsing.compare(talk, command.numbers)
            case Verb.ALL:
                reply = desk.asking.again(replace(talk, narrowing=()), (), k=k) if talk.question else _nothing_yet(talk)
            case Verb.VERIFY:
                reply = Reply(self._verified(desk, command.text), talk)
            case Verb.REPLAY:
                reply = Reply(self._replayed(desk, command.text), talk)
            case _:
                return self._narrow(desk, talk, command, k)
        return reply

    def _narrow(self, desk: _Desk, talk: Conversation, command: Command, k: int) -> Reply | None:
        conditions = self._conditions(desk, command)
        if not conditions:
            return None
        if not talk.numbered:
            return _nothing_yet(talk)
        return desk.asking.again(talk, conditions, k=k)

    def _conditions(self, desk: _Desk, command: Command) -> tuple[Condition, ...]:
        if command.verb is Verb.WITHOUT:
            return (Condition("word", fold(command.text), negated=True),)
        text = command.text
        venues = {canonical_venue(name): name for name in desk.engine.collection.venue_names}
        if name := venues.get(canonical_venue(text)):
            return (Condition("venue", canonical_venue(text), shown=name),)
        if text.isdigit() and len(text) == 4:
            return (Condition("year", f"{text}..{text}"),)
        author = text.removeprefix("by ")
        is_author = desk.asking.is_author(author)
        if author != text and (is_author or author[:1].isupper()):
            return (Condition("author", fold(author), shown=author),)
        if text.isupper() and text.isalpha():  # ICML: a venue that the collection does not have
            return (Condition("venue", canonical_venue(text), shown=text),)
        parsed = desk.asking.parse(text)
        return () if parsed.text else parsed.conditions

    def _answer_id(self, desk: _Desk, talk: Conversation, message: str, k: int) -> str:
        """Return an id that the same message in the same state of conversation, collection and version has again."""
        state = (version(), desk.engine.collection.fingerprint, talk.to_json(), message, str(k))
        return hashlib.sha256("\0".join(state).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _nothing_yet(talk: Conversation) -> Reply:
    return Reply(Answer("", "", Verdict.REPLY, lead=NO_RESULTS), talk)


def _with_list(talk: Conversation, answer: Answer, fact: Fact, parsed: ParsedQuestion) -> Conversation:
    """Return *talk* with the entries that *answer* lists on the table, under the numbers that the list shows."""
    listed = tuple(entry.entry_id for entry in answer.listing[:MAX_NUMBERED])
    return Conversation(
        talk.conversation_id,
        question=fact.topic,
        narrowing=tuple(condition.expression for condition in parsed.conditions),
        ranking=listed,
        numbered=listed,
        focus=listed[0],
        questions=talk.questions,
    )


def _encodable(text: str) -> str:
    """Return *text* without halves of surrogate pairs, which no file and no terminal takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _typed(message: str) -> str:
    """Return *message* without what a terminal would obey: whole escape sequences, and single control characters."""
    return "".join(c for c in _ESCAPE.sub("", _encodable(message)) if c.isspace() or unicodedata.category(c) != "Cc")


def _unknown_command(message: str) -> str:
    typed = printable(message.split(maxsplit=1)[0])[:40]
    nearest = nearest_command(message)
    if typed == f"/{nearest}":
        return f"{typed} cannot be read with what follows it. /help lists the commands."
    hint = f"Did you mean /{nearest}?" if nearest else "/help lists the commands."
    return f"There is no command {typed}. {hint}"
