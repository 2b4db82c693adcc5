"""The shipped adapter against the local Slack, in one process: real Bolt, real sockets, real answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.adapters.clock import SystemClock
from bot.adapters.slack.app import Slack, SlackConfig
from bot.adapters.slack.manifest import manifest
from bot.adapters.sqlite import SqliteConversations
from bot.answering import Answering
from bot.dispatch import Dispatch
from retrieval.engine import Engine
from tests.fakes.slack import FakeSlack, Manifest, Message

__all__ = [
    "ASKED",
    "BROAD",
    "ENTRY",
    "FAR",
    "Desk",
    "LaterClock",
    "Running",
    "make_slack",
    "rules",
    "running",
    "said",
    "shown",
]

ASKED = "can the KV cache of a recommender be shared between users?"
BROAD = "wombat burrows"
"""Finds ten entries, more than fit into one answer."""
ENTRY = "CollectiveKV: Decoupling and Sharing Collaborative Information in Sequential Recommendation"
FAR = "how tall is Mount Everest?"


class LaterClock(SystemClock):
    """The real clock, some seconds ahead."""

    def __init__(self, ahead_s: float) -> None:
        self.ahead_s = ahead_s

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self.ahead_s)


def make_slack(**options: Any) -> FakeSlack:
    """Return a local Slack in which the shipped manifest is installed, without rate limits of its own."""
    slack = FakeSlack(Manifest.parse(manifest(**options)))
    slack.rates.per_minute.clear()
    return slack


@dataclass(slots=True)
class Desk:
    """A place to run the adapter at: its folder, its engine, the local Slack."""

    slack: FakeSlack
    folder: Path
    engine: Engine

    def running(self, **options: Any) -> AbstractAsyncContextManager[Running]:
        """Run the adapter until the end of the block."""
        return running(self.slack, self.folder, options.pop("engine", self.engine), **options)


class Running(Slack):
    """The adapter, which also tells when it is over."""

    task: asyncio.Task[None]

    async def over(self) -> None:
        """Wait until it has ended by itself."""
        await asyncio.wait([self.task])


@asynccontextmanager
async def running(slack: FakeSlack, folder: Path, engine: Engine, **options: Any) -> AsyncIterator[Running]:
    """Run the adapter until the end of the block, then stop it cleanly.

    Args:
        slack: Where.
        folder: Holds what it keeps.
        engine: Answers.
        **options: "clock", "answering" and "collection" replace the real ones, "outlet", "orders", "subscribing" and
            "entries" bring digests; the rest is configuration.
    """
    clock = options.pop("clock", None) or SystemClock()
    conversations = SqliteConversations(folder / "pullquote.sqlite3", clock)
    answering = options.pop("answering", None) or Answering(engine, conversations, clock, max_chars=2_000)
    dispatch = Dispatch(answering, conversations)
    collection = options.pop("collection", None) or (lambda: engine.collection)
    digests = {name: options.pop(name, None) for name in ("outlet", "orders", "subscribing", "entries")}
    tokens = {"bot_token": slack.workspace.bot_token, "app_token": slack.app_token}
    quick = {"pace_s": 0.0, "look_again_s": 0.0, "ping_s": 5.0}
    settings = SlackConfig(folder, api_url=slack.api_url, **{**tokens, **quick, **options})
    bot, stop = Running(settings, dispatch, collection, clock, **digests), asyncio.Event()
    bot.task = asyncio.create_task(bot.run(stop))
    started = asyncio.create_task(bot.started.wait())
    await asyncio.wait([bot.task, started], return_when=asyncio.FIRST_COMPLETED)
    idle = slack.idle
    slack.idle = [*idle, lambda: bot.idle]
    try:
        if bot.task.done():
            await bot.task
        yield bot
    finally:
        slack.idle = idle
        started.cancel()
        stop.set()
        try:
            await bot.task
        finally:
            conversations.close()


def rules(folder: Path, text: str) -> None:
    """Write the rules file, as whoever runs the bot would."""
    (folder / "slack.toml").write_text(text, encoding="utf-8")


def said(slack: FakeSlack, question: Message) -> list[str]:
    """Return the texts of the answers to *question*."""
    workspace = next(w for w in slack.workspaces if question.channel_id in w.store.channels)
    return [message.text for message in workspace.replies(question)]


def shown(message: Message) -> str:
    """Return everything that a message's blocks show, as one text."""
    return json.dumps(list(message.blocks), ensure_ascii=False)
