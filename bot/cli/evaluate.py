"""`pullquote evaluate`: judged questions on the collection, or a judged collection of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bot.adapters.memory import MemoryConversations
from bot.bootstrap import build, build_engine
from bot.evaluating import QuestionReport, evaluate_questions, read_questions
from bot.settings import load_settings
from retrieval.collection import Collection
from retrieval.errors import EvaluationError, SourceError
from retrieval.evaluation import mean_measures, write_trec_run
from retrieval.formats.beir import read_corpus, read_evidence, read_qrels, read_queries

__all__ = ["command"]

_SHORTEST_SHARED_CHARS = 20
_DEPTH = 100  # hits a query: what R@100 needs


@click.command("evaluate")
@click.option("--questions", type=click.Path(path_type=Path), help="A file of judged questions, JSON Lines.")
@click.option("--collection", type=click.Path(path_type=Path), help="A folder in BEIR's layout.")
@click.option("--qrels", type=click.Path(path_type=Path), help="Judgements other than the folder's qrels.tsv.")
@click.option("--evidence", type=click.Path(path_type=Path), help="Marked sentences: is the one quoted among them?")
@click.option("--run-file", type=click.Path(path_type=Path), help="Write the rankings as a TREC run.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option("--misses", is_flag=True, help="With --questions, list what was not answered rightly.")
def command(
    *,
    questions: Path | None,
    collection: Path | None,
    qrels: Path | None,
    evidence: Path | None,
    run_file: Path | None,
    as_json: bool,
    misses: bool,
) -> None:
    """Measure the answers.

    With --questions, the answers to judged questions about the collection that is set up. With --collection,
    the rankings for the judged queries of another one.
    """
    if (questions is None) == (collection is None):
        raise click.UsageError("give either --questions FILE or --collection DIR.")
    if questions is not None:
        if qrels or run_file or evidence:
            raise click.UsageError("--qrels, --evidence and --run-file go with --collection.")
        judged = read_questions(questions)
        # What is measured was asked by nobody: it leaves no trace.
        app = build(load_settings(), conversations=MemoryConversations(), recording=False)
        report = evaluate_questions(app.answering, judged)
        _print_questions(questions, report, as_json=as_json, misses=misses)
    elif collection is not None and evidence is not None:
        _print_collection(*_evaluate_evidence(collection, evidence), as_json=as_json)
    elif collection is not None:
        _print_collection(*_evaluate_collection(collection, qrels, run_file), as_json=as_json)


def _evaluate_collection(folder: Path, qrels: Path | None, run_file: Path | None) -> tuple[str, int, dict[str, float]]:
    engine = build_engine(Collection(read_corpus(folder / "corpus.jsonl")), load_settings())
    judged = read_qrels(qrels or folder / "qrels.tsv")
    queries = read_queries(folder / "queries.jsonl")
    if unknown := sorted(judged.keys() - queries.keys()):
        raise EvaluationError(f'{folder}: query "{unknown[0]}" is judged but not in queries.jsonl')
    run: dict[str, list[tuple[str, float]]] = {}
    for query_id in judged:
        ranking = engine.search(engine.understand(queries[query_id]), k=_DEPTH)
        run[query_id] = [(hit.entry_id, hit.score) for hit in ranking.hits]
    if run_file is not None:
        try:
            with run_file.open("w", encoding="utf-8") as file:
                write_trec_run(run, file, tag="pullquote")
        except OSError as exc:
            raise SourceError(run_file, f"cannot be written: {exc.strerror or exc}") from exc
    return folder.resolve().name, len(judged), mean_measures(run, judged)


def _evaluate_evidence(folder: Path, path: Path) -> tuple[str, int, dict[str, float]]:
    """Given the right document, is the first sentence quoted, and is the whole quote, one that experts marked?"""
    engine = build_engine(Collection(read_corpus(folder / "corpus.jsonl")), load_settings())
    queries = read_queries(folder / "queries.jsonl")
    marked = read_evidence(path, folder / "corpus.jsonl")
    found = {"first sentence": 0, "first quote": 0, "best three": 0}
    for evidence in marked:
        query = engine.understand(queries[evidence.query_id])
        places = engine.sentences(query, evidence.document_id, k=3)
        quote = engine.select(query, evidence.document_id)
        found["first sentence"] += _is_marked(places[:1], evidence.texts)
        found["best three"] += _is_marked(places, evidence.texts)
        abstract = engine.collection.entry(evidence.document_id).abstract
        found["first quote"] += _is_marked([s.span.of(abstract) for s in quote], evidence.texts)
    return folder.resolve().name, len(marked), {name: count / max(len(marked), 1) for name, count in found.items()}


def _is_marked(quoted: Sequence[str], marked: Sequence[str]) -> bool:
    return any(mark in text or text in mark or _overlap(text, mark) for text in quoted for mark in marked)


def _overlap(text: str, mark: str) -> bool:
    """Tell whether the two share a stretch: the end of one is the beginning of the other."""
    return any(
        one.endswith(other[:length])
        for one, other in ((text, mark), (mark, text))
        for length in range(_SHORTEST_SHARED_CHARS, len(other))
    )


def _print_collection(name: str, n_queries: int, measures: Mapping[str, float], *, as_json: bool) -> None:
    if as_json:
        rounded = {measure: round(value, 4) for measure, value in measures.items()}
        click.echo(json.dumps({"collection": name, "queries": n_queries, "metrics": rounded}))
        return
    _print_table(f"{name}: {n_queries} judged queries", list(measures), [("", [f"{v:.4f}" for v in measures.values()])])


def _print_questions(path: Path, report: QuestionReport, *, as_json: bool, misses: bool) -> None:
    if as_json:
        groups = {
            group: {name: round(value, 4) for name, value in figures.items()} | {"verdicts": report.verdicts[group]}
            for group, figures in report.groups.items()
        }
        click.echo(json.dumps({"questions": str(path), "groups": groups}, ensure_ascii=False))
        return
    columns = ["questions", "success@1", "success@3", "gold@1", "gold@3"]
    rows = [
        (group, [_cell(figures, column) for column in columns] + [_counts(report.verdicts[group])])
        for group, figures in report.groups.items()
    ]
    _print_table(path.name, [*columns, "verdicts"], rows)
    if misses:
        _print_misses(report)


def _print_misses(report: QuestionReport) -> None:
    for outcome in report.outcomes:
        judged, answer = outcome.judged, outcome.answer
        wrong_entry = judged.relevant and not outcome.success(1)
        wrong_sentence = judged.kind == "fact" and not outcome.gold(1)
        if wrong_entry or wrong_sentence or (judged.kind == "unanswerable" and answer.quotes):
            shown = answer.quotes[0].entry.entry_id if answer.quotes else "no quote"
            click.echo(f"{judged.question_id}: {judged.question}\n  {answer.verdict}: {shown}")


def _print_table(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="left" if column == "verdicts" else "right")
    for name, cells in rows:
        table.add_row(name, *cells)
    Console(highlight=False, markup=False).print(table)


def _cell(figures: Mapping[str, float], column: str) -> str:
    if column not in figures:
        return ""
    return f"{figures[column]:.0f}" if column == "questions" else f"{figures[column]:.3f}"


def _counts(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items()))
