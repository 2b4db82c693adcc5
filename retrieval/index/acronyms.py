"""The definitions of acronyms in texts, as keys to count: by the short form, and by the long form.

Each key has its parts apart by a zero:

    s, term of the short form, short form, long form
    l, terms of the long form, term of the short form, short form, long form
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retrieval.text.acronyms import defined_acronyms
from retrieval.text.analysis import stem, tokens

__all__ = ["definitions", "forms_of", "words_of_long_form"]


def definitions(sentences: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield for each definition in *sentences* the term of the short form, the short form and the long form."""
    for sentence in sentences:
        for short, long in defined_acronyms(sentence):
            if "\0" not in f"{short}{long}":
                yield stem(short.casefold()), short, long


def forms_of(term: str, short: str, long: str) -> Iterator[str]:
    """Yield the keys that a definition is counted by."""
    yield f"s\0{term}\0{short}\0{long}"
    yield f"l\0{' '.join(words_of_long_form(long))}\0{term}\0{short}\0{long}"


def words_of_long_form(text: str) -> tuple[str, ...]:
    """Return the terms that a long form consists of."""
    return tuple(token.term for token in tokens(text) if token.kind == "word")
