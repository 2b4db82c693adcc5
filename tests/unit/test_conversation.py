"""What a conversation remembers, and that it stays small."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation import MAX_NUMBERED, Conversation

_TEXT = st.text(max_size=20)
_TEXTS = st.lists(_TEXT, max_size=5).map(tuple)
_CONVERSATIONS = st.builds(
    Conversation, _TEXT, _TEXT, _TEXTS, _TEXTS, _TEXTS, st.none() | _TEXT, _TEXTS
)  # fmt: skip


@given(_CONVERSATIONS)
def test_what_is_written_is_read_again(talk: Conversation) -> None:
    assert Conversation.from_json(talk.to_json()) == talk


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "null", "{}", '"text"', json.dumps({"conversation_id": "c"}), '{"conversation_id": 1}']
)
def test_what_is_no_conversation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a conversation|Expecting|property"):
        Conversation.from_json(text)


@given(st.text(max_size=60))
def test_any_text_is_a_conversation_or_a_value_error(text: str) -> None:
    try:
        Conversation.from_json(text)
    except ValueError:
        return


def test_numbers_are_given_in_order_and_stay() -> None:
    talk = Conversation("c").show(("x", "y")).show(("y", "z", "z"))

    assert talk.numbered == ("x", "y", "z")
    assert [talk.entry_id(n) for n in (0, 1, 2, 3, 4, -1)] == [None, "x", "y", "z", None, None]
    assert [talk.number(entry_id) for entry_id in "xyz"] == [1, 2, 3]


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=4).map(tuple), max_size=6))
def test_a_number_once_given_never_means_another_entry(shown: list[tuple[str, ...]]) -> None:
    talk = Conversation("c")

    for entry_ids in shown:
        before, talk = talk, talk.show(entry_ids)
        assert talk.numbered[: len(before.numbered)] == before.numbered


def test_numbers_and_questions_are_bounded() -> None:
    talk = Conversation("c").show(tuple(map(str, range(1_000))))
    for number in range(1_000):
        talk = talk.asked(str(number))

    assert len(talk.numbered) == MAX_NUMBERED
    assert talk.questions[-1] == "999"
    assert len(talk.questions) < 20


def test_an_entry_that_was_not_shown_has_no_number() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Conversation("c").number("x")
