"""What is measured on: the lists that ship with Pullquote, and a conference's real list beside the checkout."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from retrieval.model import Entry
from retrieval.text.analysis import content_words, terms
from retrieval.text.cleaning import display_text

__all__ = ["REAL_LIST", "Documents", "Split", "documents", "questions", "read_list", "split"]

_ROOT = Path(__file__).parents[2]
REAL_LIST = _ROOT.parent / "shared" / "eval" / "iclr2026.jsonl.gz"
"""19,623 submissions, one JSON object a line; not part of the project."""

_QUESTIONS = _ROOT / "tests" / "relevance" / "questions.jsonl"
_EVERY = 97  # prime, so that no order in the list shows in what is held out
_TITLE_WORDS = 3  # a shorter title is no question


@dataclass(frozen=True, slots=True)
class Split:
    """Entries to search, and the titles of others, held out, to search them by."""

    entries: tuple[Entry, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Documents:
    """The same tokens for every ranking core.

    Attributes:
        tokens: The terms of each document, title and abstract, in order.
        queries: The terms of each query; none is empty.
    """

    tokens: tuple[tuple[str, ...], ...]
    queries: tuple[tuple[str, ...], ...]


def read_list(path: Path = REAL_LIST, *, limit: int | None = None) -> tuple[Entry, ...]:
    """Return the first *limit* entries of a gzipped list; all when left out.

    Raises:
        OSError: If there is no such file.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return tuple(islice(_entries(lines), limit))


def split(entries: Sequence[Entry]) -> Split:
    """Hold out every 97th of *entries*, the first of all included, for its title."""
    titles = (" ".join(content_words(entry.title)) for entry in entries[::_EVERY])
    kept = tuple(entry for number, entry in enumerate(entries) if number % _EVERY)
    return Split(kept, tuple(title for title in titles if len(title.split()) >= _TITLE_WORDS))


def questions() -> tuple[str, ...]:
    """Return the questions of the project's own judged set that stand alone, in its order."""
    records = (json.loads(line) for line in _QUESTIONS.read_text("utf-8").splitlines())
    return tuple(str(record["question"]) for record in records if not record["followup_of"])


def documents(entries: Iterable[Entry], queries: Sequence[str]) -> Documents:
    """Return *entries*, read once, and *queries* as terms; a query without terms is left out."""
    listed = (tuple(dict.fromkeys(terms(query))) for query in queries)
    known: dict[str, str] = {}  # equal terms are one string: a million entries have a hundred million
    return Documents(
        tuple(
            tuple(known.setdefault(term, term) for term in terms(f"{entry.title}\n{entry.abstract}"))
            for entry in entries
        ),
        tuple(query for query in listed if query),
    )


def _entries(lines: Iterator[str]) -> Iterator[Entry]:
    for line in lines:
        record = json.loads(line)
        yield Entry(
            record["id"],
            display_text(record["title"]),
            display_text(record["abstract"]),
            venue=record["venue"],
            year=int(record["year"]),
            keywords=tuple(record["keywords"]),
        )
