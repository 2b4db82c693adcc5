"""Which entries pass the conditions of a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import Bm25Index
from retrieval.collection import Collection
from retrieval.query import Condition
from retrieval.text.analysis import stem, terms

__all__ = ["Filter"]

_WORDS = re.compile(r"\w+")


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
        wanted_phrase = condition.field == "phrase" and not condition.negated
        candidates = allowed & self._with_plain_words(condition.value) if wanted_phrase else allowed
        for number in np.flatnonzero(candidates):
            candidates[number] = condition.holds(self._collection.entries[number])
        allowed &= candidates

    def _with_plain_words(self, phrase: str) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries have the words of *phrase* that consist of letters.

        Only they can hold it. A number, or words joined by a hyphen, may be indexed in another form than they are
        written in the phrase, and an acronym without its plural s.
        """
        found = np.ones(len(self._collection), np.bool_)
        for word in filter(str.isalpha, _WORDS.findall(phrase)):
            for term in terms(word):
                singular = self._holding(stem(word[:-1])) if word.endswith("s") else False
                found &= self._holding(term) | singular
        return found

    def _holding(self, term: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self._collection), np.bool_)
        found[self._index.documents(term)] = True
        return found
