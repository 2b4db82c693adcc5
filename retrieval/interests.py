"""What somebody likes to read, learned from opinions on entries: a linear model on terms, that can be read itself.

An entry is the unit vector x of its terms' tf-idf weights. Each opinion adds its entry's vector to a profile, likes to
one and dislikes to another, and every opinion fades by half in a half-life h. With d = 2^(-age / h) of each opinion,

    w = sum over h of share(h) * (  sum(d * x of likes)    / (K + sum(d of likes))
                                  - G * sum(d * x of dislikes) / (K + sum(d of dislikes)) )

and an entry scores w · x. This is Rocchio's relevance feedback ("Relevance Feedback in Information Retrieval", in
Salton, The SMART Retrieval System, 1971) with several memories side by side, as in Koychev and Schwab, "Adaptation to
Drifting User's Interests" (2000): the short one follows what is read this week, the long one remembers. K keeps the
first opinions from deciding everything. There is nothing to train, the order of the opinions does not matter, and no
opinions are w = 0.

Where the shares and constants come from is in docs/decisions/0007-personal-order.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache

from retrieval.text.analysis import chunk_tokens, chunks

__all__ = ["Interests", "Judged", "mixed"]

_HALF_LIVES = {3.0: 0.2, 30.0: 0.5, 365.0: 0.3}  # days, and what each counts for
_DISLIKED = 0.5
_FIRST = 3.0
_TITLE = 3
_MOST_WORDS = 3
_QUERY = 0.25
_DAY_S = 86_400.0
_REMEMBERED = 2_048
_AGREEING = 2  # opinions that make a word one of a topic


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry that somebody thought something of, as it was then."""

    title: str
    abstract: str
    liked: bool
    at: datetime


class Interests:
    """What is liked and disliked, by its terms."""

    def __init__(self, judged: Iterable[Judged], *, now: datetime, idf: Callable[[str], float]) -> None:
        """Learn from *judged*, as it counts at the instant *now*.

        Args:
            judged: In any order.
            now: What is later counts as if it were of now.
            idf: How rare a term is in the collection.
        """
        self._idf = cache(idf)  # a digest asks for the same terms again and again
        self._judged = tuple(judged)
        self.weights: Mapping[str, float] = self._learned(now)

    def score(self, title: str, abstract: str) -> float:
        """Return how much an entry of these words is liked; 0 when nothing is known."""
        return sum(self.weights.get(term, 0.0) * value for term, value in self._vector(title, abstract).items())

    def why(self, title: str, abstract: str) -> tuple[str, ...]:
        """Return the words that speak for an entry and against it, as they stand there: "+diffusion", "−survey".

        The strongest first; few, none that is a piece of another, and none when nothing is known.
        """
        parts = {term: self.weights.get(term, 0.0) * v for term, v in self._vector(title, abstract).items()}
        written = {term: word for term, _, word in _read(title, abstract)}
        strongest = sorted(
            (term for term, value in parts.items() if value),
            key=lambda term: (-abs(parts[term]), -len(written[term]), term),
        )
        chosen = _apart(((term, written[term]) for term in strongest), _MOST_WORDS)
        return tuple(f"{'+' if parts[term] > 0 else '−'}{word}" for term, word in chosen)

    def words(self, *, liked: bool, most: int = 10) -> tuple[str, ...]:
        """Return the words of what is liked, or of what is not, as most often written.

        The strongest first; those of a single opinion come after the others, since it has words of no topic too.
        """
        sign = 1 if liked else -1
        written: dict[str, Counter[str]] = {}
        for one in self._judged:
            for term, _, word in _read(one.title, one.abstract) if one.liked is liked else ():
                written.setdefault(term, Counter())[word] += 1
        known = {term: _most_written(w) for term, w in written.items() if sign * self.weights[term] > 0}

        def place(term: str) -> tuple[bool, float, int, str]:
            return written[term].total() < _AGREEING, -sign * self.weights[term], -len(known[term]), term

        return tuple(word for _, word in _apart(((term, known[term]) for term in sorted(known, key=place)), most))

    def _learned(self, now: datetime) -> dict[str, float]:
        aged = [(one, max(0.0, (now - one.at).total_seconds() / _DAY_S)) for one in self._judged]
        vectors = [self._vector(one.title, one.abstract) for one in self._judged]
        found: dict[str, float] = {}
        for half_life, share in _HALF_LIVES.items():
            faded = [2.0 ** (-age / half_life) for _, age in aged]
            for liked, factor in ((True, 1.0), (False, -_DISLIKED)):
                chosen = [n for n, (one, _) in enumerate(aged) if one.liked is liked]
                scale = share * factor / (_FIRST + math.fsum(faded[n] for n in chosen))
                for n in chosen:
                    for term, value in vectors[n].items():
                        found[term] = found.get(term, 0.0) + scale * faded[n] * value
        return found

    def _vector(self, title: str, abstract: str) -> dict[str, float]:
        weights = {term: (1 + math.log(count)) * self._idf(term) for term, count, _ in _read(title, abstract)}
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}


def mixed(query: Sequence[float], personal: Sequence[float]) -> list[float]:
    """Return the scores by which entries are ordered that a query and somebody's interests both scored.

    Each is scaled to mean 0 and deviation 1 over the entries at hand, so that neither drowns the other.
    """
    return [_QUERY * q + p for q, p in zip(_standard(query), _standard(personal), strict=True)]


def _standard(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    mean = math.fsum(scores) / len(scores)
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / len(scores))
    return [(score - mean) / deviation if deviation > 1e-12 else 0.0 for score in scores]


# The same entries are looked at for every digest of a place, and again by other places.
@lru_cache(maxsize=_REMEMBERED)
def _read(title: str, abstract: str) -> tuple[tuple[str, int, str], ...]:
    """Return the terms of an entry, how often each counts, and how it is first written."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text, times in ((title, _TITLE), (abstract, 1)):
        for chunk in chunks(text):
            for token in chunk_tokens(chunk):
                counts[token.term] += times
                if token.term not in written:
                    written[token.term] = chunk[token.start : token.end]
    return tuple((term, count, written[term]) for term, count in counts.items())


def _most_written(words: Counter[str]) -> str:
    return min(words.items(), key=lambda item: (-item[1], item[0].swapcase()))[0]  # small letters before capitals


def _apart(words: Iterable[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Return the first *most* of *words*, each with its term, that are no piece of one another.

    "front-door" has the terms of "front" and "door" too.
    """
    chosen: list[tuple[str, str]] = []
    taken: list[frozenset[str]] = []
    for term, word in words:
        if len(chosen) == most:
            break
        own = frozenset(token.term for token in chunk_tokens(word))
        if not any(own <= other or other <= own for other in taken):
            chosen.append((term, word))
            taken.append(own)
    return chosen
