"""Which documents have which term, how often, and how long each document is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.index.strings import Strings, encoded

__all__ = ["Postings", "count_documents", "count_occurrences"]


@dataclass(frozen=True, slots=True)
class Postings:
    """What is counted of documents, which go by number from 0.

    Attributes:
        terms: Ascending.
        starts: int64, where the postings of each term begin; one more at the end.
        documents: int32, those of one term ascending.
        frequencies: How often the term occurs in each of `documents`, at least once.
        lengths: int32, shape (documents,): how many terms each has, repeated ones counted again.
    """

    terms: Strings
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    lengths: NDArray[np.int32]


def count_documents(documents: Iterable[Sequence[str]]) -> Postings:
    """Return the postings of *documents*, each a sequence of terms, read once."""
    numbers: dict[str, int] = {}
    lengths: list[int] = []
    listed: list[NDArray[np.int32]] = []
    for document in documents:
        lengths.append(len(document))
        listed.append(np.array([numbers.setdefault(term, len(numbers)) for term in document], np.int32))
    terms = np.concatenate(listed) if listed else np.zeros(0, np.int32)
    owners = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return count_occurrences(list(numbers), terms, owners, np.ones(len(terms), np.int64), len(lengths))


def count_occurrences(
    names: Sequence[str], terms: NDArray[np.int32], owners: NDArray[np.int32], times: NDArray[np.int64], size: int
) -> Postings:
    """Return the postings of occurrences that are listed one by one.

    Args:
        names: The terms by number, in any order; one that does not occur is left out.
        terms: The number of the term of each occurrence.
        owners: The document of each occurrence.
        times: How often each counts, at least once.
        size: How many documents there are.
    """
    lengths = np.bincount(owners, weights=times, minlength=size).astype(np.int32)
    present = np.flatnonzero(np.bincount(terms, minlength=len(names)))
    ordered = sorted((encoded(names[number]), number) for number in present.tolist())
    places = np.zeros(len(names), np.int64)
    places[[number for _, number in ordered]] = np.arange(len(ordered))
    keys = places[terms] * size + owners
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    frequencies = np.add.reduceat(times[order], firsts) if len(firsts) else np.zeros(0, np.int64)
    keys = keys[firsts]
    return Postings(
        Strings.of_bytes([name for name, _ in ordered]),
        np.searchsorted(keys, np.arange(len(ordered) + 1) * size).astype(np.int64),
        (keys % max(size, 1)).astype(np.int32),
        frequencies.astype(np.int32),
        lengths,
    )
