"""Where an abstract links to code, or says that there is some."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["CODE", "code_in", "is_link"]

CODE = re.compile(r"https?://|\b(?:source )?code\b.*\bavailable|publicly available|github", re.IGNORECASE)
"""What a sentence says that does."""


def code_in(sentences: Sequence[str]) -> int | None:
    """Return which of *sentences*, from 0, is the first that does; None for none."""
    return next((n for n, sentence in enumerate(sentences) if CODE.search(sentence)), None)


def is_link(sentence: str) -> bool:
    """Tell whether a sentence that does has an address."""
    return "://" in sentence
