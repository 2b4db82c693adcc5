"""A collection in which entries arrive, and everything around it that posts digests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from bot.asking import Asking
from bot.digests import Digests
from bot.news import Newsstand
from bot.orders import Orders
from bot.preparing import Preparing
from bot.subscribing import Subscribing
from bot.subscription import Place, Subscription
from bot.tastes import Tastes
from bot.wishes import Wish, parse_wish
from retrieval.catalogue.store import Catalogue
from retrieval.engine import Engine
from retrieval.records import Record
from tests.fakes.clock import StandingClock
from tests.fakes.digests import MemoryDeliveries, MemoryOpinions, MemorySubscriptions, Wall
from tests.fakes.entries import THREE, engine_on
from tests.reading import record

__all__ = ["HERE", "Office", "paper"]

HERE = Place("T1", "C1")
_NUMBERED = "abcdefghijklmnop"


def paper(number: int, about: str = "bandits", **options: object) -> Record:
    """Return the record of a paper like no other, on a subject."""
    word = "".join(_NUMBERED[int(digit, 16)] for digit in f"{number:x}").rjust(4, "q")
    abstract = (
        f"Regret grows with every {word} drawn. We propose {word}net, which studies {about} with {word} in mind. "
        f"It is tested on {word} alone."
    )
    fields = {"title": f"The {word} of {about}", "abstract": abstract, "authors": (f"Roe, {word.title()}",)}
    return record(**{**fields, "arxiv": f"2611.{number:05}", **options})  # type: ignore[arg-type]


class Office:
    """Subscriptions, a wall to post on, a clock, and a catalogue; `another` is a second process beside it."""

    def __init__(self, beside: Office | None = None) -> None:
        """Begin with the three entries that have always been there."""
        shared = beside or self
        if beside is None:
            self.clock = StandingClock()
            self.catalogue = Catalogue(None)
            self.subscriptions = MemorySubscriptions()
            self.wall = Wall()
            self.deliveries, self.opinions = MemoryDeliveries(), MemoryOpinions()
        else:
            self.clock, self.catalogue, self.subscriptions = beside.clock, beside.catalogue, beside.subscriptions
            self.wall, self.deliveries = beside.wall, MemoryDeliveries(beside.deliveries)
            self.opinions = beside.opinions
        self._engine = (-1, engine_on(THREE, semantic=False))
        self.news = Newsstand(
            shared.catalogue,
            self._caught_up,
            parse=lambda engine: Asking(engine).parse,
            sources=lambda: {"arxiv:cs.IR": self.clock.now().isoformat()},
        )
        self.tastes = Tastes(self.opinions, self.news, self.clock)
        preparing = Preparing(self.deliveries, self.clock, order=self.tastes.order)
        self.digests = Digests(self.subscriptions, self.deliveries, self.news, [self.wall], self.clock, preparing)
        self.subscribing = Subscribing(self.subscriptions, self.deliveries, preparing, self.news, self.clock)
        self.orders = Orders(self.subscribing, self.tastes)

    def another(self) -> Office:
        """Return the same as another process sees it: after a crash, or at the same time."""
        return Office(self)

    def arrive(self, records: Iterable[Record]) -> None:
        """Take *records* in."""
        with self.catalogue.importing(self.clock.now()) as batches:
            for one in records:
                batches.add(one, file="feed")

    def subscribe(self, wish: str = "everything at 9:30 daily", place: Place = HERE) -> Subscription:
        """Subscribe as somebody who types *wish*."""
        return self.subscribing.put(place, "U1", parse_wish(wish, default=Wish()))

    async def after(self, **time: float) -> None:
        """Let time go by, and look once what is due."""
        self.clock.advance(timedelta(**time).total_seconds())
        await self.digests.tick()

    async def until_done(self, *, step_s: float = 40, most: int = 200) -> None:
        """Look again and again until nothing is open."""
        for _ in range(most):
            await self.after(seconds=step_s)
            if not any(one.state.is_open for one in self.deliveries.deliveries(limit=10_000)):
                return

    def posted(self, channel: str = "C1") -> Sequence[str]:
        """Return the entries shown in a channel, in order."""
        return self.wall.entry_ids(channel)

    def _caught_up(self) -> Engine:
        latest = self.catalogue.last_change()
        if self._engine[0] != latest:
            self._engine = (latest, engine_on([*THREE, *self.catalogue.entries()], semantic=False))
        return self._engine[1]
