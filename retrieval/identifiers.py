"""Recognise and normalise the identifiers by which the same paper is known in different places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote

__all__ = ["arxiv_in", "arxiv_version", "find_ids", "http_url", "landing_page", "normalised", "pubmed_in"]

_DOI: Final = re.compile(r"10\.\d{4,9}/[^\s\"<>]{1,300}")
_DOI_PREFIX: Final = re.compile(r"(?:doi:?\s*|(?:https?://)?(?:dx\.|www\.)?doi\.org/)*", re.IGNORECASE)
_ARXIV: Final = re.compile(
    r"(\d{4}\.\d{4,5}|[a-z][a-z-]{1,15}(?:\.[A-Z]{2})?/\d{7})(?:v(\d{1,3}))?(?:\.pdf)?", re.IGNORECASE
)
_ARXIV_PREFIX: Final = re.compile(
    r"(?:arxiv:\s*|(?:https?://)?(?:export\.|www\.)?arxiv\.org/(?:abs|pdf)/|(?:https?://)?doi\.org/)*"
    r"(?:10\.48550/arxiv\.)?",
    re.IGNORECASE,
)
_OPENREVIEW: Final = re.compile(r"[\w-]{5,40}")
_NUMBER: Final = re.compile(r"\d{1,9}")
_SEMANTIC_SCHOLAR: Final = re.compile(r"[0-9a-f]{40}")
_OPENALEX: Final = re.compile(r"W\d{3,14}")
_KEY: Final = re.compile(r"[\w./:+-]{3,200}")
_IN_URL: Final = (
    ("arxiv", re.compile(r"arxiv\.org/(?:abs|pdf|html)/([^\s?#]+)", re.IGNORECASE)),
    ("openreview", re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w-]+)", re.IGNORECASE)),
    ("pubmed", re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d+)", re.IGNORECASE)),
    ("pmc", re.compile(r"ncbi\.nlm\.nih\.gov/(?:pmc/)?articles/(PMC\d+)", re.IGNORECASE)),
    ("doi", re.compile(r"doi\.org/(10\.\d{4,9}/[^\s?#]+)", re.IGNORECASE)),
)
_URL: Final = re.compile(r"https?://[^\s<>\"`|\\^{}\x00-\x20\x7f\ud800-\udfff]{1,2000}", re.IGNORECASE)
_ARXIV_IN_TEXT: Final = re.compile(
    r"(?:\barXiv(?: preprint)?[: ]\s*(?:arXiv:)?|^abs/)(\d{4}\.\d{4,5}(?:v\d+)?)", re.IGNORECASE
)
_PUBMED_IN_TEXT: Final = re.compile(r"\bPMID: ?(\d{1,9})")


def normalised(scheme: str, value: str) -> str | None:
    """Return the one form in which an identifier is compared, or None when *value* is no such identifier.

    DOIs are lower case and bare; arXiv ids lose their version; PubMed ids are plain numbers.
    """
    reader = _READERS.get(scheme)
    return reader(value.strip()) if reader else None


def find_ids(given: Mapping[str, str], urls: Iterable[str] = ()) -> dict[str, str]:
    """Return the normalised identifiers among those *given* and in *urls*; what is given comes first.

    The DOI that arXiv registers for a preprint also names the preprint.
    """
    found: dict[str, str] = {}
    for scheme, value in given.items():
        if value and (form := normalised(scheme, value)):
            found.setdefault(scheme, form)
    for url in urls:
        for scheme, pattern in _IN_URL:
            if (match := pattern.search(url)) and (form := normalised(scheme, unquote(match[1]))):
                found.setdefault(scheme, form)
    if "arxiv" not in found and (form := _arxiv(found.get("doi", ""))):
        found["arxiv"] = form
    return found


def arxiv_version(value: str) -> int | None:
    """Return the version that an arXiv id or address names: 2 for "2501.00001v2"."""
    match = re.search(r"\dv(\d{1,3})(?:\.pdf)?$", value.strip())
    return int(match[1]) if match else None


def arxiv_in(text: str) -> str:
    """Return the arXiv id that a venue or a note names, with its version, or an empty text."""
    return match[1] if (match := _ARXIV_IN_TEXT.search(text)) else ""


def pubmed_in(text: str) -> str:
    """Return the PubMed number that a note names, or an empty text."""
    return match[1] if (match := _PUBMED_IN_TEXT.search(text)) else ""


def landing_page(ids: Mapping[str, str]) -> str | None:
    """Return where a paper with these identifiers can be read about, or None."""
    return next((page.format(ids[scheme]) for scheme, page in _PAGES.items() if scheme in ids), None)


def http_url(value: str) -> str | None:
    """Return *value* when it is an http(s) address and nothing else, or None."""
    value = value.strip()
    return value if _URL.fullmatch(value) else None


def _doi(value: str) -> str | None:
    match = _DOI.match(unquote(value), _DOI_PREFIX.match(value).end())  # type: ignore[union-attr]  # matches nothing too
    return match[0].rstrip(".,;)]}").lower() if match else None


def _arxiv(value: str) -> str | None:
    prefix = _ARXIV_PREFIX.match(value)
    match = _ARXIV.match(value, prefix.end() if prefix else 0)
    if match is None or value[match.end() : match.end() + 1].isalnum():
        return None
    archive, slash, number = match[1].lower().rpartition("/")
    return f"{archive.partition('.')[0]}{slash}{number}"  # math.CO/0501001 is math/0501001


def _whole(pattern: re.Pattern[str], prefix: str = "") -> Callable[[str], str | None]:
    def read(value: str) -> str | None:
        bare = value.rsplit("/", 1)[-1] if value.startswith("http") else value
        bare = bare[len(prefix) :] if prefix and bare.lower().startswith(prefix) else bare
        match = pattern.fullmatch(bare.strip())
        return match[0] if match else None

    return read


_READERS: Final[Mapping[str, Callable[[str], str | None]]] = MappingProxyType(
    {
        "doi": _doi,
        "arxiv": _arxiv,
        "openreview": _whole(_OPENREVIEW),
        "pubmed": _whole(_NUMBER, "pmid:"),
        "pmc": _whole(_NUMBER, "pmc"),
        "openalex": _whole(_OPENALEX),
        "semanticscholar": _whole(_SEMANTIC_SCHOLAR),
        "dblp": lambda value: match[0] if (match := _KEY.fullmatch(value.removeprefix("DBLP:"))) else None,
        "wos": _whole(re.compile(r"[A-Z0-9]{6,30}", re.IGNORECASE), "wos:"),
    }
)
_PAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "openreview": "https://openreview.net/forum?id={}",
        "arxiv": "https://arxiv.org/abs/{}",
        "doi": "https://doi.org/{}",
        "pubmed": "https://pubmed.ncbi.nlm.nih.gov/{}/",
        "pmc": "https://pmc.ncbi.nlm.nih.gov/articles/PMC{}/",
        "semanticscholar": "https://www.semanticscholar.org/paper/{}",
        "openalex": "https://openalex.org/{}",
    }
)
