"""`pullquote ask`: one question, several from standard input, or a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import click

from bot.adapters.plaintext import answer_object, plain_text
from bot.answering import Answering
from bot.cli.exits import ExitCode, code_of_verdict, complain
from bot.cli.running import started
from bot.errors import BotError
from bot.model import Answer, Verdict
from retrieval.errors import RetrievalError, SourceError

__all__ = ["command"]

_MAX_LINE_CHARS = 1_000_000


@click.command("ask", context_settings={"ignore_unknown_options": True})
@click.argument("question", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the answer object pullquote.answer/1, one a line.")
@click.option("-k", "n_quotes", type=click.IntRange(1, 50), default=3, show_default=True, help="Quotes at most.")
@click.option(
    "--batch",
    type=click.Path(allow_dash=True, dir_okay=False),
    metavar="FILE|-",
    help='Answer JSON Lines {"id", "question", "conversation"?}; print one answer object a line, in order.',
)
@click.option("--conversation", metavar="ID", help="Continue the conversation of this name; it is kept between runs.")
@click.pass_context
def command(
    ctx: click.Context,
    question: tuple[str, ...],
    *,
    as_json: bool,
    n_quotes: int,
    batch: str | None,
    conversation: str | None,
) -> None:
    """Answer QUESTION with quotes, and leave.

    Without QUESTION, or with "-", questions are read from standard input, one a line.
    """
    for word in question:
        # "-causal" is a condition; "--jsno" is a slip.
        if word.startswith("--") and " " not in word:
            raise click.NoSuchOption(word, ctx=ctx)
    if batch is not None:
        if question or conversation:
            raise click.UsageError("--batch brings its own questions and conversations; leave the others out.")
        ctx.exit(_run_batch(started().answering, batch, n_quotes))
    if not question and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError('there is no question. Ask with: pullquote ask "your question".')
    from_stdin = question in {(), ("-",)}
    questions = _first_of(_lines(sys.stdin.buffer) if from_stdin else iter([" ".join(question)]))
    ctx.exit(_run(started().answering, questions, as_json=as_json, n_quotes=n_quotes, conversation=conversation))


def _first_of(lines: Iterator[str]) -> Iterator[str]:
    """Return the *lines* that are not blank, once it is sure that there is one."""
    questions = filter(str.strip, lines)
    first = next(questions, None)
    if first is None:
        raise click.UsageError("the question is empty.")
    return chain([first], questions)


def _run(
    answering: Answering, questions: Iterator[str], *, as_json: bool, n_quotes: int, conversation: str | None
) -> ExitCode:
    codes = []
    for number, question in enumerate(questions, start=1):
        answer = answering.answer(question, conversation_id=conversation, k=n_quotes)
        if as_json:
            _print_object(answer, str(number))
        else:
            click.echo(("\n" if number > 1 else "") + plain_text(answer))
        codes.append(code_of_verdict(answer.verdict))
    return min(codes)


def _run_batch(answering: Answering, source: str, n_quotes: int) -> ExitCode:
    """Answer a batch; a line that cannot be read is reported and passed over, and the exit code says so."""
    verdicts, faults = [], 0
    for number, line in enumerate(_batch_lines(source), start=1):
        if not line.strip():
            continue
        try:
            question_id, question, conversation = _parse(line, source, number)
            answer = answering.answer(question, conversation_id=conversation, k=n_quotes)
        except (BotError, RetrievalError) as exc:
            place = "" if isinstance(exc, SourceError) else f"{source}:{number}: "
            complain(f"{place}{exc}")
            faults += 1
            continue
        _print_object(answer, question_id)
        verdicts.append(answer.verdict)
    if not verdicts and not faults:
        complain(f'{source}: holds no question; expected JSON Lines with "id" and "question"')
    if faults or not verdicts:
        return ExitCode.UNREADABLE
    return ExitCode.NOTHING_FOUND if all(v is Verdict.NOTHING for v in verdicts) else ExitCode.OK


def _parse(line: str, source: str, number: int) -> tuple[str, str, str | None]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise SourceError(source, f"not JSON: {exc}", line=number) from exc
    if not isinstance(record, dict) or not isinstance(record.get("question"), str) or not record["question"].strip():
        raise SourceError(source, 'expected an object with a "question" of text', line=number)
    conversation = record.get("conversation")
    return _as_text(record.get("id", number)), record["question"], None if conversation is None else str(conversation)


def _as_text(question_id: object) -> str:
    return question_id if isinstance(question_id, str) else json.dumps(question_id, ensure_ascii=False)


def _batch_lines(source: str) -> Iterator[str]:
    if source == "-":
        yield from _lines(sys.stdin.buffer)
        return
    try:
        with Path(source).open("rb") as file:
            yield from _lines(file)
    except OSError as exc:
        raise SourceError(source, f"cannot be read: {exc.strerror or exc}") from exc


def _lines(file: BinaryIO) -> Iterator[str]:
    """Yield the lines of a binary file as text; bytes that are not UTF-8 are shown as such, not fatal."""
    while line := file.readline(_MAX_LINE_CHARS):
        rest = line
        while len(rest) == _MAX_LINE_CHARS and not rest.endswith(b"\n"):
            rest = file.readline(_MAX_LINE_CHARS)  # of a line that is too long, what follows is passed over
        yield line.decode("utf-8", errors="replace").rstrip("\r\n").removeprefix("\ufeff")


def _print_object(answer: Answer, question_id: str) -> None:
    click.echo(json.dumps(answer_object(answer, question_id=question_id), ensure_ascii=False))
