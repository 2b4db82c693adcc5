"""Read one object as the services describe papers: OpenReview, OpenAlex, Crossref, Semantic Scholar, and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from retrieval.formats.draft import Draft
from retrieval.formats.values import at, items, mapping, people, text, texts
from retrieval.identifiers import arxiv_in, pubmed_in
from retrieval.venues import bare_venue

__all__ = ["SHAPES", "NotAPaperError", "shape_of"]

Fields = Mapping[str, object]
_SECTION: Final = re.compile(
    r"<(?:jats:)?title>([^<]*+(?:<(?!/?(?:jats:)?title>)[^<]*+)*+)</(?:jats:)?title>", re.IGNORECASE
)
_ABSTRACT_HEADING: Final = re.compile(
    r"((?:<(?:jats:)?sec[^>]*>\s*)*+)<(?:jats:)?title>\s*(?:abstract|summary)[:.\s]*</(?:jats:)?title>", re.IGNORECASE
)
_DOI: Final = re.compile(r"\bDOI: ?(\S+)", re.IGNORECASE)
_FILE_NAME: Final = re.compile(r"([a-z]{2,12})[-_ ]?((?:19|20)\d\d)")
_OPENREVIEW_FIELDS: Final = frozenset({"forum", "invitation", "invitations", "signatures"})
_CSL_FIELDS: Final = frozenset({"container-title", "issued", "DOI", "citation-key"})
_PAPERCOPILOT_FIELDS: Final = frozenset({"site", "gs_citation", "author_site", "track"})
_MAX_WORDS: Final = 50_000


class NotAPaperError(ValueError):
    """An object stands for something other than a paper; the message says what."""


def shape_of(fields: Fields) -> str:
    """Return the name of the service that describes papers as *fields* does; "json" when it is none in particular."""
    return next((name for name, looks in _SIGNS.items() if looks(fields)), "json")


def _openreview(fields: Fields, number: int, _: str) -> Draft:
    """Read a note of API v1, whose content is plain, or v2, where each field wraps its value."""
    content = mapping(fields.get("content"))
    forum, note_id = text(fields.get("forum")), text(fields.get("id"))
    if fields.get("replyto") or (forum and note_id and forum != note_id):
        raise NotAPaperError("is a reply in a discussion, not a paper")
    venue = text(content.get("venue"))
    invitations = [*texts(fields.get("invitations")), text(fields.get("invitation"))]
    status = f"{venue} {text(content.get('venueid'))} {' '.join(invitations)}"
    written, changed = (_day(fields, *names) for names in (("pdate", "odate", "cdate", "tcdate"), ("tmdate", "mdate")))
    authors, keywords = content.get("authors"), content.get("keywords")
    meeting = text(fields.get("domain")) or invitations[0].partition("/-/")[0] or invitations[-1].partition("/-/")[0]
    return Draft(
        number=number,
        title=text(content.get("title")),
        abstract=text(content.get("abstract")),
        authors=people(mapping(authors).get("value", authors)) or texts(authors, separators=",;"),
        venue=bare_venue(venue or ("" if "reject" in status.lower() else meeting)),
        year=found[0] if (found := re.findall(r"(?:19|20)\d\d", status)) else written[:4],
        keywords=texts(keywords, separators=",;"),
        ids={"openreview": forum or note_id, "doi": text(content.get("doi"))},
        urls=[text(content.get("html")), text(content.get("_bibtex"))],
        updated=changed,
        withdrawn=fields.get("ddate") is not None or "withdrawn" in status.lower(),
    )


def _openalex(fields: Fields, number: int, _: str) -> Draft:
    place = at(fields, "primary_location", "source", "display_name")
    ids = mapping(fields.get("ids"))
    return Draft(
        number=number,
        title=text(fields.get("title")) or text(fields.get("display_name")),
        abstract=_inverted(fields.get("abstract_inverted_index")),
        authors=[text(at(author, "author", "display_name")) for author in items(fields.get("authorships"))],
        venue=text(place) or text(at(fields, "host_venue", "display_name")),
        year=text(fields.get("publication_year")),
        url=text(at(fields, "primary_location", "landing_page_url")) or text(fields.get("doi")),
        urls=[text(at(location, "landing_page_url")) for location in items(fields.get("locations"))],
        keywords=[text(word.get("display_name") or word.get("keyword")) for word in items(fields.get("keywords"))],
        ids={
            "doi": text(fields.get("doi")),
            "openalex": text(fields.get("id")),
            "pubmed": text(ids.get("pmid")),
            "pmc": text(ids.get("pmcid")),
        },
        withdrawn=fields.get("is_retracted") is True,
    )


def _inverted(value: object) -> str:
    """Return the text of an index of words by position; a position that nobody claims is left out."""
    placed = [
        (place, word)
        for word, places in mapping(value).items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(placed)[:_MAX_WORDS])


def _crossref(fields: Fields, number: int, _: str) -> Draft:
    title, subtitle = text(fields.get("title")), text(fields.get("subtitle"))
    issued = next(
        (year for name in ("issued", "published", "published-print", "published-online", "created")
         if (year := text(at(fields, name, "date-parts", 0)))), ""
    )  # fmt: skip
    return Draft(
        number=number,
        title=f"{title}: {subtitle}" if subtitle and subtitle.lower() not in title.lower() else title,
        abstract=_jats(text(fields.get("abstract"))),
        authors=[_csl_name(author) for author in items(fields.get("author"))],
        venue=text(fields.get("container-title")) or text(at(fields, "institution", 0, "name")),
        year=issued,
        url=text(fields.get("URL")),
        urls=[text(at(fields, "resource", "primary", "URL"))],
        keywords=texts(fields.get("subject")),
        ids={"doi": text(fields.get("DOI"))},
        withdrawn=any(text(update.get("type")) == "retraction" for update in items(fields.get("updated-by"))),
    )


def _jats(abstract: str) -> str:
    """Return the abstract without the heading that only says so; other headings end with a colon."""
    opening = _ABSTRACT_HEADING.match(abstract)
    said = opening[1] + abstract[opening.end() :] if opening else abstract
    return _SECTION.sub(lambda heading: f" {heading[1].strip().rstrip(':. ')}: ", said)


def _csl(fields: Fields, number: int, _: str) -> Draft:
    issued = mapping(fields.get("issued"))
    note = text(fields.get("note"))
    venue = text(fields.get("container-title")) or text(fields.get("event-title")) or text(fields.get("event"))
    return Draft(
        number=number,
        title=text(fields.get("title")),
        abstract=_jats(text(fields.get("abstract"))),
        authors=[_csl_name(author) for author in items(fields.get("author"))],
        venue=venue,
        year=text(at(issued, "date-parts", 0))
        or text(issued.get("raw"))
        or text(issued.get("literal"))
        or text(fields.get("issued")),
        url=text(fields.get("URL")),
        keywords=texts(fields.get("keyword"), separators=",;"),
        ids={
            "doi": text(fields.get("DOI")),
            "pubmed": text(fields.get("PMID")),
            "pmc": text(fields.get("PMCID")),
            "arxiv": arxiv_in(f"{venue} {note} {text(fields.get('number'))}"),
        },
    )


def _csl_name(author: Fields) -> str:
    particle = text(author.get("non-dropping-particle") or author.get("dropping-particle"))
    family = " ".join(filter(None, (particle, text(author.get("family")), text(author.get("suffix")))))
    given = text(author.get("given"))
    return (
        f"{family}, {given}" if family and given else family or text(author.get("name")) or text(author.get("literal"))
    )


def _semantic_scholar(fields: Fields, number: int, _: str) -> Draft:
    ids = mapping(fields.get("externalIds"))
    return Draft(
        number=number,
        title=text(fields.get("title")),
        abstract=text(fields.get("abstract")),
        authors=[text(author.get("name")) for author in items(fields.get("authors"))],
        venue=text(fields.get("venue"))
        or text(at(fields, "publicationVenue", "name"))
        or text(at(fields, "journal", "name")),
        year=text(fields.get("year")) or text(fields.get("publicationDate")),
        url=text(fields.get("url")),
        ids={
            "doi": text(ids.get("DOI")),
            "arxiv": text(ids.get("ArXiv")),
            "pubmed": text(ids.get("PubMed")),
            "pmc": text(ids.get("PubMedCentral")),
            "dblp": text(ids.get("DBLP")),
            "semanticscholar": text(fields.get("paperId")),
        },
    )


def _zotero(fields: Fields, number: int, _: str) -> Draft:
    data = mapping(fields.get("data")) or fields
    if (kind := text(data.get("itemType"))) in {"note", "attachment", "annotation"}:
        raise NotAPaperError(f"is Zotero's {kind}, not a paper")
    extra = text(data.get("extra"))
    creators = items(data.get("creators"))
    authors = [
        person for person in creators if text(person.get("creatorType")) in {"author", "presenter", "programmer"}
    ]
    venues = (
        "publicationTitle",
        "proceedingsTitle",
        "bookTitle",
        "conferenceName",
        "repository",
        "university",
        "websiteTitle",
    )
    return Draft(
        number=number,
        title=text(data.get("title")),
        abstract=text(data.get("abstractNote")),
        authors=[_zotero_name(person) for person in authors],
        venue=next((venue for name in venues if (venue := text(data.get(name)))), ""),
        year=text(data.get("date")) or text(at(fields, "meta", "parsedDate")),
        url=text(data.get("url")) or text(at(fields, "links", "alternate", "href")),
        keywords=[text(tag.get("tag")) for tag in items(data.get("tags"))],
        ids={
            "doi": text(data.get("DOI")) or (match[1] if (match := _DOI.search(extra)) else ""),
            "arxiv": arxiv_in(f"{extra} {text(data.get('archiveID'))}"),
            "pubmed": pubmed_in(extra),
        },
    )


def _zotero_name(person: Fields) -> str:
    family, given = text(person.get("lastName")), text(person.get("firstName"))
    return f"{family}, {given}" if family and given else family or text(person.get("name"))


def _papercopilot(fields: Fields, number: int, stem: str) -> Draft:
    """Read one paper of a conference's list; venue and year stand in the file's name (iclr2018.json)."""
    named = _FILE_NAME.search(stem.lower())
    bibtex = text(fields.get("bibtex"))
    written = re.search(r"year\s*+=\s*+[{\"]?\s*+((?:19|20)\d\d)", bibtex) or re.search(
        r"/((?:19|20)\d\d)/", text(fields.get("site"))
    )
    paper_id, site = text(fields.get("id")), text(fields.get("site"))
    openreview = (
        paper_id
        if not paper_id.isdigit()
        and (not site or "openreview" in site or fields.get("openreview") or "iclr.cc" in site)
        else ""
    )
    return Draft(
        number=number,
        title=text(fields.get("title")),
        abstract=text(fields.get("abstract")),
        authors=texts(fields.get("author"))
        or texts(fields.get("authors"))
        or texts(fields.get("author_site"), separators=","),
        venue=text(fields.get("venue")) or (_CONFERENCES.get(named[1], named[1].upper()) if named else ""),
        year=text(fields.get("year")) or (named[2] if named else written[1] if written else ""),
        url=text(fields.get("openreview")) or site,
        urls=[text(fields.get(name)) for name in ("site", "oa", "arxiv", "pdf")],
        keywords=texts(fields.get("keywords"), separators=";,"),
        ids={"openreview": openreview, "arxiv": text(fields.get("arxiv")), "doi": text(fields.get("doi"))},
        withdrawn="withdraw" in text(fields.get("status")).lower(),
    )


_CONFERENCES: Final[Mapping[str, str]] = MappingProxyType({"nips": "NeurIPS", "neurips": "NeurIPS", "corl": "CoRL"})


def _day(fields: Fields, *names: str) -> str:
    """Return the day of the first of these instants in milliseconds, YYYY-MM-DD, or an empty text."""
    from datetime import UTC, datetime

    milliseconds = next((ms for name in names if isinstance(ms := fields.get(name), int)), 0)
    try:
        return datetime.fromtimestamp(milliseconds / 1000, tz=UTC).date().isoformat() if milliseconds > 0 else ""
    except (OverflowError, OSError, ValueError):
        return ""


# The first that holds decides.
_SIGNS: Final[Mapping[str, Callable[[Fields], bool]]] = MappingProxyType(
    {
        "openreview": lambda fields: (
            bool(mapping(fields.get("content"))) and not fields.keys().isdisjoint(_OPENREVIEW_FIELDS)
        ),
        "openalex": lambda fields: (
            "abstract_inverted_index" in fields or text(fields.get("id")).startswith("https://openalex.org/")
        ),
        "semanticscholar": lambda fields: "paperId" in fields,
        "zotero": lambda fields: "itemType" in fields or "itemType" in mapping(fields.get("data")),
        "crossref": lambda fields: "DOI" in fields and isinstance(fields.get("title"), list),
        "csl": lambda fields: "title" in fields and not fields.keys().isdisjoint(_CSL_FIELDS),
        "papercopilot": lambda fields: "status" in fields and not fields.keys().isdisjoint(_PAPERCOPILOT_FIELDS),
    }
)

SHAPES: Final[Mapping[str, Callable[[Fields, int, str], Draft]]] = MappingProxyType(
    {
        "openreview": _openreview,
        "openalex": _openalex,
        "crossref": _crossref,
        "semanticscholar": _semantic_scholar,
        "csl": _csl,
        "zotero": _zotero,
        "papercopilot": _papercopilot,
    }
)
"""How to read an object, by the service's name; the arguments are its fields, its number and the file's stem."""
