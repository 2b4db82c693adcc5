"""From text to terms: what is indexed and what is looked up, by the same rules.

A tokenizer finds words with their offsets; filters fold case and accents, unify spelling, drop stop words and
stem (Porter2, "english" in Snowball). "front-door" yields front, door and frontdoor; "LPSFed" yields lpsfed, lps
and fed; "TNF-α" yields tnf, alpha and tnfalpha: whichever way a question writes them, they meet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import Stemmer

from retrieval.text.spelling import american
from retrieval.text.stopwords import STOP_WORDS

__all__ = [
    "Kind",
    "Token",
    "chunk_tokens",
    "chunks",
    "content_words",
    "fold",
    "initials",
    "stem",
    "terms",
    "tokens",
    "words_of_chunk",
]

Kind = Literal["word", "part", "joined"]
"""A word as written between blanks and hyphens; a part of a camel-case one; a hyphened one written as one."""

# Han, kana and hangul are written without blanks: each character is a word, so that Latin names inside stand out.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = rf"[^\W_{_CJK}]+"
_HYPHEN = "-\u2010\u2011\u00ad"
_CHUNK = re.compile(rf"\d+(?:[.,]\d+)+(?![^\W_])|{_WORD}(?:[{_HYPHEN}]{_WORD})*|[{_CJK}]")
_PIECE = re.compile(rf"[^{_HYPHEN}]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[a-z]{3})(?=\d)")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{3,}s")
_POSSESSIVE = re.compile(rf"(?<=['’])s\b(?![{_HYPHEN}]\w)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_REMEMBERED_CHARS = 300
_REMEMBERED_CHUNKS = 1 << 16  # some 25 MB
_LONGEST_JOINED_CHARS = 12  # three pieces and more are one word only while they are short: "k-n-n"
_GREEK = dict(
    zip(
        "αβγδεζηθκλμστφχψω",
        "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu sigma tau phi chi psi omega".split(),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """A term and the characters it stands for.

    Attributes:
        term: Folded and stemmed; two tokens match when their terms are equal.
        word: The folded word that the term was made of.
        start: Offset of the first character in the text given.
        end: Offset after the last one.
    """

    term: str
    word: str
    start: int
    end: int
    kind: Kind = "word"


def tokens(text: str) -> Sequence[Token]:
    """Return the tokens of *text*, the longest first where several share characters; stop words yield nothing."""
    return _remembered_tokens(text) if len(text) <= _REMEMBERED_CHARS else tuple(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    possessive = {match.start() for match in _POSSESSIVE.finditer(text)}
    for chunk in _CHUNK.finditer(text):
        start = chunk.start()
        if start not in possessive:
            for token in chunk_tokens(chunk.group()):
                yield Token(token.term, token.word, start + token.start, start + token.end, token.kind)


def chunks(text: str) -> list[str]:
    """Return what *text* is made of between blanks and punctuation, in order, without a possessive s.

    What a chunk yields does not depend on what stands around it: `tokens` are its `chunk_tokens`, moved to its place.
    """
    possessive = {match.start() for match in _POSSESSIVE.finditer(text)} if "s" in text else ()
    if possessive:
        return [chunk.group() for chunk in _CHUNK.finditer(text) if chunk.start() not in possessive]
    return _CHUNK.findall(text)


@lru_cache(maxsize=_REMEMBERED_CHUNKS)
def chunk_tokens(chunk: str) -> tuple[Token, ...]:
    """Return the tokens of one of `chunks`, with offsets in it."""
    pieces = list(_PIECE.finditer(chunk))
    joined = _joined([piece.group() for piece in pieces], 0, len(chunk)) if len(pieces) > 1 else ()
    return (*joined, *(token for piece in pieces for token in _word(piece.group(), piece.start())))


def terms(text: str) -> list[str]:
    """Return the terms of *text* in order, repeated as often as they occur."""
    return [token.term for chunk in chunks(text) for token in chunk_tokens(chunk)]


def content_words(text: str) -> list[str]:
    """Return the words of *text* that carry its subject, as written, in order."""
    return [word for chunk in chunks(text) for word in words_of_chunk(chunk)]


def words_of_chunk(chunk: str) -> list[str]:
    """Return the `content_words` of one of `chunks`."""
    return words_of_tokens(chunk, chunk_tokens(chunk))


def words_of_tokens(chunk: str, listed: Iterable[Token]) -> list[str]:
    """Return the same where its tokens are at hand."""
    return [chunk[token.start : token.end] for token in listed if token.kind == "word" and len(token.word) > 1]


def fold(text: str) -> str:
    """Return *text* without case, accents or compatibility forms: "Ｎaïve" is "naive", "β" is "beta"."""
    if text.isascii():
        return text.lower()
    return _remembered_fold(text) if len(text) <= _REMEMBERED_CHARS else _folded(text)


def _folded(text: str) -> str:
    return _NOT_ASCII.sub(_without_accent, unicodedata.normalize("NFKD", text).casefold())


def _without_accent(letter: re.Match[str]) -> str:
    return "" if unicodedata.combining(letter[0]) else _GREEK.get(letter[0], letter[0])


@lru_cache(maxsize=1 << 16)
def stem(folded: str) -> str:
    """Return the term that a folded word stands for."""
    return str(_STEMMER.stemWord(american(folded)))


def initials(name: str) -> str:
    """Return the folded initials of the words of *name*: "Neural Effect Search" gives "nes"."""
    return "".join(fold(word)[:1] for word in name.split() if word[0].isalnum())


# A question is looked at from many sides, and so is a name: short texts come again soon.
_remembered_fold = lru_cache(maxsize=1 << 16)(_folded)
_remembered_tokens = lru_cache(maxsize=1_024)(lambda text: tuple(_tokens(text)))
_STEMMER = Stemmer.Stemmer("english", 0)  # its own cache off: ours holds the whole way


def _joined(pieces: list[str], start: int, end: int) -> Iterator[Token]:
    word = fold("".join(pieces))
    if (len(pieces) == 2 or len(word) <= _LONGEST_JOINED_CHARS) and _counts(word):
        yield Token(stem(word), word, start, end, "joined")


def _word(piece: str, start: int) -> Iterator[Token]:
    word = fold(piece.removesuffix("s") if _PLURAL_ACRONYM.fullmatch(piece) else piece)
    if _counts(word):
        yield Token(stem(word), word, start, start + len(piece))
    if word.isalpha() and word == piece:  # nothing in upper case and no digit, so nothing to take apart
        return
    parts = _CAMEL.split(piece)
    for part in parts if len(parts) > 1 else ():
        folded = fold(part)
        if (len(part) > 1 or part.isdigit()) and _counts(folded):
            yield Token(stem(folded), folded, start, start + len(part), "part")
        start += len(part)


def _counts(folded: str) -> bool:
    return folded != "" and folded not in STOP_WORDS  # of a sound mark that stands alone nothing is left
