"""Measures of ranked retrieval, with the conventions of trec_eval.

A run maps a query id to document ids, best first. Every judged query counts in a mean, with 0 when the run
has nothing for it: leaving it out would reward a system for staying silent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TextIO, TypeAlias

__all__ = [
    "MEASURES",
    "Qrels",
    "Run",
    "mean_measures",
    "ndcg",
    "recall",
    "reciprocal_rank",
    "success",
    "write_trec_run",
]

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
"""Relevance by query id and document id; above 0 is relevant, a document not named is not."""

Run: TypeAlias = Mapping[str, Sequence[tuple[str, float]]]
"""Document ids with scores by query id, best first."""


def ndcg(ranking: Sequence[str], judged: Mapping[str, int], *, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first *k*, between 0 and 1.

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (TOIS 2002), with the relevance
    itself as the gain and log2(rank + 1) as the discount, as trec_eval's ndcg_cut does.
    """
    ideal = _dcg(sorted((gain for gain in judged.values() if gain > 0), reverse=True)[:k])
    return _dcg(max(judged.get(d, 0), 0) for d in ranking[:k]) / ideal if ideal else 0.0


def recall(ranking: Sequence[str], judged: Mapping[str, int], *, k: int) -> float:
    """Return the share of the relevant documents that are among the first *k*; 0 when none is relevant."""
    relevant = _relevant(judged)
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[str], judged: Mapping[str, int], *, k: int) -> float:
    """Return 1 / the rank of the first relevant document among the first *k*, ranks from 1; 0 when there is none."""
    relevant = _relevant(judged)
    return next((1 / rank for rank, d in enumerate(ranking[:k], start=1) if d in relevant), 0.0)


def success(ranking: Sequence[str], judged: Mapping[str, int], *, k: int) -> float:
    """Return 1 when a relevant document is among the first *k*, else 0."""
    return float(not _relevant(judged).isdisjoint(ranking[:k]))


MEASURES: Mapping[str, Callable[[Sequence[str], Mapping[str, int]], float]] = {
    "nDCG@10": lambda ranking, judged: ndcg(ranking, judged, k=10),
    "R@100": lambda ranking, judged: recall(ranking, judged, k=100),
    "RR@10": lambda ranking, judged: reciprocal_rank(ranking, judged, k=10),
    "Success@1": lambda ranking, judged: success(ranking, judged, k=1),
    "Success@5": lambda ranking, judged: success(ranking, judged, k=5),
}
"""The measures that `pullquote evaluate` prints, by their name in ir_measures."""


def mean_measures(run: Run, qrels: Qrels) -> dict[str, float]:
    """Return the mean of each of `MEASURES` over the judged queries; all 0 when nothing is judged."""
    rankings = {query_id: [d for d, _ in run.get(query_id, ())] for query_id in qrels}
    n_queries = max(len(qrels), 1)
    return {
        name: sum(measure(rankings[query_id], judged) for query_id, judged in qrels.items()) / n_queries
        for name, measure in MEASURES.items()
    }


def write_trec_run(run: Run, file: TextIO, *, tag: str) -> None:
    """Write *run* as TREC does: query id, Q0, document id, rank from 1, score, tag.

    trec_eval ignores the rank and breaks ties its own way, so equal scores are written one float apart: what it
    reads is the order that was meant.
    """
    for query_id, hits in run.items():
        ceiling = math.inf
        for rank, (document_id, score) in enumerate(hits, start=1):
            ceiling = min(score, math.nextafter(ceiling, -math.inf))
            file.write(f"{query_id} Q0 {document_id} {rank} {ceiling!r} {tag}\n")


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _relevant(judged: Mapping[str, int]) -> set[str]:
    return {document_id for document_id, relevance in judged.items() if relevance > 0}
