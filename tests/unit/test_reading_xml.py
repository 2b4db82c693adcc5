"""Feeds and PubMed's XML."""

from __future__ import annotations

import pytest

from tests.reading import faults_in, read, records_in

_ARXIV = """<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
<title>arXiv Query: x</title>
<entry><id>http://arxiv.org/abs/quant-ph/0201082v1</id><title>A title
  that goes on</title><updated>2002-01-20T15:08:05Z</updated><published>2002-01-18T15:08:05Z</published>
<link href="https://arxiv.org/abs/quant-ph/0201082v1" rel="alternate" type="text/html"/>
<link href="https://arxiv.org/pdf/quant-ph/0201082v1" rel="related" type="application/pdf" title="pdf"/>
<summary>  For $a&lt;b$ we show it.</summary><category term="quant-ph"/><arxiv:comment>{comment}</arxiv:comment>
<author><name>Stephen Blaha</name></author><arxiv:doi>10.1000/Y</arxiv:doi></entry>
<entry><id>https://arxiv.org/api/errors#incorrect_id</id><title>Error</title><summary>incorrect id</summary></entry>
</feed>"""


def test_an_answer_of_arxiv_is_read_with_its_identifiers() -> None:
    (found,) = records_in(_ARXIV.replace("{comment}", "32 pages"))

    assert found.title == "A title that goes on"
    assert found.abstract == "For $a<b$ we show it."
    assert (found.authors, found.venue, found.year, found.version) == (("Blaha, Stephen",), "arXiv", 2002, 1)
    assert found.ids == {"arxiv": "quant-ph/0201082", "doi": "10.1000/y"}
    assert (found.url, found.updated) == ("https://arxiv.org/abs/quant-ph/0201082v1", "2002-01-20")
    assert not found.withdrawn


def test_an_error_in_a_feed_is_a_fault_not_a_paper() -> None:
    (fault,) = faults_in(_ARXIV)

    assert (fault.record, "incorrect id" in fault.reason) == (2, True)


def test_a_comment_that_says_withdrawn_withdraws() -> None:
    assert records_in(_ARXIV.replace("{comment}", "This paper has been withdrawn by the author"))[0].withdrawn


@pytest.mark.parametrize(
    ("comment", "withdrawn"),
    [
        ("Withdrawn by arXiv administrators", True),
        ("withdrawn", True),
        ("Paper withdrawn due to an error", True),
        ("12 pages; this article was retracted", True),
        ("arXiv admin note: This submission has been withdrawn", True),
        ("12 pages. Withdrawn", True),
        ("12 pages; supersedes the withdrawn arXiv:2501.00001", False),
        ("This paper supersedes the withdrawn arXiv:2501.00001", False),
        ("Replaces a retracted paper", False),
        ("", False),
    ],
)
def test_a_comment_about_another_paper_withdraws_nothing(comment: str, withdrawn: bool) -> None:
    assert records_in(_ARXIV.replace("{comment}", comment))[0].withdrawn is withdrawn


@pytest.mark.parametrize("encoding", ["", ' encoding="utf-8"'])
def test_a_feed_in_an_old_encoding_keeps_its_letters(encoding: str) -> None:
    text = f'<?xml version="1.0"{encoding}?><rss><channel><item><title>Über café</title></item></channel></rss>'

    assert [one.title for one in records_in(text.encode("cp1252"))] == ["Über café"]


@pytest.mark.parametrize(
    ("encoding", "title"),
    [("iso-8859-15", "10 €"), ("windows-1251", "Птица"), ("koi8-r", "Птица"), ("gb18030", "小鸟"), ("euc-jp", "鳥")],
)
def test_a_declared_encoding_that_can_be_is_believed(encoding: str, title: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?><rss><channel><item><title>{title}</title></item></channel></rss>'
    )

    assert [one.title for one in records_in(text.encode(encoding))] == [title]


def test_an_article_nested_too_deeply_costs_no_other() -> None:
    article = (
        "<PubmedArticle><MedlineCitation><Article><ArticleTitle>{}</ArticleTitle></Article></MedlineCitation>"
        "</PubmedArticle>"
    )
    articles = article.format("<i>" * 2_000 + "x" + "</i>" * 2_000) + article.format("T<i>2</i>")
    text = f"<PubmedArticleSet>{articles}</PubmedArticleSet>"

    assert [one.title for one in records_in(text)] == ["T<i>2</i>"]
    assert [(fault.record, "nested" in fault.reason) for fault in faults_in(text)] == [(1, True)]


def test_a_feed_without_entries_is_no_fault() -> None:
    assert read('<feed xmlns="http://www.w3.org/2005/Atom"><title>None</title></feed>') == []


def test_the_old_daily_list_of_arxiv_gives_clean_titles_names_and_texts() -> None:
    text = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="http://arxiv.org/"><title>hep-ex updates</title>
<dc:date>2018-05-23T20:30:00-05:00</dc:date></channel>
<item rdf:about="http://arxiv.org/abs/1805.06430"><title>On Mesons. (arXiv:1805.06430v2 [nucl-th] UPDATED)</title>
<link>http://arxiv.org/abs/1805.06430</link>
<description rdf:parseType="Literal">&lt;p&gt;With $2.6&amp;lt;x$ it holds.&lt;/p&gt;</description>
<dc:creator> &lt;a href="http://arxiv.org/find/1"&gt;Shu-Sheng Xu&lt;/a&gt;,
 &lt;a href="x"&gt;Zhu-Fang Cui&lt;/a&gt; (A Lab)</dc:creator>
</item></rdf:RDF>"""

    (found,) = records_in(text)

    assert (found.title, found.authors) == ("On Mesons", ("Xu, Shu-Sheng", "Cui, Zhu-Fang"))
    assert (found.ids, found.version, found.year) == ({"arxiv": "1805.06430"}, 2, 2018)


def test_a_feed_that_is_cut_off_gives_its_last_entry_as_far_as_it_goes() -> None:
    text = """<?xml version='1.0'?><rss version="2.0"><channel><title>cs.AI updates on arXiv.org</title>
<item><title>One</title><link>https://arxiv.org/abs/2509.00001</link>
<description>arXiv:2509.00001v1 Announce Type: new
Abstract: Whole.</description></item>
<item><title>Two</title><link>https://arxiv.org/abs/2509.00002</link>
<description>arXiv:2509.00002v1 Announce Type: new
Abstract: As far as"""

    assert [(one.title, one.abstract) for one in records_in(text)] == [("One", "Whole."), ("Two", "As far as")]
    assert [fault.refused for fault in faults_in(text)] == [False]


def test_a_journal_feed_names_its_journal() -> None:
    text = """<rss version="2.0"><channel><title>Journal of Birds</title><item><title>A</title>
<link>https://example.org/a
</link><description>&lt;p&gt;B&lt;/p&gt;</description><pubDate>Thu, 18 Sep 2025 00:00:00 -0400</pubDate></item>
</channel></rss>"""

    (found,) = records_in(text)

    assert (found.venue, found.year, found.url) == ("Journal of Birds", 2025, "https://example.org/a")


def test_zotero_atom_gives_the_title_and_not_the_librarian() -> None:
    text = """<entry xmlns="http://www.w3.org/2005/Atom" xmlns:zapi="http://zotero.org/ns/api">
<title>Front Matter</title>
<author><name>A library</name></author><id>http://zotero.org/users/1/items/A</id>
<zapi:itemType>journalArticle</zapi:itemType><zapi:parsedDate>2004-12-01</zapi:parsedDate>
<content zapi:type="citation" type="xhtml"><span xmlns="http://www.w3.org/1999/xhtml">(Roe 2004)</span>
</content></entry>"""

    (found,) = records_in(text)

    assert (found.title, found.authors, found.abstract, found.year) == ("Front Matter", (), "", 2004)


_PUBMED = """<?xml version="1.0"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "https://dtd.nlm.nih.gov/x.dtd">
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">9997</PMID>
<DateRevised><Year>2019</Year><Month>06</Month><Day>09</Day></DateRevised>
<Article><Journal><JournalIssue><PubDate><MedlineDate>1976 Jan-Feb</MedlineDate></PubDate></JournalIssue>
<Title>Bird papers</Title></Journal>
<ArticleTitle>Ca<sup>2+</sup> in &lt;small&gt; birds.</ArticleTitle>
<Abstract><AbstractText Label="AIM">To see.</AbstractText>
<AbstractText Label="UNLABELLED">And on.</AbstractText></Abstract>
<AuthorList><Author><LastName>Roe</LastName><ForeName>Ann B</ForeName><Suffix>Jr</Suffix></Author>
<Author><CollectiveName>The Group</CollectiveName></Author></AuthorList>
<ELocationID EIdType="doi">10.1000/X</ELocationID></Article>
<MeshHeadingList><MeshHeading><DescriptorName>Birds</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC5</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
"""


def test_pubmed_keeps_labels_and_superscripts() -> None:
    (found,) = records_in(_PUBMED + "</PubmedArticleSet>")

    assert found.title == "Ca<sup>2+</sup> in &lt;small&gt; birds."
    assert found.abstract == "AIM: To see. And on."
    assert (found.authors, found.venue, found.year) == (("Roe Jr, Ann B", "The Group"), "Bird papers", 1976)
    assert found.ids == {"pubmed": "9997", "doi": "10.1000/x", "pmc": "5"}
    assert (found.keywords, found.updated) == (("Birds",), "2019-06-09")


def test_broken_xml_costs_what_comes_after_the_place() -> None:
    text = _PUBMED + "<PubmedArticle><MedlineCitation></PMID>"

    assert [one.ids["pubmed"] for one in records_in(text)] == ["9997"]
    assert "not well-formed" in faults_in(text)[0].reason


def test_medline_citations_without_a_wrapper_are_articles_too() -> None:
    text = "<MedlineCitationSet>" + "".join(
        f"<MedlineCitation><PMID>{n}</PMID><Article><ArticleTitle>T{n}</ArticleTitle></Article></MedlineCitation>"
        for n in (1, 2)
    )

    assert [one.title for one in records_in(text + "</MedlineCitationSet>")] == ["T1", "T2"]
