"""`pullquote import` and `pullquote entry` from the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import cli
from bot.importing import files_in

_GOOD = "TY  - JOUR\nTI  - A study of nests\nAU  - Roe, Ann\nAB  - Birds build.\nPY  - 2020\nDO  - 10.1000/x\nER  -\n"
_BAD = "TY  - JOUR\nDO  - 10.1000/y\nER  -\n"


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder with files, and a data folder of its own."""

    folder: Path

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run(self, *args: str) -> Result:
        return CliRunner().invoke(cli, list(args), env={"PULLQUOTE_DATA_DIR": str(self.folder / "data")})

    def kept(self) -> dict[str, bytes]:
        """Return what is in the data folder."""
        return {path.name: path.read_bytes() for path in (self.folder / "data").iterdir()}

    def imported(self, *args: str) -> dict[str, Any]:
        result = self.run("import", "--json", *args)
        found: dict[str, Any] = json.loads(result.stdout)
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_an_import_says_what_became_of_each_record(desk: Desk) -> None:
    file = desk.write("a.ris", _GOOD + _BAD + _GOOD)

    found = desk.imported(file)

    assert found == {
        "schema": "pullquote.import/1",
        "files": 1,
        "read": 3,
        "new": 1,
        "updated": 0,
        "merged": 0,
        "unchanged": 1,
        "without_abstract": 0,
        "refused": 1,
        "faults": [
            {
                "file": file,
                "record": 2,
                "line": 8,
                "field": "title",
                "reason": "neither a title nor an abstract; left out",
            }
        ],
    }


def test_a_dry_run_lists_the_records_and_keeps_nothing(desk: Desk) -> None:
    file = desk.write("a.ris", _GOOD)

    found = desk.imported("--dry-run", file)

    assert found["records"] == [
        {
            "title": "A study of nests",
            "title_derived": False,
            "abstract": "Birds build.",
            "authors": ["Roe, Ann"],
            "year": 2020,
            "venue": "",
            "url": "https://doi.org/10.1000/x",
            "ids": {"doi": "10.1000/x"},
        }
    ]


def test_a_dry_run_counts_as_the_import_would_and_leaves_everything_as_it_is(desk: Desk) -> None:
    desk.imported(desk.write("a.ris", _GOOD))
    other = "@article{a, title={A study of nests}, author={Roe, Ann}, year=2020}"
    files = [desk.write("a.ris", _GOOD.replace("build", "built") + _GOOD), desk.write("b.bib", other)]
    before = desk.kept()

    tried = desk.imported("--dry-run", *files)
    after = desk.kept()
    done = desk.imported(*files)

    assert {**tried, "records": None} == {**done, "records": None}
    assert after == before


def test_a_dry_run_makes_no_data_folder(desk: Desk) -> None:
    desk.imported("--dry-run", desk.write("a.ris", _GOOD))

    assert not (desk.folder / "data").exists()


def test_a_record_without_a_title_is_shown_under_a_derived_one(desk: Desk) -> None:
    file = desk.write("a.csv", "abstract\nWe show that birds build small nests in tall trees.\n")

    (record,) = desk.imported("--dry-run", file)["records"]

    assert record["title_derived"]
    assert "nests" in record["title"]


def test_importing_again_changes_nothing(desk: Desk) -> None:
    file = desk.write("a.ris", _GOOD)
    desk.imported(file)

    again = desk.imported(file)

    assert (again["new"], again["unchanged"]) == (0, 1)


def test_a_corrected_file_corrects_what_was_imported(desk: Desk) -> None:
    desk.imported(desk.write("a.ris", _GOOD.replace("10.1000/x", "10.1000/wrong") + _GOOD.replace("study", "history")))
    corrected = desk.write("a.ris", _GOOD.replace("study", "history") + _GOOD.replace("10.1000/x", "10.1000/right"))

    tried = desk.imported("--dry-run", corrected)
    done = desk.imported(corrected)
    shown = json.loads(desk.run("entry", "show", "--json", "doi:10.1000/wrong").stdout)

    assert [tried[name] for name in ("new", "updated", "merged", "unchanged")] == [0, 1, 0, 1]
    assert [done[name] for name in ("new", "updated", "merged", "unchanged")] == [0, 1, 0, 1]
    assert shown["ids"] == {"doi": "10.1000/right"}


def test_what_was_imported_is_searched(desk: Desk) -> None:
    desk.imported(desk.write("a.csv", "title,abstract\nOn zygodactyl feet,Zygodactyl feet help parrots climb.\n"))

    result = desk.run("ask", "How do zygodactyl feet help?")

    assert "Zygodactyl feet help parrots climb." in result.stdout


def test_what_is_among_the_seeds_already_counts_as_merged(desk: Desk) -> None:
    seeds = Path(__file__).parents[2] / "seeds"

    found = desk.imported("--dry-run", str(seeds / "iclr-2026.txt"))

    assert (found["new"], found["merged"]) == (0, found["read"])
    assert not any(record["title_derived"] for record in found["records"])


@pytest.mark.parametrize(
    ("texts", "code"),
    [([_GOOD], 0), ([_GOOD, _BAD], 0), ([_BAD], 4), (["nothing that is known"], 4), ([""], 4)],
)
def test_the_exit_code_is_4_only_when_nothing_could_be_read(desk: Desk, texts: Sequence[str], code: int) -> None:
    files = [desk.write(f"{number}.txt", text) for number, text in enumerate(texts)]

    assert desk.run("import", *files).exit_code == code


def test_a_file_that_is_not_there_is_named_and_the_others_are_read(desk: Desk) -> None:
    result = desk.run("import", str(desk.folder / "missing.bib"), desk.write("a.ris", _GOOD))

    assert "missing.bib: there is no such file" in result.stderr
    assert "1 new" in result.stdout
    assert result.exit_code == 0


def test_a_format_can_be_named_and_an_unknown_one_is_refused(desk: Desk) -> None:
    file = desk.write("a.txt", "TI  - no beginning\nER  -\n")

    assert desk.run("import", "--format", "ris", file).exit_code == 0
    unknown = desk.run("import", "--format", "word", file)
    assert (unknown.exit_code, "known are" in unknown.stderr) == (2, True)


def test_a_folder_is_read_by_name_without_hidden_files_and_titles_beside_lists(desk: Desk) -> None:
    for name in ("b/2.bib", "b/1.ris", ".hidden/x.ris", "a.txt", "titles.jsonl", ".x.ris"):
        desk.write(name, "x")

    assert [path.relative_to(desk.folder).as_posix() for path in files_in([desk.folder])] == [
        "a.txt",
        "b/1.ris",
        "b/2.bib",
    ]


def test_what_was_merged_can_be_seen_and_split(desk: Desk) -> None:
    other = "@article{a, title={A study of nests}, author={Roe, Ann}, year=2020}"
    desk.imported(desk.write("a.ris", _GOOD), desk.write("b.bib", other))

    shown = desk.run("entry", "show", "doi:10.1000/x")
    split = desk.run("entry", "split", "doi:10.1000/x")
    after = desk.run("entry", "show", "--json", "doi:10.1000/x")

    assert "a.ris:1" in shown.stdout
    assert "b.bib:1" in shown.stdout
    assert len(split.stdout.split()) == 2
    assert len(json.loads(after.stdout)["sources"]) == 1


def test_an_unknown_entry_is_said_to_be_unknown(desk: Desk) -> None:
    result = desk.run("entry", "show", "nothing:1")

    assert 'no entry has the id "nothing:1"' in result.stderr
    assert result.exit_code == 4


def test_control_sequences_of_a_file_do_not_reach_the_terminal(desk: Desk) -> None:
    file = desk.write("a.ris", "TY  - JOUR\nTI  - A \x1b[31mred\x1b[0m title\nPY  - \x1b[2J\nER  -\n")

    result = desk.run("import", "--dry-run", file)

    assert "\x1b" not in result.output


def test_a_folder_is_followed_from_the_command_line(desk: Desk) -> None:
    desk.write("inbox/a.ris", _GOOD)
    name = desk.run("feeds", "add", "folder", str(desk.folder / "inbox"), "--name", "inbox").stdout.strip()

    before = desk.run("feeds", "list").stdout
    polled = desk.run("feeds", "poll")
    after = json.loads(desk.run("feeds", "list", "--json").stdout)
    desk.run("feeds", "remove", "inbox")

    assert (name, "never polled" in before) == ("inbox", True)
    assert polled.stdout == "inbox: 1 new, 0 updated, 0 merged, 0 unchanged\n"
    assert (after["error"], after["stale"], polled.exit_code) == ("", False, 0)
    assert desk.run("feeds", "list").stdout == ""


def test_a_feed_that_fails_is_shown_and_the_exit_code_says_so(desk: Desk) -> None:
    folder = desk.folder / "inbox"
    folder.mkdir()
    desk.run("feeds", "add", "folder", str(folder), "--name", "inbox")
    folder.rmdir()

    polled = desk.run("feeds", "poll", "--json")

    assert polled.exit_code == 5
    assert "there is no such file" in json.loads(polled.stdout)["error"]
    assert "failed" in desk.run("feeds", "list").stdout


def test_feeds_from_inside_the_network_are_not_fetched(desk: Desk) -> None:
    desk.run("feeds", "add", "rss", "http://127.0.0.1:9/feed", "--name", "inner")

    polled = desk.run("feeds", "poll")

    assert "inside the network" in polled.stderr


@pytest.mark.parametrize("command", ["list", "poll"])
def test_without_feeds_it_says_how_to_add_one(desk: Desk, command: str) -> None:
    result = desk.run("feeds", command, "--json")

    assert (result.stdout, result.exit_code) == ("", 0)
    assert "pullquote feeds add arxiv cs.IR" in result.stderr


def test_a_feed_that_cannot_be_is_wrong_usage(desk: Desk) -> None:
    result = desk.run("feeds", "add", "rss", "javascript:alert(1)")

    assert (result.exit_code, "no http(s) address" in result.stderr) == (2, True)


def test_enriching_nothing_asks_nobody(desk: Desk) -> None:
    desk.imported(desk.write("a.ris", _GOOD))

    assert desk.run("enrich").stdout == "0 found, 0 unknown\n"
