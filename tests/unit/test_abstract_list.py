"""Folders of abstract lists: what is read, and how each fault is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.errors import EmptyCollectionError, SourceError
from retrieval.formats.abstract_list import MAX_PARAGRAPH_CHARS, read_folder, read_list

LIST = "KDD 2025 papers\n\nFirst things first.\nThey wrap.\n\nWe propose FooNet, a network.\n"
LINE = {"file": "kdd-2025.txt", "ordinal": 0, "first_words": "First things", "title": "On Things"}


def write(folder: Path, *lines: object, text: str = LIST) -> Path:
    (folder / "kdd-2025.txt").write_text(text, encoding="utf-8")
    if lines:
        rows = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        (folder / "titles.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def test_paragraphs_become_entries_with_labels_of_their_own_words(tmp_path: Path) -> None:
    first, second = read_folder(write(tmp_path))

    assert (first.entry_id, first.venue, first.year) == ("kdd-2025:0", "KDD", 2025)
    assert (first.abstract, first.raw_abstract) == ("First things first. They wrap.", "First things first.\nThey wrap.")
    assert (first.title, first.title_derived) == ("First things first", True)
    assert (second.name, second.title) == ("FooNet", "FooNet: network")
    assert second.source is not None
    assert (second.source.file, second.source.ordinal) == ("kdd-2025.txt", 1)


@pytest.mark.parametrize(
    ("header", "venue", "year"),
    [
        ("NeurIPS 2026 论文列表", "NeurIPS", 2026),
        ("ICLR 2026 papers", "ICLR", 2026),
        ("List of papers: KDD 2025", "KDD", 2025),
        ("\ufeffAccepted papers, ACM CCS 2024", "ACM CCS", 2024),
        ("2023 ICML", "ICML", 2023),
        ("# EMNLP 2025 abstracts", "EMNLP", 2025),
        ("中国计算机大会 2025 论文列表", "中国计算机大会", 2025),
    ],
)
def test_headers_name_venue_and_year(tmp_path: Path, header: str, venue: str, year: int) -> None:
    read = read_list(write(tmp_path, text=f"{header}\r\n\r\nOne.\r\n\r\n\r\nTwo.") / "kdd-2025.txt")

    assert (read.venue, read.year, read.abstracts, read.lines) == (venue, year, ("One.", "Two."), (3, 6))


def test_titles_beside_the_list_win_and_the_rest_get_labels(tmp_path: Path) -> None:
    line = LINE | {"authors": ["Ada L"], "authors_complete": False, "url": "https://a.io/1", "arxiv_id": "2501.00001"}

    first, second = read_folder(write(tmp_path, line | {"topic": "recsys", "name": "Thing"}))

    assert (first.title, first.title_derived, first.name) == ("On Things", False, "Thing")
    assert (first.authors, first.authors_complete) == (("Ada L",), False)
    assert (first.url, dict(first.ids), first.keywords) == (
        "https://a.io/1",
        {"arxiv": "2501.00001"},
        ("recommendation",),
    )
    assert second.title_derived


@pytest.mark.parametrize(
    ("topic", "keywords"),
    [
        ("causal", ("causal inference",)),
        ("interpretability", ("interpretability",)),
        ("other", ()),
        (None, ()),
        ("AI", ("AI",)),
    ],
)
def test_topics_become_readable_keywords(tmp_path: Path, topic: str | None, keywords: tuple[str, ...]) -> None:
    first, _ = read_folder(write(tmp_path, LINE | {"topic": topic}))

    assert first.keywords == keywords


def test_without_a_name_beside_it_the_abstract_is_asked(tmp_path: Path) -> None:
    line = LINE | {"ordinal": 1, "first_words": "We propose foonet", "name": None}

    _, second = read_folder(write(tmp_path, line))

    assert (second.title, second.name) == ("On Things", "FooNet")


def test_lists_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(LIST, encoding="utf-8")
    (tmp_path / "c.txt").mkdir()
    (tmp_path / "notes.md").write_text("no list", encoding="utf-8")

    assert [entry.entry_id for entry in read_folder(tmp_path)] == ["a:0", "a:1", "b:0", "b:1"]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", None, "is empty"),
        (b"\n \n", None, "is empty"),
        (b"Just an abstract.\n\nAnother.\n", 1, "names venue and year"),
        (b"\n\nPapers of 2026\n\nOne.\n", 3, "names venue and year"),
        (b"ICLR papers\n\nOne.\n", 1, "names venue and year"),
        (b"ICLR 2025 and 2026\n\nOne.\n", 1, "names venue and year"),
        (b"ICLR 2026 papers\n\n\n", 1, "no abstract"),
        (b"ICLR 2026 papers\n\nCaf\xe9.\n", 3, "0xe9 is not UTF-8"),
        ("ICLR 2026 papers\n\nOne.\n".encode("utf-16"), None, "UTF-16"),
        (b"ICLR 2026 papers\n\nOne\0.\n", 3, "NUL"),
        (b"ICLR 2026 papers\n\nOne.\n\n" + b"x" * 10_000_000, 5, "is longer than 50,000 characters"),
        (b"ICLR 2026 papers " + b"x" * 10_000_000 + b"\n\nOne.\n", 1, "names venue and year"),
    ],
)
def test_a_list_at_fault_is_named_with_its_line(tmp_path: Path, content: bytes, line: int | None, reason: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)

    with pytest.raises(SourceError) as caught:
        read_folder(tmp_path)

    assert (caught.value.path, caught.value.line) == (path, line)
    assert reason in caught.value.reason
    assert "\n" not in str(caught.value)
    assert len(caught.value.reason) < 250


def test_an_abstract_of_the_longest_length_is_read(tmp_path: Path) -> None:
    text = "x" * (MAX_PARAGRAPH_CHARS - 1)

    (entry,) = read_folder(write(tmp_path, text=f"KDD 2025\n\n{text}\n"))

    assert entry.abstract == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 20_000, "not JSON"),
        ("[1]", "not a JSON object"),
        ({"file": "kdd-2025.txt"}, '"ordinal" is missing'),
        ({key: LINE[key] for key in ("file", "ordinal", "first_words")}, '"title" is missing'),
        (LINE | {"ordinal": "0"}, '"ordinal" is "0"; expected a whole number'),
        (LINE | {"ordinal": True}, '"ordinal" is true'),
        (LINE | {"ordinal": -1}, '"ordinal" is -1'),
        (LINE | {"ordinal": 2}, "there is no abstract 2"),
        (LINE | {"file": "x.txt"}, "there is no abstract 0"),
        (LINE | {"file": 7}, '"file" is 7'),
        (LINE | {"title": 7}, '"title" is 7'),
        (LINE | {"authors": "Ada"}, '"authors" is "Ada"'),
        (LINE | {"authors": [1]}, '"authors" is [1]'),
        (LINE | {"authors_complete": "no"}, '"authors_complete" is "no"'),
        (LINE | {"url": "javascript:alert(1)"}, "http(s)"),
        (LINE | {"url": "https://a.io/\u202e <b>"}, "http(s)"),
        (LINE | {"first_words": "Second things"}, "the abstract begins “first things”"),
        (LINE | {"first_words": "…"}, '"first_words" is'),
        ("x" * 60_000, "longer than"),
    ],
)
def test_a_line_of_the_titles_at_fault_is_named(tmp_path: Path, line: object, reason: str) -> None:
    with pytest.raises(SourceError, match=r"titles\.jsonl:2") as caught:
        read_folder(write(tmp_path, "", line))

    assert reason in caught.value.reason
    assert len(str(caught.value).splitlines()) == 1


def test_an_abstract_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"titles.jsonl:2: .*earlier line"):
        read_folder(write(tmp_path, LINE, LINE))


def test_a_title_may_be_null(tmp_path: Path) -> None:
    first, _ = read_folder(write(tmp_path, LINE | {"title": None}))

    assert first.title_derived


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such folder"):
        read_folder(tmp_path / "none")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not a folder"):
        read_folder(write(tmp_path) / "kdd-2025.txt")


def test_a_folder_without_lists_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyCollectionError, match=r"holds no \*\.txt"):
        read_folder(tmp_path)


@pytest.mark.parametrize("name", ["kdd-2025.txt", "titles.jsonl"])
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (write(outside, LINE) / name).rename(outside / "target")
    write(inside)
    (inside / name).unlink(missing_ok=True)
    (inside / name).symlink_to(outside / "target")

    with pytest.raises(SourceError, match="leads out of the folder"):
        read_folder(inside)


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "..data").mkdir()
    (tmp_path / "..data" / "x").write_text(LIST, encoding="utf-8")
    (tmp_path / "kdd.txt").symlink_to(tmp_path / "..data" / "x")

    assert len(read_folder(tmp_path)) == 2


@pytest.mark.parametrize("target", ["gone", "kdd.txt"])
def test_a_link_that_leads_nowhere_is_named(tmp_path: Path, target: str) -> None:
    (tmp_path / "kdd.txt").symlink_to(tmp_path / target)

    with pytest.raises(SourceError, match="leads nowhere"):
        read_folder(tmp_path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_source_error(tmp_path: Path, listed: bytes, titles: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(b"KDD 2025\n\n" + listed)
    (tmp_path / "titles.jsonl").write_bytes(titles)

    try:
        entries = read_folder(tmp_path)
    except SourceError:
        return

    assert entries
