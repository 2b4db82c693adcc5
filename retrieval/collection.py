"""What is searched: entries in a fixed order, their sentences, and facts about the whole."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from retrieval.errors import CollectionError, EmptyCollectionError, EntryNotFoundError
from retrieval.model import Entry, Passage, Span
from retrieval.text.sentences import sentences

__all__ = ["Collection", "text_digest"]

_DIGEST_BYTES = 16


class Collection:
    """Entries by id ascending, so that nothing depends on the order in which they came."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Hold *entries*.

        Raises:
            EmptyCollectionError: If there is none.
            CollectionError: If two have the same id.
        """
        self.entries: Sequence[Entry] = tuple(sorted(entries, key=lambda entry: entry.entry_id))
        self._numbers = {entry.entry_id: number for number, entry in enumerate(self.entries)}
        if not self.entries:
            raise EmptyCollectionError("the collection has no entry. Point PULLQUOTE_SEEDS_DIR at a folder of lists.")
        if len(self._numbers) < len(self.entries):
            twice = Counter(entry.entry_id for entry in self.entries).most_common(1)[0][0]
            raise CollectionError(f'two entries have the id "{twice}"')
        self._bounds: dict[int, array[int]] = {}  # of the sentences, start and end in turn: a tenth of what spans take

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._numbers

    def entry_id(self, number: int) -> str:
        """Return the id of the entry at *number*."""
        return self.entries[number].entry_id

    def entry(self, entry_id: str) -> Entry:
        """Return the entry of that id.

        Raises:
            EntryNotFoundError: If there is none.
        """
        return self.entries[self.number(entry_id)]

    def number(self, entry_id: str) -> int:
        """Return an entry's place in the order of ids, from 0.

        Raises:
            EntryNotFoundError: If there is none of that id.
        """
        try:
            return self._numbers[entry_id]
        except KeyError:
            raise EntryNotFoundError(entry_id) from None

    def passages(self, number: int) -> tuple[Passage, ...]:
        """Return the sentences of the entry at *number*, in the order of its abstract; none for an empty one."""
        entry_id, bounds = self.entries[number].entry_id, self.bounds(number)
        count = len(bounds) // 2
        return tuple(Passage(entry_id, Span(*bounds[2 * n : 2 * n + 2]), n + 1, count) for n in range(count))

    def sentences(self, number: int) -> tuple[str, ...]:
        """Return the text of each of `passages`."""
        abstract, bounds = self.entries[number].abstract, self.bounds(number)
        return tuple(abstract[bounds[at] : bounds[at + 1]] for at in range(0, len(bounds), 2))

    @cached_property
    def fingerprint(self) -> str:
        """Return 12 hexadecimal digits that change when any title or abstract does."""
        return hashlib.sha256(b"".join(map(text_digest, self.entries))).hexdigest()[:12]

    @cached_property
    def venues(self) -> tuple[str, ...]:
        """Return the venues with their years ("ICLR 2026"), the most frequent first."""
        return tuple(self._venue_counts)

    @cached_property
    def venue_names(self) -> tuple[str, ...]:
        """Return the venues without their years, by name."""
        return tuple(sorted({venue for venue, _ in self._by_venue if venue}))

    @cached_property
    def latest_year(self) -> int | None:
        """Return the latest year of any entry; None when none has one."""
        return max((int(year) for _, year in self._by_venue if year), default=None)

    @cached_property
    def summary(self) -> str:
        """Return one line that says how many abstracts there are, how many entries lack theirs, and of which venues."""
        counts = list(self._venue_counts.items())
        venues = ", ".join(f"{venue} ({count:,})" for venue, count in counts[:6])
        more = f" and {len(counts) - 6} more" if len(counts) > 6 else ""
        lacking = self._lacking
        held = len(self) - lacking
        counted = f"{held:,} abstract{'s' if held != 1 else ''}"
        if lacking:
            counted += f" and {lacking:,} {'title' if lacking == 1 else 'titles'} without one"
        return counted + (f": {venues}{more}" if venues else "")

    def bounds(self, number: int) -> Sequence[int]:
        """Return where each of `passages` starts and ends, in turn."""
        if number not in self._bounds:
            spans = sentences(self.entries[number].abstract)
            self._bounds[number] = array("l", (at for span in spans for at in (span.start, span.end)))
        return self._bounds[number]

    @cached_property
    def _venue_counts(self) -> dict[str, int]:
        venues: Counter[str] = Counter()
        for (venue, year), count in self._by_venue.items():
            venues[f"{venue} {year}".strip()] += count
        del venues[""]
        return dict(sorted(venues.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def _by_venue(self) -> dict[tuple[str, str], int]:
        """How many entries there are of each venue and year."""
        return dict(Counter((entry.venue, str(entry.year or "")) for entry in self.entries))

    @cached_property
    def _lacking(self) -> int:
        """How many entries have no abstract."""
        return sum(not entry.abstract for entry in self.entries)


def text_digest(entry: Entry) -> bytes:
    """Return 16 bytes that change when the id, the title or the abstract of *entry* does."""
    text = f"{entry.entry_id}\0{entry.title}\0{entry.abstract}\0"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
