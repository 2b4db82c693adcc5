"""Questions about the collection as a whole, told from questions about its subject. Pure grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Fact", "FactKind", "parse_fact"]


class FactKind(StrEnum):
    """What is wanted of the whole collection."""

    CONTENTS = "contents"
    COUNT = "count"
    LIST = "list"
    VENUES = "venues"
    GROUPS = "groups"
    AUTHORS = "authors"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Fact:
    """A question about the whole collection.

    Attributes:
        topic: What the entries must mention, or the entry whose authors are wanted; empty for all.
        by: What to group by, for GROUPS: "venue", "year" or "keyword".
        since: When the new begins, as said ("monday", "last week"), for NEW.
    """

    kind: FactKind
    topic: str = ""
    by: str = ""
    since: str = ""


_ENTRIES = r"(?:papers?|abstracts?|entries|entry|articles?|publications?|submissions?|documents?)"
_ABOUT = (
    r"(?:that |which |who )?(?:are |is |do )?(?:mentions?|mentioning|about|on|discuss(?:es|ing)?|us(?:e|es|ing)|"
    r"deal(?:s|ing)? with|cover(?:s|ing)?|talk(?:s|ing)? about|contain(?:s|ing)?|concern(?:s|ing)?|"
    r"propos(?:e|es|ing)|stud(?:y|ies|ying)|address(?:es|ing)?|involv(?:e|es|ing)|with|related to|in)"
)
_HERE = r"(?:\s+(?:are there|do you (?:have|know|cover|index|hold)|are (?:indexed|here|in here|covered)|is there|in total|there are))?"
_VENUE = r"(?:conferences?|venues?|journals?|proceedings|sources?)"
_TAIL = r"(?:\s+(?:do you (?:cover|have|know|index|include|hold)|are (?:covered|there|included|here|in here|indexed)|is this))?"
_COURTESY = re.compile(r"^(?:(?:please|can|could|would|you|pls|hey|hi|kindly),?\s+)+", re.IGNORECASE)

_GRAMMAR: tuple[tuple[FactKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (FactKind.GROUPS, rf"(?:how many |count |number of |show )?(?:the )?{_ENTRIES} (?:are there )?(?:per|by|for each) (?P<by>venue|conference|year|topic|keyword|area)"),
        (FactKind.GROUPS, r"(?:what|which) (?P<by>topic|keyword|area|year)s?" + _TAIL),
        (FactKind.COUNT, rf"(?:how many|count(?: of)?|(?:what is )?the number of|number of)(?: of)?(?: the)? ?(?P<adjective>\w[\w -]{{0,60}}?)? ?{_ENTRIES}{_HERE}(?: {_ABOUT} (?P<topic>.+))?"),
        (FactKind.LIST, rf"(?:list|enumerate|give me (?:a|the) (?:full |complete )?list of|(?:show|name|give)(?: me)? all|show (?:me )?(?:the )?(?:full|complete) list of)(?: me)?(?: all)?(?: of)?(?: the| your)? ?(?P<adjective>\w[\w -]{{0,60}}?)? ?{_ENTRIES}{_HERE}(?: {_ABOUT} (?P<topic>.+))?"),
        (FactKind.LIST, rf"(?:what are )?all (?:the )?(?P<adjective>\w[\w -]{{0,60}}? )?{_ENTRIES}(?: {_ABOUT} (?P<topic>.+))?"),
        (FactKind.VENUES, rf"(?:which|what) {_VENUE}(?: and (?:years?|{_VENUE}))?{_TAIL}|(?:which|what) {_VENUE} are (?:these|they|the {_ENTRIES}) from|where (?:are|do) (?:these|the) {_ENTRIES} (?:come )?from"),
        (FactKind.CONTENTS, rf"what(?: is|'s) (?:in (?:here|there|this|the (?:collection|index|list)|your (?:collection|index|list))|the (?:collection|index|list) about|indexed)|what do you (?:know(?: about)?|cover|have|contain)|what {_ENTRIES} do you (?:have|know|cover)|how (?:big|large|fresh|old|up to date) (?:is|are) (?:the|your|this) (?:collection|index|list|data)|what (?:is|'s) your (?:collection|data|source)"),
        (FactKind.AUTHORS, r"(?:who (?:wrote|authored|published|is behind|are behind|made|created|came up with)|who (?:are|is) the authors?(?: of| behind)?|(?:the )?authors? of|who (?:are|is) (?:they|the people) behind) (?P<topic>.+)"),
        (FactKind.NEW, r"(?:what(?: is|'s)|show (?:me )?what(?: is|'s)|anything) new(?: here| in here)?(?: (?P<since>today|yesterday|this week|this month|last week|since .{1,30}))?|(?:new|latest|recent) " + _ENTRIES + r"(?: (?P<since2>since .{1,30}|today|this week|this month))?"),
    )
)  # fmt: skip
_BY = {"conference": "venue", "topic": "keyword", "area": "keyword"}
_WHOLE = re.compile(r"(?:^|\s)(?:in |of |from )?(?:here|(?:the|this|your) (?:collection|list|index|data|bot|database))$", re.IGNORECASE)
_NOT_A_TOPIC = frozenset({"all", "the", "of", "your", "different", "total", "more", "other", "new", "those", "these"})


def parse_fact(question: str) -> Fact | None:
    """Return what *question* wants of the whole collection; None when it asks about the subject.

    *question* comes without its conditions (venue, year, author), which `parse_question` takes out.
    """
    text = _COURTESY.sub("", " ".join(question.split()).rstrip("?!.。？ "))
    for kind, pattern in _GRAMMAR:
        if match := pattern.fullmatch(text):
            groups = {name: value or "" for name, value in match.groupdict().items()}
            by = groups.get("by", "").lower()
            return Fact(kind, _topic(groups), _BY.get(by, by), groups.get("since") or groups.get("since2", ""))
    return None


def _topic(groups: dict[str, str]) -> str:
    adjective = " ".join(w for w in groups.get("adjective", "").split() if w.lower() not in _NOT_A_TOPIC)
    return " ".join(part for part in (adjective, _WHOLE.sub("", groups.get("topic", "")).strip()) if part)
