"""Which entries pass the conditions of a question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25 import Bm25Index
from retrieval.collection import Collection
from retrieval.index.keys import Kind, key
from retrieval.index.parts import Parts
from retrieval.index.strings import encoded
from retrieval.model import Entry
from retrieval.query import Condition
from retrieval.text.analysis import stem, terms, tokens
from retrieval.text.phrases import phrase_in

__all__ = ["Filter"]

_KEYS: Mapping[str, Kind] = {"author": Kind.AUTHOR, "venue": Kind.VENUE, "year": Kind.YEAR}

_WORDS = re.compile(r"\w+")
_REMEMBERED = 64


class Filter:
    """Apply conditions to a whole collection; those on words go by the index and do not read every abstract."""

    def __init__(self, collection: Collection, index: Bm25Index, parts: Parts) -> None:
        """Filter *collection*, whose entries are the documents of *index*, and those of *parts*, in the same order."""
        self._collection = collection
        self._index = index
        self._parts = parts
        # The turns of a conversation stand under the same conditions.
        self._passing = lru_cache(maxsize=_REMEMBERED)(self._make_passing)

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
            allowed &= self._passing(condition)
        return allowed

    def mentioning(self, phrase: str, among: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries mention *phrase*, see `retrieval.text.phrases`.

        Args:
            among: Which to look at; all when left out.
        """
        # A hyphenated word may be written apart in the entry: what it is written as one is no condition.
        found = self._having([token.term for token in tokens(phrase) if token.kind == "word"])
        if among is not None:
            found &= among
        if not (wanted := encoded(phrase_in(phrase))):
            return np.zeros_like(found)
        for number in np.flatnonzero(found).tolist():
            segment, row = self._parts.place(number)
            found[number] = wanted in segment.texts.singular.encoded(row)
        return found

    def _holding(self, text: str) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries hold every term of *text* in title, abstract or keywords.

        Text without terms is held by none.
        """
        listed = tokens(text)
        # "all-to-all" is nothing but what it is written as one.
        asked = [token.term for token in listed if token.kind == "word"] or [token.term for token in listed]
        return self._having(asked) if asked else np.zeros(len(self._collection), np.bool_)

    def _having(self, asked: Iterable[str]) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries have all terms of *asked*."""
        found = np.ones(len(self._collection), np.bool_)
        for term in dict.fromkeys(asked):
            found &= self._index.holding(term)
        return found

    def _make_passing(self, condition: Condition) -> NDArray[np.bool_]:
        if condition.field == "word":
            # By stem, so that "-survey" leaves "surveys" out as well.
            found = self._holding(condition.value)
            return ~found if condition.negated else found
        positive = replace(condition, negated=False)
        if condition.field in _KEYS:
            passing = self._with_keys(positive)
        else:  # looked for only where its words are
            passing = self._with_plain_words(condition.value)
            for number in np.flatnonzero(passing).tolist():
                passing[number] = positive.holds(self._collection.entries[number])
        return ~passing if condition.negated else passing

    def _with_keys(self, condition: Condition) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries have a venue, year or author that fulfils *condition*.

        Each different one is looked at once, however many entries have it.
        """
        kind = _KEYS[condition.field]
        found = np.zeros(len(self._collection), np.bool_)
        for written, numbers in self._parts.keys_starting_with(key(kind, "")).items():
            if condition.holds(_bare(kind, written)):
                found[numbers] = True
        return found

    def _with_plain_words(self, phrase: str) -> NDArray[np.bool_]:
        """Return bool, shape (entries,): which entries have the words of *phrase* that consist of letters.

        Only they can hold it. A number, or words joined by a hyphen, may be indexed in another form than they are
        written in the phrase, and an acronym without its plural s.
        """
        found = np.ones(len(self._collection), np.bool_)
        for word in filter(str.isalpha, _WORDS.findall(phrase)):
            for term in terms(word):
                singular = self._index.holding(stem(word[:-1])) if word.endswith("s") else False
                found &= self._index.holding(term) | singular
        return found


def _bare(kind: Kind, written: str) -> Entry:
    """Return an entry of which nothing is known but what the key of that kind says."""
    match kind:
        case Kind.AUTHOR:
            return Entry("-", "-", "", authors=(written,))
        case Kind.YEAR:
            return Entry("-", "-", "", year=int(written))
        case _:
            return Entry("-", "-", "", venue=written.partition("\0")[0])
