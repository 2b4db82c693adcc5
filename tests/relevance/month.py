"""A month of the real list, posted to fifty subscriptions while posting fails: does each entry arrive exactly once?

Run as `python -m tests.relevance.month [LIST] [--entries N]`; LIST is JSON Lines, plain or gzip.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bot.standing import Standing
from bot.subscription import Place, Subscription
from retrieval.records import Record
from tests.fakes.arrivals import Office

__all__ = ["main"]

_LIST = Path(__file__).parents[3] / "shared" / "eval" / "iclr2026.jsonl.gz"
_DAYS = 30
_SUBSCRIPTIONS = 50
_TOPICS = (
    "diffusion models",
    "federated learning",
    "graph neural networks",
    "causal inference",
    "LLM agents",
    "continual learning; catastrophic forgetting",
    "reinforcement learning without survey",
    "recommendation",
    "time series forecasting",
    "everything",
)
_ZONES = ("UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
_FAULTS = ("posted", "posted", "posted", "posted", "lost", "uncertain", "later", "absent")


def _records(path: Path, most: int) -> Iterator[Record]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if number > most:
                return
            fields = json.loads(line)
            yield Record(
                "jsonl",
                number,
                title=fields["title"],
                abstract=fields.get("abstract") or "",
                venue="ICLR",
                year=2026,
                url=fields.get("url"),
                ids={"openreview": fields["id"]},
            )


async def _month(records: list[Record], seed: int) -> Office:
    rng, office = random.Random(seed), Office()  # a simulation
    for number in range(_SUBSCRIPTIONS):
        wish = (
            f"{_TOPICS[number % 10]} at {rng.randrange(24)}:{rng.randrange(60):02} daily {_ZONES[number % 5]} most 200"
        )
        office.subscribe(wish, Place("T1", f"C{number}"))
    await office.after(seconds=1)
    per_day = -(-len(records) // _DAYS)
    for day in range(_DAYS):
        office.arrive(records[day * per_day : (day + 1) * per_day])
        office.wall.faults = [rng.choice(_FAULTS) for _ in range(60)]
        for _ in range(24):
            await office.after(hours=1)
            if rng.random() < 0.05:
                office = office.another()  # the process is started anew
    office.wall.faults = []
    for _ in range(48):
        await office.after(hours=1)
    return office


def _wanted(office: Office, subscription: Subscription, arrived: list[str]) -> set[str]:
    """Return what the subscription would want of everything, judged at the end."""
    news = office.news()
    standing = Standing(news.engine, news.parse)
    if not subscription.topics:
        return set(standing.kept(arrived, without=subscription.without))
    found = (
        standing.wanted(topic, arrived, breadth=subscription.breadth, without=subscription.without)
        for topic in subscription.topics
    )
    return {hit.entry_id for hits in found for hit in hits}


def main() -> None:
    """Simulate, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list", nargs="?", type=Path, default=_LIST)
    parser.add_argument("--entries", type=int, default=900)
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    began = time.perf_counter()
    office = asyncio.run(_month(list(_records(arguments.list, arguments.entries)), seed=7))
    posted, twice, counted_only, differ = 0, 0, 0, 0
    arrived = [entry.entry_id for entry in office.catalogue.entries()]
    for subscription in office.subscriptions.subscriptions():
        there = Counter(office.posted(subscription.place.channel))
        kept = office.deliveries.sent(subscription.subscription_id)
        posted += len(there)
        twice += sum(times > 1 for times in there.values())
        counted_only += sum(not one.shown for one in kept.values())
        missing = {name for name, one in kept.items() if one.shown} ^ set(there)
        assert not missing, (subscription.wants, missing)
        differ += len(_wanted(office, subscription, arrived) ^ set(kept))
    states = Counter(one.state.value for one in office.deliveries.deliveries(limit=100_000) if one.key[0].isdigit())
    took_s = time.perf_counter() - began
    lines = (
        f"{len(arrived):,} entries, {_SUBSCRIPTIONS} subscriptions, {_DAYS} days, {took_s:.0f} s",
        f"shown {posted:,}; twice {twice}; only counted {counted_only:,}; runs {dict(sorted(states.items()))}",
        f"wanted at the end but not then, or the other way round: {differ:,} (statistics grow with the collection)",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
