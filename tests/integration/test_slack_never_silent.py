"""Never silent: an ack at once, an answer or an error always, and a socket that does not die unnoticed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.adapters.slack.sockets import SocketTransport
from bot.errors import PlatformError, SettingsError
from bot.model import Answer
from tests.fakes.slack import Allowed, Error, FakeSlack, HttpStatus, RateLimited, RefuseBlocks, Slow, check
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, ENTRY, Desk, said


class Broken:
    """Answers nothing."""

    def answer(self, message: str, *, conversation_id: str | None = None, k: int = 3) -> Answer:
        raise ZeroDivisionError("a secret detail: xoxb-1-2")


async def test_a_failure_is_answered_with_an_incident_and_nothing_else(
    slack: FakeSlack, ada: Person, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    async with desk.running(answering=Broken()):
        question = ada.says("#papers", f"@pullquote {ASKED}")
        answer = await slack.reply_to(question)
        await slack.quiet()

    incident = next(str(vars(r)["incident"]) for r in caplog.records if "incident" in vars(r))
    assert incident in answer.text
    assert "secret" not in answer.text
    check(slack)


@pytest.mark.parametrize(
    ("typed", "says"), [("x" * 3_000, "at most 2,000 are read"), ("", "Ask a question"), ("title:", "")]
)
async def test_odd_questions_are_answered_too(slack: FakeSlack, ada: Person, desk: Desk, typed: str, says: str) -> None:
    async with desk.running():
        answer = await slack.reply_to(ada.says("#papers", f"@pullquote {typed}"))
        await slack.quiet()

    assert says in answer.text
    check(slack)


async def test_blocks_that_slack_refuses_become_plain_text(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("chat.postMessage", RefuseBlocks())
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        answer = await slack.reply_to(question)
        await slack.quiet()

    assert (answer.blocks, ENTRY in answer.text) == ((), True)
    check(slack, Allowed(errors=["invalid_blocks"]))


async def test_the_bot_waits_as_long_as_slack_asks_it_to(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("chat.postMessage", RateLimited(1), times=2)
    async with desk.running() as bot:
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert bot.worker is not None
    assert bot.worker.poster.waited_s == 2
    assert len(said(slack, question)) == 1
    check(slack)


async def test_posts_in_one_channel_are_paced(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with desk.running(pace_s=1.05) as bot:
        assert bot.worker is not None
        bot.worker.poster.turns.sleep = sleep
        for _ in range(3):
            ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert len(waits) == 2
    assert all(0 < wait <= 2.1 for wait in waits)


async def test_a_slow_answer_shows_that_something_is_under_way(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("chat.postMessage", Slow(2))
    async with desk.running() as bot:
        assert bot.worker is not None
        bot.worker.status_after_s = 0.0
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.until(lambda: bool(slack.calls_of("assistant.threads.setStatus")))
        await slack.until(lambda: bool(slack.calls_of("chat.postMessage")))
        await slack.advance(3)
        await slack.reply_to(question)
        await slack.quiet()

    assert slack.calls_of("assistant.threads.setStatus")[0].error is None
    check(slack)


async def test_a_person_is_told_when_the_channel_cannot_be_answered_in(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    slack.faults.api("chat.postMessage", Error("not_in_channel"))
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.until(lambda: bool(slack.workspace.messages(ada.dm_channel.id)))
        await slack.quiet()

    assert "/invite" in slack.workspace.messages(ada.dm_channel.id)[0].text
    slack.workspace.drop(question)
    check(slack)


async def test_what_is_not_handled_is_acked_all_the_same(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        message = ada.says("#papers", "good morning all")
        ada.edits(message, "good evening all")
        ada.deletes(message)
        slack.publish(slack.workspace.store, "app_mention", {"type": "something_new", "user": ada.id})
        await slack.quiet()

    assert {delivery.state for delivery in slack.deliveries} == {"acked"}
    assert slack.workspace.posts == []


@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_a_socket_that_slack_closes_is_replaced(slack: FakeSlack, ada: Person, desk: Desk, reason: Any) -> None:
    async with desk.running():
        await slack.sockets.disconnect(reason)
        await slack.connected()
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.advance(70)
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


async def test_an_expired_socket_address_is_given_up(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running(ping_s=0.02, check_s=0.05) as bot:
        slack.sockets.stale_urls = 1
        await slack.sockets.disconnect("refresh_requested")
        await slack.until(lambda: slack.sockets.refused > 0)
        await slack.connected()
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()
        rebuilt = getattr(bot.transport, "rebuilt", None)

    assert (len(said(slack, question)), rebuilt) == (1, 0)


async def test_a_half_open_socket_is_noticed_and_replaced(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running(ping_s=0.1, check_s=0.1):
        slack.sockets.open[0].frozen = True
        await slack.until(lambda: any(not connection.frozen for connection in slack.sockets.open))
        slack.sockets.connections[0].drop()
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


async def test_a_closed_session_is_noticed_and_the_client_rebuilt(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running(check_s=0.05) as bot:
        assert isinstance(bot.transport, SocketTransport)
        assert bot.transport._handler is not None
        await bot.transport._handler.client.aiohttp_client_session.close()
        await slack.until(lambda: getattr(bot.transport, "rebuilt", 0) > 0)
        await slack.connected()
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


async def test_a_socket_that_nothing_helps_ends_the_program(slack: FakeSlack, desk: Desk) -> None:
    with pytest.RaisesGroup(PlatformError, flatten_subgroups=True):
        async with desk.running(ping_s=0.01, check_s=0.01) as bot:
            slack.sockets.stale_urls = 10_000
            slack.sockets.connections[0].drop()
            await asyncio.wait_for(bot.over(), 10)


async def test_slack_failing_at_the_start_is_waited_for(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("auth.test", HttpStatus(503, html=True))
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


@pytest.mark.parametrize("tokens", [{"bot_token": "xoxb-wrong"}, {"app_token": "xapp-wrong"}])
async def test_a_wrong_token_ends_the_start_with_its_name(slack: FakeSlack, desk: Desk, tokens: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=next(iter(tokens)).upper()):
        async with desk.running(**tokens):
            pass


async def test_missing_scopes_are_named_with_what_they_cost(
    slack: FakeSlack, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    slack.workspace.grant("app_mentions:read", "chat:write", "commands", "im:history")
    async with desk.running():
        pass

    missing = {vars(r)["scope"]: vars(r)["lost"] for r in caplog.records if r.getMessage() == "scope missing"}
    assert set(missing) == {"assistant:write", "channels:history", "groups:history", "reactions:read"}
    assert "follow-ups" in missing["channels:history"]


async def test_health_says_whether_deliveries_come_in(slack: FakeSlack, desk: Desk) -> None:
    async with desk.running() as bot:
        health = await bot.health()

    assert health == {"ok": True, "slack": "connected", "open": 0, "oldest_s": 0}
    assert not (await bot.health())["ok"]
