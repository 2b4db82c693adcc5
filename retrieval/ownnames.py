"""What the authors of an entry call their own work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.cues import CUE_PATTERNS
from retrieval.text.analysis import initials, terms

__all__ = ["own_names"]

_ACRONYM = re.compile(r"\(([A-Z][\w-]*[A-Z]\w*)\)")


def own_names(title: str, name: str, sentences: Sequence[str]) -> frozenset[str]:
    """Return the terms that an entry's work is called by, in one word each.

    Args:
        title: As published; empty when it was derived. What stands before its colon may be a name.
        name: Of the system, or several with commas between them; empty when unknown. A long one has initials.
        sentences: Of the abstract. Where one says what is proposed, an acronym in brackets is its name.
    """
    head, colon, _ = title.partition(":")
    called = [*name.split(","), head if colon else ""]
    for sentence in sentences:
        # Few sentences have such a bracket, and looking for one is quick.
        if (found := _ACRONYM.findall(sentence)) and CUE_PATTERNS["contribution"].search(sentence):
            called += found
    called.append(initials(name) if len(name.split()) > 2 else "")
    single = [terms(word)[:1] for word in called if len(word.split()) == 1]
    return frozenset(term for listed in single for term in listed)
