"""`pullquote chat`: the console adapter, started so that the prompt does not wait for the collection."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from threading import Event
from typing import TYPE_CHECKING, TextIO

import click

from bot.cli.exits import ExitCode, code_of_error, complain
from bot.errors import BotError
from retrieval.errors import RetrievalError

if TYPE_CHECKING:
    from prompt_toolkit.application import Application
    from rich.console import Console

    from bot.adapters.console.render import Color
    from bot.bootstrap import App
    from bot.model import Answer

__all__ = ["command"]

_CONVERSATION = "console"
_WELCOME = "Pullquote. Ask your paper list; every answer is a quote. /help shows what else, Ctrl-D leaves."


@click.command("chat")
@click.option("--conversation", metavar="ID", default=_CONVERSATION, help="Which conversation this is.")
@click.option("-c", "--continue", "resume", is_flag=True, help="Go on where the conversation was left.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True)
def command(*, conversation: str, resume: bool, color: Color) -> None:
    """Ask questions in a conversation; through a pipe, one question a line."""
    from bot.adapters.console.render import make_console

    console = make_console(sys.stdout, color)
    first_prompt = Event()
    if os.environ.get("TERM") == "dumb":
        first_prompt.set()  # a dumb terminal never tells that a prompt is on the screen
    with ThreadPoolExecutor(max_workers=1) as pool:
        app = pool.submit(_build_behind, first_prompt)
        try:
            if _is_terminal(sys.stdin) and _is_terminal(sys.stdout):
                questions = _from_person(app, console, first_prompt)
            else:
                questions = _from_pipe(first_prompt)
            code = _converse(app, questions, console, conversation, resume=resume)
        finally:
            first_prompt.set()
    sys.exit(code)


def _converse(
    app: Future[App], questions: Iterator[str], console: Console, conversation: str, *, resume: bool
) -> ExitCode:
    from bot.adapters.console.render import rendered
    from bot.commands import Verb, parse_command
    from bot.present import inert

    for number, question in enumerate(questions):
        if (said := parse_command(question)) and said.verb is Verb.QUIT:
            break
        try:
            answering = app.result().answering
            if number == 0 and not resume:
                answering.forget(conversation)
            answer = _ordered(app.result(), question, conversation)
            answer = answer or answering.answer(question, conversation_id=conversation)
            # Links and BibTeX are longer than the width at times, and are no use when cut.
            console.print(rendered(answer), crop=False)
            console.print()
        except (BotError, RetrievalError) as exc:
            if app.exception() is not None:
                break
            console.print(inert(str(exc)), style="yellow")
        except KeyboardInterrupt:
            console.print("cancelled", style="dim")
    failure = app.exception() if app.done() else None
    if isinstance(failure, BotError | RetrievalError):
        complain(failure)
        return code_of_error(failure)
    return ExitCode.OK


def _ordered(app: App, text: str, conversation: str) -> Answer | None:
    """Return what is said to an order, such as "subscribe"; None when *text* is none."""
    from bot.bootstrap import build_desk
    from bot.orders import From
    from bot.subscription import Place
    from bot.wishes import parse_order

    if parse_order(text) is None:
        return None
    with closing(build_desk(app, [])) as desk:
        talk = app.conversations.load(conversation)
        return desk.orders.reply(text, From(Place("", "console", conversation), "", question=talk.question))


def _from_pipe(start: Event) -> Iterator[str]:
    from bot.adapters.console.prompt import piped_questions

    start.set()
    return piped_questions(sys.stdin) if sys.stdin is not None else iter(())


def _from_person(app: Future[App], console: Console, start: Event) -> Iterator[str]:
    from bot.adapters.console.prompt import prompted_questions

    console.print(_WELCOME, style="dim")

    def on_first_prompt(prompt: Application[str]) -> None:
        app.add_done_callback(lambda _: _wake(prompt, app))
        start.set()

    return prompted_questions(
        # `exception` waits for the settings to be read; without them there is nothing to remember.
        history_path=lambda: None if app.exception() else app.result().settings.data_dir / "history",
        venues=lambda: app.result().collection.venues if _ready(app) else (),
        status=lambda: app.result().collection.summary if _ready(app) else "reading the collection …",
        colour=not console.no_color,
        on_first_prompt=on_first_prompt,
    )


def _build_behind(first_prompt: Event) -> App:
    """Build everything behind the prompt: what is slow to import is imported while the person types."""
    first_prompt.wait()
    from bot.bootstrap import build
    from bot.settings import load_settings

    return build(load_settings())


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _ready(app: Future[App]) -> bool:
    return app.done() and app.exception() is None


def _wake(prompt: Application[str], app: Future[App]) -> None:
    def wake() -> None:
        if app.exception() is not None and prompt.is_running:
            prompt.exit(exception=EOFError())  # nothing can be answered: leave the prompt and say why
        prompt.invalidate()

    if prompt.loop is not None:
        prompt.loop.call_soon_threadsafe(wake)
