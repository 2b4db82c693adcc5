"""Read judged collections in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels.tsv in one folder.

Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models"
(NeurIPS Datasets and Benchmarks 2021).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval.errors import SourceError
from retrieval.model import Entry
from retrieval.text.cleaning import display_text

__all__ = ["Evidence", "read_corpus", "read_evidence", "read_qrels", "read_queries"]

_MAX_LINE_CHARS = 4_000_000


@dataclass(frozen=True, slots=True)
class Evidence:
    """What experts marked in a document as the answer to a query: any one of `texts` is right."""

    query_id: str
    document_id: str
    texts: tuple[str, ...]


_SCORE = re.compile(r"-?[0-9]{1,9}")


def read_corpus(path: Path) -> tuple[Entry, ...]:
    """Return the documents of a `corpus.jsonl`, in its order.

    A document without a title gets its id as one, marked as derived, since an entry cannot go without.

    Raises:
        SourceError: If the file cannot be read, a line is not an object with "_id" and "text", or an id repeats.
    """
    entries: dict[str, Entry] = {}
    for line, record in _objects(path):
        entry_id = _text(path, line, record, "_id")
        if not entry_id or entry_id in entries:
            raise SourceError(path, f'"_id" {entry_id!r} is empty or was given before; ids are unique', line=line)
        title = display_text(_text(path, line, record, "title", default=""))
        text = _text(path, line, record, "text")
        entries[entry_id] = Entry(
            entry_id=entry_id,
            title=title or entry_id,
            title_derived=not title,
            abstract=display_text(text),
            raw_abstract=text,
        )
    if not entries:
        raise SourceError(path, "holds no document; expected one JSON object a line")
    return tuple(entries.values())


def read_queries(path: Path) -> dict[str, str]:
    """Return the text of each query of a `queries.jsonl` by its id, in the file's order.

    Raises:
        SourceError: If the file cannot be read or a line is not an object with "_id" and "text".
    """
    return {_text(path, line, record, "_id"): _text(path, line, record, "text") for line, record in _objects(path)}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Return the judgements of a `qrels.tsv`: query id to document id to relevance.

    The first line is a header; then query-id, corpus-id and score, tab separated.

    Raises:
        SourceError: If the file cannot be read or a line has other than three columns with a whole number last.
    """
    qrels: dict[str, dict[str, int]] = {}
    for line, text in _lines(path):
        if line == 1:
            continue
        columns = text.split("\t")
        if len(columns) != 3 or _SCORE.fullmatch(columns[2].strip()) is None:
            raise SourceError(path, f"expected query-id, corpus-id and a whole score, got {text[:80]!r}", line=line)
        query_id, document_id, score = columns
        qrels.setdefault(query_id, {})[document_id] = int(score)
    if not qrels:
        raise SourceError(path, "holds no judgement; expected a header line and tab-separated rows")
    return qrels


def read_evidence(path: Path, corpus: Path) -> tuple[Evidence, ...]:
    """Return the places that experts marked, one record a judged pair of query and document.

    A line has "query-id", "corpus-id" and either "spans", character ranges of the document's text, or "sentences",
    lists of indices into the "sentences" that the document has in *corpus*.

    Raises:
        SourceError: If a file cannot be read, or a mark points nowhere.
    """
    documents = {str(record.get("_id")): record for _, record in _objects(corpus)}
    marked = [_evidence(path, line, record, documents) for line, record in _objects(path)]
    return tuple(evidence for evidence in marked if evidence.texts)


def _evidence(
    path: Path, line: int, record: Mapping[str, object], documents: Mapping[str, Mapping[str, object]]
) -> Evidence:
    query_id, document_id = _text(path, line, record, "query-id"), _text(path, line, record, "corpus-id")
    document = documents.get(document_id)
    if document is None:
        raise SourceError(path, f'"corpus-id" {document_id!r} is not in the corpus', line=line)
    try:
        texts = _marked_texts(record, document)
    except (KeyError, IndexError, TypeError, ValueError) as exc:
        raise SourceError(path, f"a mark points nowhere: {exc!r}", line=line) from exc
    return Evidence(query_id, document_id, tuple(display_text(text) for text in texts if text.strip()))


def _marked_texts(record: Mapping[str, Any], document: Mapping[str, Any]) -> list[str]:
    if "spans" in record:
        return [str(document["text"])[span["start"] : span["end"]] for span in record["spans"]]
    return [str(document["sentences"][number]) for listed in record["sentences"] for number in listed]


def _objects(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    for line, text in _lines(path):
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as exc:
            raise SourceError(path, f"not JSON: {exc}", line=line) from exc
        if not isinstance(record, dict):
            raise SourceError(path, f"expected a JSON object, got {type(record).__name__}", line=line)
        yield line, record


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline=None) as file:
            number = 0
            while text := file.readline(_MAX_LINE_CHARS + 1):
                number += 1
                if len(text) > _MAX_LINE_CHARS:
                    raise SourceError(path, f"a line is longer than {_MAX_LINE_CHARS:,} characters", line=number)
                if text.strip():
                    yield number, text.rstrip("\n")
    except UnicodeDecodeError as exc:
        raise SourceError(path, f"not UTF-8: {exc.reason} at byte {exc.start}; save it as UTF-8") from exc
    except OSError as exc:
        raise SourceError(path, f"cannot be read: {exc.strerror or exc}") from exc


def _text(path: Path, line: int, record: Mapping[str, object], field: str, *, default: str | None = None) -> str:
    value = record.get(field, default)
    if isinstance(value, int) and field == "_id":
        value = str(value)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise SourceError(path, f'"{field}" is {json.dumps(value)[:60]}, expected text', line=line)
    return value
