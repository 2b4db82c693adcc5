"""Tab completion: commands after a slash, venues after "only"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from bot.commands import COMMAND_WORDS

__all__ = ["CommandCompleter"]


class CommandCompleter(Completer):
    """Complete what can be typed at the prompt; plain questions are left alone."""

    def __init__(self, venues: Callable[[], Sequence[str]]) -> None:
        """Complete venues from *venues*, asked at each key since the collection may still be loading."""
        self._venues = venues

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the text before the cursor can become."""
        del complete_event  # asked for by Tab or by typing, the completions are the same
        text = document.text_before_cursor
        command, blank, argument = text.removeprefix("/").partition(" ")
        if text.startswith("/") and not blank:
            yield from _matching(command, COMMAND_WORDS)
        elif command == "only" and blank:
            yield from _matching(argument, self._venues())


def _matching(typed: str, words: Iterable[str]) -> Iterable[Completion]:
    return (Completion(w, start_position=-len(typed)) for w in words if w.lower().startswith(typed.lower()))
