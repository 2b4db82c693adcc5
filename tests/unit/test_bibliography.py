"""Entries as others read them: what is written is read back by the rules of each format."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bibliography import FORMATS, bibtex, citation, csv_table, ris
from retrieval.model import Entry
from tests.fakes.entries import THREE, entry

_HOSTILE = st.text(st.sampled_from("ab{}\\%$&#_~^\"',@=\n\r\t\x1b é图"), min_size=1, max_size=20)
_RIS_TYPES = {"": "GEN", "ICLR": "CPAPER", "A & B": "JOUR"}
_ENTRIES = st.lists(
    st.builds(
        entry,
        st.uuids().map(str),
        _HOSTILE.map(lambda text: f"T{text}"),
        _HOSTILE,
        authors=st.lists(_HOSTILE.map(lambda text: f"N{text}"), max_size=2),
        venue=st.sampled_from(["", "ICLR", "A & B"]),
        year=st.none() | st.integers(1990, 2026),
        url=st.none() | st.just("https://example.org/a_b?c=%20&d={e}"),
    ),
    max_size=5,
    unique_by=lambda entry: entry.entry_id,
)


def _records(text: str) -> list[tuple[str, dict[str, str]]]:
    """Read BibTeX: keys and fields, braces balanced, nothing between the records but blanks."""
    records, rest = [], text.strip()
    while rest:
        head = re.match(r"@(?:inproceedings|misc|article)\{([^\s,{}]+),", rest)
        assert head is not None, rest[:80]
        body, rest = _group(rest[head.end() :])
        records.append((head[1], _fields(body)))
        rest = rest.strip()
    return records


def _group(text: str) -> tuple[str, str]:
    """Return what stands up to the brace that closes one opened before *text*, and what follows it."""
    depth, at = 1, 0
    while depth:
        assert at < len(text), "a brace is not closed"
        if text[at] == "\\":
            at += 1
        else:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return text[: at - 1], text[at:]


def _fields(body: str) -> dict[str, str]:
    fields, rest = {}, body.strip()
    while rest:
        head = re.match(r"(\w+) = \{", rest)
        assert head is not None, rest[:80]
        value, rest = _group(rest[head.end() :])
        assert head[1] not in fields
        fields[head[1]] = value
        rest = rest.lstrip(",").strip()
    return fields


@given(_ENTRIES)
def test_bibtex_is_one_wellformed_record_an_entry_with_a_key_of_its_own(entries: list[Entry]) -> None:
    records = _records(bibtex(entries))

    keys = [key for key, _ in records]
    assert len(set(keys)) == len(keys) == len(entries)
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys)
    assert all(fields["title"] for _, fields in records)


def test_bibtex_says_what_is_known_and_protects_the_capitals_of_the_title() -> None:
    ((key, fields),) = _records(bibtex(THREE[:1]))

    assert key == "smith2026budgeted"
    assert fields == {
        "title": "{Budgeted Bandits}",
        "author": "Ada Smith and Bo Chen",
        "booktitle": "ICLR",
        "year": "2026",
    }


def test_bibtex_says_that_there_are_more_authors() -> None:
    partial = Entry("e", "Title", "x", authors=("Ada Smith",), authors_complete=False)

    assert "author = {Ada Smith and others}" in bibtex([partial])


@pytest.mark.parametrize("special", list("&%$#_{}\\~^"))
def test_what_means_something_to_latex_is_escaped(special: str) -> None:
    record = bibtex([entry("e", f"a{special}b", "x")])

    (_, fields), *_ = _records(record)
    assert re.search(r"(?<!\\)[&%$#_~^]", fields["title"]) is None
    assert f"a{special}b" not in fields["title"]


def test_a_name_given_family_first_is_keyed_by_its_family() -> None:
    ((key, _),) = _records(bibtex([entry("e", "Title", "x", authors=["Smith, Ada Jane"], year=2026)]))

    assert key.startswith("smith2026")


@given(_ENTRIES)
def test_ris_is_one_record_an_entry_of_lines_with_tags(entries: list[Entry]) -> None:
    lines = ris(entries).split("\n")

    filled = [line for line in lines if line]
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - [^\x00-\x1f]*", line) for line in filled)
    assert [line for line in filled if line.startswith(("TY", "ER"))] == [
        line for e in entries for line in (f"TY  - {_RIS_TYPES[e.venue]}", "ER  - ")
    ]
    assert sum(line.startswith("AU") for line in filled) == sum(len(e.authors) for e in entries)


@given(_ENTRIES)
def test_csv_is_read_back_cell_by_cell_and_holds_no_formula(entries: list[Entry]) -> None:
    header, *rows = list(csv.reader(io.StringIO(csv_table(entries), newline="")))

    assert "title" in header
    assert len(rows) == len(entries)
    assert all(len(row) == len(header) for row in rows)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for cell in row)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless(start: str) -> None:
    _, *rows = list(csv.reader(io.StringIO(csv_table([entry("e", f"{start}1+1", "x")]), newline="")))

    assert len(rows) == 1
    assert not any(cell.startswith(start) for cell in rows[0])


@pytest.mark.parametrize(
    ("cited", "line"),
    [
        (THREE[0], "Ada Smith, Bo Chen. Budgeted Bandits. ICLR 2026."),
        (THREE[1], "Masks for Recommenders. NeurIPS 2025. https://example.org/b"),
        (THREE[2], "Glaciers from Above."),
    ],
)
def test_a_citation_is_one_line_of_what_is_known(cited: Entry, line: str) -> None:
    assert citation(cited) == line


@given(_ENTRIES.filter(bool))
def test_a_citation_stays_on_one_line(entries: list[Entry]) -> None:
    assert all(len(citation(e).splitlines()) == 1 for e in entries)


@pytest.mark.parametrize(
    ("venue", "begins", "field"),
    [
        ("ICLR", "@inproceedings{", "booktitle"),
        ("Proceedings of the Frog Conference", "@inproceedings{", "booktitle"),
        ("SIGIR", "@inproceedings{", "booktitle"),
        ("Journal of Frogs", "@article{", "journal"),
        ("Herpetology", "@article{", "journal"),
        ("JMLR", "@article{", "journal"),
        ("arXiv", "@misc{", "howpublished"),
    ],
)
def test_what_a_paper_is_follows_from_its_venue(venue: str, begins: str, field: str) -> None:
    text = bibtex([entry("a", "Frogs", "", venue=venue)])

    assert text.startswith(begins)
    assert f"  {field} = {{{venue}}}," in text


def test_whole_lists_carry_their_abstracts() -> None:
    listed = [entry("a", "Frogs", "They croak.")]

    assert "They croak." in FORMATS["bibtex"](listed)
    assert "They croak." in FORMATS["csv"](listed)
    assert "They croak." not in bibtex(listed)
