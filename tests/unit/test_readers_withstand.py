"""No bytes make a reader fail otherwise than by a fault, whatever they were taken for."""

from __future__ import annotations

import gzip
import io
import zipfile
from datetime import UTC, datetime

import openpyxl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from retrieval.catalogue.store import Catalogue
from retrieval.formats.registry import FORMATS
from retrieval.formats.source import Limits, SourceFile
from retrieval.records import Fault, Record
from tests import reading

_SAMPLES = {
    "ris": b"TY  - JOUR\nTI  - A title of three\nAU  - Roe, Ann\nPY  - 2020\nAB  - Words.\nER  - \n",
    "nbib": b"PMID- 1\nTI  - A title\n      goes on\nAB  - Words.\nAID - 10.1000/x [doi]\n",
    "endnote": b"%0 Journal Article\n%T A title\n%A Roe, Ann\n%X Words.\n",
    "wos": b"FN Clarivate\nVR 1.0\nPT J\nAU Roe, A\n   Doe, J\nTI A title\nER\n\nEF\n",
    "bibtex": b'@string{j = "J"}\n@article{a, title = {A {title}}, author = {Roe, Ann and Doe, Jo}, year = 2020}\n',
    "csv": b'title;abstract;authors\n"A; title";"Two\nlines";"Roe, Ann"\n',
    "abstracts": "ICLR 2026 论文列表\n\nOne abstract.\n\nAnother.\n".encode(),
    "json": b'[{"title": "A", "abstract": "B", "authors": ["Ann Roe"]},\n {"title": "C", "year": 2020}]',
    "openreview": b'{"notes": [{"id": "abcdef", "forum": "abcdef", "content": {"title": {"value": "A"}}}]}',
    "openalex": b'{"id": "https://openalex.org/W1", "title": "A", "abstract_inverted_index": {"b": [1], "a": [0]}}',
    "crossref": b'{"message": {"items": [{"DOI": "10.1000/x", "title": ["A"], "issued": {"date-parts": [[2020]]}}]}}',
    "semanticscholar": b'{"data": [{"paperId": "0", "title": "A", "externalIds": {"DOI": "10.1000/x"}}]}',
    "csl": b'[{"id": "a", "title": "A", "issued": {"date-parts": [[2020]]}, "author": [{"family": "Roe"}]}]',
    "zotero": b'[{"data": {"itemType": "book", "title": "A", "creators": [{"lastName": "Roe"}], "tags": []}}]',
    "papercopilot": b'[{"id": "abcdef", "title": "A", "status": "Poster", "track": "x", "author": "Ann Roe;Jo"}]',
    "feed": b'<rss version="2.0"><channel><item><title>A</title><description>B</description></item></channel></rss>',
    "pubmed": b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A"
    b"</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
    "xlsx": b"PK\x03\x04",
}
_SLOW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def read(content: str | bytes, *, kind: str | None = None) -> list[Record | Fault]:
    """Return what *content* gives, after a catalogue took it: what is read must be fit to be kept."""
    found = reading.read(content, kind=kind)
    with Catalogue(None) as catalogue, catalogue.importing(datetime(2026, 7, 1, tzinfo=UTC)) as batches:
        for record in found:
            if isinstance(record, Record):
                batches.add(record, file="x")
    return found


def records_in(content: str | bytes, *, kind: str | None = None) -> list[Record]:
    return [item for item in read(content, kind=kind) if isinstance(item, Record)]


def faults_in(content: str | bytes, *, kind: str | None = None) -> list[Fault]:
    return [item for item in read(content, kind=kind) if isinstance(item, Fault)]


def test_every_format_has_a_sample_here() -> None:
    assert _SAMPLES.keys() == FORMATS.keys()


@pytest.mark.parametrize("kind", _SAMPLES.keys() - {"xlsx"})
def test_a_sample_is_read_without_a_fault(kind: str) -> None:
    found = read(_SAMPLES[kind], kind=kind)

    assert found
    assert all(isinstance(item, Record) for item in found)


@pytest.mark.parametrize("kind", _SAMPLES.keys() - {"xlsx"} - {"nbib"})
def test_a_sample_is_recognised_by_what_it_holds(kind: str) -> None:
    assert read(_SAMPLES[kind]) == read(_SAMPLES[kind], kind=kind)


@_SLOW
@given(data=st.binary(max_size=2_000), kind=st.sampled_from(sorted(FORMATS)))
def test_any_bytes_give_records_and_faults_only(data: bytes, kind: str) -> None:
    assert all(isinstance(item, Record | Fault) for item in read(data, kind=kind))


@_SLOW
@given(data=st.data(), kind=st.sampled_from(sorted(_SAMPLES)))
def test_a_damaged_sample_gives_records_and_faults_only(data: st.DataObject, kind: str) -> None:
    sample = _SAMPLES[kind] * 2
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, len(sample)))
    put = data.draw(
        st.sampled_from(
            [b"", b"\0", b'"', b"{", b"}", b"[", b"<", b">", b"\xff", b"\n", b"\r", b"&", b"\\", b"\\ud800"]
        )
    )

    damaged = sample[:start] + put * data.draw(st.integers(1, 50)) + sample[end:]

    assert all(isinstance(item, Record | Fault) for item in read(damaged, kind=kind))
    assert all(isinstance(item, Record | Fault) for item in read(damaged))


@_SLOW
@given(text=st.text(max_size=500), kind=st.sampled_from(sorted(FORMATS.keys() - {"xlsx"})))
def test_any_text_gives_the_same_plain_or_packed(text: str, kind: str) -> None:
    data = text.encode()

    assert read(gzip.compress(data), kind=kind) == read(data, kind=kind)


@pytest.mark.parametrize(
    "bomb",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><item><title>&b;</title></item></rss>',
        '<!DOCTYPE x [<!ENTITY a "aaaa">]><PubmedArticleSet><PubmedArticle>&a;</PubmedArticle></PubmedArticleSet>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><PubmedArticleSet>&a;</PubmedArticleSet>',
    ],
)
def test_entities_declared_in_xml_are_refused(bomb: str) -> None:
    (fault,) = read(bomb)

    assert isinstance(fault, Fault)
    assert "entities" in fault.reason


def test_what_unpacks_to_far_more_than_its_size_is_refused() -> None:
    packed = gzip.compress(b"title,abstract\n" + b"a" * 40_000_000)

    (fault,) = faults_in(packed)

    assert f"more than {Limits.RATIO} times" in fault.reason


def test_deep_nesting_is_a_fault_of_that_record_alone() -> None:
    deep = '{"title": "A", "x": ' + "[" * 5_000 + "]" * 5_000 + "}"

    assert [one.title for one in records_in(f'[{deep}, {{"title": "B"}}]')] == ["B"]
    assert [fault.record for fault in faults_in(f'[{deep}, {{"title": "B"}}]')] == [1]


def test_a_packed_file_that_is_cut_off_gives_what_came_before() -> None:
    lines = "".join(f'{{"title": "Number {n}", "abstract": "{n * 7919:x}"}}\n' for n in range(50_000))
    packed = gzip.compress(lines.encode())

    found = reading.read(packed[: len(packed) // 2])

    assert isinstance(found[0], Record)
    assert isinstance(found[-1], Fault)
    assert "cut off" in found[-1].reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_usual_encodings_are_read(encoding: str) -> None:
    (found,) = records_in("TY  - JOUR\nTI  - Über café\nER  - \n".encode(encoding))

    assert found.title == "Über café"


def test_a_file_knows_how_far_it_was_read() -> None:
    source = SourceFile.of(b"a\n" * 1000, "x")

    list(source.lines())

    assert source.position == source.size


# How a good record of number n is written, and bad ones that may stand among the good.
_AMONG = {
    "ris": ("TY  - JOUR\nTI  - Title {n}\nER  -\n", ["TY  - JOUR\nER  -\n", "TY  - JOUR\nAB\n", "junk\n", "ER  -\n"]),
    "bibtex": (
        "@article{{k{n}, title = {{Title {n}}}}}\n",
        ["@article{x, title = {open\n", "@misc{}\n", "@book{x,,,}\n", "}\n"],
    ),
    "json": ('{{"title": "Title {n}"}}\n', ["{}\n", '{"title": }\n', "null\n", '{"title": "open\n', '{"a": [[[\n']),
    "csv": ("Title {n};x\n", [";\n", ";;\n", "  ;  \n", '"open;a\n', 'T "open;"a\n', '"a" b;c\n', '""";\n']),
    "nbib": ("PMID- {n}\nTI  - Title {n}\n\n", ["PMID- 9\n\n", "junk\n", "PMID-\n"]),
    "endnote": ("%0 Book\n%T Title {n}\n\n", ["%0 Book\n\n", "\n\n", "%0 Book\n%A Roe, Ann\n\n"]),
}
# What one of them opens the other closes, so that together they are no fault: a quoted field may go over several lines.
_A_FIELD = {'"open;a\n', '""";\n'}


@_SLOW
@given(data=st.data(), kind=st.sampled_from(sorted(_AMONG)))
def test_a_fault_in_one_record_changes_no_other(data: st.DataObject, kind: str) -> None:
    good, bad = _AMONG[kind]
    header = "title;abstract\n" if kind == "csv" else ""
    n_good = data.draw(st.integers(1, 5))
    parts = [good.format(n=n) for n in range(n_good)]
    faults = data.draw(st.lists(st.sampled_from(bad), min_size=1, max_size=3))
    assume(not _A_FIELD.issubset(faults))
    for fault in faults:
        parts.insert(data.draw(st.integers(0, len(parts))), fault)

    found = records_in(header + "".join(parts), kind=kind)

    assert [one.title for one in found if one.title.startswith("Title")] == [f"Title {n}" for n in range(n_good)]


def test_lines_of_json_are_read_after_a_first_line_that_is_none() -> None:
    text = 'null\n{"title": "open\n{"title": "Title 0"}\n'

    assert [one.title for one in records_in(text, kind="json")] == ["Title 0"]


def test_a_tag_alone_on_its_line_has_an_empty_value() -> None:
    assert [one.title for one in records_in("FN Clarivate\nVR 1.0\nPT J\nTI\n   A title\nER\n\nEF\n")] == ["A title"]


_FEED = "<rss><channel><item><title>A</title>{}</item></channel></rss>"
_PUBMED = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><Article><ArticleTitle>A</ArticleTitle>{}</Article>"
    "</MedlineCitation></PubmedArticle></PubmedArticleSet>"
)


@pytest.mark.parametrize(
    "encoding",
    "idna punycode unicode_escape raw_unicode_escape utf-7 utf-16 utf-32 utf-8-sig undefined mbcs oem hz iso2022_jp "
    "cp037 rot13 base64 zip none".split(),
)
def test_a_declared_encoding_that_cannot_be_is_not_believed(encoding: str) -> None:
    for text in (_FEED, _PUBMED):
        declared = f'<?xml version="1.0" encoding="{encoding}"?>' + text.format("").replace("A<", "\\ud800 é +AGE-<")

        assert [one.title for one in records_in(declared)] == ["\\ud800 é +AGE-"]


_N = 100_000
_LONG = {
    "string with quotation marks": '[{"title": "' + '\\"' * _N,
    "string that ends in a backslash": '[{"a": "' + '\\"' * _N + "\\",
    "objects that never end": "[" + "\n{" * _N,
    "strings and objects that never end": "[" + '\n{"' * _N,
    "blanks between names": f'[{{"title": "A", "authors": "B{" " * _N}C"}}]',
    "blanks between names of a table": f"title,authors\nA,B{' ' * _N}C\n",
    "names that never close": """[{"title": "A", "authors": "['""" + "\\\\'" * _N + ']"}]',
    "headings that never close": '[{"DOI": "10.1000/x", "title": ["A"], "abstract": "' + "<jats:title>" * 8_000 + '"}]',
    "blanks in a heading": f'[{{"DOI": "10.1000/x", "title": ["A"], "abstract": "<title>{" " * 90_000}"}}]',
    "blanks in bibtex": f'[{{"title": "A", "status": "x", "track": "y", "bibtex": "year={" " * _N}"}}]',
    "letters of a doi": f"PMID- 1\nTI  - A\nAID - {'a' * _N}\n",
    "name of a tag": f"<rss><channel><item><title>A</title></item><{'a' * _N}<b>",
    "blanks between names of a feed": _FEED.format(f"<author>B{' ' * _N}C</author>"),
    "blanks before an affiliation": _FEED.format(f"<author>B x{' ' * _N}(C</author>"),
    "declarations": "<rss>" + "<!DOCTYPE " * 6_000,
    "nested tags": _PUBMED.replace("A<", "<i>" * 30_000 + "</i>" * 30_000 + "<"),
    "nested tags of a feed": _FEED.format("<i>" * 10_000),
    "lines before the first": "x" + "\n" * _N + "TY  - JOUR\nTI  - A\n",
    "rows that never end": "title,abstract\n" + 'a",",\n' * 20_000,
    "open quotation mark": 'title,abstract\n"' + "a\n" * _N,
    "quotation marks": "title,abstract\n" + '"' * _N,
    "braces": "@article{a, title={A}, abstract={" + "{}" * 9_000 + "}}",
    "blanks between authors": f"@article{{a, author={{A{' ' * _N}B}}, title={{x}}}}",
    "commas after a venue": f'[{{"title": "A", "venue": "A{"," * _N}"}}]',
    "blanks in a comment": _FEED.format(f"<arxiv:comment>the{' ' * _N}paper</arxiv:comment>"),
}


@pytest.mark.parametrize("text", _LONG.values(), ids=_LONG.keys())
def test_long_runs_are_read_in_the_end(text: str) -> None:
    """Readers whose time grew with the square of a run did not finish; that this one does is the test."""
    assert read(text)


def test_a_workbook_of_empty_rows_is_read_in_the_end() -> None:
    book, data = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["title", "abstract", *[None] * 90, "x"])
    book.active.append(["A"])
    book.save(data)
    with zipfile.ZipFile(data, "a") as archive:
        sheet = (
            archive.read("xl/worksheets/sheet1.xml").replace(b'r="2"', b'r="9000000"').replace(b'"A2"', b'"A9000000"')
        )
    made = io.BytesIO()
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else old.read(name))

    assert records_in(made.getvalue()) == []
