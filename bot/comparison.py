"""Find the two sides of a comparison. Pure."""

from __future__ import annotations

import re

__all__ = ["sides"]

_LEAD = (
    r"(?:(?:what(?:'s| is| are)?|explain|describe|tell me|show me)\s+)?(?:the\s+)?(?:main\s+|key\s+)?(?:differences?|distinction)"
    r"(?:\s+is|\s+are)?\s+between"
)
_VERSUS = r"(?:vs\.?|versus|compared (?:to|with|against))"
_ASKED = (
    r"(?:how (?:do|does|are|is) (?:they|these|those|the two|it|both) (?:differ\w*|different|compare|relate)"
    r"|what (?:distinguishes|separates|sets) (?:them|these|the two)(?: apart)?"
    r"|what(?:'s| is) the difference|which (?:is|one is|works) (?:better|faster|best))"
)
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_LEAD}\s+(?P<a>.+?)\s+and\s+(?P<b>.+)",
        r"compare\s+(?P<a>.+?)\s+(?:and|with|to|against|vs\.?|versus)\s+(?P<b>.+)",
        rf"(?:how (?:do|does|is|are)\s+)?(?P<a>.+?)\s+{_VERSUS}\s+(?P<b>.+?)",
        r"how (?:do|does|is|are)\s+(?P<a>.+?)\s+(?:differ(?:ent)?|distinct)(?:\s+from)?\s+(?P<b>.+)",
        r"how (?:do|does)\s+(?P<a>.+?)\s+compare\s+(?:to|with|against)\s+(?P<b>.+)",
        r"(?:how|in what way) (?:do|are)\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)\s+(?:differ|different|compare|related)",
        rf"(?P<a>[^:;?]+?)\s+(?:and|or|vs\.?|versus)\s+(?P<b>[^:;?]+?)(?:\s+are both\b[^:;?]*)?\s*[:;,?]\s*{_ASKED}.*",
    )
)


def sides(question: str) -> tuple[str, str] | None:
    """Return what is compared with what, as typed; None when *question* is no comparison."""
    text = " ".join(question.split()).rstrip("?.! ")
    for form in _FORMS:
        if match := form.fullmatch(text):
            return match["a"].strip(), match["b"].strip()
    return None
