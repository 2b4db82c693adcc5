"""What is kept is its owner's alone."""

from __future__ import annotations

import stat
from pathlib import Path

from bot.adapters.files import private_file


def test_a_new_file_and_its_folder_are_its_owners_alone(tmp_path: Path) -> None:
    path = private_file(tmp_path / "data" / "kept")

    assert [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent)] == [0o600, 0o700]


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("x", encoding="utf-8")
    path.chmod(0o640)

    assert private_file(path).read_text(encoding="utf-8") == "x"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
