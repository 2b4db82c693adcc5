"""Where an abstract links to code, or says that there is some."""

from __future__ import annotations

from collections.abc import Sequence

from retrieval.cues import CUE_PATTERNS

__all__ = ["code_in", "is_link"]


def code_in(sentences: Sequence[str]) -> int | None:
    """Return which of *sentences*, from 0, is the first that does; None for none."""
    return next((n for n, sentence in enumerate(sentences) if CUE_PATTERNS["code"].search(sentence)), None)


def is_link(sentence: str) -> bool:
    """Tell whether a sentence that does has an address."""
    return "://" in sentence
