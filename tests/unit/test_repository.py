"""What holds for the repository as a whole and no checker looks after."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__: list[str] = []

_ROOT = Path(__file__).parents[2]
_LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock", "requirements-bench.lock")

_IMPORTED_AS = {"markdown-it-py": "markdown_it", "pystemmer": "Stemmer"}
# The standard library's zoneinfo reads tzdata where the system has no time zones.
_READ_BY_OTHERS = {"tzdata", "wordllama"}  # zone data and word vectors are files, read where they lie

# Each pattern is written so that it does not match itself.
_UNWANTED = {
    "package index": r"(?:pypi|pythonhosted|npmjs|crates)[.](?:org|com|io)|\s--(?:extra-)?index-url|\s--find-links",
    "path of one machine": r"(?<![\w.:/}])/(?:root|work|home/\w+|Users/\w+)/",
    "Slack token": r"\bxox[a-z]-\d{9,}-\w+|\bxapp-\d-[A-Z0-9]{9,}-\d+",
    "key": r"\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}|-----BEGIN [A-Z ]*PRIVATE KEY|\bsk-[0-9A-Za-z]{32}",
}


@cache
def tracked() -> tuple[Path, ...]:
    """Return every file that belongs to the repository; in an unpacked archive, every file that is not hidden."""
    if not (_ROOT / ".git").exists():
        paths = (path for path in _ROOT.rglob("*") if not any(part.startswith(".") for part in path.parts))
        return tuple(sorted(path for path in paths if path.is_file()))
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(path for name in listed.split("\0") if name and (path := _ROOT / name).is_file())


def modules() -> list[Path]:
    """Return the modules of both packages that others may import, and the packages themselves."""
    named = [path for package in ("bot", "retrieval") for path in sorted((_ROOT / package).rglob("*.py"))]
    return [path for path in named if path.name == "__init__.py" or not path.name.startswith("_")]


def places(pattern: str) -> Iterator[str]:
    """Yield `file:line` wherever a tracked file matches *pattern*."""
    compiled = re.compile(pattern)
    for path in tracked():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if compiled.search(line):
                yield f"{path.relative_to(_ROOT)}:{number}"


@cache
def project() -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> list[Requirement]:
    """Return the requirements that *lock* pins, in order."""
    text = (_ROOT / lock).read_text(encoding="utf-8")
    return [Requirement(line) for line in re.findall(r"^([A-Za-z0-9].*?) \\$", text, re.MULTILINE)]


def asked_for(lock: str) -> list[Requirement]:
    """Return what pyproject.toml asks *lock* to pin."""
    groups: dict[str, list[Any]] = project()["dependency-groups"]
    runtime: list[Any] = project()["project"]["dependencies"]
    wanted = {
        "requirements.lock": runtime,
        "requirements-build.lock": groups["build"],
        "requirements-dev.lock": runtime + groups["build"] + groups["dev"],
        "requirements-bench.lock": groups["bench"],
    }[lock]
    return [Requirement(item) for item in wanted if isinstance(item, str)]


@cache
def imported() -> frozenset[str]:
    """Return the top-level modules that the packages import, or look for by a name in quotes."""
    names: set[str] = set()
    for path in [path for package in ("bot", "retrieval") for path in (_ROOT / package).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    names.update(alias.name.split(".")[0] for alias in node.names)
                case ast.ImportFrom(module=str(module)):
                    names.add(module.split(".")[0])
                case ast.Call(args=[ast.Constant(value=str(text)), *_]):
                    names.add(text.split(".")[0])
    return frozenset(names)


@pytest.mark.parametrize("kind", _UNWANTED)
def test_no_file_names_what_only_one_machine_or_person_should_know(kind: str) -> None:
    found = list(places(_UNWANTED[kind]))

    assert found == [], f"{kind}: {', '.join(found)}"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("package index", "https://" + "pypi." + "org/simple"),
        ("package index", "pip install " + "--find-links wheels"),
        ("path of one machine", 'open("' + "/ro" + 'ot/notes")'),
        ("Slack token", "xoxb-" + 12 * "1" + "-" + 24 * "a"),
        ("key", "AK" + "IA" + 16 * "A"),
    ],
)
def test_what_is_unwanted_would_be_found(kind: str, text: str) -> None:
    found = re.search(_UNWANTED[kind], text)

    assert found is not None


def test_every_decision_has_its_three_parts() -> None:
    wanted = ["Context", "Decision", "Consequences"]

    parts = {
        path.name: [name for name in _headings(path, 2) if name in wanted]
        for path in (_ROOT / "docs" / "decisions").glob("*.md")
    }

    assert {name: found for name, found in parts.items() if found != wanted} == {}


def test_the_changelog_starts_with_what_is_unreleased_and_dates_every_release() -> None:
    first, *releases = _headings(_ROOT / "CHANGELOG.md", 2)

    undated = [name for name in releases if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", name)]

    assert first == "[Unreleased]"
    assert undated == []


def test_the_changelog_sorts_changes_by_the_kinds_of_keep_a_changelog() -> None:
    kinds = set(_headings(_ROOT / "CHANGELOG.md", 3))

    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert kinds


def test_the_conventions_are_here() -> None:
    text = (_ROOT / "CONVENTIONS.md").read_text(encoding="utf-8")

    assert text.startswith("# ")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(_ROOT)))
def test_a_module_says_what_it_is_for_and_what_it_promises(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))

    promises = any(_assigns(node, "__all__") for node in tree.body)

    assert ast.get_docstring(tree), "has no docstring"
    assert promises or not _defines(tree), "has no __all__"


@pytest.mark.parametrize("wanted", asked_for("requirements.lock"), ids=lambda wanted: wanted.name)
def test_a_dependency_is_one_that_the_code_uses(wanted: Requirement) -> None:
    name = _IMPORTED_AS.get(canonicalize_name(wanted.name), wanted.name.replace("-", "_"))

    used = name in imported() or name in _READ_BY_OTHERS

    assert used, f"no module imports {name}"


def test_the_distribution_shows_the_readme_there_is() -> None:
    shown = project()["project"].get("readme")

    assert shown == ("README.md" if (_ROOT / "README.md").exists() else None)


@pytest.mark.parametrize("lock", _LOCKS)
def test_a_lock_pins_everything_that_is_asked_for(lock: str) -> None:
    pinned = pins(lock)

    missing = [str(wanted) for wanted in asked_for(lock) if not any(_satisfies(pin, wanted) for pin in pinned)]

    assert missing == [], "run `make lock`"


@pytest.mark.parametrize("lock", _LOCKS)
def test_a_lock_gives_hashes_for_every_pin_and_says_how_it_is_made(lock: str) -> None:
    text = (_ROOT / lock).read_text(encoding="utf-8")

    bare = re.findall(r"^[A-Za-z0-9].*==(?:(?! \\$).)*$|\\\n(?! +--hash=sha256:[0-9a-f]{64})", text, re.MULTILINE)

    assert bare == []
    assert "#    make lock\n" in text


def test_the_locks_agree_on_every_version() -> None:
    versions: dict[tuple[str, str], set[str]] = {}
    for lock in _LOCKS:
        for pin in pins(lock):
            versions.setdefault((canonicalize_name(pin.name), str(pin.marker)), set()).add(str(pin.specifier))

    disputed = {name: found for name, found in versions.items() if len(found) > 1}

    assert disputed == {}


def _headings(path: Path, level: int) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^{'#' * level} (.+?)\s*$", text, re.MULTILINE)


def _assigns(node: ast.stmt, name: str) -> bool:
    targets: Sequence[ast.expr]
    match node:
        case ast.Assign():
            targets = node.targets
        case ast.AnnAssign():
            targets = [node.target]
        case _:
            targets = []
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _defines(tree: ast.Module) -> bool:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    return any(isinstance(node, kinds) for node in tree.body)


def _satisfies(pin: Requirement, wanted: Requirement) -> bool:
    (version,) = (specifier.version for specifier in pin.specifier)
    same = canonicalize_name(pin.name) == canonicalize_name(wanted.name)
    return same and wanted.specifier.contains(version, prereleases=True)
