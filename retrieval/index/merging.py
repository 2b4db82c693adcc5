"""Several segments into one, without taking a text apart again: what compiling all their entries at once would give."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.index.parts import Parts
from retrieval.index.postings import Postings
from retrieval.index.segment import Segment
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts, Keyed, added

__all__ = ["Column", "merged", "merged_columns"]

_ENTRIES_AT_ONCE = 4_096
_POSTINGS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class Column:
    """An array of a segment that comes in blocks of rows."""

    name: str
    dtype: np.dtype[Any]
    row: tuple[int, ...]
    blocks: Iterable[NDArray[Any]]

    def whole(self) -> NDArray[Any]:
        """Return the array in one piece."""
        blocks = [np.asarray(block, self.dtype) for block in self.blocks]
        return np.concatenate(blocks) if blocks else np.zeros((0, *self.row), self.dtype)


def merged(parts: Parts) -> Segment:
    """Return *parts* as one segment in memory, without vectors of terms."""
    return Segment.from_arrays({column.name: column.whole() for column in merged_columns(parts)})


def merged_columns(parts: Parts) -> Iterator[Column]:
    """Yield the columns of *parts* as one segment, without vectors of terms. Each is to be used up before the next."""
    yield from _strings(parts, "ids", lambda segment: segment.ids)
    yield from _strings(parts, "records", lambda segment: segment.records)
    yield _rows(parts, "digests", [segment.digests for segment in parts.segments])
    yield from _ragged(parts, "bounds", lambda segment: (segment.bounds, segment.bound_starts))
    small = Segment.columns_of(keys=_keys(parts), words=_words(parts), forms=_forms(parts), postings=_postings(parts))
    yield from (Column(name, array.dtype, array.shape[1:], [array]) for name, array in small)
    yield from _strings(parts, "text_singular", lambda segment: segment.texts.singular)
    yield from _strings(parts, "text_terms", lambda segment: segment.texts.terms)
    yield from _ragged(parts, "text_pieces", lambda segment: (segment.texts.pieces, segment.texts.starts))
    vectors = [segment.vectors for segment in parts.segments if segment.vectors is not None]
    if vectors:
        yield _rows(parts, "entry_vectors", [listed.entries for listed in vectors])
        found = {id(segment): listed for segment, listed in zip(parts.segments, vectors, strict=True)}
        sentences = _ragged(
            parts, "sentence", lambda segment: (found[id(segment)].sentences, found[id(segment)].starts)
        )
        values, starts = sentences
        yield Column("sentence_vectors", values.dtype, values.row, values.blocks)
        yield starts


def _rows(parts: Parts, name: str, arrays: Sequence[NDArray[Any]]) -> Column:
    """Return the column of one row an entry."""

    def blocks() -> Iterator[NDArray[Any]]:
        for first in range(0, parts.size, _ENTRIES_AT_ONCE):
            block = slice(first, min(first + _ENTRIES_AT_ONCE, parts.size))
            if parts.places is None:
                yield arrays[0][block]
                continue
            owners, rows = (places[block] for places in parts.places)
            found = np.zeros((len(rows), *arrays[0].shape[1:]), arrays[0].dtype)
            for at, array in enumerate(arrays):
                found[owners == at] = array[rows[owners == at]]
            yield found

    return Column(name, arrays[0].dtype, arrays[0].shape[1:], blocks())


def _strings(parts: Parts, name: str, of: Callable[[Segment], Strings]) -> tuple[Column, Column]:
    """Return the columns of one string an entry."""
    return _ragged(parts, name, lambda segment: (of(segment).data, of(segment).starts))


def _ragged(
    parts: Parts, name: str, of: Callable[[Segment], tuple[NDArray[Any], NDArray[np.int64]]]
) -> tuple[Column, Column]:
    """Return the column of several rows an entry, and the column of where they start."""
    arrays = [of(segment) for segment in parts.segments]
    data = arrays[0][0]

    def blocks() -> Iterator[NDArray[Any]]:
        for first in range(0, parts.size, _ENTRIES_AT_ONCE):
            last = min(first + _ENTRIES_AT_ONCE, parts.size)
            if parts.places is None:
                yield data[arrays[0][1][first] : arrays[0][1][last]]
                continue
            owners, rows = (places[first:last].tolist() for places in parts.places)
            yield np.concatenate(
                [
                    arrays[owner][0][arrays[owner][1][row] : arrays[owner][1][row + 1]]
                    for owner, row in zip(owners, rows, strict=True)
                ]
            )

    lengths = np.zeros(parts.size, np.int64)
    for (_, starts), numbers in zip(arrays, parts.numbers, strict=True):
        if numbers is None:
            lengths = np.diff(starts)
        else:
            lengths[numbers[numbers >= 0]] = np.diff(starts)[numbers >= 0]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return (
        Column(name, data.dtype, data.shape[1:], blocks()),
        Column(f"{name}_starts", starts.dtype, (), [starts]),
    )


def _keys(parts: Parts) -> Keyed:
    """Return the keys of all parts, with the numbers of their entries for rows."""
    listed: list[bytes] = []
    rows: list[NDArray[np.int32]] = []
    streams = [_key_stream(parts, at) for at in range(len(parts.parts))]
    for name, found in groupby(heapq.merge(*streams, key=lambda item: item[0]), key=lambda item: item[0]):
        together = np.concatenate([numbers for _, numbers in found])
        together = together[together >= 0]
        if len(together):
            listed.append(name)
            rows.append(np.sort(together))
    starts = np.concatenate([[0], np.cumsum([len(numbers) for numbers in rows])]).astype(np.int64)
    return Keyed(Strings.of_bytes(listed), starts, np.concatenate([np.zeros(0, np.int32), *rows]))


def _key_stream(parts: Parts, at: int) -> Iterator[tuple[bytes, NDArray[np.int32]]]:
    keys, numbers = parts.segments[at].keys, parts.numbers[at]
    rows = keys.rows if numbers is None else numbers[keys.rows]
    starts = keys.starts.tolist()
    for place in range(len(keys.keys)):
        yield keys.keys.encoded(place), rows[starts[place] : starts[place + 1]]


def _words(parts: Parts) -> Counts:
    counts = [*(part.segment.words.items() for part in parts.parts), *(part.gone_words.items() for part in parts.parts)]
    return Counts.of(added(counts, [1] * len(parts.parts) + [-1] * len(parts.parts)), 2)


def _forms(parts: Parts) -> Counts:
    counts = [*(part.segment.forms.items() for part in parts.parts), *(part.gone_forms.items() for part in parts.parts)]
    return Counts.of(added(counts, [1] * len(parts.parts) + [-1] * len(parts.parts)), 1)


def _postings(parts: Parts) -> Postings:
    """Return the postings of all parts; worked out for so many terms at a time that little more than they is held."""
    postings = [segment.postings for segment in parts.segments]
    if parts.whole:
        return postings[0]
    terms = sorted({term for listed in postings for term in listed.terms.all_encoded()})
    numbers = {term: number for number, term in enumerate(terms)}
    places = [np.fromiter(map(numbers.__getitem__, p.terms.all_encoded()), np.int64, len(p.terms)) for p in postings]
    del numbers
    totals = np.zeros(len(terms), np.int64)
    for listed, at in zip(postings, places, strict=True):
        totals[at] += np.diff(listed.starts)
    ends = np.cumsum(totals)
    documents: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    frequencies: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    counts = np.zeros(len(terms), np.int64)
    first = 0
    while first < len(terms):
        last = max(
            first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + _POSTINGS_AT_ONCE, "right"))
        )
        found, times, counts[first:last] = _block(parts, postings, places, first, last)
        documents.append(found)
        frequencies.append(times)
        first = last
    kept = np.flatnonzero(counts)
    return Postings(
        Strings.of_bytes([terms[number] for number in kept.tolist()]),
        np.concatenate([[0], np.cumsum(counts[kept])]).astype(np.int64),
        np.concatenate(documents),
        np.concatenate(frequencies),
        parts.gathered([listed.lengths for listed in postings]),
    )


def _block(
    parts: Parts, postings: Sequence[Postings], places: Sequence[NDArray[np.int64]], first: int, last: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Return the postings of the terms from *first* to *last*, and how many each has."""
    terms, documents, frequencies = [], [], []
    for listed, at, numbers in zip(postings, places, parts.numbers, strict=True):
        low, high = (int(place) for place in np.searchsorted(at, [first, last]))
        run = slice(int(listed.starts[low]), int(listed.starts[high]))
        found = listed.documents[run] if numbers is None else numbers[listed.documents[run]]
        there = found >= 0
        terms.append(np.repeat(at[low:high] - first, np.diff(listed.starts[low : high + 1]))[there])
        documents.append(found[there])
        frequencies.append(listed.frequencies[run][there])
    of_term, found = np.concatenate(terms), np.concatenate(documents)
    order = np.argsort(of_term * parts.size + found, kind="stable")
    return found[order], np.concatenate(frequencies)[order], np.bincount(of_term, minlength=last - first)
