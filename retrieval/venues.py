"""One table of the names under which a venue goes, for reading, filtering and merging alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from retrieval.text.analysis import fold

__all__ = ["VENUE_ALIASES", "canonical_venue", "is_preprint_server"]

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

_PREPRINT_SERVERS: Final = frozenset(
    {"arxiv", "biorxiv", "medrxiv", "chemrxiv", "ssrn", "openreview", "research square"}
)
_PROCEEDINGS: Final = re.compile(
    r"^(?:in )?(?:the )?(?:(?:proceedings|proc\.?) of (?:the )?)?(?:(?:19|20)\d\d )?(?:ieee/cvf |acm |ieee )?"
    r"(?:(?:\d+(?:st|nd|rd|th)|(?:[a-z]+-)?[a-z]*(?:first|second|third|th)) )?(?:annual )?"
    r"(?:(?:acm |ieee )?(?:sigkdd |international )?conference on"
    r" (?=knowledge|computer vision and|recommender|empirical))?"
)
_TAIL: Final = re.compile(r"\s*(?:\(.*\)|(?:19|20)\d\d|\d+|:.*)$")


@lru_cache(maxsize=1 << 14)
def canonical_venue(name: str) -> str:
    """Return the folded name under which a venue is compared: "NIPS" is "neurips".

    Proceedings count as their conference where the table knows it; any other name is only folded.
    """
    folded = " ".join(fold(name).split())
    if folded in VENUE_ALIASES:
        return VENUE_ALIASES[folded]
    bare = _TAIL.sub("", _PROCEEDINGS.sub("", folded))
    return VENUE_ALIASES.get(bare, VENUE_ALIASES.get(f"annual {bare}", folded))


def is_preprint_server(name: str) -> bool:
    """Tell whether *name* is where preprints are put rather than where papers appear."""
    canonical = canonical_venue(name)
    return canonical in _PREPRINT_SERVERS or canonical.startswith(("arxiv:", "arxiv preprint", "arxiv e-print"))
