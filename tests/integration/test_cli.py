"""The command line: what is printed where, and what the exit code says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from click.testing import CliRunner, Result
from ir_measures import RR, R, Success, nDCG

from bot.cli import cli
from tests.fakes.entries import SEEDS

_ROOT = Path(__file__).parents[2]
_HEADER = "ICLR 2026 papers\n\n"
_LIST = (
    f"{_HEADER}We propose BUDGE, a causal bandit that spends slowly. It has low regret.\n\n"
    "We introduce MASKREC, which masks old clicks of users. It is tested on four datasets.\n\n"
    "Glaciers melt in summer. Satellites see the ice of each glacier.\n"
)


@pytest.fixture(autouse=True)
def _setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, on a list of three abstracts, with a data folder of its own."""
    (tmp_path / "work").mkdir()
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "list.txt").write_text(_LIST, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "work")
    for name in [name for name in os.environ if name.startswith("PULLQUOTE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PULLQUOTE_SEEDS_DIR", str(tmp_path / "seeds"))
    monkeypatch.setenv("PULLQUOTE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("NO_COLOR", "1")


def _run(*args: str, stdin: str | bytes = b"") -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="pullquote")


def _code(result: Result) -> int:
    """Return the exit code; an error that nobody expected is the test's."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code


def _objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def _one_line(result: Result, *parts: str) -> None:
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert all(part in lines[0] for part in parts), lines[0]
    assert result.stdout == ""


# --- ask ----------------------------------------------------------------------------------------------------------


def test_an_answer_is_on_stdout_alone_and_the_code_is_0() -> None:
    result = _run("ask", "what is BUDGE?")

    assert (_code(result), result.stderr) == (0, "")
    assert "“We propose BUDGE, a causal bandit that spends slowly." in result.stdout


def test_words_need_no_quotation_marks() -> None:
    assert _run("ask", "what", "is", "BUDGE?").stdout == _run("ask", "what is BUDGE?").stdout


@pytest.mark.parametrize(
    ("question", "code"), [("what is BUDGE?", 0), ("hello", 0), ("how many papers?", 0), ("best pizza in Naples", 1)]
)
def test_only_nothing_found_differs_from_success(question: str, code: int) -> None:
    assert _code(_run("ask", question)) == code


def test_json_is_one_object_a_line() -> None:
    (found,) = _objects(_run("ask", "--json", "what is BUDGE?"))

    assert found["schema"] == "pullquote.answer/1"
    assert found["quotes"][0]["source"] == {"file": "list.txt", "ordinal": 0}


@pytest.mark.parametrize("k", [1, 2])
def test_k_bounds_the_quotes(k: int) -> None:
    (found,) = _objects(_run("ask", "--json", "-k", str(k), "users, bandits and glaciers"))

    assert len(found["quotes"]) <= k


@pytest.mark.parametrize("k", ["0", "-1", "51", "many", "1.5"])
def test_a_k_out_of_bounds_is_wrong_usage(k: str) -> None:
    result = _run("ask", "-k", k, "causal")

    assert (_code(result), result.stdout) == (2, "")
    assert "-k" in result.stderr


@pytest.mark.parametrize("args", [["ask", ""], ["ask", "  "], ["ask"], ["ask", "-"]])
def test_an_empty_question_is_wrong_usage(args: list[str]) -> None:
    result = _run(*args)

    assert (_code(result), result.stdout) == (2, "")
    assert "question" in result.stderr


@pytest.mark.parametrize("args", [["ask"], ["ask", "-"]])
def test_questions_are_read_from_stdin_one_a_line(args: list[str]) -> None:
    result = _run(*args, "--json", stdin="what is BUDGE?\r\n\nbest pizza in Naples\n")

    assert _code(result) == 0
    assert [(found["id"], found["question"]) for found in _objects(result)] == [
        ("1", "what is BUDGE?"),
        ("2", "best pizza in Naples"),
    ]


@pytest.mark.parametrize(
    ("question", "reason"),
    [("routing year:soon", "expected a year"), ('"open', "not closed"), ("x" * 2_001, "2,001 characters")],
)
def test_a_question_used_wrongly_shows_why(question: str, reason: str) -> None:
    result = _run("ask", question)

    assert (_code(result), result.stdout) == (2, "")
    assert reason in result.stderr


def test_a_condition_may_begin_with_a_dash() -> None:
    (found,) = _objects(_run("ask", "--json", "bandits and glaciers", "-causal"))

    assert found["filters"] == {"word": "not causal"}


@pytest.mark.parametrize("option", ["--jsno", "--btach", "--no-such-option"])
def test_an_unknown_option_is_wrong_usage(option: str) -> None:
    result = _run("ask", option, "what is BUDGE?")

    assert (_code(result), result.stdout) == (2, "")
    assert option in result.stderr


def test_a_conversation_is_kept_between_runs() -> None:
    _run("ask", "--conversation", "c", "what is BUDGE?")

    (found,) = _objects(_run("ask", "--json", "--conversation", "c", "does it have low regret?"))

    assert found["conversation"] == "c"
    assert {quote["source"]["ordinal"] for quote in found["quotes"]} == {0}


def test_bytes_that_are_no_text_are_answered_like_any_unknown_word() -> None:
    result = _run("ask", "--json", "what is \udcff BUDGE?")

    assert _code(result) in {0, 1}
    assert len(result.stdout.splitlines()) == 1


# --- ask --batch --------------------------------------------------------------------------------------------------


def _batch(content: bytes | str, *args: str) -> Result:
    path = Path("batch.jsonl")
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return _run("ask", "--batch", str(path), *args)


def _lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_a_batch_is_answered_in_order_under_its_ids() -> None:
    result = _batch(_lines(*({"id": f"q{n}", "question": "causal"} for n in range(5))))

    assert (_code(result), result.stderr) == (0, "")
    assert [found["id"] for found in _objects(result)] == ["q0", "q1", "q2", "q3", "q4"]


@pytest.mark.parametrize(("given", "echoed"), [(7, "7"), (1.5, "1.5"), (None, "null"), (True, "true"), ("a b", "a b")])
def test_an_id_of_any_type_is_echoed_as_text(given: object, echoed: str) -> None:
    (found,) = _objects(_batch(_lines({"id": given, "question": "causal"})))

    assert found["id"] == echoed


def test_a_question_without_an_id_is_named_by_its_line() -> None:
    assert [found["id"] for found in _objects(_batch("\n" + _lines({"question": "causal"})))] == ["2"]


def test_turns_of_one_conversation_share_state_and_others_do_not() -> None:
    result = _batch(
        _lines(
            {"id": 1, "question": "what is MASKREC?", "conversation": "a"},
            {"id": 2, "question": "which datasets?", "conversation": "a"},
            {"id": 3, "question": "open 1", "conversation": "b"},
        )
    )

    found = _objects(result)
    assert [quote["source"]["ordinal"] for quote in found[1]["quotes"]] == [1]
    assert found[2]["text"].startswith("There are no numbered results")


@pytest.mark.parametrize(
    "content", ["\ufeff" + _lines({"id": "a", "question": "causal"}), '{"id":"a","question":"x"}\r\n']
)
def test_a_mark_at_the_beginning_and_windows_line_ends_do_not_matter(content: str) -> None:
    result = _batch(content)

    assert _code(result) in {0, 1}
    assert [found["id"] for found in _objects(result)] == ["a"]


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b"[1]",
        b'"text"',
        b"null",
        b'{"id": 1}',
        b'{"question": 5}',
        b'{"question": "  "}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"question": "year:soon"}',
        b'{"question": "' + b"x" * 3_000 + b'"}',
        b'{"question": "' + b"x" * 3_000_000 + b'"}',
    ],
    ids=lambda bad: repr(bad[:16]),
)
def test_a_bad_line_is_named_once_and_the_others_are_answered(bad: bytes) -> None:
    good = _lines({"id": "good", "question": "causal"}).encode()

    result = _batch(good + bad + b"\n" + good)

    assert _code(result) == 4
    assert [found["id"] for found in _objects(result)] == ["good", "good"]
    assert [line for line in result.stderr.splitlines() if "batch.jsonl" in line] == [result.stderr.splitlines()[0]]
    assert "batch.jsonl:2:" in result.stderr


@pytest.mark.parametrize("record", [{"question": "causal \ud800"}, {"question": "causal", "conversation": "\udfff"}])
def test_half_of_a_surrogate_pair_does_not_stop_a_batch(record: dict[str, str]) -> None:
    result = _batch(_lines({"id": "1", **record}, {"id": "2", "question": "causal"}))

    assert _code(result) in {0, 4}
    assert _objects(result)[-1]["id"] == "2"


@pytest.mark.parametrize("content", ["", "\n\n", "   \r\n"])
def test_a_batch_without_a_question_says_what_is_expected(content: str) -> None:
    result = _batch(content)

    assert _code(result) == 4
    _one_line(result, "batch.jsonl", '"question"')


def test_a_batch_that_finds_nothing_at_all_says_so_by_its_code() -> None:
    assert _code(_batch(_lines({"id": 1, "question": "best pizza in Naples"}))) == 1


def test_a_missing_batch_is_unreadable() -> None:
    result = _run("ask", "--batch", "no-such-file")

    assert _code(result) == 4
    _one_line(result, "no-such-file")


def test_a_folder_is_no_batch() -> None:
    result = _run("ask", "--batch", ".")

    assert _code(result) in {2, 4}
    assert "directory" in result.stderr


@pytest.mark.parametrize("args", [["what"], ["--conversation", "c"]])
def test_a_batch_brings_its_own_questions(args: list[str]) -> None:
    assert _code(_batch(_lines({"question": "x"}), *args)) == 2


def test_a_batch_may_come_from_stdin() -> None:
    result = _run("ask", "--batch", "-", stdin=_lines({"id": "a", "question": "causal"}))

    assert [found["id"] for found in _objects(result)] == ["a"]


# --- The seeds ----------------------------------------------------------------------------------------------------

Spoil = Callable[[Path], object]


def _write(name: str, content: bytes) -> Spoil:
    return lambda folder: (folder / name).write_bytes(content)


def _remove(folder: Path) -> None:
    (folder / "list.txt").unlink()
    folder.rmdir()


_SPOILT = [
    ("missing", _remove, 4, ["no such folder"]),
    ("empty", lambda folder: (folder / "list.txt").unlink(), 3, ["*.txt"]),
    ("binary", _write("list.txt", b"\x7fELF\x00\x01\x02" * 99), 4, ["list.txt:1", "NUL"]),
    ("no header", _write("list.txt", b"We propose BUDGE.\n\nIt wins.\n"), 4, ["list.txt:1", "header"]),
    ("two years", _write("list.txt", b"ICLR 2025 2026\n\nWe propose.\n"), 4, ["list.txt:1", "header"]),
    ("no abstract", _write("list.txt", _HEADER.encode()), 4, ["list.txt"]),
    ("not UTF-8", _write("list.txt", _HEADER.encode() + b"caf\xe9\n"), 4, ["list.txt:3", "UTF-8"]),
    ("UTF-16", _write("list.txt", _LIST.encode("utf-16")), 4, ["list.txt", "UTF-16"]),
    ("endless line", _write("list.txt", _HEADER.encode() + b"x" * 10_000_000), 4, ["list.txt:3", "50,000"]),
    ("half a sidecar", _write("titles.jsonl", b'{"file": "list.txt", "ordinal": 0, "ti'), 4, ["titles.jsonl:1"]),
    ("sidecar of another list", _write("titles.jsonl", b'{"file": "x.txt", "ordinal": 0}\n'), 4, ["titles.jsonl:1"]),
    ("sidecar not UTF-8", _write("titles.jsonl", b"\xff\n"), 4, ["titles.jsonl:1", "UTF-8"]),
]


@pytest.mark.parametrize("command", [["ask", "causal"], ["chat"], ["evaluate", "--questions", "questions.jsonl"]])
@pytest.mark.parametrize(("spoil", "code", "parts"), [case[1:] for case in _SPOILT], ids=[case[0] for case in _SPOILT])
def test_seeds_that_cannot_be_used_give_one_line(
    tmp_path: Path, command: list[str], spoil: Spoil, code: int, parts: Sequence[str]
) -> None:
    Path("questions.jsonl").write_text(_lines({"id": "a", "kind": "fact", "question": "x"}), encoding="utf-8")
    spoil(tmp_path / "seeds")

    result = _run(*command, stdin="causal\n" if command == ["chat"] else b"")

    assert _code(result) == code
    _one_line(result, *parts)


def test_a_sidecar_for_some_entries_is_enough(tmp_path: Path) -> None:
    known = {"file": "list.txt", "ordinal": 0, "first_words": "We propose BUDGE", "title": "Slow Spending"}
    (tmp_path / "seeds" / "titles.jsonl").write_text(_lines(known), encoding="utf-8")

    (found,) = _objects(_run("ask", "--json", "what is BUDGE?"))

    assert (found["quotes"][0]["title"], found["quotes"][0]["title_derived"]) == ("Slow Spending", False)


# --- Settings and data --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [["ask", "causal"], ["chat"]])
def test_a_wrong_setting_gives_one_line(monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.setenv("PULLQUOTE_MAX_QUESTION_CHARS", "few")

    result = _run(*command, stdin="x\n" if command == ["chat"] else b"")

    assert _code(result) == 3
    _one_line(result, "PULLQUOTE_MAX_QUESTION_CHARS", "'few'")


def test_a_data_folder_that_cannot_be_made_gives_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLQUOTE_DATA_DIR", str(tmp_path / "seeds" / "list.txt" / "data"))

    result = _run("ask", "--conversation", "c", "causal")

    assert _code(result) == 4
    _one_line(result, "PULLQUOTE_DATA_DIR")


def test_the_word_vectors_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLQUOTE_SEMANTIC", "off")

    result = _run("ask", "what is BUDGE?")

    assert _code(result) == 0
    assert "BUDGE" in result.stdout


# --- chat ---------------------------------------------------------------------------------------------------------


def test_chat_answers_a_pipe_one_question_a_line_in_one_conversation() -> None:
    result = _run("chat", stdin="what is MASKREC?\n\nwhich datasets?\n/quit\nnever asked\n")

    assert (_code(result), result.stderr) == (0, "")
    assert "We introduce MASKREC" in result.stdout
    assert "four datasets" in " ".join(result.stdout.split())
    assert "\x1b" not in result.stdout


def test_chat_begins_anew_unless_told_to_go_on() -> None:
    _run("chat", stdin="what is BUDGE?\n")

    on, anew = (_run("chat", *args, stdin="open 1\n").stdout for args in (["--continue"], []))

    assert anew.startswith("There are no numbered results")
    assert "low regret" in on


def test_a_wrong_question_does_not_end_a_chat() -> None:
    result = _run("chat", stdin='"open\nwhat is BUDGE?\n')

    assert _code(result) == 0
    assert "not closed" in result.stdout + result.stderr
    assert "We propose BUDGE" in result.stdout


@pytest.mark.parametrize(("color", "coloured"), [("always", True), ("never", False), ("auto", False)])
def test_colour_is_where_it_was_asked_for(color: str, *, coloured: bool) -> None:
    result = _run("chat", "--color", color, stdin="what is BUDGE?\n")

    assert ("\x1b[" in result.stdout) is coloured


def test_an_empty_pipe_is_a_short_chat() -> None:
    result = _run("chat")

    assert (_code(result), result.stderr) == (0, "")


# --- evaluate -----------------------------------------------------------------------------------------------------


def _questions(content: str | bytes, *args: str) -> Result:
    path = Path("questions.jsonl")
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return _run("evaluate", "--questions", str(path), *args)


_JUDGED = {
    "id": "a",
    "kind": "fact",
    "question": "on how many datasets is MASKREC tested?",
    "relevant": [{"file": "list.txt", "ordinal": 1, "grade": 2}],
    "gold_sentences": ["It is tested on four datasets."],
}


def test_judged_questions_are_scored_by_kind() -> None:
    far = {"id": "b", "kind": "unanswerable", "question": "best pizza in Naples", "notes": "subtype=far"}

    (found,) = _objects(_questions(_lines(_JUDGED, far), "--json"))

    assert found["groups"]["fact"] == {
        "questions": 1,
        "success@1": 1.0,
        "success@3": 1.0,
        "gold@1": 1.0,
        "gold@3": 1.0,
        "verdicts": {"answered": 1},
    }
    assert found["groups"]["unanswerable far"]["verdicts"] == {"nothing": 1}


def test_a_table_shows_the_same_and_the_misses_on_demand() -> None:
    wrong = {**_JUDGED, "id": "w", "relevant": [{"file": "list.txt", "ordinal": 2}]}

    result = _questions(_lines(wrong), "--misses")

    assert _code(result) == 0
    assert "fact" in result.stdout
    assert "w: on how many datasets" in result.stdout


@pytest.mark.parametrize(
    ("content", "code", "parts"),
    [
        ("", 4, ["questions.jsonl"]),
        ("{\n", 4, ["questions.jsonl:1"]),
        ("[1]\n", 4, ["questions.jsonl:1"]),
        (b"\xff\n", 4, ["questions.jsonl"]),
        (_lines({"id": "a", "question": "x"}), 4, ["questions.jsonl:1", "kind"]),
        (_lines(_JUDGED, {"id": "b", "kind": "fact"}), 4, ["questions.jsonl:2", "question"]),
        (_lines({**_JUDGED, "followup_of": "z"}), 4, ["z"]),
        (_lines({**_JUDGED, "followup_of": ["a"]}), 4, ["questions.jsonl"]),
        (_lines({**_JUDGED, "followup_of": "a"}), 2, ["follows itself"]),
        (_lines({**_JUDGED, "relevant": [{"file": "list.txt", "ordinal": float("inf")}]}), 4, ["questions.jsonl:1"]),
        (_lines({**_JUDGED, "relevant": 5}), 4, ["questions.jsonl:1"]),
    ],
)
def test_bad_question_files_give_one_line(content: str | bytes, code: int, parts: list[str]) -> None:
    result = _questions(content)

    assert _code(result) == code
    _one_line(result, *parts)


def test_a_line_separator_inside_a_question_is_part_of_it() -> None:
    result = _questions(json.dumps({**_JUDGED, "question": "datasets\u2028of MASKREC"}, ensure_ascii=False))

    assert _code(result) == 0


_DOCUMENTS = [("d1", "bandits spend budgets"), ("d2", "glaciers melt in summer"), ("d3", "bandits and glaciers")]
_QUERIES = [("q1", "bandits with budgets"), ("q2", "melting glaciers"), ("q3", "xyzzyq")]
_QRELS = {"q1": {"d1": 2, "d3": 1}, "q2": {"d2": 1}, "q3": {"d1": 1}}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Return a judged collection in BEIR's layout."""
    folder = tmp_path / "judged"
    folder.mkdir()
    documents = _lines(*({"_id": i, "title": "", "text": text} for i, text in _DOCUMENTS))
    (folder / "corpus.jsonl").write_text(documents, encoding="utf-8")
    (folder / "queries.jsonl").write_text(_lines(*({"_id": i, "text": t} for i, t in _QUERIES)), encoding="utf-8")
    rows = [f"{q}\t{d}\t{score}\n" for q, judged in _QRELS.items() for d, score in judged.items()]
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows), encoding="utf-8")
    return folder


def test_the_run_file_read_by_ir_measures_has_the_figures_that_were_printed(collection: Path) -> None:
    (found,) = _objects(_run("evaluate", "--collection", str(collection), "--run-file", "run.trec", "--json"))

    run = list(ir_measures.read_trec_run("run.trec"))  # type: ignore[no-untyped-call]
    theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 100, RR @ 10, Success @ 1, Success @ 5], _QRELS, run)
    assert (found["collection"], found["queries"]) == ("judged", 3)
    assert found["metrics"] == {str(measure): pytest.approx(value, abs=5e-5) for measure, value in theirs.items()}
    assert {row.query_id for row in run} == {"q1", "q2", "q3"}


def test_other_judgements_can_be_given(collection: Path) -> None:
    Path("other.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td2\t1\n", encoding="utf-8")

    (found,) = _objects(_run("evaluate", "--collection", str(collection), "--qrels", "other.tsv", "--json"))

    assert (found["queries"], found["metrics"]["Success@1"]) == (1, 1.0)


@pytest.mark.parametrize(
    ("name", "content", "code", "parts"),
    [
        ("corpus.jsonl", b"", 4, ["corpus.jsonl", "no document"]),
        ("corpus.jsonl", b"{\n", 4, ["corpus.jsonl:1"]),
        ("corpus.jsonl", b'{"_id": "d1", "text": "a"}\n{"_id": "d1", "text": "b"}\n', 4, ["corpus.jsonl:2", "d1"]),
        ("corpus.jsonl", b'{"_id": "d1"}\n', 4, ["corpus.jsonl:1", "text"]),
        ("corpus.jsonl", b"\xff\xfe\n", 4, ["corpus.jsonl", "UTF-8"]),
        ("queries.jsonl", b"", 2, ["q1"]),
        ("queries.jsonl", b'{"_id": [], "text": "x"}\n', 4, ["queries.jsonl:1", "_id"]),
        ("qrels.tsv", b"query-id\tcorpus-id\tscore\n", 4, ["qrels.tsv"]),
        ("qrels.tsv", b"h\nq1 d1 1\n", 4, ["qrels.tsv:2"]),
        ("qrels.tsv", b"h\nq1\td1\tvery\n", 4, ["qrels.tsv:2", "very"]),
        ("qrels.tsv", "h\nq1\td1\t²\n".encode(), 4, ["qrels.tsv:2"]),
        ("qrels.tsv", b"h\nq1\td1\t--5\n", 4, ["qrels.tsv:2"]),
        ("qrels.tsv", b"h\nnobody\td1\t1\n", 2, ["nobody"]),
    ],
)
def test_bad_judged_collections_give_one_line(
    collection: Path, name: str, content: bytes, code: int, parts: list[str]
) -> None:
    (collection / name).write_bytes(content)

    result = _run("evaluate", "--collection", str(collection))

    assert _code(result) == code
    _one_line(result, *parts)


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_a_missing_file_of_a_collection_is_named(collection: Path, name: str) -> None:
    (collection / name).unlink()

    result = _run("evaluate", "--collection", str(collection))

    assert _code(result) == 4
    _one_line(result, name)


@pytest.mark.parametrize("place", ["no/such/folder/run.trec", "."])
def test_a_run_file_that_cannot_be_written_is_named(collection: Path, place: str) -> None:
    result = _run("evaluate", "--collection", str(collection), "--run-file", place)

    assert _code(result) == 4
    _one_line(result, "cannot be written")


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--questions", "a", "--collection", "b"],
        ["--questions", "a", "--qrels", "b"],
        ["--questions", "a", "--run-file", "b"],
    ],
)
def test_evaluate_wants_questions_or_a_collection(args: list[str]) -> None:
    assert _code(_run("evaluate", *args)) == 2


def test_measuring_leaves_the_data_folder_alone(tmp_path: Path) -> None:
    _questions(_lines(_JUDGED))

    assert not (tmp_path / "data").exists()


# --- The command itself -------------------------------------------------------------------------------------------


def test_the_version_is_said() -> None:
    result = _run("version")

    assert _code(result) == 0
    assert result.stdout.startswith("pullquote ")


@pytest.mark.parametrize(("typed", "meant"), [("aks", "ask"), ("chta", "chat"), ("evalute", "evaluate")])
def test_an_unknown_command_names_the_nearest(typed: str, meant: str) -> None:
    result = _run(typed)

    assert _code(result) == 2
    assert f'"{meant}"' in result.stderr


def test_the_help_lists_every_command_and_exit_code() -> None:
    result = _run("--help")

    assert _code(result) == 0
    assert all(
        word in " ".join(result.stdout.split())
        for word in ("ask", "chat", "evaluate", "version", "5 an outside service")
    )


def _process(*args: str, stdin: bytes = b"", reader: Sequence[str] = ()) -> tuple[bytes, bytes, int]:
    """Run the program in a process of its own; with a *reader*, in a pipe to that."""
    env = {**os.environ, "PYTHONPATH": str(_ROOT), "PULLQUOTE_SEEDS_DIR": str(SEEDS)}
    command = [sys.executable, "-m", "bot", *args]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as process:
        assert process.stdout is not None
        if reader:
            process.stdout.close()
            process.stdout = None
        out, err = process.communicate(stdin, timeout=60)
        return out or b"", err, process.returncode


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    questions = b"causal discovery\n" * 20

    _, err, code = _process("ask", "--json", stdin=questions, reader=["gone"])

    assert err == b""
    assert code not in {0, 1}


@pytest.mark.parametrize("command", [["ask"], ["chat"]])
def test_bytes_that_are_not_utf8_in_a_pipe_are_no_traceback(command: list[str]) -> None:
    out, err, code = _process(*command, stdin=b"\xff\xfe what is PreDiff?\n")

    assert b"Traceback" not in err
    assert code in {0, 1}
    assert out


def test_an_output_that_cannot_show_every_character_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")

    out, err, code = _process("ask", "What is PreDiff?")

    assert b"Traceback" not in err
    assert code == 0
    assert b"PreDiff" in out


def test_an_answer_is_verified_and_given_again_by_its_id() -> None:
    answer = _objects(_run("ask", "what is BUDGE?", "--json"))[0]

    verified, replayed = _run("verify", answer["answer_id"]), _run("replay", answer["answer_id"])

    assert "verbatim" in verified.stdout
    assert replayed.stdout.startswith("The same answer as before.")
    assert answer["text"] in replayed.stdout


@pytest.mark.parametrize("verb", ["verify", "replay"])
def test_an_id_that_was_never_given_out_is_refused(verb: str) -> None:
    result = _run(verb, "0123456789ab")

    assert _code(result) == 4
    _one_line(result, "0123456789ab")


def test_an_answer_can_be_verified_in_the_conversation() -> None:
    answer = _objects(_run("ask", "what is BUDGE?", "--json"))[0]

    result = _run("chat", stdin=f"verify {answer['answer_id']}\n")

    assert "verbatim" in result.stdout


def test_gaps_are_listed_the_most_asked_first_and_counted_in_the_statistics() -> None:
    for question in ("who won the cup?", "how do I bake bread?", "Who won the cup?", "what is BUDGE?"):
        _run("ask", question)

    gaps = [json.loads(line) for line in _run("gaps", "--json").stdout.splitlines()]
    stats = json.loads(_run("stats", "--json").stdout)

    assert [(gap["question"], gap["times"]) for gap in gaps] == [("who won the cup?", 2), ("how do i bake bread?", 1)]
    assert stats == {"entries": 3, "venues": ["ICLR 2026"], "answers": {"answered": 1, "related": 0, "nothing": 3}}


def test_without_gaps_a_line_says_so() -> None:
    assert _run("gaps").stdout == "Every question so far found something.\n"


@pytest.mark.parametrize(
    ("form", "first"),
    [("csv", "entry_id,title,"), ("bibtex", "@inproceedings{"), ("ris", "TY  - CPAPER"), ("jsonl", '{"id": "list:0"')],
)
def test_entries_are_exported_in_each_format(form: str, first: str) -> None:
    result = _run("export", "--format", form)

    assert _code(result) == 0
    assert result.stdout.startswith(first)


def test_an_export_holds_what_the_query_asks_for_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"

    result = _run("export", "--format", "jsonl", "-o", str(target), "clicks", "-bandit", "year:2026")

    assert _code(result) == 0
    assert [json.loads(line)["id"] for line in target.read_text(encoding="utf-8").splitlines()] == ["list:1"]


def test_an_export_of_nothing_says_so_and_writes_nothing() -> None:
    result = _run("export", "unlearning")

    assert _code(result) == 1
    assert result.stdout == ""
    _one_line(result, "no entry")


def test_an_export_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    result = _run("export", "-o", str(tmp_path / "no" / "folder"))

    assert _code(result) == 4
    _one_line(result, "cannot be written")


def test_marked_evidence_is_measured(tmp_path: Path) -> None:
    text = "Cells divide. Aspirin reduced fever significantly. We thank everybody."
    folder = tmp_path / "judged"
    folder.mkdir()
    sentences = ["Cells divide.", "Aspirin reduced fever significantly.", "We thank everybody."]
    document = {"_id": "d", "title": "", "text": text, "sentences": sentences}
    (folder / "corpus.jsonl").write_text(json.dumps(document), encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "Aspirin reduces fever."}), encoding="utf-8")
    marks = tmp_path / "marks.jsonl"
    span = {"start": text.index("Aspirin"), "end": text.index(" We thank")}
    lines: list[dict[str, object]] = [{"sentences": [[1]]}, {"spans": [span]}]
    marks.write_text(
        "\n".join(json.dumps({"query-id": "q", "corpus-id": "d", **line}) for line in lines), encoding="utf-8"
    )

    result = _run("evaluate", "--collection", str(folder), "--evidence", str(marks), "--json")

    assert json.loads(result.stdout) == {
        "collection": "judged",
        "queries": 2,
        "metrics": {"first sentence": 1.0, "first quote": 1.0, "best three": 1.0},
    }


def test_what_was_imported_is_new_and_the_first_lists_are_not(tmp_path: Path) -> None:
    papers = tmp_path / "new.jsonl"
    papers.write_text(
        json.dumps({"title": "On Moss", "abstract": "Moss grows slowly. We measure it."}), encoding="utf-8"
    )

    before = _run("ask", "what's new?")
    imported = _run("import", str(papers))
    after = _run("ask", "what's new since yesterday?")

    assert before.stdout.startswith("Nothing arrived since")
    assert _code(imported) == 0
    assert after.stdout.startswith("1 entry arrived since")
    assert "1. On Moss" in after.stdout
