"""A careful app passes every oracle under a seeded storm of faults; a careless one is caught by them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError

from tests.fakes.slack import (
    Allowed,
    DropAfter,
    DropBefore,
    Error,
    FakeSlack,
    HttpStatus,
    Message,
    RateLimited,
    RefuseBlocks,
    check,
    violations,
)
from tests.fakes.slack.bolted import client_of, running
from tests.fakes.slack.faults import ApiFault

BLOCKS = [{"type": "section", "text": {"type": "plain_text", "text": "quoted & <unescaped>"}}]


class Careful:
    """Answers each question once: it remembers event and message, and looks before it posts again."""

    def __init__(self, slack: FakeSlack) -> None:
        self.slack, self.client = slack, client_of(slack)
        self.seen: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.app = AsyncApp(client=self.client, raise_error_for_unhandled_request=True)
        self.app.event("app_mention")(self.asked)
        self.app.event("message")(self.heard)
        self.app.error(self.failed)

    async def failed(self, error: Exception) -> BoltResponse:
        assert isinstance(error, BoltUnhandledRequestError)
        return BoltResponse(status=200, body="")

    async def heard(self, event: dict[str, Any]) -> None:
        if event.get("channel_type") == "im" and not event.get("bot_id") and not event.get("subtype"):
            await self.asked(event)

    async def asked(self, event: dict[str, Any]) -> None:
        key = f"{event['channel']}:{event['ts']}"
        if key not in self.seen and not event.get("bot_id"):
            self.seen.add(key)
            task = asyncio.create_task(self.answer(event))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def answer(self, event: dict[str, Any]) -> None:
        content: dict[str, Any] = {"text": "an answer", "blocks": BLOCKS}
        for _ in range(20):
            try:
                await self.post(event, **content)
            except SlackApiError as refused:
                if refused.response["error"] == "invalid_blocks":
                    content = {"text": "an answer"}
            except aiohttp.ClientError:
                pass
            else:
                return
            if await self.stands(event):
                return

    async def post(self, event: dict[str, Any], **content: Any) -> None:
        metadata = {"event_type": "pullquote_answer", "event_payload": {"for": event["ts"]}}
        root = event.get("thread_ts") or event["ts"]
        flags: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}
        await self.client.chat_postMessage(
            channel=event["channel"], thread_ts=root, metadata=metadata, **content, **flags
        )

    async def stands(self, event: dict[str, Any]) -> bool:
        root = event.get("thread_ts") or event["ts"]
        thread = await self.client.conversations_replies(channel=event["channel"], ts=root, include_all_metadata=True)
        found = [message.get("metadata", {}).get("event_payload", {}).get("for") for message in thread["messages"]]
        return event["ts"] in found


class Careless(Careful):
    """Answers whatever comes, as often as it comes."""

    async def asked(self, event: dict[str, Any]) -> None:
        await self.post(event, text="<!here> an answer")


async def storm(slack: FakeSlack, *, seed: int, questions: int) -> None:
    """Let three people ask, while deliveries are doubled, lost and reordered and calls fail in every way."""
    dice = random.Random(seed)
    people = [slack.workspace.user(name) for name in ("ada", "grace", "linus")]
    troubles: list[Callable[[], None]] = [slack.faults.duplicate, slack.faults.ignore_acks, slack.faults.hold]
    api: list[ApiFault] = [
        DropAfter(),
        DropBefore(),
        Error("internal_error"),
        Error("fatal_error", applied=True),
        HttpStatus(503),
    ]
    asked: list[Message] = []
    for n in range(questions):
        if dice.random() < 0.4:
            dice.choice(troubles)()
        if dice.random() < 0.4:
            slack.faults.api("chat.postMessage", dice.choice([*api, RateLimited(1), RefuseBlocks()]))
        person, thread = dice.choice(people), dice.choice([None, *asked[-3:]])
        if dice.random() < 0.3:
            person.dm(f"question {n}")
        else:
            asked.append(person.says("#papers", f"@pullquote question {n}", thread=thread))
        person.says("#papers", "chatter")
        if dice.random() < 0.5:
            slack.release("shuffled", seed=seed)
            await slack.quiet()
            await slack.advance(3)
    slack.release("shuffled", seed=seed)
    await slack.quiet()
    await slack.advance(600)
    await slack.quiet()


async def stormed(make: type[Careful], *, seed: int, questions: int = 40) -> FakeSlack:
    slack = FakeSlack()
    slack.rates.per_minute.clear()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(slack)
        app = make(slack)
        slack.idle.append(lambda: not app.tasks)
        for _ in range(2):
            await stack.enter_async_context(running(slack, app.app))
        await storm(slack, seed=seed, questions=questions)
    return slack


@pytest.mark.parametrize("seed", range(5))
async def test_a_careful_app_breaks_no_law_in_a_storm(seed: int) -> None:
    slack = await stormed(Careful, seed=seed)

    check(slack)
    assert len(slack.faults.struck) > 3


async def test_a_careless_app_is_caught() -> None:
    slack = await stormed(Careless, seed=1)

    laws = {violation.law for violation in violations(slack, Allowed())}
    assert {"no live mention", "one answer for a question"} <= laws


async def test_quiet_waits_for_an_app_that_says_when_it_is_idle() -> None:
    async with FakeSlack() as slack:
        app, gate = Careful(slack), asyncio.Event()
        slack.idle.append(lambda: not app.tasks)
        answer = app.answer

        async def slowly(event: dict[str, Any]) -> None:
            await gate.wait()
            await answer(event)

        app.answer = slowly  # type: ignore[method-assign]
        async with running(slack, app.app):
            question = slack.workspace.user("ada").says("#papers", "@pullquote hello")
            waiting = asyncio.create_task(slack.quiet())
            await slack.until(lambda: bool(app.tasks))
            assert not waiting.done()

            gate.set()
            await waiting

        assert [message.text for message in slack.workspace.replies(question)] == ["an answer"]
