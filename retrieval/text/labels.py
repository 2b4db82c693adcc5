"""Label an entry that came without a title, in its authors' own words."""

from __future__ import annotations

import re
from typing import Final

from retrieval.text.names import TRIGGER, Introduction, find_introduction
from retrieval.text.sentences import sentences

__all__ = ["MAX_LABEL_CHARS", "UNTITLED", "derived_label", "system_name"]

MAX_LABEL_CHARS: Final = 90
UNTITLED: Final = "Untitled abstract"

_SURE: Final = 3.0
_MIN_LABEL_CHARS: Final = 30
_MIN_ABOUT_CHARS: Final = 12
_FINDING: Final = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study)) (?:\w+ly )?"
    r"(?:show|prove|find|demonstrate|argue|study|investigate|examine|analy[sz]e|formali[sz]e|formulate)(?:s|d|ies)? "
)
_SPOKEN: Final = re.compile(r"[Ww]e|[Tt]h|[Ii]n")
_LEADING: Final = re.compile(r"[,:;—–-]\s*|(?:that|to|how|instead|is|as|which is)\s+", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:an?|the) ", re.IGNORECASE)
_POINTS_BACK: Final = re.compile(r"(?:this|these|those|it|its|both|such|their|our|and|or|[)\]]) ?", re.IGNORECASE)
_AIM: Final = re.compile(r"(?:,? (?:we|this paper|this work)\b|:)", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"(?:[,;:](?= )| [—–-](?= )| (?=(?:which|that|where|whose|and then|while) ))")
_PHRASE_END: Final = re.compile(r" (?=(?:for|via|by|through|using|to|with|and|in|based|over|under) )")
_DANGLING: Final = re.compile(
    r"(?:[\s,;:—–(-]+|\s(?:and|or|that|which|of|the|an?|in|on|by|to|for|with|from|as|show(?:s|ing)?|prov(?:e|ing)|can|is|are|"
    r"we|introduced|such|both|comprising|followed))+$"
)


def system_name(abstract: str) -> str | None:
    """Return the name that the authors give what they propose (PreDiff, DML-IL, Neural Effect Search), or None.

    Args:
        abstract: Display text.
    """
    introduction = _introduction(abstract)
    return introduction.name if introduction else None


def derived_label(abstract: str) -> str:
    """Return a label of at most `MAX_LABEL_CHARS` for an abstract without a title, never empty.

    The system's name and what it is, when the abstract names one; else what is proposed or shown; else how the abstract
    begins. Cut where a clause ends or, with an ellipsis, between two words. `UNTITLED` when there is no text.

    Args:
        abstract: Display text.
    """
    introduction = _introduction(abstract)
    label = _named(abstract, introduction) if introduction else _capitalised(_topic(abstract))
    return _cut(label) or UNTITLED


def _introduction(abstract: str) -> Introduction | None:
    introduction = find_introduction(abstract)
    return introduction if introduction and introduction.score >= _SURE else None


def _named(abstract: str, introduction: Introduction) -> str:
    following = _rest(abstract, introduction.end)
    if introduction.long_form:
        comma = following if following.startswith(",") else ""
        return f"{introduction.name}: {introduction.long_form}{comma}"
    about = _stripped(following)
    if len(about) < _MIN_ABOUT_CHARS or _POINTS_BACK.match(about):
        about = _aim(abstract, introduction) or about or _rest(abstract, 0)
    return f"{introduction.name}: {about}" if about else introduction.name


def _aim(abstract: str, introduction: Introduction) -> str:
    """Return what the sentence says before it comes to the name, or nothing when that says little."""
    start = max((span.start for span in sentences(abstract) if span.start < introduction.end), default=0)
    before = abstract[start : introduction.end - len(introduction.name)]
    aim = next((before[: match.start()] for match in _AIM.finditer(before)), "").strip()
    return aim if len(aim) >= _MIN_LABEL_CHARS and not _POINTS_BACK.match(aim) else ""


def _topic(abstract: str) -> str:
    """Return what the abstract says it proposes, else what it shows, else its first sentence."""
    proposed = list(TRIGGER.finditer(abstract))
    spoken = [match for match in proposed if _SPOKEN.match(match[0])]
    for statement in (*spoken, *_FINDING.finditer(abstract), *proposed):
        about = _stripped(_rest(abstract, statement.end()))
        if len(about) >= _MIN_LABEL_CHARS and not _POINTS_BACK.match(about):
            return about
    return _rest(abstract, 0)


def _rest(text: str, start: int) -> str:
    """Return what follows *start* in its sentence, without the final stop."""
    end = next((span.end for span in sentences(text) if span.end > start), len(text))
    return text[start:end].strip().rstrip(" .。!…")


def _stripped(text: str) -> str:
    """Return *text* without the words that tie it to what came before, and without its article."""
    for pattern in (_LEADING, _LEADING, _ARTICLE):
        if (match := pattern.match(text)) is not None:
            text = text[match.end() :]
    return text.strip()


def _capitalised(text: str) -> str:
    word = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if word.islower() else text


def _cut(text: str) -> str:
    if len(text) <= MAX_LABEL_CHARS:
        return text
    for pattern in (_CLAUSE_END, _PHRASE_END):
        places = [match.start() for match in pattern.finditer(text, _MIN_LABEL_CHARS, MAX_LABEL_CHARS + 1)]
        if places and len(whole := _DANGLING.sub("", text[: places[-1]])) >= _MIN_LABEL_CHARS:
            return whole
    room = text[: MAX_LABEL_CHARS - 1]
    return _DANGLING.sub("", room[: room.rfind(" ")] if " " in room else room) + "…"
