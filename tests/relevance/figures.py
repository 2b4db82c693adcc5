"""Take the figures that `baseline.toml` holds: `python -m tests.relevance.figures > tests/relevance/baseline.toml`.

Questions are asked as `pullquote evaluate --questions` asks them, collections as `--collection` does. The judged data
lie in `shared/eval` beside the checkout.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bot.evaluating import QuestionReport, evaluate_questions, read_questions
from retrieval.engine import Engine
from retrieval.evaluation import mean_measures
from retrieval.formats.beir import read_corpus, read_qrels, read_queries
from tests.fakes.entries import answering_on, seed_engine, word_vectors

__all__ = ["COLLECTIONS", "EVAL", "QUESTIONS", "collection_figures", "question_figures", "report"]

_ROOT = Path(__file__).parents[2]
EVAL = _ROOT.parent / "shared" / "eval"
QUESTIONS = {
    "seed_questions": EVAL / "seed_questions.jsonl",
    "own_questions": Path(__file__).with_name("questions.jsonl"),
}
"""The question sets by name: one kept beside the checkout, one of the project's own."""

COLLECTIONS = ("cisi", "cranfield", "med", "scifact")
_DEPTH = 100


@cache
def report(name: str) -> QuestionReport:
    """Return how the questions of the set *name* were answered."""
    return evaluate_questions(answering_on(seed_engine()), read_questions(QUESTIONS[name]))


def question_figures(name: str) -> dict[str, dict[str, float]]:
    """Return the figures of a question set by group; those that go by verdict are shares of the group's questions."""
    found = report(name)
    return {
        group: {figure: value for figure, value in figures.items() if figure != "questions"}
        | _by_verdict(group, found.verdicts[group])
        | {"questions": figures["questions"]}
        for group, figures in found.groups.items()
    }


def _by_verdict(group: str, verdicts: Mapping[str, int]) -> dict[str, float]:
    total = sum(verdicts.values())
    if group.startswith("unanswerable"):
        return {"not answered": 1 - verdicts.get("answered", 0) / total}
    return {"not nothing": 1 - verdicts.get("nothing", 0) / total} if group != "meta" else {}


def collection_figures(name: str) -> dict[str, float]:
    """Return the measures of a judged collection, with how many queries they are means of."""
    folder = EVAL / name
    engine = Engine.of(read_corpus(folder / "corpus.jsonl"), word_vectors())
    qrels, queries = read_qrels(folder / "qrels.tsv"), read_queries(folder / "queries.jsonl")
    run = {
        query_id: [
            (hit.entry_id, hit.score) for hit in engine.search(engine.understand(queries[query_id]), k=_DEPTH).hits
        ]
        for query_id in qrels
    }
    return mean_measures(run, qrels) | {"questions": len(qrels)}


def _toml() -> str:
    tables = {f"{name}.{group!r}": figures for name in QUESTIONS for group, figures in question_figures(name).items()}
    tables |= {f"collections.{name}": collection_figures(name) for name in COLLECTIONS}
    return "\n\n".join("\n".join([f"[{table}]", *_rows(figures)]) for table, figures in tables.items()) + "\n"


def _rows(figures: Mapping[str, float]) -> list[str]:
    return [
        f'"{name}" = {value:.0f}' if name == "questions" else f'"{name}" = {value:.4f}'
        for name, value in figures.items()
    ]


if __name__ == "__main__":
    print(_toml(), end="")  # noqa: T201  # what it is for
