"""How soon deliveries are acked and answered under load: `python -m tests.benchmarks.slack_acks [SECONDS]`.

The shipped command runs as a process of its own against the local Slack, which delivers twenty events a second: ten
mentions, each as two events. What is measured is what Slack would see, both ways of the socket included.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from pathlib import Path

from bot.adapters.slack.manifest import manifest
from tests.fakes.slack import FakeSlack, Manifest, Message, RealClock
from tests.integration.process import BotProcess

__all__ = ["main"]

_QUESTIONS = (
    "can the KV cache of a recommender be shared between users?",
    "how tall is Mount Everest?",
    "What is PreDiff?",
    "how many papers mention diffusion?",
)
_MENTIONS_PER_S = 10


def _percentile(sorted_values: list[float], share: float) -> float:
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))]


def _told(name: str, seconds: list[float]) -> str:
    ordered = sorted(seconds)
    figures = (1000 * _percentile(ordered, share) for share in (0.5, 0.95, 0.99, 1.0))
    p50, p95, p99, most = figures
    return f"{name}: n={len(ordered)} p50={p50:.1f} ms p95={p95:.1f} ms p99={p99:.1f} ms max={most:.1f} ms"


async def _measure(seconds: int) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        quotas = "user_quota = 100000\nchannel_quota = 100000\nthread_fuse = 100000\n"
        (Path(folder) / "slack.toml").write_text(quotas, encoding="utf-8")
        slack = FakeSlack(Manifest.parse(manifest()), clock=RealClock())
        slack.rates.per_minute.clear()
        async with slack:
            bot = BotProcess(slack, Path(folder))
            await bot.start()
            asked = await _ask(slack, seconds * _MENTIONS_PER_S)
            await slack.until(lambda: all(slack.workspace.replies(q) for q in asked), timeout_s=60)
            await bot.stop()
        acks = [
            attempt.acked_at - attempt.sent_at
            for delivery in slack.deliveries
            for attempt in delivery.attempts
            if attempt.acked_at is not None
        ]
        answers = [float(slack.workspace.replies(q)[0].ts) - float(q.ts) for q in asked]
        late = sum(delivery.late for delivery in slack.deliveries)
        return [_told("ack", acks), _told("answer", answers), f"deliveries that were late: {late}"]


async def _ask(slack: FakeSlack, count: int) -> list[Message]:
    ada, loop = slack.workspace.user("ada"), asyncio.get_running_loop()
    begun = loop.time()
    asked = []
    for number, question in zip(range(count), itertools.cycle(_QUESTIONS), strict=False):
        await asyncio.sleep(max(0.0, begun + number / _MENTIONS_PER_S - loop.time()))
        asked.append(ada.says("#papers", f"@pullquote {question}"))
    return asked


def main() -> None:
    """Measure and print."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    for line in asyncio.run(_measure(seconds)):
        print(line)


if __name__ == "__main__":
    main()
