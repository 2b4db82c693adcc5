"""Whether a text has the words of a phrase one after the other, one or many of them.

"causal graph" is mentioned by "causal graphs" and "Causal-graph", not by "graph of causes".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from retrieval.text.analysis import fold
from retrieval.text.spelling import american

__all__ = ["in_singular", "phrase_in"]

_WORD = re.compile(r"\w+")
_SHORTEST_PLURAL = 4


def in_singular(texts: Sequence[str]) -> str:
    """Return the words of *texts* in the singular, with blanks around each, and a line for each text."""
    return "\n".join(f" {' '.join(map(_singular, _WORD.findall(fold(text))))} " for text in texts)


def phrase_in(phrase: str) -> str:
    """Return what stands in the `in_singular` of a text that has the words of *phrase*; empty for no words."""
    return words if (words := in_singular([phrase])).strip() else ""


@lru_cache(maxsize=1 << 16)
def _singular(word: str) -> str:
    word = american(word)
    if len(word) > _SHORTEST_PLURAL and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > _SHORTEST_PLURAL and word.endswith("is"):  # analysis, analyses
        return word[:-2]
    if len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us", "ias")):
        word = word[:-1]
    return word[:-1] if word.endswith(("se", "she", "che", "xe", "ze")) else word  # bias, biases; batch, batches
