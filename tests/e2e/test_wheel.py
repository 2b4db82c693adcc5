"""The built wheel works by itself: installed elsewhere, run from an empty folder, without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

__all__: list[str] = []

_ROOT = Path(__file__).parents[2]
_VERSION = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


@dataclass(frozen=True, slots=True)
class Installation:
    """A virtual environment that holds the wheel, and an empty folder to run it from."""

    prefix: Path
    folder: Path

    def run(self, program: str, *args: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with none of the settings of whoever runs the tests."""
        command = [str(self.prefix / "bin" / program), *args]
        return subprocess.run(
            command, cwd=self.folder, env=self._env(), capture_output=True, text=True, timeout=60, check=False
        )

    def _env(self) -> Mapping[str, str]:
        home = self.folder.parent / "home"
        return {
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "PATH": os.defpath,
            "PULLQUOTE_DATA_DIR": str(home / "data"),
        }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout, built with the pinned backend and so without a network."""
    folder = tmp_path_factory.mktemp("dist")
    _python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(_ROOT))
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel in an environment of its own, beside the pinned dependencies of this one."""
    base = tmp_path_factory.mktemp("installed")
    prefix, folder = base / "venv", base / "empty"
    folder.mkdir()
    _python("-m", "venv", "--without-pip", str(prefix))
    python = str(prefix / "bin" / "python")
    _python("-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", str(wheel))
    _show_dependencies(prefix)
    return Installation(prefix, folder)


def _show_dependencies(prefix: Path) -> None:
    """Let *prefix* import what this environment imports, its editable checkout excepted.

    Python reads the .pth files of a site folder, but not those of the folders that they name: that is how the
    checkout is found here, and why it is not found there.
    """
    paths = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    site_folder = sysconfig.get_path("purelib", vars={"base": str(prefix), "platbase": str(prefix)})
    (Path(site_folder) / "dependencies.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")


def _python(*args: str) -> None:
    done = subprocess.run([sys.executable, *args], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"python {' '.join(args)}\n{done.stdout}{done.stderr}"


def test_the_wheel_carries_the_seeds_byte_for_byte(wheel: Path) -> None:
    given = {path.name: path.read_bytes() for path in (_ROOT / "seeds").iterdir()}

    with zipfile.ZipFile(wheel) as archive:
        carried = {Path(name).name: archive.read(name) for name in archive.namelist() if name.startswith("bot/seeds/")}

    assert carried == given


def test_the_wheel_holds_two_typed_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())

    assert {"bot/py.typed", "retrieval/py.typed"} <= names
    assert {name.split("/")[0] for name in names} == {"bot", "retrieval", f"pullquote-{_VERSION}.dist-info"}


def test_the_code_that_runs_is_the_wheel_s(installation: Installation) -> None:
    code = "import bot, retrieval; print(bot.__file__); print(retrieval.__file__)"

    done = installation.run("python", "-c", code)

    assert done.returncode == 0, done.stderr
    assert all(Path(line).is_relative_to(installation.prefix) for line in done.stdout.splitlines())


def test_the_command_says_its_version(installation: Installation) -> None:
    done = installation.run("pullquote", "version")

    assert done.returncode == 0, done.stderr
    assert _VERSION in done.stdout.split()


def test_a_question_is_answered_by_a_quote_from_the_lists_inside(installation: Installation) -> None:
    done = installation.run("pullquote", "ask", "What is PreDiff?", "--json")

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["schema"] == "pullquote.answer/1"
    assert answer["verdict"] == "answered"
    assert "PreDiff" in answer["quotes"][0]["text"]
    assert answer["quotes"][0]["source"]["file"] == "neurips-2026.txt"


def test_running_leaves_the_working_folder_empty(installation: Installation) -> None:
    installation.run("pullquote", "ask", "What is PreDiff?")

    left = list(installation.folder.iterdir())

    assert left == []
