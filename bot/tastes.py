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

_MOST_LEARNED = 1_000  # opinions; what is older has mostly faded, and a lively channel must not wait for its digest


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
        if liked is None:  # also where the entry is gone: what is learned from it is not
            self.opinions.take_back(place, person, entry_id)
            found = self._found(entry_id)
            return "Taken back." if found is None else f"Taken back: {printable(found.title)}."
        entry, now = self._entry(entry_id), self.clock.now()
        title, abstract = _text(entry)
        self.opinions.put(Opinion(place.team, place.channel, person, entry_id, title, abstract, liked, now))
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
        news, names = self.news(), self.opinions.saved(team, person)
        today = news.catalogue.todays_ids(names)
        kept = dict.fromkeys(today.get(name, name) for name in names)  # two of them may be one paper by now
        entries = [news.engine.collection.entry(name) for name in kept if name in news.engine.collection]
        if not entries:
            return "Nothing is saved; the menu beside an entry of a digest saves it.", ""
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
            liked = [interests.score(*_text(entry)) for entry, _ in found]
            scores = mixed([score for _, score in found], liked)
            best = sorted(range(len(found)), key=lambda n: (-scores[n], n))
            return [(found[n][0], interests.why(*_text(found[n][0]))) for n in best]

        return ordered

    def _interests(self, team: str, channel: str, news: News) -> Interests:
        latest = self.opinions.of(team, channel)[-_MOST_LEARNED:]
        judged = [Judged(one.title, one.abstract, one.liked, one.at) for one in latest]
        return Interests(judged, now=self.clock.now(), idf=news.engine.rareness)

    def _entry(self, entry_id: str) -> Entry:
        found = self._found(entry_id)
        if found is None:
            raise SubscriptionError("that entry is no longer in the collection")
        return found

    def _found(self, entry_id: str) -> Entry | None:
        """Return the entry that was posted as *entry_id*, whatever it is called by now; None when it is gone."""
        news = self.news()
        name = news.catalogue.todays_ids([entry_id]).get(entry_id, entry_id)
        return news.engine.collection.entry(name) if name in news.engine.collection else None


def _text(entry: Entry) -> tuple[str, str]:
    """Return the title and the abstract of *entry*; a derived title is made of the abstract, and none of its own."""
    return "" if entry.title_derived else entry.title, entry.abstract
