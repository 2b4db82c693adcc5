"""Commands that work with the numbered results."""

from __future__ import annotations

import pytest

from bot.commands import Command, Verb
from bot.conversation import Conversation
from bot.model import Verdict
from bot.results import HELP, NO_RESULTS, TableCommands
from tests.fakes.entries import THREE, engine_on, entry

_TALK = Conversation("t", question="causal bandits").show(("a", "b"))


@pytest.fixture(scope="module")
def table() -> TableCommands:
    return TableCommands(engine_on([*THREE, entry("d", "Empty", "")]))


@pytest.mark.parametrize("verb", [Verb.OPEN, Verb.WHY, Verb.BIB, Verb.CITE])
def test_before_any_result_the_reply_says_so(table: TableCommands, verb: Verb) -> None:
    reply = table.reply(Conversation("t"), Command(verb, (1,)))

    assert (reply.answer.lead, reply.conversation) == (NO_RESULTS, Conversation("t"))


@pytest.mark.parametrize("number", [0, 3, 9999])
def test_a_number_that_was_not_given_out_names_those_that_were(table: TableCommands, number: int) -> None:
    reply = table.reply(_TALK, Command(Verb.OPEN, (number,)))

    assert f"no result {number}" in reply.answer.lead
    assert "1 to 2" in reply.answer.lead
    assert reply.conversation == _TALK


def test_open_shows_the_whole_abstract_and_turns_the_talk_to_it(table: TableCommands) -> None:
    reply = table.reply(_TALK, Command(Verb.OPEN, (2,)))

    assert THREE[1].abstract in reply.answer.lead
    assert "NeurIPS 2025 · https://example.org/b" in reply.answer.lead
    assert reply.conversation.focus == "b"


def test_open_says_where_there_is_no_abstract(table: TableCommands) -> None:
    reply = table.reply(_TALK.show(("d",)), Command(Verb.OPEN, (3,)))

    assert reply.answer.lead.endswith("There is no abstract.")


def test_why_explains_the_entry_for_the_question_on_the_table(table: TableCommands) -> None:
    reply = table.reply(_TALK, Command(Verb.WHY, (1,)))

    assert "- causal: abstract" in reply.answer.lead
    assert "Score: " in reply.answer.lead


def test_bib_gives_the_records_to_copy_one_or_all(table: TableCommands) -> None:
    one, every = (table.reply(_TALK, Command(Verb.BIB, numbers)).answer for numbers in ((2,), ()))

    assert one.verbatim.count("@") == 1
    assert "Masks for Recommenders" in one.verbatim
    assert every.verbatim.count("\n@") == 1


def test_cite_gives_one_line_an_entry(table: TableCommands) -> None:
    answer = table.reply(_TALK, Command(Verb.CITE)).answer

    assert answer.verbatim.splitlines() == [
        "Ada Smith, Bo Chen. Budgeted Bandits. ICLR 2026.",
        "Masks for Recommenders. NeurIPS 2025. https://example.org/b",
    ]


def test_clear_takes_everything_off_the_table(table: TableCommands) -> None:
    assert table.reply(_TALK, Command(Verb.CLEAR)).conversation == Conversation("t")


@pytest.mark.parametrize("verb", [Verb.HELP, Verb.GREETING, Verb.THANKS, Verb.QUIT])
def test_talk_is_answered_without_a_quote_and_leaves_the_table_alone(table: TableCommands, verb: Verb) -> None:
    reply = table.reply(_TALK, Command(verb))

    assert (reply.answer.verdict, reply.answer.quotes, reply.conversation) == (Verdict.REPLY, (), _TALK)
    assert reply.answer.lead


def test_the_help_names_what_a_conversation_can_do() -> None:
    assert all(word in HELP for word in ("more", "open 2", "compare", "only", "why", "bib", "cite", "title:", "year:"))


def test_an_entry_that_has_left_the_collection_has_no_number_any_more(table: TableCommands) -> None:
    reply = table.reply(Conversation("t").show(("gone",)), Command(Verb.OPEN, (1,)))

    assert "no result 1" in reply.answer.lead
