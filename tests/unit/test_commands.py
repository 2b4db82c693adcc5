"""What is a command and what is a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import Command, Verb, nearest_command, parse_command


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("/help", Command(Verb.HELP)),
        ("What can you do?", Command(Verb.HELP)),
        ("hello!", Command(Verb.GREETING)),
        ("Hi there", Command(Verb.GREETING)),
        ("你好", Command(Verb.GREETING)),
        ("thanks", Command(Verb.THANKS)),
        ("great, thank you so much!", Command(Verb.THANKS)),
        ("more", Command(Verb.MORE)),
        ("/more", Command(Verb.MORE)),
        ("show me more", Command(Verb.MORE)),
        ("open 2", Command(Verb.OPEN, (2,))),
        ("/open 2", Command(Verb.OPEN, (2,))),
        ("tell me more about the second one", Command(Verb.OPEN, (2,))),
        ("more like 3", Command(Verb.LIKE, (3,))),
        ("/like 3", Command(Verb.LIKE, (3,))),
        ("compare 1 and 3", Command(Verb.COMPARE, (1, 3))),
        ("compare the first and the third", Command(Verb.COMPARE, (1, 3))),
        ("why 1", Command(Verb.WHY, (1,))),
        ("why", Command(Verb.WHY)),
        ("bib 1", Command(Verb.BIB, (1,))),
        ("cite", Command(Verb.CITE)),
        ("only 2026", Command(Verb.ONLY, text="2026")),
        ("only ICLR", Command(Verb.ONLY, text="ICLR")),
        ("by Smith", Command(Verb.ONLY, text="by Smith")),
        ("-survey", Command(Verb.WITHOUT, text="survey")),
        ("since 2024", Command(Verb.ONLY, text="since 2024")),
        ("/quit", Command(Verb.QUIT)),
    ],
)
def test_a_command_is_read(message: str, command: Command) -> None:
    assert parse_command(message) == command


@pytest.mark.parametrize("message", ["Open First", "OPEN THE SECOND", "Compare the First and the Third"])
def test_an_ordinal_may_be_written_large(message: str) -> None:
    assert parse_command(message) == parse_command(message.lower()) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What is PreDiff?",
        "more efficient attention for recommenders",
        "why do reinforcement learning policies fail?",
        "compare PreDiff and FSMD",
        "open problems in causal discovery",
        "like MARS, but for causal discovery",
        "who wrote MOCHA?",
        "help users choose a model",
        "",
    ],
)
def test_a_question_is_no_command(question: str) -> None:
    assert parse_command(question) is None


@given(st.text(max_size=300))
def test_any_text_is_read_without_failing(message: str) -> None:
    command = parse_command(message)

    assert command is None or isinstance(command, Command)


@pytest.mark.parametrize(("typed", "meant"), [("/hlep", "help"), ("/opne 2", "open"), ("/zzzz", None)])
def test_an_unknown_command_names_the_nearest(typed: str, meant: str | None) -> None:
    assert nearest_command(typed) == meant
