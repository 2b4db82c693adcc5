"""BibTeX and BibLaTeX as publishers and people write them."""

from __future__ import annotations

import pytest

from retrieval.text.cleaning import display_text
from tests.reading import faults_in, records_in


def test_an_entry_is_read_with_macros_resolved_and_authors_in_one_form() -> None:
    text = """% a comment
@string{jb = {Journal of Birds}}
@article{roe20,
    author = {Ann Roe and de Vries, Jan and {The Nest Consortium} and Rockt{\\"a}schel, Tim},
    title = {{A Study} of {S}mall birds},
    journal = jb, year = 2020, doi = {https://doi.org/10.1000/X},
    abstract = "Quoted {words}.", keywords = {birds, nests},
    URL = {

      https://example.org/1
    }
}
"""

    (found,) = records_in(text)

    assert display_text(found.title) == "A Study of Small birds"
    assert found.authors == ("Roe, Ann", "de Vries, Jan", "The Nest Consortium", "Rocktäschel, Tim")
    assert (found.venue, found.year, found.url) == ("Journal of Birds", 2020, "https://example.org/1")
    assert (found.abstract, found.keywords, found.ids) == (
        "Quoted {words}.",
        ("birds", "nests"),
        {"doi": "10.1000/x"},
    )
    assert found.line == 3


def test_biblatex_names_of_fields_are_known() -> None:
    (found,) = records_in(
        "@inproceedings{a, title={T}, subtitle={S}, date={2017-10-01}, journaltitle={J}, eprint={2501.00001v2},"
        " eprinttype={arxiv}}"
    )

    assert (found.title, found.year, found.venue) == ("T: S", 2017, "J")
    assert (found.ids, found.version) == ({"arxiv": "2501.00001"}, 2)


@pytest.mark.parametrize("broken", ["abstract = {never closes,", 'abstract = "never closes,', "abstract = {a {b} c"])
def test_an_entry_that_never_closes_spoils_no_other(broken: str) -> None:
    text = (
        f"@book{{a, title={{First}}}}\n@article{{b,\n  title = {{Second}},\n  {broken}\n\n@misc{{c, title={{Third}}}}"
    )

    assert [one.title for one in records_in(text)] == ["First", "Second", "Third"]
    assert [(one.record, one.line, one.refused) for one in faults_in(text)] == [(2, 2, False)]


def test_a_name_with_an_at_sign_inside_an_abstract_begins_no_entry() -> None:
    text = "@article{a, title={A}, abstract={mail\n@someone{x} now}}\n@article{b, title={B}}"

    assert [one.title for one in records_in(text)] == ["A", "B"]


def test_an_impossible_year_is_left_out_and_named() -> None:
    text = "@article{a, title={A}, year={888}}"

    assert [one.year for one in records_in(text)] == [None]
    assert [one.field for one in faults_in(text)] == ["year"]


def test_and_others_means_that_the_list_of_authors_is_not_complete() -> None:
    (found,) = records_in("@article{a, title={A}, author={Roe, Ann and others}}")

    assert (found.authors, found.authors_complete) == (("Roe, Ann",), False)


def test_notes_and_keys_give_identifiers() -> None:
    (found,) = records_in(
        "@article{DBLP:journals/x/Roe22, title={A}, note={PMID: 33355555}, journal={CoRR}, volume={abs/2312.07559}}"
    )

    assert found.ids == {"pubmed": "33355555", "dblp": "journals/x/Roe22", "arxiv": "2312.07559"}


def test_two_people_may_have_one_name() -> None:
    (found,) = records_in("@article{a, title={A}, author={Zhang, L. and Roe, Ann and Zhang, L.}}")

    assert found.authors == ("Zhang, L.", "Roe, Ann", "Zhang, L.")


def test_comments_and_preambles_are_no_entries() -> None:
    assert not faults_in('@comment{jabref-meta: x}\n@preamble{"\\newcommand{\\x}"}\n@misc{a, title={A}}')


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("{{GraphToad: Graph Neural Networks for Toads}}", "GraphToad: Graph Neural Networks for Toads"),
        ("{{{Twice}}}", "Twice"),
        ("{{A} and {B}}", "{A} and {B}"),
        (r"{{A \{ b}}", r"A \{ b"),
        ('"{Quoted}"', "Quoted"),
    ],
)
def test_braces_around_a_whole_title_are_no_part_of_it(written: str, title: str) -> None:
    assert [one.title for one in records_in(f"@misc{{a, title = {written}, year = 2020}}")] == [title]
