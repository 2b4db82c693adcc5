"""What Slack delivers, read: questions, opinions, and what is none of our business."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack.events import Ignored, Opinion, Question, read
from bot.adapters.slack.policy import Rules, Usage, ignores, over_quota, wants_follow_up

BOT = "U0BOT"
QUESTION = Question("follow_up", "Ev1", "T1", "", "C1", "U1", "2.0", "which datasets?", thread="1.0")


def message(**event: Any) -> dict[str, Any]:
    usual = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": "1.5", "text": "hello"}
    return {"type": "event_callback", "event_id": "Ev1", "team_id": "T1", "event": {**usual, **event}}


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "app_mention", "text": f"<@{BOT}> hello"}, "mention"),
        ({"text": f"hello <@{BOT}>"}, "mention"),
        ({"text": f"hello <@{BOT}|pullquote>"}, "mention"),
        ({"channel_type": "im"}, "direct"),
        ({"channel_type": "im", "text": f"<@{BOT}> hello"}, "direct"),
        ({"thread_ts": "1.0"}, "follow_up"),
        ({"thread_ts": "1.0", "subtype": "thread_broadcast"}, "follow_up"),
        ({"channel_type": "im", "subtype": "file_share"}, "direct"),
    ],
)
def test_a_message_is_read_as_its_kind(event: Mapping[str, Any], kind: str) -> None:
    question = read(message(**event), bot_user_id=BOT)

    assert isinstance(question, Question)
    assert (question.kind, question.text) == (kind, "hello")


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"subtype": "message_changed"}, "subtype"),
        ({"subtype": "message_deleted"}, "subtype"),
        ({"subtype": "channel_join"}, "subtype"),
        ({"bot_id": "B1", "text": f"<@{BOT}>"}, "bot"),
        ({"user": BOT}, "bot"),
        ({"user": "USLACKBOT"}, "bot"),
        ({"user": None}, "bot"),
        ({}, "not addressed"),
        ({"channel_type": "mpim", "thread_ts": "1.0"}, "not addressed"),
        ({"ts": ""}, "incomplete"),
    ],
)
def test_what_is_not_for_the_bot_is_ignored_with_a_reason(event: Mapping[str, Any], reason: str) -> None:
    assert read(message(**event), bot_user_id=BOT) == Ignored(reason)


def test_the_two_events_of_one_mention_are_the_same_question() -> None:
    text = f"<@{BOT}> hello"
    first = read(message(type="app_mention", text=text), bot_user_id=BOT)
    second = read(message(text=text) | {"event_id": "Ev2"}, bot_user_id=BOT)

    assert isinstance(first, Question)
    assert second == replace(first, event_id="Ev2")


def test_the_same_ts_in_another_workspace_is_another_question() -> None:
    first = read(message(channel_type="im"), bot_user_id=BOT)
    second = read(message(channel_type="im") | {"team_id": "T2"}, bot_user_id=BOT)

    assert isinstance(first, Question)
    assert isinstance(second, Question)
    assert first.key != second.key
    assert first.conversation_id != second.conversation_id


def test_a_feedback_button_is_an_opinion() -> None:
    action = {"action_id": "feedback", "block_id": "feedback:abc", "value": "bad"}
    body = {"type": "block_actions", "actions": [action], "team": {"id": "T1"}, "user": {"id": "U1"}}

    opinion = read({**body, "channel": {"id": "C1"}, "response_url": "https://x"}, bot_user_id=BOT)

    assert opinion == Opinion("T1", "C1", "U1", "abc", helpful=False, response_url="https://x")


@given(
    st.recursive(
        st.none() | st.text(max_size=8) | st.integers(),
        lambda inner: (
            st.dictionaries(
                st.sampled_from(
                    ["type", "event", "actions", "command", "channel", "user", "ts", "text", "team", "message"]
                ),
                inner,
            )
            | st.lists(inner, max_size=2)
        ),
        max_leaves=12,
    )
)
def test_a_body_of_any_shape_is_read_without_a_failure(body: object) -> None:
    found = read(body if isinstance(body, dict) else {"event": body}, bot_user_id=BOT)

    assert found is None or isinstance(found, Question | Opinion | Ignored)


def test_a_question_comes_back_from_the_store() -> None:
    assert Question.from_json(QUESTION.to_json()) == QUESTION


@pytest.mark.parametrize(
    ("rules", "change", "reason"),
    [
        ({}, {}, None),
        ({"answers": False}, {}, "switched off"),
        ({"deny_users": ["U1"]}, {}, "person denied"),
        ({"deny_channels": ["C1"]}, {}, "channel denied"),
        ({"allow_channels": ["C2"]}, {}, "channel not allowed"),
        ({"allow_channels": ["C2"]}, {"kind": "direct"}, None),
        ({"guests": False}, {"external": True}, "guest"),
        ({}, {"external": True}, None),
    ],
)
def test_rules_say_who_is_passed_over(rules: dict[str, Any], change: dict[str, Any], reason: str | None) -> None:
    assert ignores(Rules.model_validate(rules), replace(QUESTION, **change)) == reason


@pytest.mark.parametrize(
    ("rules", "text", "joined", "last", "wanted"),
    [
        ({"follow_up": "joined_threads"}, "which datasets?", True, False, True),
        ({"follow_up": "joined_threads"}, "which datasets?", False, False, False),
        ({"follow_up": "joined_threads"}, "and the code", True, True, True),
        ({"follow_up": "joined_threads"}, "I agree", True, False, False),
        ({"follow_up": "joined_threads"}, "more", True, True, True),
        ({"follow_up": "joined_threads"}, "more", True, False, False),
        ({"follow_up": "joined_threads"}, "thanks!", True, True, False),
        ({}, "which datasets?", True, True, False),
        ({"channels": {"C1": "joined_threads"}}, "which datasets?", True, True, True),
        ({"follow_up": "joined_threads", "channels": {"C1": "mention_only"}}, "why?", True, True, False),
    ],
)
def test_follow_ups_are_wanted_where_threads_are_followed(
    rules: dict[str, Any], text: str, *, joined: bool, last: bool, wanted: bool
) -> None:
    question = replace(QUESTION, text=text)

    found = wants_follow_up(Rules.model_validate(rules), question, joined=joined, answered_last=last)

    assert found is wanted


def test_what_mentions_somebody_else_is_not_a_follow_up() -> None:
    rules = Rules(follow_up="joined_threads")

    assert not wants_follow_up(rules, replace(QUESTION, others=True), joined=True, answered_last=True)


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        (Usage(0, 0, 0, warned=False), None),
        (Usage(20, 0, 0, warned=False), "many questions"),
        (Usage(20, 0, 0, warned=True), ""),
        (Usage(0, 60, 0, warned=False), "many questions"),
        (Usage(0, 0, 10, warned=False), "one thread"),
    ],
)
def test_too_much_is_said_once(usage: Usage, says: str | None) -> None:
    said = over_quota(Rules(), usage)

    assert said == says if not says else says in (said or "")
