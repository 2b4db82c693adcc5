"""Each oracle is silent about an app that behaves and speaks up about one that does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from tests.fakes.slack import Allowed, FakeSlack, Message, check, violations
from tests.fakes.slack.bolted import bolt_app, client_of, running
from tests.fakes.slack.mrkdwn import Token, parse, to_html

QUIET = {"unfurl_links": False, "unfurl_media": False}


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        slack.courier.transport = None
        yield slack


@pytest.fixture
async def question(slack: FakeSlack) -> Message:
    return slack.workspace.user("ada").says("#papers", "@pullquote what is attention?")


async def post(slack: FakeSlack, channel: str = "#papers", text: str = "an answer", **more: Any) -> str:
    arguments = {"channel": channel, "text": text, **QUIET, **more}
    return str((await client_of(slack).api_call("chat.postMessage", json=arguments))["ts"])


def laws(slack: FakeSlack, **allowed: Any) -> list[str]:
    return [violation.law for violation in violations(slack, Allowed(late=True, **allowed))]


async def test_an_app_that_behaves_breaks_no_law(slack: FakeSlack, question: Message) -> None:
    await post(slack, thread_ts=question.ts)

    assert laws(slack) == []


async def test_a_top_level_post_is_noticed_unless_allowed(slack: FakeSlack) -> None:
    await post(slack, text="digest")

    assert laws(slack) == ["no top-level post in a channel"]
    assert laws(slack, top_level=lambda message: message.text == "digest") == []


async def test_a_broadcast_reply_is_noticed(slack: FakeSlack, question: Message) -> None:
    await post(slack, thread_ts=question.ts, reply_broadcast=True)

    assert laws(slack) == ["no top-level post in a channel"]


async def test_a_second_answer_is_noticed(slack: FakeSlack, question: Message) -> None:
    await post(slack, thread_ts=question.ts)
    await post(slack, thread_ts=question.ts)

    assert laws(slack) == ["one answer for a question"]


async def test_a_second_answer_that_names_its_question_is_noticed_among_others(
    slack: FakeSlack, question: Message
) -> None:
    bob = slack.workspace.user("bob")
    second = bob.says("#papers", "@pullquote and recurrence?", thread=question)
    for asked in (question, second, question):
        metadata = {"event_type": "pullquote_answer", "event_payload": {"for": asked.ts}}
        await post(slack, thread_ts=question.ts, metadata=metadata)

    assert laws(slack) == ["one answer for a question"]


async def test_an_open_question_is_noticed_unless_dropped_or_deleted(slack: FakeSlack, question: Message) -> None:
    ada = slack.workspace.user("ada")
    gone = ada.says("#papers", "@pullquote never mind")
    ada.deletes(gone)

    assert laws(slack) == ["every question is answered"]
    slack.workspace.drop(question)
    assert laws(slack) == []


async def test_chatter_needs_no_answer_and_direct_messages_do(slack: FakeSlack) -> None:
    ada = slack.workspace.user("ada")
    ada.says("#papers", "just talking")
    asked = ada.dm("what is attention?")

    assert laws(slack) == ["every question is answered"]
    await post(slack, asked.channel_id, thread_ts=asked.ts)
    assert laws(slack) == []


@pytest.mark.parametrize(
    "content",
    [
        {"text": "<!channel> look"},
        {"text": "hello <!here|here>"},
        {"text": "<@U0SOMEBODY> look"},
        {"text": "<!subteam^S1|@team>"},
        {"text": "look @here", "link_names": True},
        {"text": "look @channel", "parse": "full"},
        {"text": "t", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "a <!everyone> b"}}]},
        {"text": "t", "blocks": [{"type": "context", "elements": [{"type": "mrkdwn", "text": "<@U1>"}]}]},
        {
            "text": "t",
            "blocks": [
                {
                    "type": "rich_text",
                    "elements": [
                        {"type": "rich_text_section", "elements": [{"type": "broadcast", "range": "channel"}]}
                    ],
                }
            ],
        },
    ],
)
async def test_a_live_mention_is_noticed(slack: FakeSlack, question: Message, content: dict[str, Any]) -> None:
    await post(slack, thread_ts=question.ts, **content)

    assert "no live mention" in laws(slack)


@pytest.mark.parametrize(
    "content",
    [
        {"text": "&lt;!channel&gt; look"},
        {"text": "look @here and @channel"},
        {"text": "t", "blocks": [{"type": "section", "text": {"type": "plain_text", "text": "<!channel>"}}]},
        {
            "text": "t",
            "blocks": [
                {
                    "type": "rich_text",
                    "elements": [
                        {"type": "rich_text_quote", "elements": [{"type": "text", "text": "<!channel> <@U1>"}]}
                    ],
                }
            ],
        },
    ],
)
async def test_what_only_looks_like_a_mention_is_inert(
    slack: FakeSlack, question: Message, content: dict[str, Any]
) -> None:
    await post(slack, thread_ts=question.ts, **content)

    assert laws(slack) == []


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("<https://arxiv.org/abs/1|a paper>", False),
        ("<https://evil.example/|a paper>", True),
        ("see https://evil.example/x", True),
        ("<mailto:a@evil.example|write>", True),
        ("&lt;https://arxiv.org/abs/1|a paper&gt;", False),
    ],
)
async def test_a_foreign_link_is_noticed(slack: FakeSlack, question: Message, text: str, foreign: bool) -> None:
    await post(slack, thread_ts=question.ts, text=text)

    assert ("no foreign link" in laws(slack, hosts={"arxiv.org"})) is foreign


async def test_a_post_without_text_or_with_unfurling_is_noticed(slack: FakeSlack, question: Message) -> None:
    divider = [{"type": "divider"}]
    await client_of(slack).api_call(
        "chat.postMessage", json={"channel": "#papers", "thread_ts": question.ts, "blocks": divider}
    )

    assert laws(slack) == ["every post has a text", "unfurling is off"]


@pytest.mark.parametrize(
    "text",
    [
        "sorry: xoxb-123-456",
        "use xapp-1-A1",
        'sorry: Traceback (most recent call last):\n  File "bot.py", line 3',
        "posting to https://hooks.slack.com/commands/T1/2/3",
        "signed with fake-signing-secret",
    ],
)
async def test_a_leak_is_noticed(slack: FakeSlack, question: Message, text: str) -> None:
    await post(slack, thread_ts=question.ts, text=text)

    assert "no secret in a text" in laws(slack)


async def test_a_leak_in_an_ephemeral_block_is_noticed(slack: FakeSlack) -> None:
    ada = slack.workspace.user("ada")
    ada.says("#papers", "hi")
    blocks = [{"type": "section", "text": {"type": "plain_text", "text": slack.workspace.bot_token}}]

    await client_of(slack).chat_postEphemeral(channel="#papers", user=ada.id, text="t", blocks=blocks)

    assert "no secret in a text" in laws(slack)


@pytest.mark.parametrize(
    ("method", "arguments", "law"),
    [
        ("users.info", {"user": "U1"}, "calls stay within the scopes"),
        ("chat.shout", {}, "calls stay within the scopes"),
        ("auth.test", {"loud": 1}, "arguments exist"),
        ("chat.postMessage", {"channel": "#papers", "text": "t", "blocks": [{"type": "header"}]}, "blocks are valid"),
        ("chat.postMessage", {"channel": "#papers", "text": ""}, "blocks are valid"),
    ],
)
async def test_a_call_that_slack_refuses_is_noticed(
    slack: FakeSlack, method: str, arguments: dict[str, Any], law: str
) -> None:
    with suppress(SlackApiError):
        await client_of(slack).api_call(method, json=arguments)

    assert laws(slack) == [law]


async def test_a_missing_ack_is_noticed() -> None:
    async with FakeSlack() as slack, running(slack, bolt_app(slack)):
        slack.workspace.user("ada").says("#papers", "chatter")
        await slack.settle_own()
        await slack.advance(3)

        with pytest.raises(AssertionError, match="acks come in time"):
            check(slack)


def test_mrkdwn_is_read_as_slack_reads_it() -> None:
    text = "a &amp; b <@U1|ada> <#C1|papers> <!here> <https://x.org/?a=1&amp;b=2|x> https://y.org/z. &lt;@U1&gt;"

    tokens = [token for token in parse(text) if token.kind != "text"]

    assert tokens == [
        Token("user", "U1", "ada"),
        Token("channel", "C1", "#papers"),
        Token("broadcast", "here", "@here"),
        Token("link", "https://x.org/?a=1&b=2", "x"),
        Token("autolink", "https://y.org/z", "https://y.org/z"),
    ]
    assert parse(text)[0] == Token("text", "", "a & b ")
    assert parse(text)[-1] == Token("text", "", ". <@U1>")


def test_mrkdwn_becomes_html_with_everything_escaped() -> None:
    shown = to_html("*bold* &lt;script&gt; <https://x.org/?q=\"|a 'label'> `x_1` <javascript:alert(1)|x>", {})

    assert "<strong>bold</strong>" in shown
    assert "&lt;script&gt;" in shown
    assert 'href="https://x.org/?q=&quot;"' in shown
    assert "<code>x_1</code>" in shown
    assert 'href="javascript' not in shown
