"""Exit codes, and how errors become one line each."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum

import click

from bot.errors import (
    BotError,
    FeedError,
    FetchError,
    PlatformError,
    QuestionTooLongError,
    ScheduleError,
    SettingsError,
    SubscriptionError,
    UnknownFormatError,
)
from bot.model import Verdict
from bot.present import inert
from retrieval.errors import CollectionError, EvaluationError, QuerySyntaxError, RetrievalError

__all__ = ["ExitCode", "code_of_error", "code_of_verdict", "complain", "reported"]


_PIPE_CLOSED = 141  # what a shell says of a program that a closed pipe has ended


class ExitCode(IntEnum):
    """What the program's exit code says."""

    OK = 0
    NOTHING_FOUND = 1
    USAGE = 2
    NOT_CONFIGURED = 3
    UNREADABLE = 4
    SERVICE_FAILED = 5


def code_of_verdict(verdict: Verdict) -> ExitCode:
    """Return the exit code of an answer: only "nothing" differs from success."""
    return ExitCode.NOTHING_FOUND if verdict is Verdict.NOTHING else ExitCode.OK


def code_of_error(error: BotError | RetrievalError) -> ExitCode:
    """Return the exit code of an error that was raised on purpose."""
    match error:
        case SettingsError() | CollectionError():
            return ExitCode.NOT_CONFIGURED
        case QuestionTooLongError() | UnknownFormatError() | FeedError() | QuerySyntaxError() | EvaluationError():
            return ExitCode.USAGE
        case ScheduleError() | SubscriptionError():
            return ExitCode.USAGE
        case FetchError() | PlatformError():
            return ExitCode.SERVICE_FAILED
        case _:
            return ExitCode.UNREADABLE


def complain(message: object) -> None:
    """Write one message to standard error, where it does not mix with answers."""
    click.echo(f"pullquote: {inert(str(message))}", err=True)


@contextmanager
def reported() -> Iterator[None]:
    """Turn errors raised on purpose into a line on standard error and the documented exit code.

    A reader that goes away (`| head`) ends the program quietly.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except (BotError, RetrievalError) as exc:
        complain(exc)
        sys.exit(code_of_error(exc))
    except BrokenPipeError:
        # click would leave with 1, which here says that nothing was found. The interpreter would flush the closed pipe
        # once more at exit and complain.
        _discard_output()
        sys.exit(_PIPE_CLOSED)
    except OSError as exc:
        _discard_output()
        complain(f"what was to be printed cannot be written: {exc.strerror or exc}")
        sys.exit(ExitCode.UNREADABLE)


def _discard_output() -> None:
    """Let what is left in the buffer go nowhere; the interpreter would try to write it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
