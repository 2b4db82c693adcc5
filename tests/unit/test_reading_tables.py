"""Tables: separators, names of columns, and what people do to rows."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import openpyxl
import pytest

from tests.reading import faults_in, read, records_in


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_seen_in_the_header(separator: str) -> None:
    rows = [["Title", "Abstract", "Year"], ["A", "B", "2020"]]

    (found,) = records_in("\n".join(separator.join(row) for row in rows))

    assert (found.title, found.abstract, found.year, found.line) == ("A", "B", 2020, 2)


@pytest.mark.parametrize(
    ("header", "value", "authors"),
    [
        ("Authors", "Lim SM, Shiau CWC, Lau Y.", ("Lim, SM", "Shiau, CWC", "Lau, Y")),
        ("Author Names", "Liu R., Adler D.G.", ("Liu, R.", "Adler, D.G.")),
        ("first_authors", "['Marx, Karl', 'Lindgren, Astrid']", ("Marx, Karl", "Lindgren, Astrid")),
        ("author", "Ann Roe; Jo van der Doe", ("Roe, Ann", "van der Doe, Jo")),
        ("AUTHORS ", "Smith, J., Doe, A. B.", ("Smith, J.", "Doe, A. B.")),
        ("Authors", "Roe, Ann and Doe, Jo", ("Roe, Ann", "Doe, Jo")),
    ],
)
def test_names_are_told_apart_however_they_are_listed(header: str, value: str, authors: tuple[str, ...]) -> None:
    (found,) = records_in(f'title,{header}\nA,"{value}"\n')

    assert found.authors == authors


def test_springer_runs_names_together() -> None:
    (found,) = records_in('Item Title,Item DOI,Authors\nA,10.1000/x,"Araz R. AlievProf. Nigar T. McCoyZu Li"\n')

    assert found.authors == ("Aliev, Araz R.", "McCoy, Nigar T.", "Li, Zu")


def test_embase_keeps_the_year_in_the_source() -> None:
    (found,) = records_in("Title,Source\nA,Endoscopic Ultrasound (2014) 3:3 (152-160)\n")

    assert (found.venue, found.year) == ("Endoscopic Ultrasound", 2014)


def test_columns_may_have_blanks_in_other_places_and_any_case() -> None:
    (found,) = records_in("\ufeffabstract , PUBLICATION_YEAR,item title\nB,2014//,A\n")

    assert (found.title, found.abstract, found.year) == ("A", "B", 2014)


def test_rows_without_a_title_or_an_abstract_are_told_from_empty_ones() -> None:
    text = 'title,abstract,doi\nA,"",\n"",B,\n,,\n   ,  ,10.1000/x\n'

    assert [(found.title, found.abstract) for found in records_in(text)] == [("A", ""), ("", "B")]
    assert [(fault.record, fault.line) for fault in faults_in(text)] == [(3, 5)]


def test_a_row_with_more_values_than_columns_is_kept_and_said_to_have_them() -> None:
    text = "title,abstract\nA,B,C\nD,E\n"

    assert [found.title for found in records_in(text)] == ["A", "D"]
    assert [(fault.record, fault.line, fault.refused) for fault in faults_in(text)] == [(1, 2, False)]


def test_a_value_may_stand_on_several_lines() -> None:
    found = records_in('title,abstract\n"A","one\r\ntwo"\nB,C\n')

    assert [(one.abstract, one.line) for one in found] == [("one\ntwo", 2), ("C", 4)]


@pytest.mark.parametrize("bad", ['"T2 open,a', 'T2,"open', '"T2 "open" x,a', 'T2,"a" x'])
def test_a_quotation_mark_out_of_place_costs_no_other_row(bad: str) -> None:
    text = f'title,abstract\nT1,a\n{bad}\nT3,"b, c"\nT4,d\n'

    found = records_in(text)

    assert [(one.title, one.line) for one in found if "T2" not in one.title] == [("T1", 2), ("T3", 4), ("T4", 5)]
    assert [(fault.record, fault.line) for fault in faults_in(text)] == [(2, 3)]


def test_an_open_quotation_mark_that_the_next_but_one_closes_is_seen_by_the_rows_it_takes_in() -> None:
    text = 'title,abstract,year\nT1,"open,2001\nT2,b,2002\n"T3",c,2003\nT4,"d",2004\n'

    assert [one.title for one in records_in(text)] == ["T1", "T2", "T3", "T4"]


def test_a_short_row_may_have_a_value_on_several_lines() -> None:
    text = 'title,abstract,year\nA,"one, ""two""\n\nthree, and four"\nB,C,2001\n'

    assert [(one.title, one.line) for one in records_in(text)] == [("A", 2), ("B", 5)]
    assert not faults_in(text)


def test_blank_lines_may_stand_above_the_header() -> None:
    assert [(one.title, one.line) for one in records_in("\n \ntitle,abstract\nA,B\n")] == [("A", 4)]


def test_what_is_no_doi_is_no_identifier() -> None:
    found = records_in("title;doi\nA;10.1\nB;10.1000/X\nC;  \n")

    assert [one.ids for one in found] == [{}, {"doi": "10.1000/x"}, {}]


def test_a_table_without_titles_or_abstracts_is_no_table_of_papers() -> None:
    (fault,) = faults_in("format,file,bytes\nx,y,1\n")

    assert "no format that is known" in fault.reason


def test_a_workbook_is_read_like_a_table() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Title", "Authors", "Published", "DOI"])
    sheet.append(["A", "Smith, A and Walter, B", date(2021, 5, 1), None])
    sheet.append([None, None, None, None])
    sheet.append(["B", None, 2020.0, "10.1000/x"])
    data = io.BytesIO()
    book.save(data)

    found = records_in(data.getvalue())

    assert [(one.title, one.authors, one.year, one.line) for one in found] == [
        ("A", ("Smith, A", "Walter, B"), 2021, 2),
        ("B", (), 2020, 4),
    ]


def _workbook(rows: str) -> bytes:
    """Return a workbook whose only sheet is written by hand."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'
    whole, made = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(whole)
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return made.getvalue()


def _cell(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


_HEADER = f'<row r="1">{_cell("A1", "title")}{_cell("B1", "abstract")}</row><row r="2">{_cell("A2", "T")}</row>'


@pytest.mark.parametrize("place", ["A9000000", "A1000000", "XFD1000000"])
def test_a_cell_far_away_in_a_workbook_hides_no_other(place: str) -> None:
    row = place.lstrip("XFDA")

    found = records_in(_workbook(f'{_HEADER}<row r="{row}">{_cell(place, "Far")}</row>'))

    assert [one.title for one in found] == ["T", "Far"][: 1 + (place == "A1000000")]


def test_a_value_past_the_last_column_of_a_workbook_is_said_to_be_left_out() -> None:
    data = _workbook(f'{_HEADER}<row r="3">{_cell("A3", "U")}{_cell("D3", "x")}</row>')

    assert [one.title for one in records_in(data)] == ["T", "U"]
    assert [(fault.record, fault.refused) for fault in faults_in(data)] == [(2, False)]


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    (fault,) = read(b"PK\x03\x04 and so on \x00")

    assert "not text" in getattr(fault, "reason", "")
