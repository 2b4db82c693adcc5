"""What is asked of all entries at once: which, how many, of what kind. Answered from the index, not from entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from retrieval.collection import Collection
from retrieval.filtering import Filter
from retrieval.found import Found
from retrieval.index.keys import Kind, key
from retrieval.index.parts import Parts
from retrieval.query import Condition
from retrieval.text.analysis import tokens

__all__ = ["Grouping", "Listing"]

Grouping = Literal["venue", "year", "keyword"]

_KINDS: Mapping[Grouping, Kind] = {"venue": Kind.VENUE, "year": Kind.YEAR, "keyword": Kind.KEYWORD}


class Listing:
    """The entries of a collection by what they mention and what is known of them."""

    def __init__(self, collection: Collection, parts: Parts, filtering: Filter) -> None:
        """List *collection*, which consists of *parts*; conditions are applied by *filtering*."""
        self._collection = collection
        self._parts = parts
        self._filter = filtering

    def mentioning(self, text: str, conditions: Sequence[Condition] = ()) -> Found:
        """Return every entry that mentions *text*, word by word, and fulfils *conditions*; all for no text.

        Returns:
            By entry id; see `retrieval.text.phrases` for what counts.
        """
        allowed = self._filter.mask(conditions)
        if text:
            allowed = self._filter.mentioning(text, allowed)
        found = np.arange(len(self._collection)) if allowed is None else np.flatnonzero(allowed)
        return Found(self._collection.entries, found)

    def tagged(self, text: str, conditions: Sequence[Condition] = ()) -> Found:
        """Return every entry that has *text* for a keyword and fulfils *conditions*, by entry id."""
        return self._found(
            self._parts.rows_of(key(Kind.TAG, " ".join(token.term for token in tokens(text)))), conditions
        )

    def with_code(self, conditions: Sequence[Condition] = ()) -> Found:
        """Return the entries that link to code or say that there is some: links first, then by entry id."""
        links, words = (self._parts.rows_of(key(Kind.CODE, how)) for how in ("link", "words"))
        return self._found(np.concatenate([links, words]), conditions)

    def any_passes(self, conditions: Sequence[Condition]) -> bool:
        """Tell whether an entry fulfils all *conditions*."""
        allowed = self._filter.mask(conditions)
        return allowed is None or bool(allowed.any())

    def grouped(self, by: Grouping, found: Found) -> Mapping[str, int]:
        """Return how many of *found* there are of each venue with its year, of each year or keyword; in no order."""
        among = np.zeros(len(self._collection), np.bool_)
        among[found.numbers] = True
        counts: Counter[str] = Counter()
        for written, numbers in self._parts.keys_starting_with(key(_KINDS[by], "")).items():
            if count := int(np.count_nonzero(among[numbers])):
                counts[written.replace("\0", " ").strip()] += count  # between a venue and its year
        return counts

    def arrived(self, found: Found, since: datetime) -> Found:
        """Return those of *found* that arrived at *since* or later, the newest first, then by entry id."""
        among = np.zeros(len(self._collection), np.bool_)
        among[found.numbers] = True
        newest = [numbers for at, numbers in sorted(self._arrivals.items(), reverse=True) if at >= since]
        ordered = np.concatenate([np.zeros(0, np.int32), *newest])
        return Found(self._collection.entries, ordered[among[ordered]])

    @property
    def latest_arrival(self) -> datetime | None:
        """When the newest entry arrived; None where none says so."""
        return max(self._arrivals, default=None)

    @cached_property
    def _arrivals(self) -> Mapping[datetime, NDArray[np.int32]]:
        keys = self._parts.keys_starting_with(key(Kind.ARRIVED, ""))
        return {datetime.fromisoformat(written): numbers for written, numbers in keys.items()}

    def _found(self, numbers: NDArray[np.int32], conditions: Sequence[Condition]) -> Found:
        allowed = self._filter.mask(conditions)
        return Found(self._collection.entries, numbers if allowed is None else numbers[allowed[numbers]])
