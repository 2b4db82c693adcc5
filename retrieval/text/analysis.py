"""From text to terms: what is indexed and what is looked up, by the same rules.

A tokenizer finds words with their offsets; filters fold case and accents, drop stop words and stem
(Porter2, "english" in Snowball). A hyphenated word yields its parts and, over the same characters, the
parts written as one word, so that "front-door", "front door" and "frontdoor" meet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from retrieval.text.stopwords import STOP_WORDS

__all__ = ["Analyzer", "Token", "fold"]

# Han, kana and hangul are written without blanks: each character is a word, so that Latin names inside stand out.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = rf"[^\W_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*"
_NUMBER = r"\d+(?:[.,]\d+)+"
_HYPHEN = "[-\u2010\u2011\u00ad]"
_TOKEN = re.compile(rf"{_NUMBER}(?![^\W_])|(?P<compound>{_WORD}(?:{_HYPHEN}{_WORD})+)|{_WORD}|[{_CJK}]")
_PART = re.compile(_WORD)
_POSSESSIVE = re.compile(r"['’]s?$")
_BRITISH = (
    (re.compile(r"isation(s?)$"), r"ization\1"),
    (re.compile(r"(?<=[a-z]{3})ise([drs]?)$"), r"ize\1"),
    (re.compile(r"(?<=[a-z]{3})ising$"), "izing"),
    (re.compile(r"(?<=[a-z]{2})our(s|ed|ing|ite|ites|al|ally|able|ful)?$"), r"or\1"),
    (re.compile(r"(?<=[a-z]{3})lling$"), "ling"),
    (re.compile(r"(?<=[a-z]{3})lled$"), "led"),
    (re.compile(r"(?<=[a-z]{3})yse([drs]?)$"), r"yze\1"),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A term and the characters it stands for.

    Attributes:
        term: Folded and stemmed; two tokens match when their terms are equal.
        start: Offset of the first character in the text given.
        end: Offset after the last one.
    """

    term: str
    start: int
    end: int


def fold(word: str) -> str:
    """Return *word* without case, accents or compatibility forms: "Ｎaïve" is "naive"."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


class Analyzer:
    """Turn text into terms.

    One instance serves a whole process and may be shared between threads.
    """

    def __init__(self) -> None:
        self._term = lru_cache(maxsize=1 << 18)(_normalise)

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of *text* in order of their start; stop words yield nothing."""
        for match in _TOKEN.finditer(text):
            if match["compound"] is None:
                yield from self._word(match.group(), match.start())
            else:
                yield from self._compound(match.group(), match.start())

    def terms(self, text: str) -> list[str]:
        """Return the terms of *text* in order, repeated as often as they occur."""
        return [token.term for token in self.tokens(text)]

    def term(self, word: str) -> str:
        """Return the term that a single *word* stands for; "" for a stop word."""
        return self._term(word)

    def _word(self, word: str, start: int) -> Iterator[Token]:
        if term := self._term(word):
            yield Token(term, start, start + len(word))

    def _compound(self, word: str, start: int) -> Iterator[Token]:
        parts = list(_PART.finditer(word))
        joined = "".join(part.group() for part in parts)
        if len(parts) <= 3 and (term := self._term(joined)):
            yield Token(term, start, start + len(word))
        for part in parts:
            yield from self._word(part.group(), start + part.start())


_STEMMER = Stemmer.Stemmer("english")


def _normalise(word: str) -> str:
    folded = _POSSESSIVE.sub("", fold(word))
    if folded in STOP_WORDS:
        return ""
    for pattern, american in _BRITISH:
        folded = pattern.sub(american, folded)
    return str(_STEMMER.stemWord(folded))
