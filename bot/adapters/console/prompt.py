"""Read questions: from a person at a terminal, or from a pipe, one a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, ThreadedHistory
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from bot.adapters.console.completion import CommandCompleter

__all__ = ["piped_questions", "prompted_questions"]

_STYLE = Style.from_dict({"prompt": "bold ansicyan", "bottom-toolbar": "noreverse fg:ansibrightblack"})


def piped_questions(file: TextIO) -> Iterator[str]:
    """Yield the lines of *file* that are not blank."""
    yield from (line.strip() for line in file if line.strip())


def prompted_questions(
    *,
    history_path: Callable[[], Path | None],
    venues: Callable[[], Sequence[str]],
    status: Callable[[], str],
    colour: bool,
    on_first_prompt: Callable[[Application[str]], None],
) -> Iterator[str]:
    """Yield what is typed at the prompt until Ctrl-D; Ctrl-C drops the line.

    Args:
        history_path: The file of earlier questions, None for none; asked in a thread, and may wait.
        venues: The venues to complete.
        status: The line under the prompt.
        colour: Whether the prompt may be coloured.
        on_first_prompt: Called once, when the first prompt is on the screen.
    """
    session: PromptSession[str] = PromptSession(
        history=ThreadedHistory(_LateHistory(history_path)),
        completer=CommandCompleter(venues),
        complete_while_typing=False,
        bottom_toolbar=status,
        color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
        style=_STYLE if colour else None,
    )
    _once(session.app, on_first_prompt)
    while True:
        try:
            line = session.prompt(FormattedText([("class:prompt", "› ")]))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if line.strip():
            yield line.strip()


class _LateHistory(History):
    """A history file whose place is known only once the settings are read."""

    def __init__(self, path: Callable[[], Path | None]) -> None:
        super().__init__()
        self._path = path

    def load_history_strings(self) -> Iterator[str]:
        if (path := self._path()) is not None:
            yield from FileHistory(str(path)).load_history_strings()

    def store_string(self, string: str) -> None:
        if (path := self._path()) is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            FileHistory(str(path)).store_string(string)
        except OSError:
            return  # a history that cannot be kept is no reason to stop answering


def _once(app: Application[str], callback: Callable[[Application[str]], None]) -> None:
    def first_render(sender: Application[str]) -> None:
        app.after_render -= first_render
        callback(sender)

    app.after_render += first_render
