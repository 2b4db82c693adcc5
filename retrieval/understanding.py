"""From a question to what is searched for: terms, and what in the collection stands for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from retrieval.index.terms import TermVectors
from retrieval.lexicon import Lexicon
from retrieval.model import Query, QueryTerm
from retrieval.semantic import WordVectors
from retrieval.text.analysis import Kind, Token, stem, tokens
from retrieval.text.languages import foreign_function_words, is_east_asian
from retrieval.text.stopwords import STOP_WORDS

__all__ = ["Understanding"]

_K3 = 8.0  # how fast a word that is repeated in the question stops counting for more
_PART_WEIGHT = 0.5  # parts of camel-case words, hyphenated words written as one
_PAIR_WEIGHT = 0.3  # two words of the question that the collection writes as one
_SHORT_FORM_WEIGHT = 0.4  # an acronym whose long form the question spells out
_SPELLING_WORTH = 0.8
_HALF_WORTH = 0.7
_NEIGHBOUR_WORTH = 0.5
_NEIGHBOUR_COSINE = 0.4
_NEIGHBOURS = 3
_LONGEST_LONG_FORM = 5
_SHORTEST_SLIP = 3
_SHORTEST_ACRONYM = 2
_FAR_MORE = 10  # so much more often is an acronym written than what its plural is written like in small letters


class Understanding:
    """Read questions in the light of one collection's vocabulary."""

    def __init__(self, lexicon: Lexicon, vectors: WordVectors | None, terms: TermVectors | None) -> None:
        """Know the words of *lexicon*; without *vectors* and *terms* nothing is matched by meaning."""
        self._lexicon = lexicon
        self._vectors = vectors
        self._terms = terms

    def query(self, text: str) -> Query:
        """Return what *text* asks for, in its order, each term once.

        A word that the collection does not have is read as one spelled almost so, as two that it is made of, or as the
        nearest in meaning; else it stays, unmatched, and counts as missing.
        """
        asked = self._understood(text)
        words = [token for token in asked if token.kind == "word"]
        found: dict[str, QueryTerm] = {}
        for (term, kind), count in Counter((token.term, token.kind) for token in asked).items():
            word = next(token.word for token in asked if token.term == term)
            self._add_asked(found, term, word, kind, count)
        self._add_pairs(found, words)
        self._add_short_forms(found, [token.term for token in words])
        typed = {token.term: text[token.start : token.end] for token in reversed(asked)}
        shown = tuple(replace(term, typed=typed.get(term.term, term.word)) for term in found.values())
        return Query(text, _corrected(text, words, found), shown)

    def _understood(self, text: str) -> list[Token]:
        """Return the tokens of *text* that may be subject.

        Left out are the grammar of another language, a script that no entry is in, and slips of words that are never
        looked for ("teh", "waht").
        """
        grammar = foreign_function_words(text)
        return [
            self._of_one(token)
            for token in tokens(text)
            if not (grammar and (token.word in grammar or len(token.word) == 1))
            and (self._lexicon.knows(token.term) or not (is_east_asian(token.word[0]) or _is_slip(token.word)))
        ]

    def _of_one(self, token: Token) -> Token:
        """Return *token*, or the acronym that it is the plural of: abstracts write "GNNs", people type "gnns"."""
        word, one = token.word, token.word.removesuffix("s")
        if token.kind != "word" or token.term != word or one == word or len(one) < _SHORTEST_ACRONYM:
            return token
        more = self._lexicon.written(one) > _FAR_MORE * self._lexicon.written(word)
        return replace(token, word=one, term=one) if more else token

    def _add_asked(self, found: dict[str, QueryTerm], term: str, word: str, kind: Kind, count: int) -> None:
        weight = count * (_K3 + 1) / (count + _K3) * (1.0 if kind == "word" else _PART_WEIGHT)
        known = self._lexicon.knows(term)
        if term in found or (not known and kind != "word"):
            return
        apart = self._written_apart(word) if kind == "word" else ()
        long_form = self._lexicon.long_form(term) or apart
        if known or long_form:
            matches = {term: 1.0} if known else {}
            found[term] = QueryTerm(word, term, weight, matches, counted=kind == "word", long_form=long_form)
        else:
            found[term] = self._stand_in(term, word, weight)

    def _written_apart(self, word: str) -> tuple[str, ...]:
        """Return the two terms that together are *word* ("auto encoder"), unless it is a word of its own in English."""
        spelled_right = self._vectors is None or word in self._vectors.words
        return () if spelled_right else self._lexicon.halves(word) or ()

    def _stand_in(self, term: str, word: str, weight: float) -> QueryTerm:
        spelled_right = self._vectors is not None and word in self._vectors.words
        if not spelled_right and (other := self._lexicon.corrected(word)):
            return QueryTerm(word, term, weight, {stem(other): _SPELLING_WORTH}, correction=other)
        if not spelled_right and (halves := self._lexicon.halves(word)):
            return QueryTerm(word, term, weight, dict.fromkeys(halves, _HALF_WORTH))
        return QueryTerm(word, term, weight, self._nearest(word), by_meaning=True)

    def _nearest(self, word: str) -> dict[str, float]:
        """Return the terms nearest to *word* in meaning, with what a match is worth."""
        if self._terms is None:
            return {}
        near = self._terms.near(word, least=_NEIGHBOUR_COSINE, count=_NEIGHBOURS)
        return {term: cosine * _NEIGHBOUR_WORTH for term, cosine in near}

    def _add_pairs(self, found: dict[str, QueryTerm], words: Sequence[Token]) -> None:
        for left, right in pairwise(words):
            joined = left.word + right.word
            term = stem(joined)
            if self._lexicon.knows(term) and term not in found and min(len(left.word), len(right.word)) > 1:
                found[term] = QueryTerm(joined, term, _PAIR_WEIGHT, {term: 1.0}, counted=False)

    def _add_short_forms(self, found: dict[str, QueryTerm], listed: Sequence[str]) -> None:
        for first in range(len(listed)):
            for last in range(first + 2, min(first + _LONGEST_LONG_FORM, len(listed)) + 1):
                short = self._lexicon.acronym_of(listed[first:last])
                if short is not None and short not in found:
                    found[short] = QueryTerm(short, short, _SHORT_FORM_WEIGHT, {short: 1.0}, counted=False)


def _is_slip(word: str) -> bool:
    """Tell whether *word* is a stop word with two neighbouring letters exchanged."""
    swapped = (f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in range(len(word) - 1))
    return len(word) >= _SHORTEST_SLIP and any(other in STOP_WORDS for other in swapped)


def _corrected(text: str, words: Sequence[Token], found: Mapping[str, QueryTerm]) -> str:
    """Return *text* with its corrected words in place of those typed."""
    for token in reversed(words):
        if correction := found[token.term].correction:
            text = text[: token.start] + correction + text[token.end :]
    return text
