"""Two oracles about questions: each gets an answer, and none gets two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.fakes.slack.laws import Allowed, Violation, shown
from tests.fakes.slack.model import Message
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.store import Prompt, Store

__all__ = ["all_answered", "answered_once"]


def _own(store: Store, channel_id: str, root_ts: str) -> list[Message]:
    return [m for m in store.thread(channel_id, root_ts) if m.bot_id == store.bot.bot_id and m.ts != root_ts]


def _threads(store: Store) -> dict[tuple[str, str], list[Prompt]]:
    threads: dict[tuple[str, str], list[Prompt]] = {}
    for prompt in store.prompts:
        threads.setdefault((prompt.channel_id, prompt.root_ts), []).append(prompt)
    return threads


def answered_once(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """No question is answered twice, and nothing is said in a thread that nobody asked for."""
    for store in slack.stores.values():
        for (channel_id, root_ts), prompts in _threads(store).items():
            posts = [post for post in _own(store, channel_id, root_ts) if post.ts > prompts[0].ts]
            stated = Counter(key for post in posts if (key := allowed.key(post)) is not None)
            yield from (Violation("one answer for a question", f"{n} for {key}") for key, n in stated.items() if n > 1)
            yield from _unasked(prompts, [post for post in posts if allowed.key(post) is None])


def _unasked(prompts: list[Prompt], posts: list[Message]) -> Iterator[Violation]:
    steps = sorted([(p.ts, None) for p in prompts] + [(m.ts, m) for m in posts], key=lambda step: step[0])
    open_prompts = 0
    for _, post in steps:
        open_prompts += 1 if post is None else -1
        if post is not None and open_prompts < 0:
            open_prompts = 0
            yield Violation("one answer for a question", f"unasked or again: {shown(post)}")


def all_answered(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Every question gets an answer or an error, unless it was declared dropped or deleted."""
    if allowed.unanswered:
        return
    for store in slack.stores.values():
        for (channel_id, root_ts), prompts in _threads(store).items():
            yield from _open(store, allowed, prompts, [m for m in store.written if _answers(m, channel_id, root_ts)])


def _answers(message: Message, channel_id: str, root_ts: str) -> bool:
    return message.channel_id == channel_id and message.root_ts == root_ts


def _open(store: Store, allowed: Allowed, prompts: list[Prompt], posts: list[Message]) -> Iterator[Violation]:
    stated = {allowed.key(post) for post in posts}
    spare = len({post.ts for post in posts if allowed.key(post) is None})
    for prompt in prompts:
        if not prompt.addressed or prompt.ts in stated or prompt.ts in store.dropped:
            continue
        gone = store.message(prompt.channel_id, prompt.ts) is None
        if spare > 0:
            spare -= 1
        elif not gone:
            yield Violation("every question is answered", f"{prompt.channel_id}/{prompt.ts} {prompt.text[:60]!r}")
