"""Read feeds: Atom and RSS from 0.9 to 2.0, among them arXiv's answers and daily lists, and Zotero's Atom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, Final

import feedparser

from retrieval.errors import SourceError
from retrieval.formats.draft import WITHDRAWAL, Draft, finished
from retrieval.formats.source import Limits, SourceFile
from retrieval.formats.values import items, mapping, text
from retrieval.people import split_names
from retrieval.records import Fault, Record

__all__ = ["looks_like_feed", "read_feed"]

_FIRST: Final = re.compile(r"<(?:\w+:)?(?:rss|feed|RDF|entry)[\s>]")
_ENTITY: Final = re.compile(r"<!(?:DOCTYPE[^>\[]*+\[|ENTITY)")
_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
# Controls, surrogates and what is past the last character: to refer to one spoils a whole document.
_BAD_REFERENCE: Final = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcef]|1[0-9a-f]|d[89a-f][0-9a-f]{2}|[2-9a-f][0-9a-f]{5,}|1[1-9a-f]"
    r"[0-9a-f]{4,}|[0-9a-f]{7,})|0*(?:5529[6-9]|55[3-9]\d\d|5[67]\d{3})|\d{8,});",
    re.IGNORECASE,
)
_ARXIV_TITLE: Final = re.compile(r"\.? *\(arXiv:(\S+) \[[^\]]*\][^)]*\)$")
_ANNOUNCED: Final = re.compile(r"^\s*arXiv:(\S+) Announce Type: \S+\s+Abstract:\s*")
_TAG: Final = re.compile(r"<[^<>]*>")
_AFFILIATION: Final = re.compile(r"(?<!\s)\s*\([^()]*\)")
# A comment may be about another paper that was withdrawn.
_WITHDRAWN: Final = re.compile(
    rf"\b{WITHDRAWAL}|(?:^|[.;:]) ?(?:(?:the |this )?(?:paper|article|submission|manuscript|work) )?(?:has been )?"
    r"(?:withdrawn|retracted)\b(?! (?:arxiv|paper|article))",
    re.IGNORECASE,
)
_XML_TAG: Final = re.compile(r"<(/?)([A-Za-z][\w:.-]*+)([^<>]*+)>")
_ARXIV_HOST: Final = re.compile(r"\barxiv\.org\b", re.IGNORECASE)


def looks_like_feed(head: str) -> bool:
    """Tell whether *head*, the beginning of a file, is a feed or one entry of one."""
    return head.lstrip("\ufeff \t\r\n").startswith("<") and _FIRST.search(head) is not None


def read_feed(source: SourceFile) -> Iterator[Record | Fault]:
    """Yield what each entry gives; an entry that reports an error is a fault.

    A feed that is cut off or not well-formed gives what can be made out, and a fault that says so.

    Raises:
        SourceError: If the feed declares entities or cannot be read at all.
    """
    data = _BAD_REFERENCE.sub("", _XML_DECLARATION.sub("", source.text(), count=1)).replace("\0", "")
    if _ENTITY.search(data, 0, 1 << 16):
        raise SourceError(source.path, "declares XML entities, which are not read")
    try:
        parsed = _parsed(data)
        complaint = _complaint(parsed)
        entries = items(_parsed(_closed(data)).entries if complaint else parsed.entries)
    except ValueError as exc:
        raise SourceError(source.path, f"is not a feed that can be read: {exc}") from exc
    if complaint is not None:
        line = getattr(complaint, "getLineNumber", lambda: None)()
        if not entries:
            raise SourceError(source.path, "is not a feed that can be read: it is not well-formed XML", line=line)
        reason = "the feed is cut off or not well-formed here; the entries were kept as far as they go"
        yield Fault(reason, line=line, refused=False)
    feed = mapping(parsed.feed)
    journal, day = text(feed.get("title")), text(_exactly(feed, "updated"))
    for number, entry in enumerate(entries, start=1):
        if "/api/errors" in text(entry.get("id")):
            yield Fault(f"the feed reports an error: {text(entry.get('summary'))[:200]}", number)
        else:
            yield from finished(_draft(entry, number, journal, day), "feed")


def _parsed(data: str) -> Any:
    """Return what the parser makes of a feed.

    Raises:
        ValueError: If it fails; on damaged feeds it does so with whatever error its parts meet.
    """
    try:
        return feedparser.parse(data.encode("utf-8", "replace"), sanitize_html=False, resolve_relative_uris=False)
    except Exception as exc:
        raise ValueError(f"the parser fails with {type(exc).__name__}") from exc


def _closed(data: str) -> str:
    """Return *data* with its open elements closed, so that the parser gives the last one of a feed that was cut off."""
    open_tags: list[str] = []
    for closing, name, rest in _XML_TAG.findall(data[: data.rfind(">") + 1]):
        if closing and open_tags and open_tags[-1] == name:
            open_tags.pop()
        elif not closing and not rest.endswith("/"):
            open_tags.append(name)
    return data + "".join(f"</{name}>" for name in reversed(open_tags[-Limits.NESTING :]))


def _complaint(parsed: Any) -> Exception | None:
    """Return what the parser found wrong with a feed, apart from how it was served."""
    exc = parsed.bozo_exception if parsed.bozo else None
    served = type(exc).__name__ in {"CharacterEncodingOverride", "NonXMLContentType"}
    return exc if isinstance(exc, Exception) and not served else None


def _exactly(fields: Mapping[str, object], name: str) -> object:
    """Return a field by its own name: the parser's objects would give "published" for "updated"."""
    return dict.get(fields, name) if isinstance(fields, dict) else None


def _draft(entry: Mapping[str, object], number: int, journal: str, day: str) -> Draft:
    link, entry_id = text(entry.get("link")), text(entry.get("id"))
    title, summary = _oneline(text(entry.get("title"))), _summary(entry)
    named, announced = _ARXIV_TITLE.search(title), _ANNOUNCED.match(summary)
    arxiv = next((found[1] for found in (named, announced) if found), "")
    from_arxiv = bool(arxiv or _ARXIV_HOST.search(f"{link} {entry_id}"))
    zotero = "zapi_itemtype" in entry
    remarks = [_oneline(text(entry.get(name))) for name in ("arxiv_comment", "arxiv_announce_type")]
    return Draft(
        number=number,
        title=title[: named.start()] if named else title,
        abstract="" if zotero else summary[announced.end() :] if announced else summary,
        authors=[] if zotero else _authors(entry),
        venue=text(entry.get("prism_publicationname") or entry.get("dc_source"))
        or ("arXiv" if from_arxiv else "" if zotero else journal),
        year=text(entry.get("zapi_parseddate") or entry.get("published") or _exactly(entry, "updated") or day),
        url=link,
        urls=[entry_id],
        keywords=[text(tag.get("term")) for tag in items(entry.get("tags"))],
        ids={
            "arxiv": arxiv or (entry_id if from_arxiv else ""),
            "doi": text(entry.get("arxiv_doi") or entry.get("prism_doi") or entry.get("dc_identifier")),
        },
        updated=text(_exactly(entry, "updated")),
        withdrawn=any(_WITHDRAWN.search(remark) for remark in remarks),
    )


def _summary(entry: Mapping[str, object]) -> str:
    contents = [text(part.get("value")) for part in items(entry.get("content"))]
    return max([text(entry.get("summary")), *contents], key=len)


def _authors(entry: Mapping[str, object]) -> list[str]:
    """Return the names; some feeds put them all in one element, with links and affiliations."""
    names = [text(author.get("name")) for author in items(entry.get("authors"))] or [text(entry.get("author"))]
    if len(names) > 1:
        return names
    return split_names(_AFFILIATION.sub("", unescape(_TAG.sub("", names[0]))))


def _oneline(title: str) -> str:
    return " ".join(title.split())
