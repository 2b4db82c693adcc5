"""A thousand events, everything going wrong, the process killed again and again: each question has one answer."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

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
)
from tests.fakes.slack.faults import ApiFault
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, FAR, make_slack, rules
from tests.integration.process import BotProcess

SEED = 20261130
KILLS = 20
EVENTS = 1_000
QUESTIONS = (ASKED, FAR, "What is PreDiff?", "how many papers mention diffusion?", "help", "which venues do you cover?")
REFINEMENTS = ("more", "why 1", "only NeurIPS", "like 1", "open 1")
POST_FAULTS: tuple[ApiFault, ...] = (
    DropAfter(),
    DropBefore(),
    Error("internal_error"),
    Error("fatal_error", applied=True),
    HttpStatus(503, html=True),
    RateLimited(0),
    RateLimited(1),
    RefuseBlocks(),
)


@dataclass(slots=True)
class Storm:
    """People who ask, and a Slack in which much goes wrong."""

    slack: FakeSlack
    dice: random.Random
    people: list[Person] = field(default_factory=list)
    asked: list[Message] = field(default_factory=list)

    def one(self) -> None:
        """Let one thing happen."""
        if self.dice.random() < 0.3:
            self._trouble()
        person, chance = self.dice.choice(self.people), self.dice.random()
        if chance < 0.35:
            self.asked.append(person.says("#papers", f"@pullquote {self.dice.choice(QUESTIONS)}"))
        elif chance < 0.55 and self.asked:
            self.asked.append(self._refinement(person))
        elif chance < 0.8:
            self.asked.append(person.dm(self.dice.choice(QUESTIONS)))
        elif chance < 0.9 and self.asked:
            person.says("#papers", "I do not think so", thread=self._thread())
        else:
            person.edits(person.says("#general", "good morning"), "good evening")

    def _refinement(self, person: Person) -> Message:
        return person.says("#papers", f"@pullquote {self.dice.choice(REFINEMENTS)}", thread=self._thread())

    def _thread(self) -> Message | None:
        channel = self.slack.workspace.channel("papers").id
        return next((m for m in reversed(self.asked) if m.channel_id == channel), None)

    def _trouble(self) -> None:
        faults = self.slack.faults
        troubles: list[Callable[[], None]] = [
            faults.duplicate,
            faults.ignore_acks,
            faults.hold,
            faults.cut,
            lambda: self.slack.release("shuffled", seed=self.dice.randrange(1_000)),
            *[lambda: faults.api("chat.postMessage", self.dice.choice(POST_FAULTS))] * 5,
            lambda: faults.api("conversations.replies", self.dice.choice((HttpStatus(503), RateLimited(0)))),
        ]
        self.dice.choice(troubles)()


async def _a_while(bots: list[BotProcess], storm: Storm, events: int) -> None:
    """Run a process or two, let things happen, and pull the plug at no particular moment."""
    for bot in bots:
        await bot.start()
    await storm.slack.advance(70)  # what was not acked before comes again
    for number in range(events):
        storm.one()
        if number % 10 == 5:
            await asyncio.sleep(storm.dice.random() * 0.1)
        if storm.dice.random() < 0.02:
            await storm.slack.sockets.disconnect("warning")
    storm.slack.release("shuffled", seed=storm.dice.randrange(1_000))
    await asyncio.sleep(storm.dice.random() * 0.12)
    for bot in bots:
        await bot.kill()


async def _until_all_is_answered(slack: FakeSlack, questions: list[Message]) -> None:
    for _ in range(12):
        await slack.advance(70)
        try:
            await slack.until(lambda: all(_answers(slack, q) for q in questions), timeout_s=5)
        except AssertionError:
            continue
        return


def _answers(slack: FakeSlack, question: Message) -> int:
    thread = slack.workspace.store.thread(question.channel_id, question.root_ts)
    keys = [((m.metadata or {}).get("event_payload") or {}).get("for") for m in thread if m.bot_id]
    return keys.count(question.ts)


async def test_every_question_is_answered_exactly_once_through_a_thousand_events_and_twenty_kills(
    tmp_path: Path,
) -> None:
    quotas = ("user_quota", "channel_quota", "thread_fuse")
    rules(tmp_path, "\n".join(f"{name} = 100000" for name in quotas))
    kills = 0
    async with make_slack() as slack:
        storm = Storm(slack, random.Random(SEED), [slack.workspace.user(name) for name in ("ada", "grace", "linus")])
        while kills < KILLS or len(slack.deliveries) < EVENTS:
            bots = [BotProcess(slack, tmp_path) for _ in range(2 if kills % 7 == 3 else 1)]
            await _a_while(bots, storm, events=30)
            kills += len(bots)
        last = BotProcess(slack, tmp_path)
        await last.start()
        slack.faults.ignore_acks(0)
        await _until_all_is_answered(slack, storm.asked)
        await slack.quiet()
        code = await last.stop()

        assert {_answers(slack, question) for question in storm.asked} == {1}
        check(slack, Allowed(late=True))
        assert (code, kills >= KILLS, len(slack.deliveries) >= EVENTS) == (0, True, True)
