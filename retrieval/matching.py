"""Tell whether two records are the same paper: by identifiers first, then by title or opening words.

Two different papers must never become one, so what only might be the same stays apart. The outcome depends on which
records there are, not on the order in which they came.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from retrieval.people import family
from retrieval.records import Record
from retrieval.text.analysis import fold
from retrieval.text.cleaning import display_text
from retrieval.venues import canonical_venue

__all__ = ["Described", "clusters", "corrects", "keys_of", "same_abstract"]

_WORDS: Final = re.compile(r"[^\W_]+")
_OPENING_WORDS: Final = 12
_OPENING_CHARS: Final = 400
_MIN_TITLE_WORDS, _MIN_TITLE_CHARS = 3, 15
_LONG_TITLE_WORDS: Final = 6
_MAX_YEARS_APART: Final = 3
_ONE_PAPER_EACH: Final = ("arxiv", "pubmed", "openreview", "doi")
_PREPRINT_DOI: Final = re.compile(
    r"10\.(?:48550/arxiv|1101/\d|2139/ssrn|26434/chemrxiv|21203/rs|5281/zenodo|31234/osf|31219/osf|20944/preprints)",
    re.IGNORECASE,
)


class Described:
    """A record with what it is compared by, each worked out when first needed."""

    __slots__ = ("_opening", "_people", "_shingles", "_title", "_title_key", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._title_key: str | None = None
        self._opening: str | None = None
        self._people: frozenset[str] | None = None
        self._shingles: frozenset[tuple[str, ...]] | None = None
        self._title: frozenset[str] | None = None

    @property
    def title_key(self) -> str:
        """The title's words, folded; empty for a title too short to tell papers apart."""
        if self._title_key is None:
            words = _folded_words(self.record.title)
            key = " ".join(words)
            self._title_key = key if len(words) >= _MIN_TITLE_WORDS and len(key) >= _MIN_TITLE_CHARS else ""
        return self._title_key

    @property
    def opening(self) -> str:
        """The abstract's first words, folded; empty when it has fewer."""
        if self._opening is None:
            words = _folded_words(self.record.abstract[:_OPENING_CHARS])[:_OPENING_WORDS]
            self._opening = " ".join(words) if len(words) == _OPENING_WORDS else ""
        return self._opening

    @property
    def people(self) -> frozenset[str]:
        """The authors' family names, folded."""
        if self._people is None:
            self._people = frozenset(fold(family(name)) for name in self.record.authors) - {""}
        return self._people

    @property
    def shingles(self) -> frozenset[tuple[str, ...]]:
        """The abstract's runs of three words."""
        if self._shingles is None:
            words = _folded_words(self.record.abstract)
            self._shingles = frozenset(zip(words, words[1:], words[2:], strict=False))
        return self._shingles

    @property
    def title_words(self) -> frozenset[str]:
        """The words of the title, whatever its length."""
        if self._title is None:
            self._title = frozenset(_folded_words(self.record.title))
        return self._title


def keys_of(described: Described) -> list[tuple[str, str]]:
    """Return what another record must share at least one of to be the same paper, as scheme and value."""
    keys = list(described.record.ids.items())
    if described.title_key:
        keys.append(("title", described.title_key))
    if described.opening:
        keys.append(("opening", described.opening))
    return keys


def clusters(records: Sequence[Described]) -> list[list[int]]:
    """Return the positions of *records* grouped by paper, each group ascending, groups by their first position.

    Records that share an identifier are one paper unless everything else about them differs. Titles and opening words
    then join what agrees; where a chain of them would join papers that have different identifiers of one kind, none of
    its links counts.
    """
    sure = _Groups(len(records))
    for pair in _pairs(records, lambda one: one.record.ids.items()):
        if not _contradict(records[pair[0]], records[pair[1]]):
            sure.join(*pair)
    likely = sure.copy()
    for pair in _pairs(records, lambda one: [key for key in keys_of(one) if key[0] in {"title", "opening"}]):
        if _agree(records[pair[0]], records[pair[1]]):
            likely.join(*pair)
    found: list[list[int]] = []
    for group in likely.groups():
        parts = sure.groups(within=group)
        found += parts if len(parts) > 1 and _conflict(records, parts) else [group]
    return sorted(found)


def corrects(new: Described, old: Described) -> bool:
    """Tell whether *new*, from a file that said *old* and no longer does, says the same of the same paper, corrected.

    Whatever does not identify a paper may have changed where an identifier stayed, and the other way round.
    """
    a, b = new.record, old.record
    same_words = (bool(new.title_key) and new.title_key == old.title_key) or same_abstract(a.abstract, b.abstract)
    if any(b.ids.get(scheme) == value for scheme, value in a.ids.items()) and not _differing(a, b, _ONE_PAPER_EACH):
        return same_words or not a.title or not b.title or _overlap(new.title_words, old.title_words) >= 0.6
    if not new.people and not a.abstract:
        return False  # "Preface to the volume"
    return same_words and (a.year, a.venue, new.people) == (b.year, b.venue, old.people)


def same_abstract(one: str, other: str) -> bool:
    """Tell whether two abstracts are the same text but for small differences, such as those of typesetting."""
    a, b = Described(Record("", 1, abstract=one)).shingles, Described(Record("", 1, abstract=other)).shingles
    return bool(a and b) and len(a & b) >= 0.8 * max(len(a), len(b))


def _agree(one: Described, other: Described) -> bool:
    """Tell whether two records with the same title, or abstracts that begin alike, are one paper as far as they say."""
    a, b = one.record, other.record
    if a.year and b.year and abs(a.year - b.year) > _MAX_YEARS_APART:
        return False
    abstracts = _overlap(one.shingles, other.shingles) if one.shingles and other.shingles else None
    same_title = bool(one.title_key) and one.title_key == other.title_key
    if not same_title and a.title and b.title and _overlap(one.title_words, other.title_words) < 0.5:
        return False
    if one.people and other.people:
        shared = len(one.people & other.people) / min(len(one.people), len(other.people))
        enough = 0.1 if same_title else 0.8
        return shared >= 0.5 and (same_title if abstracts is None else abstracts >= enough)
    if abstracts is not None:
        lengths = sorted((len(one.shingles), len(other.shingles)))
        return abstracts >= 0.7 and lengths[0] >= 0.5 * lengths[1]
    if not same_title or one.title_key.count(" ") < _LONG_TITLE_WORDS - 1:
        return False
    return a.year is not None and a.year == b.year and not _differing(a, b, set(a.ids) & set(b.ids))


def _contradict(one: Described, other: Described) -> bool:
    """Tell whether records that share an identifier, copied wrongly or a volume's, speak of different papers."""
    if not one.title_words or not other.title_words or _overlap(one.title_words, other.title_words) >= 0.6:
        return False
    if one.people and other.people:
        return not one.people & other.people
    return bool(one.shingles and other.shingles) and _overlap(one.shingles, other.shingles) < 0.1


def _conflict(records: Sequence[Described], parts: Sequence[Sequence[int]]) -> bool:
    """Tell whether any two parts hold different identifiers where one paper has but one."""
    return any(
        _differing(records[a].record, records[b].record, _ONE_PAPER_EACH)
        for number, part in enumerate(parts)
        for following in parts[number + 1 :]
        for a in part
        for b in following
    )


def _differing(a: Record, b: Record, schemes: Iterable[str]) -> bool:
    for scheme in schemes:
        mine, yours = a.ids.get(scheme), b.ids.get(scheme)
        if mine is None or yours is None or mine == yours:
            continue
        if scheme == "doi" and (_PREPRINT_DOI.match(mine) or _PREPRINT_DOI.match(yours)):
            continue  # a preprint has a DOI of its own beside the paper's
        if scheme == "openreview" and not _same_meeting(a, b):
            continue  # submitted again elsewhere, under a new number
        return True
    return False


def _same_meeting(a: Record, b: Record) -> bool:
    return (a.year is None or b.year is None or a.year == b.year) and canonical_venue(a.venue) == canonical_venue(
        b.venue
    )


def _pairs(
    records: Sequence[Described], keys: Callable[[Described], Iterable[tuple[str, str]]]
) -> set[tuple[int, int]]:
    by_key: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, record in enumerate(records):
        for key in keys(record):
            by_key[key].append(position)
    return {(a, b) for members in by_key.values() for n, a in enumerate(members) for b in members[n + 1 :]}


def _overlap(a: AbstractSet[object], b: AbstractSet[object]) -> float:
    """Return the share of the smaller set that the larger one has; 0 for an empty set."""
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _folded_words(text: str) -> list[str]:
    return _WORDS.findall(fold(display_text(text)))


class _Groups:
    """Disjoint groups of positions."""

    def __init__(self, size: int) -> None:
        self._parents = list(range(size))

    def copy(self) -> _Groups:
        copied = _Groups(0)
        copied._parents = self._parents.copy()
        return copied

    def join(self, a: int, b: int) -> None:
        first, second = sorted((self._root(a), self._root(b)))
        self._parents[second] = first

    def groups(self, within: Sequence[int] | None = None) -> list[list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for position in range(len(self._parents)) if within is None else within:
            found[self._root(position)].append(position)
        return list(found.values())

    def _root(self, position: int) -> int:
        while self._parents[position] != position:
            self._parents[position] = self._parents[self._parents[position]]
            position = self._parents[position]
        return position
