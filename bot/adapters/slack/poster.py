"""The way out: one message for one question, paced, waiting when told to, and never twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bot.adapters.slack.blocks import Content
from bot.adapters.slack.events import Question
from bot.adapters.slack.looking import look_for
from bot.adapters.slack.names import METADATA
from bot.adapters.slack.teams import Team
from bot.adapters.slack.turns import Turns
from bot.adapters.slack.web import AmbiguousError, LimitedError, RefusedError, UnreachableError, Web

__all__ = ["CONTENT_REFUSED", "NEVER_POSTED_THERE", "Outcome", "Poster", "Posting"]

log = logging.getLogger(__name__)

Outcome: TypeAlias = Literal["posted", "refused", "not posted", "later", "unknown"]
"""How posting ended: "not posted" is certain and may be tried again, "later" is uncertain and has to be looked up."""

CONTENT_REFUSED = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "too_many_blocks"}
)
NEVER_POSTED_THERE = {
    "not_in_channel": "I am not in that channel. Let me in with /invite, and ask again.",
    "channel_not_found": "I cannot see that channel. Let me in with /invite, and ask again.",
    "is_archived": "That channel is archived, so I could not answer there.",
    "restricted_action": "The workspace does not let me write in that channel.",
}
_LOOKS = 2
_TRIES = 6


@dataclass(slots=True)
class Posting:
    """One answer on its way out.

    Attributes:
        maybe_posted: Whether it may stand in Slack already, from before.
        begin: Awaited before each try that may leave something behind.
    """

    question: Question
    content: Content
    team: Team
    maybe_posted: bool
    begin: Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Poster:
    """Posts answers.

    Attributes:
        turns: Keeps the pace of each channel.
        look_again_s: Seconds between two looks for a post whose answer was lost.
        waited_s: How long it has been waiting for Slack's limits altogether.
    """

    web: Web
    turns: Turns
    look_again_s: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    waited_s: float = 0.0

    async def deliver(self, posting: Posting) -> Outcome:
        """Post, and return how that ended.

        Raises:
            InboxError: If `begin` cannot keep that it begins.
        """
        if posting.question.private:
            return await self._privately(posting)
        if posting.maybe_posted:
            found = await self._stands(posting)
            if found is not None:
                return found
        content = posting.content
        for _ in range(_TRIES):
            await posting.begin()
            ended = await self._try(posting, content)
            if not isinstance(ended, Content):
                return ended
            content = ended
        return "not posted"

    async def _try(self, posting: Posting, content: Content) -> Outcome | Content:
        """Post once; return how it ended, or with what content to try again."""
        try:
            await self._post(posting, content)
        except LimitedError as exc:
            await self._wait(exc)
            return content
        except AmbiguousError as exc:
            log.warning("posting is uncertain", extra={"key": posting.question.key, "reason": str(exc)})
            return await self._stands(posting) or content
        except UnreachableError:
            return "not posted"
        except RefusedError as exc:
            if not content.blocks or exc.error not in CONTENT_REFUSED:
                return await self._refused(posting, exc)
            log.error("blocks refused", extra={"error": exc.error, "details": "; ".join(exc.details)})  # noqa: TRY400
            return Content(content.text)
        return "posted"

    async def _post(self, posting: Posting, content: Content) -> None:
        question = posting.question
        await self.turns.take(question.team, question.channel)
        payload = {"for": question.name, "key": question.key}
        await self.web.call(
            "chat.postMessage",
            posting.team.token,
            channel=question.channel,
            thread_ts=question.thread,
            **content.arguments(),
            metadata={"event_type": METADATA, "event_payload": payload},
        )

    async def _wait(self, limited: LimitedError) -> None:
        log.warning("waiting for Slack's limit", extra={"reason": str(limited)})
        self.waited_s += limited.wait_s
        await self.sleep(limited.wait_s)

    async def _stands(self, posting: Posting) -> Outcome | None:
        """Look whether the answer stands in its thread; None when it certainly does not, and may be posted."""
        for look in range(_LOOKS):
            if look:
                await self.sleep(self.look_again_s)
            try:
                found = await self._look(posting)
                if found is None:
                    return "unknown"
                if found:
                    return "posted"
            except LimitedError as exc:
                await self._wait(exc)
                return "later"
            except (AmbiguousError, UnreachableError):
                return "later"
            except RefusedError as exc:
                log.warning("cannot look for an answer", extra={"key": posting.question.key, "reason": str(exc)})
                # Gone with its thread, it cannot be posted either; without leave to look, twice is worse than never.
                return "unknown"
        return None

    async def _look(self, posting: Posting) -> bool | None:
        """Tell whether the answer stands in its thread; None when the thread goes on for longer than is looked."""
        question = posting.question
        found = await look_for(
            question.key,
            self.web,
            posting.team.token,
            channel=question.channel,
            thread=question.thread,
            oldest=question.name if question.kind != "button" else f"{question.sort:.6f}",
        )
        return None if found is None else bool(found)

    async def _refused(self, posting: Posting, exc: RefusedError) -> Outcome:
        """Give up on the thread, and tell the person where they can be told."""
        question = posting.question
        log.error("answer refused", extra={"key": question.key, "error": exc.error, "details": "; ".join(exc.details)})
        said = NEVER_POSTED_THERE.get(exc.error)
        if said is not None:
            try:
                await self.web.call(
                    "chat.postMessage", posting.team.token, channel=question.user, **Content(said).arguments()
                )
            except (LimitedError, AmbiguousError, UnreachableError, RefusedError) as again:
                log.warning("cannot tell the person either", extra={"reason": str(again)})
        return "refused"

    async def _privately(self, posting: Posting) -> Outcome:
        """Answer where only the person sees it; what may not have arrived is sent again, for there is no looking."""
        content = posting.content
        for _ in range(_TRIES):
            await posting.begin()
            try:
                await self.web.respond(posting.question.response_url, _ephemeral(content))
            except LimitedError as exc:
                await self._wait(exc)
            except (AmbiguousError, UnreachableError):
                return "not posted"
            except RefusedError as exc:
                if not content.blocks or "url" in exc.error:
                    log.error("private answer refused", extra={"error": exc.error})  # noqa: TRY400
                    return "refused"
                content = Content(content.text)
            else:
                return "posted"
        return "not posted"


def _ephemeral(content: Content) -> dict[str, Any]:
    return {"response_type": "ephemeral", "replace_original": False, **content.arguments()}
