"""Does the personal order help? Simulated readers of the real list: `python -m tests.relevance.interests [LIST]`.

A reader subscribes to a broad area and likes what has certain keywords, which no order sees: it has titles and
abstracts. Every day for a month thirty entries of the area arrive. The reader looks at the first eight and now and then
says of one that it is liked or not, and is wrong at times. Measured is each day's order against what the reader likes,
before that day's opinions are known.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from retrieval.bm25 import Bm25Index
from retrieval.interests import Interests, Judged, mixed
from retrieval.text.analysis import fold, terms

__all__ = ["main"]

_LIST = Path(__file__).parents[3] / "shared" / "eval" / "iclr2026.jsonl.gz"
_DAYS, _A_DAY, _SHOWN, _READERS = 30, 30, 8, 40
_BEGAN = datetime(2026, 11, 1, 9, tzinfo=UTC)
_KINDS = ("one interest", "three interests", "drifting", "one disliked")
_ORDERS = ("recency", "query", "personal", "personal and query")
_MEASURES = ("nDCG@10", "P@8", "AUC")


@dataclass(frozen=True, slots=True)
class _Paper:
    number: int
    title: str
    abstract: str
    area: str
    keywords: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Somebody with an area, and keywords that are liked, and disliked, from one day to another."""

    kind: str
    area: str
    days: Sequence[Sequence[_Paper]]
    liked: Callable[[int], frozenset[str]]
    disliked: frozenset[str]

    def likes(self, paper: _Paper, day: int) -> bool:
        return bool(paper.keywords & self.liked(day)) and not paper.keywords & self.disliked


def _papers(path: Path) -> list[_Paper]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        _Paper(
            n, row["title"], row.get("abstract") or "", str(row.get("primary_area") or ""), _keywords(row["keywords"])
        )
        for n, row in enumerate(rows)
    ]


def _keywords(given: object) -> frozenset[str]:
    listed = given if isinstance(given, list) else str(given or "").replace(";", ",").split(",")
    return frozenset(fold(str(word)).strip() for word in listed) - {""}


def _readers(papers: Sequence[_Paper], rng: random.Random) -> Iterator[_Reader]:
    areas: dict[str, list[_Paper]] = defaultdict(list)
    for paper in papers:
        areas[paper.area].append(paper)
    large = sorted(area for area, found in areas.items() if area and len(found) >= _DAYS * _A_DAY)
    for number in range(_READERS):
        area = large[number % len(large)]
        stream = rng.sample(areas[area], _DAYS * _A_DAY)
        counts = Counter(word for paper in stream for word in paper.keywords)
        usual = sorted(word for word, n in counts.items() if 0.02 <= n / len(stream) <= 0.12)
        one, two, three = (frozenset({word}) for word in rng.sample(usual, 3))
        days = [stream[day * _A_DAY : (day + 1) * _A_DAY] for day in range(_DAYS)]
        kind = _KINDS[number // len(large) % len(_KINDS)]
        yield _Reader(kind, area, days, _liked(kind, one, two, three), two if kind == "one disliked" else frozenset())


def _liked(
    kind: str, one: frozenset[str], two: frozenset[str], three: frozenset[str]
) -> Callable[[int], frozenset[str]]:
    if kind == "three interests":
        return lambda _: one | two | three
    if kind == "drifting":
        return lambda day: one if day < _DAYS // 2 else two
    return lambda _: one


def _month(reader: _Reader, order: str, index: Bm25Index, rng: random.Random) -> list[tuple[float, float, float]]:
    judged: list[Judged] = []
    query = index.scores(terms(reader.area))

    @cache
    def idf(term: str) -> float:
        return index.lucene_idf(index.document_frequency(term))

    measured = []
    for day, papers in enumerate(reader.days):
        now = _BEGAN + timedelta(days=day)
        asked = [float(query[paper.number]) for paper in papers]
        interests = Interests(judged if "personal" in order else (), now=now, idf=idf)
        liked = [interests.score(paper.title, paper.abstract) for paper in papers]
        scores = {"recency": [0.0] * len(papers), "query": asked, "personal": liked}.get(order) or mixed(asked, liked)
        ranked = sorted(range(len(papers)), key=lambda n: (-scores[n], n))
        truth = [reader.likes(papers[n], day) for n in ranked]
        if any(truth) and not all(truth):
            measured.append(_measures(truth))
        judged += _opinions(reader, [papers[n] for n in ranked[:_SHOWN]], day, now, rng)
    return measured


def _opinions(
    reader: _Reader, shown: Sequence[_Paper], day: int, now: datetime, rng: random.Random
) -> Iterator[Judged]:
    for paper in shown:
        up, down = (0.45, 0.03) if reader.likes(paper, day) else (0.03, 0.06)
        if paper.keywords & reader.disliked:
            up, down = 0.02, 0.4
        drawn = rng.random()
        if drawn < up + down:
            yield Judged(paper.title, paper.abstract, drawn < up, now)


def _measures(truth: Sequence[bool]) -> tuple[float, float, float]:
    gain = sum(1 / math.log2(rank + 1) for rank, good in enumerate(truth[:10], start=1) if good)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(sum(truth), 10) + 1))
    good, bad = sum(truth), len(truth) - sum(truth)
    above = sum(sum(truth[:n]) for n, one in enumerate(truth) if not one)
    return gain / ideal, sum(truth[:_SHOWN]) / _SHOWN, above / (good * bad)


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def _interval(differences: Sequence[float], rng: random.Random) -> tuple[float, float]:
    means = sorted(math.fsum(rng.choices(differences, k=len(differences))) / len(differences) for _ in range(2_000))
    return means[50], means[-51]


def main() -> None:
    """Simulate, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list", nargs="?", type=Path, default=_LIST)
    papers = _papers(parser.parse_args().list)
    index = Bm25Index.build([terms(f"{paper.title} {paper.abstract}") for paper in papers])
    readers = list(_readers(papers, random.Random(1)))  # a simulation
    found: Mapping[str, list[list[float]]] = {
        order: [_mean(_month(one, order, index, random.Random(n))) for n, one in enumerate(readers)]
        for order in _ORDERS
    }
    lines = [f"{len(readers)} readers, {_DAYS} days of {_A_DAY} entries", f"{'order':20}{'':4}" + "  ".join(_MEASURES)]
    for order, rows in found.items():
        kinds = {}
        for kind in _KINDS:
            kinds[kind] = _mean([row for row, one in zip(rows, readers, strict=True) if one.kind == kind])[0]
        shown = "  ".join(f"{value:.3f}" for value in _mean(rows))
        lines.append(f"{order:20}    {shown}   " + ", ".join(f"{kind} {value:.3f}" for kind, value in kinds.items()))
    for better in _ORDERS[2:]:
        for worse in _ORDERS[:2]:
            gains = [a[0] - b[0] for a, b in zip(found[better], found[worse], strict=True)]
            low, high = _interval(gains, random.Random(2))
            gain = _mean([[one] for one in gains])[0]
            lines.append(f"nDCG@10 of {better} minus {worse}: {gain:+.3f} ({low:+.3f} to {high:+.3f})")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
