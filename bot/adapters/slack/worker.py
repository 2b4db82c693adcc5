"""From the inbox to the thread: claim a question, answer it, post the answer. Each step survives a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from bot.adapters.slack.blocks import Content, content_of, notice
from bot.adapters.slack.events import Question
from bot.adapters.slack.inbox import End, Inbox, Job
from bot.adapters.slack.policy import RulesFile, may_change, over_quota
from bot.adapters.slack.poster import Outcome, Poster, Posting
from bot.adapters.slack.presence import Presence
from bot.adapters.slack.teams import Team, Teams
from bot.conversation import Conversation
from bot.dispatch import Dispatch, Handled, Message, apology
from bot.errors import InboxError, PlatformError, StoreError
from bot.incidents import new_incident
from bot.model import Answer
from bot.orders import From, Orders
from bot.ports import Clock
from bot.subscription import Place
from bot.wishes import OrderVerb, parse_order

__all__ = ["Worker"]

log = logging.getLogger(__name__)

_DROPPED = (
    "I was not running when this came, and it is {minutes:.0f} minutes old by now. Ask again if you still want to know."
)
_SILENT_AFTER_S = 24 * 3600
_MOST_ATTEMPTS = 20
_LOOK_S = 1.0


@dataclass(slots=True)
class Worker:
    """Works on questions until told to stop.

    Attributes:
        orders: Carries out what is to be done again and again; None carries out nothing of it.
        max_age_s: Questions older than this many seconds are said to be dropped.
        answer_within_s: After this an incident is answered instead.
        status_after_s: After this the thread shows that something is under way, where Slack can show it.
        look_s: Seconds after which the inbox is looked into again, for what other processes left there.
        busy: How many runs are not waiting.
    """

    inbox: Inbox
    dispatch: Dispatch
    poster: Poster
    teams: Teams
    rules: RulesFile
    presence: Presence
    clock: Clock
    orders: Orders | None = None
    max_age_s: float = 600
    answer_within_s: float = 30
    status_after_s: float = 1.0
    look_s: float = _LOOK_S
    busy: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False
    _held: list[Job] = field(default_factory=list)

    def wake(self) -> None:
        """Look into the inbox now."""
        self._wake.set()

    def stop(self) -> None:
        """Take up nothing more; what is being worked on is finished."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Work on one question at a time until stopped. Run several for several at a time."""
        while not self._stopping:
            self._wake.clear()
            self.busy += 1
            try:
                worked = await self._one()
            except InboxError as exc:
                log.error("inbox not usable", extra={"reason": str(exc)})  # noqa: TRY400
                worked = False
            finally:
                self.busy -= 1
            if not worked:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.look_s):
                        await self._wake.wait()

    @property
    def idle(self) -> bool:
        """Whether every run waits for something to come in."""
        return not self.busy and not self._wake.is_set()

    async def take_over(self) -> None:
        """Take over what processes that are gone left undone.

        Raises:
            InboxError: If the inbox cannot be used.
        """
        dead = self.presence.dead(await self.inbox.owners())
        if taken := await self.inbox.take_over(dead):
            log.warning("taken over", extra={"questions": taken})
            self.wake()

    async def _one(self) -> bool:
        """Work on one question; return whether there was one."""
        if not self.rules.current().answers:
            return False
        while self._held:
            held = self._held.pop()
            try:
                await self.inbox.later(held, wait_s=0)
            except InboxError:
                self._held.append(held)
                raise
        job = await self.inbox.claim()
        if job is None:
            return False
        try:
            await self._work(job)
        except InboxError:
            self._held.append(job)  # it is still ours in the file, and nobody else would take it up
            raise
        finally:
            self.wake()  # the next of the same conversation may have waited for this one
        return True

    async def _work(self, job: Job) -> None:
        question = job.question
        team = await self.teams.find(team_id=question.team, enterprise_id=question.enterprise)
        if team is None or job.attempts >= _MOST_ATTEMPTS:
            why = "the workspace has not installed the app" if team is None else f"{job.attempts} attempts to post"
            log.error("not answered", extra={"key": question.key, "reason": why})
            await self.inbox.finish(job, "failed")
            return
        async with self._status(job, team):
            content = job.reply
            if content is None:
                content = await self._answered(job)
            if content is None:
                return
            posting = Posting(question, content, team, job.posting, begin=lambda: self.inbox.posting(job))
            outcome = await self.poster.deliver(posting)
        await self._end(job, outcome)

    async def _answered(self, job: Job) -> Content | None:
        """Return what to post, kept; None when the question has ended without a word."""
        refusal = await self._refusal(job)
        if refusal is not None:
            content, end = refusal
            if content is None:
                await self.inbox.finish(job, end)
                return None
            await self.inbox.ready(job, content, None, end)
            return content
        handled = await self._handled(job)
        await self.inbox.ready(job, handled.content, handled.after, handled.verdict)
        return handled.content

    async def _refusal(self, job: Job) -> tuple[Content | None, End] | None:
        """Return what is said instead of an answer to a question that is too old, or one too many."""
        age_s = self.clock.now().timestamp() - job.received_at
        if age_s > self.max_age_s:
            said = notice(_DROPPED.format(minutes=age_s / 60)) if age_s < _SILENT_AFTER_S else None
            log.warning("dropped", extra={"key": job.question.key, "age_s": round(age_s)})
            return said, "dropped"
        rules = self.rules.current()
        usage = await self.inbox.usage(job.question, quota_s=rules.quota_minutes * 60, fuse_s=rules.fuse_minutes * 60)
        enough = over_quota(rules, usage)
        if enough is None:
            return None
        return (notice(enough) if enough else None), "refused"

    async def _handled(self, job: Job) -> Handled[Content]:
        question = job.question
        table = job.before or await self._table(job)
        if job.before is None:
            await self.inbox.keep_before(job, table)
        message = Message(question.message_key, question.conversation_id, question.text, table)

        def render(answer: Answer) -> Content:
            return content_of(answer, question.key)

        try:
            async with asyncio.timeout(self.answer_within_s):
                return await asyncio.to_thread(
                    self.dispatch.handle, message, render, instead=lambda: self._ordered(question, table)
                )
        except TimeoutError:
            incident = new_incident()
            log.error("too slow", extra={"incident": incident, "key": question.key})  # noqa: TRY400
            return Handled(render(apology(incident, message)), table, "incident", incident)

    def _ordered(self, question: Question, table: Conversation) -> Answer | None:
        """Return what is said to an order; None when the question is none."""
        if self.orders is None:
            return None
        rules = self.rules.current()
        whence = From(
            _place(question), question.user, table.question, lambda found: may_change(rules, found, question.user)
        )
        return self.orders.reply(question.text, whence)

    async def _table(self, job: Job) -> Conversation:
        """Return what lies on the table: that of the answer whose button it was, the thread's, or nothing."""
        question = job.question
        own = Conversation(question.conversation_id)
        if not question.table:
            # A store that cannot be read becomes an incident when the question is answered from it.
            with contextlib.suppress(StoreError):
                own = await asyncio.to_thread(self.dispatch.table, question.conversation_id)
        if own.numbered:
            return own
        earlier = await self.inbox.table_of(question)
        return own if earlier is None else replace(earlier, conversation_id=question.conversation_id)

    async def _end(self, job: Job, outcome: Outcome) -> None:
        if outcome in {"not posted", "later"}:
            if outcome == "not posted":
                await self.inbox.not_posted(job)
            await self.inbox.later(job, wait_s=min(60.0, 2.0**job.attempts))
            return
        ends: dict[Outcome, End] = {"posted": "done", "refused": "failed", "unknown": "unknown"}
        await self.inbox.finish(job, ends.get(outcome, "failed"))
        if outcome != "posted":
            log.error("not answered", extra={"key": job.question.key, "outcome": outcome})

    @asynccontextmanager
    async def _status(self, job: Job, team: Team) -> AsyncIterator[None]:
        """Show that something is under way, if that takes long enough to be seen."""
        showing = asyncio.create_task(self._show_status(job, team))
        try:
            yield
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _show_status(self, job: Job, team: Team) -> None:
        if job.question.private:
            return
        await asyncio.sleep(self.status_after_s)
        arguments = {"channel_id": job.question.channel, "thread_ts": job.question.thread}
        # Not every workspace and place has it; an answer comes in any case.
        with contextlib.suppress(PlatformError):
            await self.poster.web.call(
                "assistant.threads.setStatus", team.token, status="is looking through the abstracts …", **arguments
            )


def _place(question: Question) -> Place:
    """Return where an order comes from: what stands at the top is of the whole channel, but for a new watch."""
    order = parse_order(question.text)
    begins = order is not None and order.verb is OrderVerb.WATCH
    of_channel = question.thread == question.name and not begins
    return Place(question.team, question.channel, "" if of_channel else question.thread)
