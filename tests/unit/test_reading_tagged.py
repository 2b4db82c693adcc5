"""RIS, nbib, EndNote and Web of Science as they really come."""

from __future__ import annotations

import pytest

from retrieval.records import Record
from tests.reading import faults_in, read, records_in

_RIS = """Provider: Somebody
1.
TY  - CONF
T1  - A study of
  small birds
A1  - Roe,Ann
A1  - de Vries, Jan
N2  - First line
second line.
PY  - 2014//
T2  - Proceedings of Birds
JF  - Lecture Notes
KW  - birds
KW  - *nests
DO  - https://doi.org/10.1000/ABC.1
UR  - http://example.org/1
ER  -
"""


def test_a_ris_record_is_read_with_its_lines_joined() -> None:
    (found,) = records_in(_RIS)

    assert found == Record(
        format="ris",
        number=1,
        line=3,
        title="A study of\nsmall birds",
        abstract="First line\nsecond line.",
        authors=("Roe, Ann", "de Vries, Jan"),
        venue="Proceedings of Birds",
        year=2014,
        url="http://example.org/1",
        keywords=("birds", "nests"),
        ids={"doi": "10.1000/abc.1"},
    )


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_are_line_ends(ending: str) -> None:
    assert records_in(_RIS.replace("\n", ending)) == records_in(_RIS)


def test_a_lone_carriage_return_before_a_record_does_not_hide_it() -> None:
    two = "TY  - JOUR\r\nTI  - The first\r\nER  - \r\n\n\rTY  - JOUR\r\nTI  - The second\r\nER  - \r\n"

    assert [one.title for one in records_in(two)] == ["The first", "The second"]


def test_tags_need_no_blank_after_the_dash() -> None:
    (found,) = records_in("TY  -JOUR\nTI  -A title\nER  -\n")

    assert found.title == "A title"


def test_the_abstract_may_stand_under_either_tag() -> None:
    both = "TY  - JOUR\nTI  - A\nAB  - one\nER  -\nTY  - JOUR\nTI  - B\nN2  - two\nER  -\n"

    assert [one.abstract for one in records_in(both)] == ["one", "two"]


def test_a_record_without_its_end_is_closed_by_the_next() -> None:
    two = "TY  - JOUR\nTI  - The first\nTY  - JOUR\nTI  - The second\nER  -\n"

    assert [one.title for one in records_in(two)] == ["The first", "The second"]
    assert not faults_in(two)


def test_a_file_that_ends_inside_a_record_keeps_it_and_says_so() -> None:
    record, fault = records_in("TY  - JOUR\nTI  - Cut"), faults_in("TY  - JOUR\nTI  - Cut")

    assert [one.title for one in record] == ["Cut"]
    assert [(one.record, one.refused) for one in fault] == [(1, False)]


def test_a_record_with_neither_title_nor_abstract_is_refused_with_its_place() -> None:
    (fault,) = read("\ufeffTY  - JOUR\nDO  - 10.1000/x\nER  -\n")

    assert (fault.line, getattr(fault, "record", 0), getattr(fault, "refused", None)) == (1, 1, True)


def test_an_impossible_year_is_left_out_and_named() -> None:
    text = "TY  - JOUR\nTI  - A\nPY  - 10 15\nER  -\n"

    assert [one.year for one in records_in(text)] == [None]
    assert [(one.field, one.refused) for one in faults_in(text)] == [("year", False)]


def test_an_author_named_twice_is_one() -> None:
    (found,) = records_in("TY  - JOUR\nTI  - A\nAU  - G. Kalb\nAU  - G. Kalb\nER  -\n")

    assert found.authors == ("Kalb, G.",)


def test_nbib_gives_full_names_and_identifiers() -> None:
    text = (
        "\nPMID- 123\nTI  - A title that\n      goes on.\nFAU - Roe, Ann B\nAU  - Roe AB\nJT  - Some journal\n"
        "DP  - 2006 Mar 1\nAB  - AIM: This\n      and that.\nAID - x [pii]\nAID - 10.1000/x [doi]\nPMC - PMC77\n"
        "PT  - Retracted Publication\nMH  - *Birds/methods\n"
    )

    (found,) = records_in(text)

    assert found.title == "A title that\ngoes on."
    assert found.abstract == "AIM: This\nand that."
    assert found.authors == ("Roe, Ann B",)
    assert (found.venue, found.year, found.withdrawn) == ("Some journal", 2006, True)
    assert found.ids == {"doi": "10.1000/x", "pubmed": "123", "pmc": "77"}
    assert found.keywords == ("Birds/methods",)


def test_endnote_records_are_parted_by_blank_lines_or_by_a_title_that_comes_again() -> None:
    text = "%T One\n%0 Journal Article\n%A Roe, Ann\n%D 2001\n%X About\none.\n\n\n%T Two\n%0 Book\n%T Three\n"

    found = records_in(text)

    assert [one.title for one in found] == ["One", "Two", "Three"]
    assert (found[0].abstract, found[0].authors, found[0].year) == ("About\none.", ("Roe, Ann",), 2001)


def test_web_of_science_lists_one_author_a_line() -> None:
    text = (
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Roe, A\n   Doe, J\nAF Roe, Ann\n   Doe, Jo\n"
        "TI A title that\n   goes on\nSO BIRD JOURNAL\nDE nests; eggs\nAB Words.\nPY 2018\nDI 10.1000/x\n"
        "UT WOS:000444108200009\nER\n\nEF\n"
    )

    (found,) = records_in(text)

    assert found.authors == ("Roe, Ann", "Doe, Jo")
    assert (found.title, found.venue, found.year) == ("A title that\ngoes on", "BIRD JOURNAL", 2018)
    assert found.keywords == ("nests", "eggs")
    assert found.ids == {"doi": "10.1000/x", "wos": "000444108200009"}


def test_a_web_of_science_file_that_holds_ris_is_read_as_ris() -> None:
    text = "TY  - JOUR\nTI  - A title\nAN  - WOS:000444108200009\nER  -\n"

    assert [one.format for one in records_in(text, name="web_of_science.txt")] == ["ris"]
