"""What entries are looked up by beside their words, each as a key that says its kind first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from enum import StrEnum

from retrieval.model import Entry
from retrieval.text.analysis import chunk_tokens, chunks, initials, stem, tokens

__all__ = ["Kind", "key", "keys_of", "words_of_name"]

_LONGEST_HEAD_WORDS = 2  # "MARS: …" names a system; a longer head is a subtitle's other half
_FEWEST_INITIALS = 3


class Kind(StrEnum):
    """What a key says of its entries."""

    ARRIVED = "d"
    AUTHOR = "a"
    CODE = "c"
    INITIALS = "i"
    KEYWORD = "k"
    NAME = "n"
    SHORT = "s"
    TAG = "t"
    VENUE = "v"
    YEAR = "y"
    LACKING = "l"


def key(kind: Kind, text: str) -> str:
    """Return the key of that kind."""
    return f"{kind}\0{text}"


def words_of_name(text: str) -> tuple[str, ...]:
    """Return the terms by which *text* is a name."""
    return tuple(token.term for chunk in chunks(text) for token in chunk_tokens(chunk) if token.kind == "word")


def keys_of(entry: Entry) -> Iterator[str]:
    """Yield every key of *entry* but those that its sentences give (CODE, SHORT); one can come twice."""
    for name in _names_of(entry):
        if words := words_of_name(name):
            yield key(Kind.NAME, " ".join(words))
    yield from _facts(entry)
    for keyword in entry.keywords:
        yield key(Kind.KEYWORD, keyword)
        yield key(Kind.TAG, " ".join(token.term for token in tokens(keyword)))
    if not entry.abstract:
        yield key(Kind.LACKING, "")


def _facts(entry: Entry) -> Iterator[str]:
    if entry.venue or entry.year:
        yield key(Kind.VENUE, f"{entry.venue}\0{entry.year or ''}")
    if entry.year is not None:
        yield key(Kind.YEAR, str(entry.year))
    for author in entry.authors:
        yield key(Kind.AUTHOR, author)
    if entry.name:
        words = tuple(token.term for token in tokens(entry.name) if token.kind == "word")
        if len(words) >= _FEWEST_INITIALS:
            yield key(Kind.INITIALS, f"{stem(initials(entry.name))}\0{' '.join(words)}")
    if entry.arrived_at is not None:
        yield key(Kind.ARRIVED, entry.arrived_at.astimezone(UTC).isoformat())


def _names_of(entry: Entry) -> Iterator[str]:
    name = entry.name or ""
    yield from name.split(",")
    if len(name.split()) >= _FEWEST_INITIALS:
        yield initials(name)
    if not entry.title_derived:
        yield entry.title
        head, colon, _ = entry.title.partition(":")
        if colon and len(head.split()) <= _LONGEST_HEAD_WORDS:
            yield head
