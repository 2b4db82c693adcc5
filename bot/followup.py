"""Tell a follow-up from a new question, by its words alone. Pure.

A follow-up leans on what is on the table: on one entry ("how many datasets?", "does it need labels?"), on the
results as a set ("which of them is about ecology?"), or on the topic ("and for federated settings?").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.text.analysis import fold

__all__ = ["Leaning", "Reading", "read_followup"]


class Leaning(StrEnum):
    """What a question leans on."""

    NOTHING = "nothing"
    ENTRY = "entry"
    RESULTS = "results"
    TOPIC_OR_ENTRY = "topic or entry"


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question is to be taken.

    Attributes:
        leaning: What it leans on.
        text: The question without the words that only point back.
    """

    leaning: Leaning
    text: str


_FROM_RESULTS = re.compile(
    r"\b(?:which|who|what|any|one|ones|some|all|none|both|either|each)\s+(?:ones?\s+)?(?:of\s+)?(?:them|these|those)\b"
    r"|\bof (?:them|these|those|the (?:above|results|papers listed))\b|^which ones?\b|\bamong (?:them|these|those)\b",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"^(?:and|but|or|so|also|ok(?:ay)?,?)?,?\s*(?:(?:what|how) about|and|also)\b\s*", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\bit(?:'s| is| was)? (?:possible|true|known|clear|safe|feasible|better|worth|necessary|common|hard|easy|that)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(r"\b(?:it|its|it's|they|their|theirs|them)\b", re.IGNORECASE)
_THING = r"(?:papers?|methods?|models?|approach(?:es)?|work|frameworks?|algorithms?|systems?|studies|study|abstracts?|one|authors?|techniques?)"
_POINTING = re.compile(
    rf"\b(?:this|that|these|those|the same|said) {_THING}\b"
    r"|^(?:and |so |but )?(?:is|are|was|were|does|do|did|can|could|would|will|has|have|how does|how is|why is|what does) "
    r"(?:this|that|these|those)\b"
    r"|\b(?:about|of|for|with|on|do|mean by|is|to) (?:this|that|these|those)\s*[?.!]*$"
    r"|\bthe (?:authors?|paper)\b",
    re.IGNORECASE,
)
# What every paper has: a question made of nothing else is about the paper on the table.
_ATTRIBUTES = frozenset(
    """
    ablation ablations accuracy achieve achieved algorithm algorithms assume assumption assumptions author authors
    available baseline baselines benchmark benchmarks big biggest called code complexity compare compared comparison
    contribution cost dataset datasets data domain domains drawback drawbacks evaluate evaluated evaluation experiment
    experiments extensive f1 fast faster find finding findings gain gains get gpu gpus guarantee guarantees github
    hardware hyperparameters idea improve improvement improvements improves key large larger latency limitation
    limitations link main many measure measured method metric metrics model much name named number numbers open
    outperform outperforms parameters percent performance public rate rates real released repo repository result
    results runtime sample samples scale score scores setting size slow slower source speed speedup synthetic task
    tasks test tested theory tokens train trained training use used uses using work works world
    """.split()
)
_SCAFFOLD = frozenset(
    """
    a about actually all also am an and any are as at be been but by can could did do does exactly for from good had
    has have how i if in into is just long me more of on only or please really say so still than that the then there
    these this those to too use was we were what when where which who whose why with would you
    """.split()
)
_WHOLE_COLLECTION = frozenset(
    {"papers", "abstracts", "entries", "articles", "anyone", "anybody", "somebody", "someone"}
)
_MAX_WORDS_BEFORE = 2
_WORD = re.compile(r"\w+")


def read_followup(question: str) -> Reading:
    """Tell what *question* leans on, whether or not there is anything on the table.

    The caller decides what to do when the talk has no entry to be about, and when the question, for all its
    pronouns, names another entry.
    """
    if _FROM_RESULTS.search(question):
        return Reading(Leaning.RESULTS, _FROM_RESULTS.sub(" ", question).strip())
    if match := _CONTINUES.match(question):
        return Reading(Leaning.TOPIC_OR_ENTRY, question[match.end() :])
    if _points_back(question) or _has_no_subject(question):
        return Reading(Leaning.ENTRY, question)
    return Reading(Leaning.NOTHING, question)


def _points_back(question: str) -> bool:
    """Tell whether a pronoun stands where nothing in the question itself can be what it means."""
    plain = _EXPLETIVE.sub(" ", question)
    places = [match.start() for match in (_POINTING.search(plain), _PERSONAL.search(plain)) if match]
    if not places:
        return False
    before = _subject_words(plain[: min(places)])
    return len(before) <= _MAX_WORDS_BEFORE and before.isdisjoint(_WHOLE_COLLECTION)


def _has_no_subject(question: str) -> bool:
    words = _WORD.findall(fold(question))
    asks = len(words) > 1 or question.rstrip().endswith("?") or not _ATTRIBUTES.isdisjoint(words)
    return bool(words) and asks and not _subject_words(question)


def _subject_words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text))) - _SCAFFOLD - _ATTRIBUTES
