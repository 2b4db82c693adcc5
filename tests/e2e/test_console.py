"""The console as a person meets it: `pullquote chat` in a terminal that a program looks at."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pyte
import pytest

_ROOT = Path(__file__).parents[2]
_COLUMNS, _ROWS = 140, 60
_PATIENCE_S = 30.0
_UP, _TAB, _ENTER, _CTRL_C, _CTRL_D, _CTRL_R = "\x1b[A", "\t", "\r", "\x03", "\x04", "\x12"


class Terminal:
    """A pseudo-terminal with a program in it, and the screen that the program has drawn."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        """Start `pullquote chat` in *folder* with nothing but *environment*."""
        self._screen = pyte.HistoryScreen(_COLUMNS, _ROWS, history=5_000)
        self._stream = pyte.ByteStream(self._screen)
        self._near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        command = [sys.executable, "-m", "bot", "chat"]
        self._process = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, cwd=folder, env=environment, start_new_session=True
        )
        os.close(far)

    @property
    def text(self) -> str:
        """The lines on the screen, without the blanks at their ends."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def line(self) -> str:
        """The line that the cursor stands on."""
        return self._screen.display[self._screen.cursor.y].rstrip()

    def type(self, keys: str) -> None:
        """Press *keys*."""
        os.write(self._near, keys.encode())

    def until(self, condition: Callable[[], bool]) -> None:
        """Draw what the program writes until *condition* holds."""
        deadline = time.monotonic() + _PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain; the screen shows:\n{self.text}"
            self._draw(deadline - time.monotonic())

    def shows(self, text: str) -> None:
        """Wait until *text* is on the screen, however its lines are broken."""
        self.until(lambda: text in " ".join(self.text.split()))

    def ready(self) -> None:
        """Wait for an empty prompt, with the collection read."""
        self.until(lambda: self.line == "›" and "abstracts" in self.text)

    def code(self) -> int:
        """Wait until the program has left; return its exit code."""
        self.until(lambda: self._process.poll() is not None)
        self._draw(0)
        return self._process.returncode

    def close(self) -> None:
        """End the program, whatever it does."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._near)

    def _draw(self, wait_s: float) -> None:
        while select.select([self._near], [], [], min(max(wait_s, 0), 0.05))[0]:
            try:
                written = os.read(self._near, 65_536)
            except OSError:  # the other end is closed: the program has left
                return
            self._stream.feed(written)
            for _ in range(written.count(b"\x1b[6n")):  # it asks where the cursor is
                self.type(f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R")
            wait_s = 0


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "PATH": os.defpath,
        "PULLQUOTE_DATA_DIR": str(tmp_path / "data"),
        "PYTHONPATH": str(_ROOT),
        "TERM": "xterm-256color",
    }


@contextmanager
def _console(environment: Mapping[str, str], folder: Path) -> Iterator[Terminal]:
    with closing(Terminal(environment, folder)) as terminal:
        yield terminal


@pytest.fixture
def console(environment: dict[str, str], tmp_path: Path) -> Iterator[Terminal]:
    """A console at its first prompt."""
    with _console(environment, tmp_path) as terminal:
        terminal.ready()
        yield terminal


def test_a_question_is_answered_under_the_prompt_and_a_new_prompt_follows(console: Terminal) -> None:
    console.type("What is PreDiff?" + _ENTER)

    console.shows("“We propose PreDiff (Preference Diffusion)")
    console.ready()
    assert "PreDiff: Sequential Recommendation by Denoising Preference Distributions" in " ".join(console.text.split())


def test_the_first_screen_says_what_can_be_done(console: Terminal) -> None:
    assert all(word in console.text for word in ("/help", "Ctrl-D", "38 abstracts"))


def test_a_command_is_completed(console: Terminal) -> None:
    console.type("/comp" + _TAB)

    console.until(lambda: console.line.startswith("› /compare"))


def test_a_venue_is_completed_after_only(console: Terminal) -> None:
    console.type("only Neur" + _TAB)

    console.until(lambda: console.line.startswith("› only NeurIPS 2026"))


def test_ctrl_c_drops_the_line_and_asks_nothing(console: Terminal) -> None:
    console.type("half a question")
    console.until(lambda: console.line == "› half a question")

    console.type(_CTRL_C)

    console.ready()
    console.type("hello" + _ENTER)
    console.shows("Hello. Ask me about the abstracts")
    assert "Nothing in this collection" not in console.text


@pytest.mark.parametrize("keys", [_CTRL_D, "/quit" + _ENTER, "exit" + _ENTER])
def test_the_console_is_left_with_code_0(console: Terminal, keys: str) -> None:
    console.type(keys)

    assert console.code() == 0


def test_questions_are_remembered_between_runs(environment: dict[str, str], tmp_path: Path) -> None:
    with _console(environment, tmp_path) as first:
        first.ready()
        first.type("causal discovery" + _ENTER)
        first.shows("say “more”")
        first.ready()
        first.type(_CTRL_D)
        first.code()

    with _console(environment, tmp_path) as second:
        second.ready()
        second.type(_UP)

        second.until(lambda: second.line == "› causal discovery")


def test_an_earlier_question_is_found_by_ctrl_r(console: Terminal) -> None:
    console.type("What is PreDiff?" + _ENTER)
    console.shows("We propose PreDiff")
    console.ready()

    console.type(_CTRL_R + "Pre")

    console.until(lambda: "What is PreDiff?" in console.line)


def test_a_wrong_question_is_explained_and_the_console_goes_on(console: Terminal) -> None:
    console.type("routing year:soon" + _ENTER)

    console.shows("expected a year or a range")
    console.ready()


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [("PULLQUOTE_MAX_QUESTION_CHARS", "few", 3), ("PULLQUOTE_SEEDS_DIR", "/no/such/folder", 4)],
)
def test_what_cannot_be_used_leaves_the_console_with_one_line(
    environment: dict[str, str], tmp_path: Path, name: str, value: str, code: int
) -> None:
    with _console(environment | {name: value}, tmp_path) as terminal:
        found = terminal.code()

        assert found == code
        assert [line for line in terminal.text.splitlines() if line.startswith("pullquote: ")] == [
            terminal.text.splitlines()[-1]
        ]
        assert value in terminal.text
        assert "Traceback" not in terminal.text


def test_without_colour_nothing_is_coloured(environment: dict[str, str], tmp_path: Path) -> None:
    with _console(environment | {"NO_COLOR": "1"}, tmp_path) as terminal:
        terminal.ready()
        terminal.type("What is PreDiff?" + _ENTER)
        terminal.shows("We propose PreDiff")
        terminal.ready()

        cells = [cell for row in terminal._screen.buffer.values() for cell in row.values()]
        assert {cell.fg for cell in cells if cell.data.strip()} == {"default"}
