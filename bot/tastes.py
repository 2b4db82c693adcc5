"""What people think of the entries of their digests: kept for a place, made an order of, forgotten on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.bibliography import bibtex
from bot.digesting import Order
from bot.errors import SubscriptionError
from bot.news import News
from bot.ports import Clock, OpinionStore
from bot.present import entry_line, printable
from bot.subscription import Opinion, Place, Subscription
from retrieval.interests import Interests, Judged, mixed
from retrieval.model import Entry

__all__ = ["Tastes"]


@dataclass(slots=True)
class Tastes:
    """What can be done with single entries. Synchronous; may be called from several threads.

    Opinions are noted everywhere, and used only where the subscription has a personal order.
    """

    opinions: OpinionStore
    news: Callable[[], News]
    clock: Clock

    def opine(self, place: Place, person: str, entry_id: str, *, liked: bool | None) -> str:
        """Note what *person* thinks of an entry at *place*; None takes that back. Return what to say."""
        entry = self._entry(entry_id)
        if liked is None:
            self.opinions.take_back(place, person, entry_id)
            return f"Taken back: {printable(entry.title)}."
        now = self.clock.now()
        self.opinions.put(Opinion(place.team, place.channel, person, entry_id, entry.title, entry.abstract, liked, now))
        return (
            f"Noted: {'more' if liked else 'less'} like “{printable(entry.title)}”. “likes” tells what I have learned."
        )

    def save(self, team: str, person: str, entry_id: str) -> str:
        """Put an entry on the reading list of *person*; return what to say."""
        entry = self._entry(entry_id)
        new = self.opinions.save(team, person, entry_id, at=self.clock.now())
        return f"{'Saved' if new else 'Saved already'}: {printable(entry.title)}. “saved” shows your list."

    def saved(self, team: str, person: str, *, as_bibtex: bool = False) -> tuple[str, str]:
        """Return the reading list of *person*, the latest first, as lines to say, or as BibTeX to copy."""
        collection = self.news().engine.collection
        kept = [one for one in self.opinions.saved(team, person) if one in collection]
        if not kept:
            return "Nothing is saved; the menu beside an entry of a digest saves it.", ""
        entries = [collection.entry(one) for one in kept]
        if as_bibtex:
            return "", bibtex(entries)
        return "\n".join(f"{n}. {entry_line(entry)}" for n, entry in enumerate(entries, start=1)), ""

    def likes(self, place: Place) -> str:
        """Return the words of what is liked at *place*, and of what is not."""
        interests = self._interests(place.team, place.channel, self.news())
        liked, disliked = interests.words(liked=True), interests.words(liked=False)
        if not liked and not disliked:
            return "I know nothing yet of what is liked here; the menu beside an entry of a digest tells me."
        lines = [f"Liked: {', '.join(map(printable, liked))}."] if liked else []
        lines += [f"Not liked: {', '.join(map(printable, disliked))}."] if disliked else []
        return "\n".join(lines)

    def forget(self, team: str, person: str) -> str:
        """Forget what *person* liked, disliked and saved; return what to say."""
        count = self.opinions.forget(team, person)
        return f"Forgotten: {count} {'thing' if count == 1 else 'things'} that you liked, disliked or saved."

    def order(self, subscription: Subscription, news: News) -> Order | None:
        """Return the personal order of the place of *subscription*; None where nothing is known of it."""
        place = subscription.place
        interests = self._interests(place.team, place.channel, news)
        if not interests.weights:
            return None

        def ordered(found: Sequence[tuple[Entry, float]]) -> Sequence[tuple[Entry, tuple[str, ...]]]:
            liked = [interests.score(entry.title, entry.abstract) for entry, _ in found]
            scores = mixed([score for _, score in found], liked)
            best = sorted(range(len(found)), key=lambda n: (-scores[n], n))
            return [(found[n][0], interests.why(found[n][0].title, found[n][0].abstract)) for n in best]

        return ordered

    def _interests(self, team: str, channel: str, news: News) -> Interests:
        judged = [Judged(one.title, one.abstract, one.liked, one.at) for one in self.opinions.of(team, channel)]
        return Interests(judged, now=self.clock.now(), idf=news.engine.rareness)

    def _entry(self, entry_id: str) -> Entry:
        collection = self.news().engine.collection
        if entry_id not in collection:
            raise SubscriptionError("that entry is no longer in the collection")
        return collection.entry(entry_id)
