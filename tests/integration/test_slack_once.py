"""Never twice, never lost: whatever Slack delivers, and wherever the process stops, each question has one answer."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.slack.database import Database
from bot.adapters.slack.inbox import Inbox
from bot.adapters.slack.poster import Poster
from bot.errors import InboxError
from retrieval.engine import Engine
from tests.fakes.slack import (
    Allowed,
    DropAfter,
    DropBefore,
    Error,
    FakeSlack,
    HttpStatus,
    Message,
    RateLimited,
    check,
)
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, BROAD, ENTRY, FAR, Desk, LaterClock, make_slack, running, said


class KilledError(BaseException):
    """The process ends here."""


async def test_the_two_events_of_one_mention_have_one_answer(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert [delivery.label for delivery in slack.deliveries[:2]] == ["app_mention", "message.channels"]
    assert len(said(slack, question)) == 1
    check(slack)


async def test_a_delivery_that_comes_twice_at_once_has_one_answer(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.duplicate(2)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert len(said(slack, question)) == 1
    check(slack)


async def test_a_delivery_whose_ack_was_lost_comes_again_and_has_one_answer(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    slack.faults.ignore_acks(2)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()
        await slack.advance(400)
        await slack.quiet()

    assert max(len(delivery.attempts) for delivery in slack.deliveries) > 1
    assert len(said(slack, question)) == 1
    check(slack)


async def test_a_second_delivery_is_answered_when_the_first_never_arrived(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    """What a retry header says decides nothing: dropping redeliveries loses messages."""
    slack.faults.cut(2)
    async with desk.running(ping_s=0.05):
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.advance(3)
        await slack.connected()
        await slack.advance(70)
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


async def test_two_processes_share_the_work_and_answer_once(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.duplicate(8)
    async with desk.running(), desk.running():
        await slack.connected(2)
        questions = [ada.says("#papers", f"@pullquote {ASKED}") for _ in range(4)]
        await slack.quiet()

    assert [len(said(slack, question)) for question in questions] == [1, 1, 1, 1]
    assert all(connection.envelopes for connection in slack.sockets.connections)
    check(slack)


@pytest.mark.parametrize("fault", [DropAfter(), DropBefore(), Error("fatal_error", applied=True), HttpStatus(503)])
async def test_a_post_whose_answer_was_lost_is_looked_up_before_it_is_posted_again(
    slack: FakeSlack, ada: Person, desk: Desk, fault: Any
) -> None:
    slack.faults.api("chat.postMessage", fault)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1
    assert slack.calls_of("conversations.replies")
    check(slack)


async def test_without_leave_to_look_a_post_that_may_stand_is_not_posted_again(tmp_path: Path, engine: Engine) -> None:
    async with make_slack(history=False) as slack:
        slack.faults.api("chat.postMessage", DropAfter())
        async with running(slack, tmp_path, engine):
            question = slack.workspace.user("ada").says("#papers", f"@pullquote {ASKED}")
            await slack.reply_to(question)
            await slack.quiet()

        assert len(said(slack, question)) == 1


async def test_in_a_thread_too_long_to_look_through_a_post_that_may_stand_is_not_posted_again(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.slack.looking._PAGES", 0)
    slack.faults.api("chat.postMessage", DropBefore())
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert said(slack, question) == []


@pytest.mark.parametrize("step", ["usage", "keep_before", "ready", "posting", "finish"])
async def test_a_question_is_answered_although_the_inbox_fails_once_on_the_way(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    original, failures = getattr(Inbox, step), iter([True])

    async def failing(self: Inbox, *args: Any, **options: Any) -> Any:
        if next(failures, False):
            raise InboxError("database is locked")
        return await original(self, *args, **options)

    monkeypatch.setattr(Inbox, step, failing)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.until(lambda: next(failures, None) is None)
        await slack.quiet()

    assert len(said(slack, question)) == 1
    check(slack)


async def test_a_row_that_cannot_be_read_stops_nobody(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        await slack.reply_to(ada.says("#papers", f"@pullquote {ASKED}"))
        await slack.quiet()
    with closing(sqlite3.connect(desk.folder / "slack.sqlite3")) as database:
        database.execute("UPDATE inbox SET state = 'new', question = '{\"from\": \"later\"}', done_at = NULL")
        database.commit()

    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


def _killed_before(name: str) -> Callable[[pytest.MonkeyPatch], None]:
    def arrange(patch: pytest.MonkeyPatch) -> None:
        async def killed(self: Inbox, *args: object, **options: object) -> None:
            if (await self.depth())[0]:
                raise KilledError

        patch.setattr(Inbox, name, killed)

    return arrange


def _killed_after_posting(patch: pytest.MonkeyPatch) -> None:
    original = Poster._post

    async def killed(self: Poster, posting: Any, content: Any) -> None:
        await original(self, posting, content)
        raise KilledError

    patch.setattr(Poster, "_post", killed)


STEPS = {
    "the claim": _killed_before("claim"),
    "the table is kept": _killed_before("keep_before"),
    "the answer is kept": _killed_before("ready"),
    "the post begins": _killed_before("posting"),
    "the end is kept": _killed_before("finish"),
    "the post's answer is read": _killed_after_posting,
}


@pytest.mark.parametrize("step", STEPS)
async def test_a_process_killed_before_a_step_is_replaced_by_one_that_finishes(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    async with desk.running():
        first = ada.dm(BROAD)
        await slack.reply_to(first)
        await slack.quiet()
    with monkeypatch.context() as patch:
        STEPS[step](patch)
        with suppress(BaseException):
            async with desk.running():
                question = ada.dm("more")
                await asyncio.wait_for(_acked(slack, question), 5)
                await slack.until(lambda: False, timeout_s=0.2)

    async with desk.running():
        await slack.reply_to(question)
        await slack.quiet()

    assert [text[:3] for text in said(slack, question)] == ["4. "]
    check(slack)


async def _acked(slack: FakeSlack, question: Message) -> None:
    await slack.until(lambda: all(delivery.state == "acked" for delivery in slack.deliveries))


async def test_a_question_that_cannot_be_kept_is_not_acked_and_comes_again(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept, failures = Inbox.accept, iter([True, True])

    async def full(self: Inbox, question: Any) -> bool:
        if next(failures, False):
            raise InboxError("disk full")
        return await accept(self, question)

    monkeypatch.setattr(Inbox, "accept", full)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.settle_own()
        await slack.advance(3)
        await slack.reply_to(question)
        await slack.quiet()

    assert len(said(slack, question)) == 1


async def test_an_old_question_is_said_to_be_dropped(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Inbox, "claim", _never)
        async with desk.running():
            question = ada.says("#papers", f"@pullquote {ASKED}")
            await _acked(slack, question)

    async with desk.running(clock=LaterClock(900)):
        await slack.reply_to(question)
        await slack.quiet()

    assert said(slack, question)[0].startswith("I was not running when this came, and it is 15 minutes old")
    check(slack)


async def _never(self: Inbox) -> None:
    return None


async def test_messages_of_one_conversation_are_answered_in_their_order(
    slack: FakeSlack, ada: Person, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Inbox, "claim", _never)
        async with desk.running():
            slack.faults.hold()
            questions = [ada.dm(text) for text in (BROAD, "more", "more")]
            slack.release("reversed")
            await _acked(slack, questions[0])

    async with desk.running():
        await slack.reply_to(questions[2])
        await slack.quiet()

    assert [said(slack, question)[0][:3] for question in questions] == ["1. ", "4. ", "7. "]


async def test_pressing_a_button_twice_asks_once(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {BROAD}")
        answer = await slack.reply_to(question)
        ada.clicks(answer, "ask:more")
        ada.clicks(answer, "ask:more")
        await slack.reply_to(question, nth=2)
        await slack.quiet()

    assert len(said(slack, question)) == 2
    check(slack)


async def test_an_edit_of_a_question_is_not_answered_again(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        ada.edits(question, f"@pullquote {FAR}")
        await slack.quiet()

    assert len(said(slack, question)) == 1
    check(slack)


async def test_what_was_typed_is_not_kept_once_it_is_answered(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        await slack.reply_to(ada.says("#papers", f"@pullquote {ASKED}"))
        await slack.quiet()

    database = Database(desk.folder / "slack.sqlite3")

    def work(db: sqlite3.Connection) -> list[tuple[str, str | None]]:
        return [(row["question"], row["reply"]) for row in db.execute("SELECT question, reply FROM inbox")]

    try:
        assert database.run_now(work) == [("{}", None)]
    finally:
        database.close_now()


async def test_a_clean_stop_finishes_what_is_under_way(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("chat.postMessage", RateLimited(1))
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.until(lambda: bool(slack.calls_of("chat.postMessage")))

    assert ENTRY in said(slack, question)[0]
    check(slack, Allowed(late=True))  # the echo of its own post finds nobody any more
