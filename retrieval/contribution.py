"""Which sentence of an abstract says what is new in the paper: what it contributes, not why it was written. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from retrieval.cues import CUE_PATTERNS
from retrieval.text.analysis import terms

__all__ = ["contribution"]

_OFFERS = re.compile(
    r"\b(?:we|paper|work|article|study)\b[^.;:]{0,40}?\b(?:propos|introduc|present|develop|design|devis|describ|releas)\w*"
    r"|\b(?:is|are) (?:proposed|introduced|presented)\b",
    re.IGNORECASE,
)
_SO_FAR = re.compile(
    r"^(?:however|yet|existing|although|despite|while|prior|previous|current|traditional|most|many|recent(?:ly)?)\b",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"^(?:extensive |our |the |these )*(?:experiment|result|evaluation|empirical|simulation)|\boutperform|^overall\b"
    r"|\bour (?:code|data|implementation)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"^\W*(?:\w+ ){0,2}(?:further(?:more)?|additionally|moreover|finally|second|also)\b", re.IGNORECASE
)
_OFFERED = 2.0
_DONE = 1.0
_OF_TITLE = 2.5
_NAMED = 0.7
_BACKGROUND = -1.5
_FOUND = -1.0
_ADDED = -0.7
_EARLIER = 0.2  # of two that say as much, the earlier introduces it


def contribution(sentences: Sequence[str], *, title: str, name: str | None) -> int:
    """Return the place, from 0, of the sentence that says what the paper brings.

    Looked for is a sentence in which the authors offer something ("we propose"), in the words of the title or with the
    name of the system; background and outcomes come after that. Of equals the earlier wins.

    Args:
        sentences: At least one.
        title: As published; empty when there is none.
        name: What the authors call their system, if anything.
    """
    wanted = frozenset(terms(title))
    scores = [_score(one, wanted, name) - _EARLIER * at / len(sentences) for at, one in enumerate(sentences)]
    return max(range(len(sentences)), key=lambda at: scores[at])


def _score(sentence: str, wanted: Collection[str], name: str | None) -> float:
    score = 0.0
    if _OFFERS.search(sentence):
        score += _OFFERED
    elif CUE_PATTERNS["contribution"].search(sentence):
        score += _DONE
    if wanted:
        score += _OF_TITLE * len(set(terms(sentence)) & set(wanted)) / len(wanted)
    if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence):
        score += _NAMED
    if _SO_FAR.search(sentence):
        score += _BACKGROUND
    if _OUTCOME.search(sentence):
        score += _FOUND
    if _FURTHER.search(sentence):
        score += _ADDED
    return score
