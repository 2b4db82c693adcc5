"""One table of the names under which a venue goes, for reading, filtering and merging alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from retrieval.text.analysis import fold

__all__ = ["VENUE_ALIASES", "bare_venue", "canonical_venue", "is_preprint_server"]

VENUE_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nips": "neurips",
        "neural information processing systems": "neurips",
        "advances in neural information processing systems": "neurips",
        "international conference on learning representations": "iclr",
        "international conference on machine learning": "icml",
        "conference on language modeling": "colm",
        "knowledge discovery and data mining": "kdd",
        "sigkdd": "kdd",
        "the web conference": "www",
        "thewebconf": "www",
        "webconf": "www",
        "acm recsys": "recsys",
        "recommender systems": "recsys",
        "annual meeting of the association for computational linguistics": "acl",
        "empirical methods in natural language processing": "emnlp",
        "aaai conference on artificial intelligence": "aaai",
        "international joint conference on artificial intelligence": "ijcai",
        "computer vision and pattern recognition": "cvpr",
        "international conference on computer vision": "iccv",
        "european conference on computer vision": "eccv",
        "artificial intelligence and statistics": "aistats",
        "arxiv.org": "arxiv",
        "corr": "arxiv",
        "biorxiv : the preprint server for biology": "biorxiv",
    }
)
"""The folded name under which a venue is compared, by its other folded names."""

_CANONICAL: Final = frozenset(VENUE_ALIASES.values()) | frozenset(
    "naacl eacl coling sigir cikm wsdm corl uai colt tmlr".split()
)
_PREPRINT_SERVERS: Final = frozenset(
    {"arxiv", "biorxiv", "medrxiv", "chemrxiv", "ssrn", "openreview", "research square"}
)
_PROCEEDINGS: Final = re.compile(
    r"^(?:in )?(?:the )?(?:(?:proceedings|proc\.?) of (?:the )?)?(?:(?:19|20)\d\d )?(?:ieee/cvf |acm |ieee )?"
    r"(?:(?:\d+(?:st|nd|rd|th)|(?:[a-z]+-)?[a-z]*(?:first|second|third|th)) )?(?:annual )?"
    r"(?:(?:acm |ieee )?(?:sigkdd |international )?conference on"
    r" (?=knowledge|computer vision and|recommender|empirical))?"
)
_TAIL: Final = re.compile(r"(?<![\s,])[\s,]*(?:\(.*\)|['’]?\d+|:.*)$")
_APART: Final = re.compile(r"\b(?:workshops?|companion|tutorials?|findings)\b")
# OpenReview's groups are addresses: "ICLR.cc/2025/Conference", "robot-learning.org/CoRL/2023/Conference".
_GROUP: Final = re.compile(
    r"(?:[\w-]+\.[a-z]{2,6}/)?([a-z][\w-]*)(?:\.[a-z]{2,6})?/(?:19|20)\d\d/conference(?:/(?:withdrawn_|blind_)?submission)?",
    re.IGNORECASE,
)
_DECIDED: Final = re.compile(
    r"(?:accepted (?:by|at|to) )?((?!submitted )\S.{0,78}?) (?:19|20)\d\d(?: conference)?"
    r"(?: \(?(?:oral|poster|spotlight|talk|regular|main|accept|long|short|notable top[ -]\d+%|oral ?poster|"
    r"spotlight ?poster|(?:withdrawn |blind )?submission)\)?)*",
    re.IGNORECASE,
)
_ACCEPTED: Final = re.compile(r"accepted (?:by|at|to) (\S+)", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def canonical_venue(name: str) -> str:
    """Return the folded name under which a venue is compared: "NIPS" is "neurips".

    Proceedings count as their conference where the table knows it; any other name is only folded.
    """
    folded = " ".join(fold(name).split())
    if folded in VENUE_ALIASES:
        return VENUE_ALIASES[folded]
    bare = bare_venue(_PROCEEDINGS.sub("", folded))
    while not _APART.search(bare) and (shorter := _TAIL.sub("", bare)) != bare:
        bare = shorter
    if bare in _CANONICAL:
        return bare
    return VENUE_ALIASES.get(bare, VENUE_ALIASES.get(f"annual {bare}", folded))


def bare_venue(name: str) -> str:
    """Return the name of a conference as OpenReview writes it without year and decision: "ICLR" for "ICLR 2025 Poster".

    Its groups count as their conference, "ICLR.cc/2025/Conference" is "ICLR"; any other name comes back as it is.
    """
    name = name.strip()
    match = _GROUP.fullmatch(name) or _DECIDED.fullmatch(name) or _ACCEPTED.fullmatch(name)
    return match[1].rstrip(" ,") if match else name


def is_preprint_server(name: str) -> bool:
    """Tell whether *name* is where preprints are put rather than where papers appear."""
    canonical = canonical_venue(name)
    return canonical in _PREPRINT_SERVERS or canonical.startswith(("arxiv:", "arxiv preprint", "arxiv e-print"))
