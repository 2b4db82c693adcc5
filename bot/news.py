"""What is new in the collection for somebody: entries that arrived, and what became of those they were told of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from bot.present import venue_year
from bot.subscription import DigestNote, Sent
from retrieval.catalogue.store import Catalogue
from retrieval.engine import Engine
from retrieval.model import Entry
from retrieval.query import ParsedQuestion

__all__ = ["News", "Newsstand"]


@dataclass(frozen=True, slots=True)
class News:
    """The collection at one moment, and how it came to be so.

    Attributes:
        engine: What is searched.
        parse: Takes the conditions out of a query, as for a question.
        catalogue: Where entries arrive.
        upto: The last change of it that the engine knows of.
        sources: What is polled, and how that went.
    """

    engine: Engine
    parse: Callable[[str], ParsedQuestion]
    catalogue: Catalogue
    upto: int
    sources: Mapping[str, str] = field(default_factory=dict)

    def arrived(self, *, after: int, sent: Mapping[str, Sent]) -> tuple[str, ...]:
        """Return the ids of the entries that arrived after change *after* and were not *sent*, in their order.

        What the collection has from elsewhere, or no longer, is none of them.
        """
        known = {*sent, *self.catalogue.todays_ids(sent).values()}
        found = self.catalogue.arrived(after=after, upto=self.upto)
        return tuple(one for one in found if one in self.engine.collection and one not in known)

    def notes(self, *, after: int, sent: Mapping[str, Sent]) -> tuple[tuple[DigestNote, Sent], ...]:
        """Return what became of entries that were *sent*, with what to remember of each from now on.

        By entry id. Only what people would want to be told is noted: another venue, another abstract, another title,
        a withdrawal.
        """
        shown = {name: one for name, one in sent.items() if one.shown}
        today = self.catalogue.todays_ids(shown)
        changed = self.catalogue.changed(after=after, upto=self.upto)
        gone = self.catalogue.withdrawn(name for name in shown if name in changed)
        found = []
        for name, one in sorted(shown.items()):
            now = today.get(name, name)
            if now not in changed or (now != name and now in shown):
                continue
            if now in gone:
                # Shown no longer, so that nothing more is noted of it.
                found.append((DigestNote(now, one.title, one.url, "withdrawn"), replace(one, shown=False)))
            elif now in self.engine.collection and (said := _differs(one, self.engine.collection.entry(now))):
                entry = self.engine.collection.entry(now)
                found.append((DigestNote(now, entry.title, entry.url, said), self.sent(entry, one.at, shown=True)))
        return tuple(found)

    def sent(self, entry: Entry, at: datetime, *, shown: bool) -> Sent:
        """Return what to remember of *entry*, posted at that instant; of one that was only counted, no texts."""
        chosen = self.engine.contribution(entry.entry_id) if shown else None
        sentence = "" if chosen is None else chosen.span.of(entry.abstract)
        abstract, where = entry.abstract if shown else "", venue_year(entry)
        return Sent(entry.entry_id, entry.title, where, entry.url, abstract, sentence, entry.authors, at, shown)


def _differs(before: Sent, entry: Entry) -> str:
    """Return what has changed of an entry, in a few words; empty when nothing of note has."""
    said: Sequence[str] = [
        f"now at {venue_year(entry)}" if entry.venue and venue_year(entry) != before.venue else "",
        f"was “{before.title}”" if entry.title != before.title and not entry.title_derived else "",
        "has a new abstract" if entry.abstract != before.abstract and before.abstract else "",
        "now has an abstract" if entry.abstract and not before.abstract else "",
    ]
    return ", ".join(part for part in said if part)


class Newsstand:
    """Says what is new whenever it is asked; may be asked from several threads."""

    def __init__(
        self,
        catalogue: Catalogue,
        engine: Callable[[], Engine],
        *,
        parse: Callable[[Engine], Callable[[str], ParsedQuestion]],
        sources: Callable[[], Mapping[str, str]],
    ) -> None:
        """Tell of what arrives in *catalogue*.

        Args:
            catalogue: Where entries arrive.
            engine: Returns an engine that knows all that *catalogue* has by then; may take long.
            parse: Returns what takes the conditions out of a query for an engine.
            sources: Returns how the feeds fare.
        """
        self._catalogue, self._engine, self._sources = catalogue, engine, sources
        self._parse = lru_cache(maxsize=1)(parse)

    def __call__(self) -> News:
        """Return what is new now."""
        upto = self._catalogue.last_change()  # before the engine: it knows this much at least
        engine = self._engine()
        return News(engine, self._parse(engine), self._catalogue, upto, self._sources())
