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
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Fact:
    """A question about the whole collection.

    Attributes:
        topic: What the entries must mention, or the entry whose authors are wanted; empty for all.
        by: What to group by, for GROUPS: "venue", "year" or "keyword".
        since: When the new begins, as said ("monday", "last week"), for NEW.
        without: What the entries must not mention.
    """

    kind: FactKind
    topic: str = ""
    by: str = ""
    since: str = ""
    without: str = ""


_ENTRIES = r"(?:papers?|abstracts?|entries|entry|articles?|publications?|submissions?|documents?)"
_VENUES = r"(?:conferences?|venues?|journals?|proceedings|sources?)"
_COLLECTION = r"(?:the|your|this) (?:collection|index|list|data|database)"
_VERBS = (
    r"(?:mention|about|on|discuss|use|us|deal with|cover|talk about|contain|concern|propose|propos|study|studie|"
    r"address|addresse|involve|involv|with|related to|in)(?:s|ing)?"
)
_ABOUT = rf"(?:that |which |who )?(?:are |is |do )?{_VERBS}"
_HERE = (
    r"(?:\s+(?:are there|do you (?:have|know|cover|index|hold)|are (?:indexed|here|in here|covered)|is there|in total|"
    r"there are))?"
)
_TAIL = r"(?:\s+(?:do you (?:cover|have|know|index|include|hold)|are (?:covered|there|included|here|in here|indexed)))?"
_NOT = rf"(?:(?:that |which )?(?:do not|don't|don’t|never) {_VERBS}|without|not {_VERBS})"
_SUCH_ENTRIES = (
    rf"(?:(?P<adjective>\w[\w -]{{0,60}}?) )?{_ENTRIES}{_HERE}"
    rf"(?: {_NOT} (?P<without>.+)| {_ABOUT} (?P<topic>.+))?"
)
_LISTING = (
    r"(?:list|enumerate|give me (?:a|the) (?:full |complete )?list of|(?:show|name|give)(?: me)? all"
    r"|show (?:me )?(?:the )?(?:full|complete) list of)(?: me)?(?: all)?(?: of)?(?: the| your)?"
)
_OPEN = r"(?: their| its| the| a| public| open| source| link to)* (?:source )?code(?: (?:publicly|online|available))?"
_SHARE = r"(?:link to|have|share|release|provide|come with|publish|include|offer|with)"
_PER = r"(?:per|by|for each) (?P<by>venue|conference|year|topic|keyword|area)"
_WHEN = (
    r"(?:in )?(?:the )?(?P<since>today|yesterday|this (?:week|month)|(?:last|past) (?:\d+ )?(?:day|week|month)s?|"
    r"since .{1,30})"
)
_COURTESY = re.compile(r"^(?:(?:please|can|could|would|you|pls|hey|hi|kindly),?\s+)+", re.IGNORECASE)

_FORMS: tuple[tuple[FactKind, str], ...] = (
    (
        FactKind.GROUPS,
        rf"(?:how many |count |number of |show )?(?:the )?{_ENTRIES} (?:are there )?{_PER}",
    ),
    (FactKind.GROUPS, rf"(?:what|which) (?P<by>topic|keyword|area|year)s?{_TAIL}"),
    (FactKind.COUNT, rf"how many {_ENTRIES} (?:are|were|is)(?: there| here)?"),
    (FactKind.COUNT, rf"(?:how many|count(?: of)?|(?:what is )?(?:the )?number of)(?: of)?(?: the)? {_SUCH_ENTRIES}"),
    (FactKind.LIST, rf"{_LISTING} {_SUCH_ENTRIES}"),
    (FactKind.LIST, rf"(?:(?:which|what) )?{_ENTRIES} {_NOT} (?P<without>.+)"),
    (FactKind.LIST, rf"(?:what are )?all (?:the )?{_SUCH_ENTRIES}"),
    (FactKind.VENUES, rf"(?:which|what) {_VENUES}(?: and (?:years?|{_VENUES}))?{_TAIL}"),
    (FactKind.VENUES, rf"(?:which|what) {_VENUES} are (?:these|they|the {_ENTRIES}) from"),
    (FactKind.VENUES, rf"where (?:are|do) (?:these|the) {_ENTRIES} (?:come )?from"),
    (FactKind.CONTENTS, rf"what(?: is|'s) (?:in (?:here|there|{_COLLECTION})|{_COLLECTION} about|indexed)"),
    (FactKind.CONTENTS, rf"what (?:{_ENTRIES} )?do you (?:know(?: about)?|cover|have|contain)"),
    (FactKind.CONTENTS, rf"how (?:big|large|fresh|old|up to date) is {_COLLECTION}|what(?: is|'s) {_COLLECTION}"),
    (
        FactKind.AUTHORS,
        r"who (?:wrote|authored|published|is behind|are behind|made|created|came up with) (?P<topic>.+)",
    ),
    (FactKind.AUTHORS, r"(?:who (?:are|is) )?(?:the )?authors? (?:of|behind) (?P<topic>.+)"),
    (FactKind.NEW, rf"(?:what(?: is|'s)|show (?:me )?what(?: is|'s)|anything) new(?: here| in here)?(?: {_WHEN})?"),
    (
        FactKind.CODE,
        rf"(?:which|what|list|show)(?: me)?(?: all)?(?: the)? ?{_ENTRIES}?(?: that| which)? {_SHARE}{_OPEN}",
    ),
    (FactKind.CODE, rf"{_ENTRIES} (?:with|that link to|that share|linking to|sharing){_OPEN}"),
    (FactKind.CODE, rf"who (?:shares|releases|publishes|links to|provides){_OPEN}"),
    (FactKind.NEW, rf"(?:new|latest|recent) {_ENTRIES}(?: {_WHEN})?"),
)
_GRAMMAR = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _FORMS)
_BY = {"conference": "venue", "topic": "keyword", "area": "keyword"}
_WHOLE = re.compile(
    r"(?:^|\s)(?:in |of |from )?(?:here|(?:the|this|your) (?:collection|list|index|data|bot|database))$", re.IGNORECASE
)
_EXCEPT = re.compile(r"\s+(?:but not|and not|without|excluding|except(?: for)?)\s+", re.IGNORECASE)
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
            topic, _, without = _EXCEPT.sub("\0", _topic(groups), count=1).partition("\0")
            return Fact(kind, topic, _BY.get(by, by), groups.get("since", ""), without or groups.get("without", ""))
    return None


def _topic(groups: dict[str, str]) -> str:
    adjective = " ".join(w for w in groups.get("adjective", "").split() if w.lower() not in _NOT_A_TOPIC)
    return " ".join(part for part in (adjective, _WHOLE.sub("", groups.get("topic", "")).strip()) if part)
