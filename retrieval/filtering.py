"""Which entries pass the conditions of a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import Bm25Index
from retrieval.collection import Collection
from retrieval.query import Condition
from retrieval.text.analysis import terms

__all__ = ["Filter"]


class Filter:
    """Apply conditions to a whole collection; those on words go by the index and do not read every abstract."""

    def __init__(self, collection: Collection, index: Bm25Index) -> None:
        """Filter *collection*, whose entries are the documents of *index* in the same order."""
        self._collection = collection
        self._index = index

    def mask(self, conditions: Sequence[Condition], within: Iterable[str] | None = None) -> NDArray[np.bool_] | None:
        """Return bool, shape (entries,): which entries fulfil all *conditions* and are in *within*.

        None stands for all of them, when there is nothing to filter by.
        """
        if not conditions and within is None:
            return None
        allowed = np.ones(len(self._collection), np.bool_)
        if within is not None:
            allowed[:] = False
            allowed[[self._collection.number(entry_id) for entry_id in within if entry_id in self._collection]] = True
        for condition in conditions:
            self._restrict(allowed, condition)
        return allowed

    def mentioning(self, text: str) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries hold every term of *text* in title, abstract or keywords.

        Text without terms is held by none.
        """
        listed = terms(text)
        found = np.full(len(self._collection), bool(listed))
        for term in dict.fromkeys(listed):
            found &= self._holding(term)
        return found

    def _restrict(self, allowed: NDArray[np.bool_], condition: Condition) -> None:
        if condition.field == "word":
            # By stem, so that "-survey" leaves "surveys" out as well.
            found = self.mentioning(condition.value)
            allowed &= ~found if condition.negated else found
            return
        # A phrase is looked for only where its words are; the other fields are cheap to look at one by one.
        candidates = allowed & self.mentioning(condition.value) if self._is_wanted_phrase(condition) else allowed
        for number in np.flatnonzero(candidates):
            candidates[number] = condition.holds(self._collection.entries[number])
        allowed &= candidates

    def _is_wanted_phrase(self, condition: Condition) -> bool:
        return condition.field == "phrase" and not condition.negated and bool(terms(condition.value))

    def _holding(self, term: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self._collection), np.bool_)
        found[self._index.documents(term)] = True
        return found
