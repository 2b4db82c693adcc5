"""JSON from services, reference managers and people."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.formats.source import SourceFile
from retrieval.records import Record
from tests.reading import faults_in, read, records_in


def one(value: object, *, name: str = "papers") -> Record:
    (found,) = records_in(json.dumps(value), name=name)
    return found


def test_openreview_notes_of_both_versions_give_the_same() -> None:
    content: dict[str, object] = {
        "title": "A",
        "abstract": "B",
        "authors": ["Ann Roe", "Jo Doe"],
        "venue": "TC 2024 Conference Submission",
        "keywords": ["x", "y"],
    }
    second = {field: {"value": value} for field, value in content.items()}
    note = {"id": "WEIzUBsDX6", "forum": "WEIzUBsDX6", "replyto": None, "ddate": None}

    old = one({"notes": [{**note, "invitation": "TC/2024/Conference/-/Submission", "content": content}]})
    new = one({"notes": [{**note, "invitations": ["TC/2024/Conference/-/Submission"], "content": second}]})

    assert old == new
    assert (old.authors, old.year, old.keywords) == (("Roe, Ann", "Doe, Jo"), 2024, ("x", "y"))
    assert (old.ids, old.url) == ({"openreview": "WEIzUBsDX6"}, "https://openreview.net/forum?id=WEIzUBsDX6")


@pytest.mark.parametrize(
    "said",
    [
        {"ddate": 1},
        {"invitations": ["X/2024/-/Withdrawn_Submission"]},
        {"content": {"title": "A", "venue": {"value": "X 2024 Withdrawn Submission"}}},
    ],
)
def test_an_openreview_submission_that_was_withdrawn_says_so(said: dict[str, object]) -> None:
    assert one({"id": "abcdef", "forum": "abcdef", "content": {"title": "A"}, **said}).withdrawn


def test_a_review_is_no_paper() -> None:
    review = {"id": "review", "forum": "paper1", "replyto": "paper1", "content": {"title": {"value": "Good paper"}}}

    assert not records_in(json.dumps(review))
    assert "reply" in faults_in(json.dumps(review))[0].reason


def test_openalex_puts_the_words_of_its_index_in_their_places() -> None:
    found = one(
        {
            "results": [
                {
                    "id": "https://openalex.org/W2033425827",
                    "doi": "https://doi.org/10.1000/X",
                    "title": "A",
                    "abstract_inverted_index": {"so": [1, 3], "Never": [0], "far": [2], "on": [4], "bad": ["x"]},
                    "publication_year": 2015,
                    "authorships": [{"author": {"display_name": "Richard S. Geary"}}],
                    "primary_location": {"landing_page_url": "https://example.org/a", "source": {"display_name": "J"}},
                    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/25666165"},
                    "is_retracted": True,
                }
            ]
        }
    )

    assert found.abstract == "Never so far so on"
    assert (found.authors, found.venue, found.year, found.withdrawn) == (("Geary, Richard S.",), "J", 2015, True)
    assert found.ids == {"doi": "10.1000/x", "openalex": "W2033425827", "pubmed": "25666165"}


def test_crossref_headings_in_an_abstract_become_words_and_abstract_itself_goes() -> None:
    abstract = (
        "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aim</jats:title>"
        "<jats:p>We <jats:italic>x</jats:italic>.</jats:p></jats:sec>"
    )

    found = one(
        {
            "status": "ok",
            "message": {
                "DOI": "10.1000/x",
                "title": ["A"],
                "subtitle": ["B"],
                "abstract": abstract,
                "author": [{"given": "Andres", "family": "M. Bran"}, {"name": "The Group"}],
                "container-title": ["J"],
                "issued": {"date-parts": [[2024, 5]]},
            },
        }
    )

    assert found.abstract == "<jats:sec> Aim: <jats:p>We <jats:italic>x</jats:italic>.</jats:p></jats:sec>"
    assert (found.title, found.authors, found.year) == ("A: B", ("M. Bran, Andres", "The Group"), 2024)


def test_semantic_scholar_gives_every_identifier_it_has() -> None:
    paper = {
        "paperId": "2d5673caa9e6af3a7b82a43f19ee920992db07ad",
        "title": "A",
        "abstract": None,
        "externalIds": {"ArXiv": "2312.07559", "DOI": "10.48550/arXiv.2312.07559", "PubMed": 12, "CorpusId": 3},
        "authors": [{"name": "A. Turing"}],
        "venue": "",
        "journal": {"name": "Mind"},
        "year": 1950,
    }

    found = one({"data": [paper]})

    assert (found.authors, found.venue, found.year, found.abstract) == (("Turing, A.",), "Mind", 1950, "")
    assert found.ids == {
        "doi": "10.48550/arxiv.2312.07559",
        "arxiv": "2312.07559",
        "pubmed": "12",
        "semanticscholar": "2d5673caa9e6af3a7b82a43f19ee920992db07ad",
    }


def test_an_answer_without_titles_is_refused_record_by_record() -> None:
    text = json.dumps([{"paperId": "0" * 40, "authors": []}, None, {"paperId": "1" * 40}])

    assert not records_in(text)
    assert [fault.record for fault in faults_in(text)] == [1, 2]


def test_csl_and_zotero_describe_the_same_paper_alike() -> None:
    csl = one(
        [
            {
                "id": "a",
                "title": "A",
                "abstract": "B",
                "author": [{"family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"}],
                "container-title": "J",
                "issued": {"date-parts": [["2019", 8]]},
                "DOI": "10.1000/x",
            }
        ]
    )
    zotero = one(
        [
            {
                "key": "K",
                "data": {
                    "itemType": "journalArticle",
                    "title": "A",
                    "abstractNote": "B",
                    "creators": [{"creatorType": "author", "firstName": "Ludwig", "lastName": "van Beethoven"}],
                    "publicationTitle": "J",
                    "date": "2019-08",
                    "extra": "DOI: 10.1000/x",
                    "tags": [],
                },
            }
        ]
    )

    assert (csl.title, csl.abstract, csl.authors, csl.venue, csl.year, csl.ids) == (
        zotero.title,
        zotero.abstract,
        zotero.authors,
        zotero.venue,
        zotero.year,
        zotero.ids,
    )
    assert csl.authors == ("van Beethoven, Ludwig",)


def test_zotero_attachments_are_no_papers() -> None:
    assert "attachment" in faults_in(json.dumps([{"data": {"itemType": "attachment", "title": "x.pdf"}}]))[0].reason


def test_a_conference_list_takes_venue_and_year_from_the_name_of_the_file() -> None:
    paper = {
        "id": "B11bwYgfM",
        "title": "A",
        "status": "Withdraw",
        "track": "main",
        "author": "Mo Yu;Jo Doe",
        "keywords": "x;y",
    }

    found = one([{**paper, "site": "https://openreview.net/forum?id=B11bwYgfM"}], name="nips2017.json.gz")

    assert (found.venue, found.year, found.withdrawn) == ("NeurIPS", 2017, True)
    assert (found.authors, found.ids) == (("Yu, Mo", "Doe, Jo"), {"openreview": "B11bwYgfM"})


def test_anonymous_is_nobodys_name() -> None:
    assert one([{"title": "A", "status": "Active", "track": "main", "author": "Anonymous"}]).authors == ()


def test_json_lines_with_the_usual_names_are_read_line_by_line() -> None:
    lines = (
        '{"title": "A", "authors": ["Ann Roe"], "venue": "ICLR", "year": 2026}\n{"title": broken\n\n{"Title": "C"}\n'
    )

    assert [(found.line, found.title) for found in records_in(lines)] == [(1, "A"), (4, "C")]
    assert [(fault.record, fault.line) for fault in faults_in(lines)] == [(2, 2)]


def test_a_damaged_object_of_an_array_costs_itself_only() -> None:
    text = '[\n  {"title": "A"},\n  {"title": "B", "x": {"y": [},\n  {"title": "C\\q"},\n  {"title": "D"}\n]\n'

    assert [found.title for found in records_in(text)] == ["A", "D"]
    assert [fault.line for fault in faults_in(text)] == [3, 4]


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5), st.integers(0, 4), st.booleans())
def test_an_array_gives_its_objects_however_it_is_laid_out(titles: list[str], indent: int, plain: bool) -> None:
    laid_out = json.dumps(
        [{"title": f"x {title}", "n": [{}]} for title in titles], indent=indent or None, ensure_ascii=plain
    )

    found = read(laid_out.encode("utf-8", "surrogatepass"))

    assert [item.title for item in found if isinstance(item, Record)] == [f"x {title}".strip() for title in titles]


def test_an_array_longer_than_what_is_read_at_once_loses_nothing() -> None:
    text = json.dumps(
        [{"title": f"Number {n}", "abstract": 'a "quoted" \\ word ' * 40} for n in range(2_000)], indent=1
    )

    found = list(records_in(text))

    assert [one.title for one in found] == [f"Number {n}" for n in range(2_000)]
    assert found[-1].line == text.count("\n", 0, text.rindex("{")) + 1
    assert SourceFile.of(text.encode(), "x").size > 1 << 20


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDFFF", "\\ude00\\ud83d"])
def test_half_of_a_surrogate_pair_is_an_unknown_character(escape: str) -> None:
    """A record that kept one could not be stored, and ended the whole import."""
    found = records_in(f'[{{"title":"Good","abstract":"x"}},{{"title":"A {escape} t","abstract":"B"}}]')

    assert [one.title for one in found] == ["Good", "A " + "\ufffd" * escape.count("u") + " t"]


def test_a_whole_surrogate_pair_is_its_character() -> None:
    assert records_in('[{"title":"A \\ud83d\\ude00", "abstract":"\\ud83d"}]')[0].title == "A \N{GRINNING FACE}"


def test_json_in_an_old_encoding_keeps_its_letters() -> None:
    found = records_in('[{"title": "Über café", "authors": ["J. Müller"]}]'.encode("cp1252"))

    assert [(one.title, one.authors) for one in found] == [("Über café", ("Müller, J.",))]


def test_a_character_that_the_file_is_cut_off_in_is_no_other_letter() -> None:
    assert records_in(b'[{"title": "A"}]\xc3') == records_in(b'[{"title": "A"}]')


def _note(**fields: object) -> dict[str, object]:
    return {"id": "abcdef", "forum": "abcdef", "replyto": None, "content": {"title": "A"}, **fields}


def test_openreview_authors_may_be_objects() -> None:
    people = [{"fullname": "Ann Roe", "username": "~Ann_Roe1"}, {"fullname": "Jo Doe"}]

    found = one(_note(content={"title": {"value": "A"}, "authors": {"value": people}}))

    assert found.authors == ("Roe, Ann", "Doe, Jo")


@pytest.mark.parametrize(
    ("fields", "venue", "year"),
    [
        ({"invitation": "ICLR.cc/2020/Conference/-/Blind_Submission"}, "ICLR", 2020),
        ({"domain": "ICLR.cc/2025/Conference", "invitations": ["x/-/Edit"]}, "ICLR", None),
        ({"content": {"title": "A", "venue": {"value": "ICLR 2025 Poster"}}}, "ICLR", 2025),
        ({"content": {"title": "A", "venue": {"value": "ICLR 2025 Conference Withdrawn Submission"}}}, "ICLR", 2025),
        ({"content": {"title": "A", "venue": "NeurIPS 2023 oral"}}, "NeurIPS", 2023),
        ({"content": {"title": "A", "venue": "Accepted by TMLR"}}, "TMLR", None),
        ({"content": {"title": "A", "venue": "ICLR 2025 Workshop XYZ Poster"}}, "ICLR 2025 Workshop XYZ Poster", 2025),
        ({"content": {"title": "A", "venue": "Submitted to ICLR 2025"}}, "Submitted to ICLR 2025", 2025),
        ({"invitation": "ICLR.cc/2020/Conference/-/Desk_Rejected_Submission"}, "", 2020),
    ],
)
def test_openreview_names_its_meetings_in_many_ways(fields: dict[str, object], venue: str, year: int | None) -> None:
    found = one(_note(**fields))

    assert (found.venue, found.year) == (venue, year)


def test_an_openreview_note_says_when_it_was_changed() -> None:
    assert one(_note(tcdate=1, mdate=1741000000000)).updated == "2025-03-03"
    assert one(_note(tmdate=99999999999999999999)).updated == ""
