"""The README's examples do what the README says.

A fenced block marked `console` is a session at a terminal: a line that starts with `$ ` is a command, lines that
start with `> ` continue it, and the lines up to the next command are what it prints. Commands that run `pullquote`
(by itself or in a pipe) are run by the shell, in the order of the page, in one temporary folder with one data folder;
their standard output and error together are compared with the page. Other commands are not run. Blocks marked `sh`
are for what cannot be run in a test.

Two things need not be equal: how long it took (`1.4 ms`, `"took_ms": 1.4`), and the lines that stand for themselves
as a single `...` (any number of lines).
"""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

__all__: list[str] = []

_README = Path(__file__).parents[2] / "README.md"
_RUNS_PULLQUOTE = re.compile(r"(?:^|\|\s*)(?:\.venv/bin/)?pullquote\b")
_TOOK = re.compile(r'(?<="took_ms": )[\d.]+|\b[\d.]+(?= ms\b)')
# An answer of "nothing found" is an answer that a README may well show.
_RAN_FINE = (0, 1)


@dataclass(frozen=True, slots=True)
class Example:
    """A command of the README, where it stands and what the page says it prints."""

    line: int
    command: str
    expected: str

    def __str__(self) -> str:
        return f"README.md:{self.line}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command printed, and its exit code."""

    output: str
    code: int


def sessions(page: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each `console` block's first line number, from 1, and its lines."""
    for token in MarkdownIt().parse(page):
        if token.type == "fence" and token.info.strip() == "console" and token.map:
            yield token.map[0] + 2, token.content.splitlines()


def examples(page: str) -> list[Example]:
    """Return the commands of *page* that run `pullquote`, in order."""
    found = [example for first, lines in sessions(page) for example in _split(first, lines)]
    return [example for example in found if _RUNS_PULLQUOTE.search(example.command)]


def _split(first: int, lines: Sequence[str]) -> Iterator[Example]:
    starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        typed = [lines[start].removeprefix("$ ")]
        rest = list(lines[start + 1 : stop])
        while rest and rest[0].startswith("> "):
            typed.append(rest.pop(0).removeprefix("> "))
        yield Example(first + start, "\n".join(typed), "\n".join(rest))


def same(expected: str, printed: str) -> bool:
    """Say whether *printed* is what *expected* shows, times and elided lines aside."""
    lines = [".*" if line == "..." else re.escape(line) for line in _normal(expected).splitlines()]
    return re.fullmatch("\n".join(lines), _normal(printed), re.DOTALL) is not None


def difference(example: Example, outcome: Outcome) -> str:
    """Return what differs, as a unified diff from the page to the program."""
    changes = difflib.unified_diff(
        _normal(example.expected).splitlines(),
        _normal(outcome.output).splitlines(),
        str(example),
        "printed",
        lineterm="",
    )
    return "\n".join(["", f"$ {example.command}   (exit code {outcome.code})", *changes])


def _normal(text: str) -> str:
    lines = [line.rstrip() for line in _TOOK.sub("N", text).splitlines()]
    return "\n".join(lines).strip("\n")


_EXAMPLES = examples(_README.read_text(encoding="utf-8")) if _README.exists() else []


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Example, Outcome]:
    """What each command printed, all of them having run in the order of the page."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / ".venv").symlink_to(sys.prefix)
    env = {
        "COLUMNS": "80",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",
        "PULLQUOTE_DATA_DIR": str(folder / "data"),
        "TZ": "UTC",
    }
    return {example: _run(example.command, folder, env) for example in _EXAMPLES}


def _run(command: str, folder: Path, env: Mapping[str, str]) -> Outcome:
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return Outcome(done.stdout, done.returncode)


def test_the_readme_shows_the_command_at_work() -> None:
    commands = [example.command for example in _EXAMPLES]

    assert any("pullquote ask" in command for command in commands)


@pytest.mark.parametrize("example", _EXAMPLES, ids=str)
def test_an_example_prints_what_the_readme_says(example: Example, outcomes: Mapping[Example, Outcome]) -> None:
    outcome = outcomes[example]

    assert outcome.code in _RAN_FINE, difference(example, outcome)
    assert same(example.expected, outcome.output), difference(example, outcome)


_PAGE = """\
```console
$ make setup
installing
$ pullquote ask 'a question' \\
> --json
{"took_ms": 2.5}
$ echo hello | pullquote chat
Hello.
```

```sh
$ pullquote run
```
"""


def test_only_commands_that_run_pullquote_in_console_blocks_are_examples() -> None:
    found = examples(_PAGE)

    assert found == [
        Example(4, "pullquote ask 'a question' \\\n--json", '{"took_ms": 2.5}'),
        Example(7, "echo hello | pullquote chat", "Hello."),
    ]


@pytest.mark.parametrize(
    ("expected", "printed", "equal"),
    [
        ("took 1.4 ms", "took 12 ms\n", True),
        ('{"took_ms": 1.4}', '{"took_ms": 0.2}', True),
        ("first\n...\nlast", "first\nsecond\nthird\nlast", True),
        ("sentence 3 of 8", "sentence 4 of 8", False),
        ("first\n...\nlast", "first\nlast\nmore", False),
        ("a (b)", "a b", False),
    ],
)
def test_only_times_and_elided_lines_may_differ(expected: str, printed: str, *, equal: bool) -> None:
    verdict = same(expected, printed)

    assert verdict is equal
