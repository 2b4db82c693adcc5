"""Read PubMed's and MEDLINE's XML, article by article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element, ParseError, tostring
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from retrieval.errors import SourceError
from retrieval.formats.draft import Draft, finished
from retrieval.formats.source import Limits, SourceFile
from retrieval.records import Fault, Record

__all__ = ["looks_like_pubmed", "read_pubmed"]

_FIRST: Final = re.compile(
    r"<(?:PubmedArticleSet|MedlineCitationSet|PubmedArticle|MedlineCitation|PubmedBookArticle)\b"
)
_ARTICLES: Final = frozenset({"PubmedArticle", "PubmedBookArticle"})


def looks_like_pubmed(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is PubMed's XML."""
    return _FIRST.search(head) is not None


def read_pubmed(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each article gives; a structured abstract keeps its labels. One nested too deeply is a fault.

    Raises:
        SourceError: If the XML declares entities, or is broken; the articles before the place were yielded.
    """
    number, inside = 0, False
    depth = deepest = 0
    try:
        events = iterparse(_Stream(source), events=("start", "end"), forbid_dtd=False, forbid_entities=True)
        root: Element | None = None
        for event, element in events:
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            deepest = max(deepest, depth)
            if event == "start":
                inside = inside or element.tag in _ARTICLES
            elif element.tag in _ARTICLES or (element.tag == "MedlineCitation" and not inside):
                number += 1
                if deepest > Limits.NESTING:
                    yield Fault(f"nested more than {Limits.NESTING} deep; left out", number)
                else:
                    yield from finished(_draft(element, number), "pubmed")
                inside, deepest = False, 0
                element.clear()
                root.clear()
    except ParseError as exc:
        raise SourceError(source.path, f"is not well-formed XML: {exc}", line=exc.position[0]) from exc
    except DefusedXmlException as exc:
        raise SourceError(source.path, "declares XML entities, which are not read") from exc


class _Stream:
    """What a parser reads from: the source's text as UTF-8, whatever its declaration says."""

    def __init__(self, source: SourceFile) -> None:
        self._pieces = source.pieces()
        self._first = True

    def read(self, _size: int = -1) -> bytes:
        piece = next((piece for piece in self._pieces if piece), "")
        if self._first:
            self._first = False
            piece = re.sub(r"^\s*<\?xml[^>]*\?>", "", piece)
        return piece.encode("utf-8")


def _draft(article: Element, number: int) -> Draft:
    ids = {item.get("IdType", ""): item.text or "" for item in article.iterfind("./*/ArticleIdList/ArticleId")}
    ids |= {item.get("EIdType", ""): item.text or "" for item in article.iterfind(".//ELocationID")}
    kinds = {kind.text for kind in article.iterfind(".//PublicationTypeList/PublicationType")}
    day = article.find(".//DateRevised")
    return Draft(
        number=number,
        title=_markup(article, ".//Article/ArticleTitle", ".//ArticleTitle", ".//BookTitle"),
        abstract=_abstract(article),
        authors=[_name(author) for author in article.iterfind(".//AuthorList/Author")],
        venue=_text(article, ".//Journal/Title", ".//MedlineJournalInfo/MedlineTA", ".//Book/BookTitle"),
        year=_text(article, ".//PubDate/Year", ".//PubDate/MedlineDate", ".//ArticleDate/Year"),
        keywords=_texts(article, ".//KeywordList/Keyword") or _texts(article, ".//MeshHeading/DescriptorName"),
        ids={
            "pubmed": _text(article, "./MedlineCitation/PMID", "./PMID", ".//PMID"),
            "doi": ids.get("doi", ""),
            "pmc": ids.get("pmc", ""),
        },
        updated="-".join(part.text or "" for part in day) if day is not None else "",
        withdrawn="Retracted Publication" in kinds,
    )


def _abstract(article: Element) -> str:
    parts = article.findall(".//Abstract/AbstractText")
    labelled = [(part.get("Label", ""), _inner(part)) for part in parts]
    return " ".join(f"{label}: {text}" if label and label != "UNLABELLED" else text for label, text in labelled if text)


def _name(author: Element) -> str:
    family, given = _text(author, "LastName"), _text(author, "ForeName", "FirstName", "Initials")
    suffix = _text(author, "Suffix")
    if not family:
        return _text(author, "CollectiveName")
    return f"{family} {suffix}".strip() + (f", {given}" if given else "")


def _text(element: Element, *paths: str) -> str:
    return next(
        (text for path in paths for found in element.iterfind(path) if (text := "".join(found.itertext()).strip())), ""
    )


def _texts(element: Element, path: str) -> list[str]:
    return [" ".join("".join(found.itertext()).split()) for found in element.iterfind(path)]


def _markup(element: Element, *paths: str) -> str:
    return next((text for path in paths for found in element.iterfind(path) if (text := _inner(found))), "")


def _inner(element: Element) -> str:
    """Return what stands inside *element*, with its sub- and superscripts still marked."""
    if not len(element):
        return escape(element.text or "").strip()
    inside = [escape(element.text or ""), *(tostring(child, encoding="unicode") for child in element)]
    return "".join(inside).strip()
