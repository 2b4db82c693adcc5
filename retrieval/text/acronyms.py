"""Acronyms that abstracts define themselves: "temporal knowledge graph (TKG)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["defined_acronyms"]

_PARENTHESIS = re.compile(r"\(([^()]{2,60})\)")
_MOST_WORDS = 2


def defined_acronyms(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield (short form, long form) for each definition in *sentence*, the long form in lower case.

    Schwartz and Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text" (PSB 2003),
    both orders, with one restriction of ours: a short form has an upper-case letter.
    """
    for match in _PARENTHESIS.finditer(sentence):
        inner = re.split(r"[;,]", match[1])[0].strip()
        before = sentence[: match.start()].split()
        if _may_be_short(inner):
            short = _singular(inner)
            candidate = " ".join(before[-_longest_long_form(short) :])
        elif before and _may_be_short(before[-1]):
            short, candidate = before[-1], inner
        else:
            continue
        long = _long_form(short, candidate)
        if long and _plausible(short, long):
            yield short, long.lower()


def _may_be_short(text: str) -> bool:
    few_words = len(text.split()) <= _MOST_WORDS
    return 2 <= len(text) <= 10 and few_words and text[0].isalnum() and any(c.isupper() for c in text)


def _singular(short: str) -> str:
    return short[:-1] if len(short) > 2 and short.endswith("s") and short[:-1].isupper() else short


def _longest_long_form(short: str) -> int:
    return min(len(short) + 5, len(short) * 2)


def _plausible(short: str, long: str) -> bool:
    words = long.lower().split()
    return len(long) > len(short) and short.lower() not in words and len(words) <= _longest_long_form(short)


def _long_form(short: str, candidate: str) -> str | None:
    """Match the letters of *short* from right to left; the first one must start a word."""
    at = len(candidate) - 1
    for position in range(len(short) - 1, -1, -1):
        letter = short[position].lower()
        if not letter.isalnum():
            continue
        while at >= 0 and (
            candidate[at].lower() != letter or (position == 0 and at > 0 and candidate[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
        at -= 1
    return candidate[candidate.rfind(" ", 0, at + 1) + 1 :]
