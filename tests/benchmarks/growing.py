"""A longer list than there is, with the words of a real one.

A made-up abstract has sentences of three real ones, in their order. Words that the real list has up to three times are
written otherwise in each round through it, so that new entries go on bringing new words, as Heaps' law has it, while
the frequent words keep their shares: the vocabulary stays Zipfian.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from retrieval.model import Entry

__all__ = ["grown"]

_WORD = re.compile(r"[^\W\d_]{4,}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_RARE = 3
_LETTERS = "aeioubdfgklmnprst"
_MIXED = 3


def grown(entries: Sequence[Entry], size: int) -> Iterator[Entry]:
    """Yield *size* entries: *entries*, then as many made of them as it takes; the same ones each time."""
    yield from entries[:size]
    yield from islice(_made(entries), max(size - len(entries), 0))


def _made(entries: Sequence[Entry]) -> Iterator[Entry]:
    counts = Counter(word.lower() for e in entries for word in _WORD.findall(f"{e.title} {e.abstract}"))
    chance = random.Random(1)
    turn = 0
    while True:
        turn += 1
        ending = "".join(chance.choice(_LETTERS) for _ in range(4))

        def other(match: re.Match[str], ending: str = ending) -> str:
            return f"{match[0]}{ending}" if counts[match[0].lower()] <= _RARE else match[0]

        for number, entry in enumerate(entries):
            sources = [_SENTENCE.split(e.abstract) for e in (entry, *chance.choices(entries, k=_MIXED - 1))]
            longest = max(map(len, sources))
            picked = [chance.choice(sources)[at : at + 1] for at in range(longest)]
            text = " ".join(sentence for listed in picked for sentence in listed) or entry.abstract
            yield replace(
                entry,
                entry_id=f"grown:{turn}:{number}",
                title=_WORD.sub(other, f"{entry.title} {turn}"),
                abstract=_WORD.sub(other, text),
                raw_abstract="",
            )
