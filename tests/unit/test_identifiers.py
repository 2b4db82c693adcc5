"""Identifiers in every way people write them, people's names, and names of venues."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.identifiers import arxiv_in, arxiv_version, find_ids, http_url, landing_page, normalised, pubmed_in
from retrieval.people import family, family_first, given_first, split_names
from retrieval.venues import canonical_venue, is_preprint_server


@pytest.mark.parametrize(
    ("scheme", "written", "expected"),
    [
        ("doi", "https://doi.org/10.1000/ABC.", "10.1000/abc"),
        ("doi", "doi:10.1000/a%2Fb", "10.1000/a/b"),
        ("doi", "DOI: 10.1000/a", "10.1000/a"),
        ("doi", "http://dx.doi.org/10.1000/a", "10.1000/a"),
        ("doi", "10.1", None),
        ("doi", "n/a", None),
        ("arxiv", "arXiv:2501.00001v3", "2501.00001"),
        ("arxiv", "http://arxiv.org/abs/quant-ph/0201082v1", "quant-ph/0201082"),
        ("arxiv", "https://arxiv.org/pdf/2501.00001v2.pdf", "2501.00001"),
        ("arxiv", "10.48550/arXiv.2312.07559", "2312.07559"),
        ("arxiv", "math.CO/0501001", "math/0501001"),
        ("arxiv", "2501.000011234", None),
        ("pubmed", "PMID:123", "123"),
        ("pubmed", "https://pubmed.ncbi.nlm.nih.gov/123", "123"),
        ("pmc", "PMC77", "77"),
        ("openalex", "https://openalex.org/W12345", "W12345"),
        ("wos", "WOS:000444108200009", "000444108200009"),
        ("semanticscholar", "abc", None),
        ("nothing", "x", None),
    ],
)
def test_an_identifier_has_one_form(scheme: str, written: str, expected: str | None) -> None:
    assert normalised(scheme, written) == expected


def test_identifiers_are_found_in_addresses_and_what_is_given_wins() -> None:
    urls = [
        "https://openreview.net/forum?id=abc_DEF-1&x=1",
        "https://doi.org/10.1000/b",
        "https://arxiv.org/abs/2501.1",
    ]

    assert find_ids({"doi": "10.1000/a", "arxiv": ""}, urls) == {"doi": "10.1000/a", "openreview": "abc_DEF-1"}


def test_the_doi_of_a_preprint_names_it() -> None:
    assert find_ids({"doi": "10.48550/arXiv.2312.07559"})["arxiv"] == "2312.07559"


@given(
    st.text(max_size=60), st.sampled_from(["doi", "arxiv", "openreview", "pubmed", "pmc", "openalex", "dblp", "wos"])
)
def test_one_form_stays_itself(text: str, scheme: str) -> None:
    once = normalised(scheme, text)

    assert once is None or normalised(scheme, once) == once


def test_versions_and_pages() -> None:
    assert (arxiv_version("http://arxiv.org/abs/2501.00001v12"), arxiv_version("2501.00001")) == (12, None)
    assert landing_page({"doi": "10.1000/a", "pubmed": "1"}) == "https://doi.org/10.1000/a"
    assert landing_page({"dblp": "x"}) is None


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "ftp://example.org/x", "http://exa mple.org", "", 'http://x/"><a', "http://x/\ud800"]
)
def test_only_plain_web_addresses_are_links(url: str) -> None:
    assert http_url(url) is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ann Roe", "Roe, Ann"),
        ("Roe, Ann", "Roe, Ann"),
        ("Roe,Ann", "Roe, Ann"),
        ("Ludwig van Beethoven", "van Beethoven, Ludwig"),
        ("Michiel Van de Panne", "Van de Panne, Michiel"),
        ("Lim SM", "Lim, SM"),
        ("Liu R.", "Liu, R."),
        ("G. Kalbe", "Kalbe, G."),
        ("Quoc V. Le", "Le, Quoc V."),
        ("Prof. Dr. Janusz Kacprzyk", "Kacprzyk, Janusz"),
        ("John Smith Jr.", "Smith Jr., John"),
        ("Smith, Jr., John", "Smith Jr., John"),
        ("The ATLAS Collaboration", "The ATLAS Collaboration"),
        ("Institute of Physics (Great Britain)", "Institute of Physics (Great Britain)"),
        ("李明", "李明"),
    ],
)
def test_a_name_is_filed_under_the_family(written: str, expected: str) -> None:
    assert family_first(written) == expected


@given(st.text(max_size=40))
def test_a_filed_name_stays_as_it_is(text: str) -> None:
    once = family_first(text)

    assert family_first(once) == once or "," not in once


def test_a_filed_name_is_said_the_other_way_round_and_compared_by_its_family() -> None:
    assert given_first("van Beethoven, Ludwig") == "Ludwig van Beethoven"
    assert (family("van Beethoven, Ludwig"), family("Roe Jr, Ann"), family("")) == ("beethoven", "roe", "")


@pytest.mark.parametrize("text", ["", "  ", ";;", "[]", ","])
def test_a_list_of_nobody_is_empty(text: str) -> None:
    assert split_names(text) == []


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("NIPS", "neurips"),
        ("Advances in Neural Information Processing Systems 30", "neurips"),
        ("Proceedings of the 36th International Conference on Machine Learning", "icml"),
        ("The Fourteenth International Conference on Learning Representations", "iclr"),
        ("Second Conference on Language Modeling", "colm"),
        (
            "Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics (Volume 1)",
            "acl",
        ),
        ("2019 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "cvpr"),
        ("NIPS 2017", "neurips"),
        ("NeurIPS 2017", "neurips"),
        ("ICLR 2026", "iclr"),
        ("ICLR 2025 Poster", "iclr"),
        ("ICLR 2023 notable top 5%", "iclr"),
        ("ICLR 2025 Conference Withdrawn Submission", "iclr"),
        ("ICLR.cc/2025/Conference", "iclr"),
        ("robot-learning.org/CoRL/2023/Conference", "corl"),
        ("ICLR (Poster)", "iclr"),
        ("Proc. of ICLR", "iclr"),
        ("Proceedings of ICLR 2023", "iclr"),
        ("In Proceedings of the International Conference on Learning Representations (ICLR), 2020", "iclr"),
        ("KDD '24", "kdd"),
        ("arXiv (Cornell University)", "arxiv"),
        ("Nature", "nature"),
        ("Nature 2020", "nature 2020"),
        ("TC 2024 Poster", "tc 2024 poster"),
        ("ICLR (Workshop)", "iclr (workshop)"),
        ("ICLR 2025 Workshop XYZ", "iclr 2025 workshop xyz"),
        ("ICLR.cc/2025/Workshop/XYZ", "iclr.cc/2025/workshop/xyz"),
        ("Submitted to ICLR 2025", "submitted to iclr 2025"),
        ("", ""),
    ],
)
def test_a_venue_is_known_by_all_its_names(written: str, canonical: str) -> None:
    assert canonical_venue(written) == canonical


def test_a_preprint_server_is_no_place_of_publication() -> None:
    assert is_preprint_server("arXiv.org")
    assert is_preprint_server("arXiv:1906.01539 [cs, q-bio]")
    assert not is_preprint_server("Nature")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv preprint arXiv:2312.07559v2", "2312.07559v2"),
        ("see arXiv: 2312.07559 [cs]", "2312.07559"),
        ("abs/2312.07559", "2312.07559"),
        ("Nature 2312.07559", ""),
    ],
)
def test_a_note_may_name_a_preprint(text: str, found: str) -> None:
    assert arxiv_in(text) == found


def test_a_note_may_name_a_pubmed_number() -> None:
    assert (pubmed_in("see PMID: 123; x"), pubmed_in("PMID")) == ("123", "")
