"""What the collection has to say to a question: a pure decision from what was asked for and what was found where.

Where one verdict ends and the next begins was set on judged questions; figures are in docs/decisions/0004-verdicts.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.model import Verdict
from retrieval.evidence import Evidence, KeyTerm

__all__ = ["coverage", "decide", "missing_words"]

_COVERED = 0.77  # share of the key terms that makes an answer
_CLOSE_COVERED = 0.55  # the same where question and entry are close in meaning as a whole
_CLOSE_DOCUMENT = 0.52
_ALIKE = 0.60  # cosine from which a word of the entry stands for one of the question
_ALIKE_CREDIT = 0.9
_UNLIKE = 0.2  # cosine of words that have nothing to do with each other
_RELATED = 0.9  # for the 38 entries that it was set on
_RELATED_GROWTH = 0.65  # for every tenfold of them
_SET_ON = 38
_IN_ITS_SENSE = 0.25
_ENOUGH = 0.5  # weight of a word that is rare in English or here
_HALF = 0.5


def decide(evidence: Evidence) -> Verdict:
    """Return the verdict on a question that is not for the bot itself.

    A name alone decides nothing: "Mars rover" has the name of a system and none of its words. A detail that the
    abstract does not give, or a number that is not there, rules out that the question is answered, whatever else is
    covered.
    """
    if evidence.on_table:
        return Verdict.ANSWERED if _is_covered(evidence) else Verdict.RELATED
    rest = [term for term in evidence.terms if not term.naming]
    named = len(rest) < len(evidence.terms)
    if named:
        is_meant = not evidence.asks_for_person and (not rest or _in_the_papers_sense(rest, evidence))
    else:
        is_meant = _says_enough(evidence) and _is_near(evidence)
    if not is_meant:
        return Verdict.NOTHING
    return Verdict.ANSWERED if _is_covered(evidence) else Verdict.RELATED


def coverage(terms: Sequence[KeyTerm]) -> float:
    """Return the share of the weight of *terms* that the entry has, near synonyms counted in part; 1 for no terms."""
    total = sum(term.weight for term in terms)
    return sum(term.weight * _credit(term) for term in terms) / total if total else 1.0


def missing_words(terms: Sequence[KeyTerm]) -> tuple[str, ...]:
    """Return the words to name as missing, in the order asked; words of any paper are not worth naming."""
    return tuple(term.word for term in terms if not term.general and not _credit(term))


def _says_enough(evidence: Evidence) -> bool:
    """Tell whether a question holds more than a common word or two, which would stand in some abstract anyhow."""
    said = sum(term.weight for term in evidence.terms)
    if not evidence.terms:
        return False
    return not evidence.asks or said >= _ENOUGH


def _is_near(evidence: Evidence) -> bool:
    return _relatedness(evidence) >= _RELATED + _RELATED_GROWTH * math.log10(evidence.size / _SET_ON)


def _relatedness(evidence: Evidence) -> float:
    """Return how near the question is to what the collection is about: a logistic model of four features, rounded."""
    nearness = 3.0 * evidence.document + 3.5 * evidence.sentence - 4.5 * evidence.elsewhere
    return nearness + 4.0 * _touched(evidence.terms)


def _touched(terms: Sequence[KeyTerm]) -> float:
    """Return the share of the weight of *terms* that the entry touches; a word like one of its own counts in part."""
    total = sum(term.weight for term in terms)
    likeness = [1.0 if term.matched else max(0.0, (term.likeness - _UNLIKE) / (1 - _UNLIKE)) for term in terms]
    return sum(term.weight * like for term, like in zip(terms, likeness, strict=True)) / total if total else 1.0


def _credit(term: KeyTerm) -> float:
    if term.matched:
        return 1.0
    return _ALIKE_CREDIT if term.likeness >= _ALIKE else 0.0


def _in_the_papers_sense(rest: Sequence[KeyTerm], evidence: Evidence) -> bool:
    """Tell whether a name is meant as the paper's: the rest touches the entry, or is said of nothing but research.

    A name that is not written as the paper writes it, and may be anybody's word, needs more of the rest.
    """
    if evidence.rest >= _IN_ITS_SENSE or any(term.technical for term in rest):
        return True
    if evidence.cased:
        return all(term.general for term in rest) or any(term.detail or _credit(term) for term in rest)
    matched = sum(term.weight * _credit(term) for term in rest)
    return matched >= _ENOUGH and coverage(rest) >= _HALF


def _is_covered(evidence: Evidence) -> bool:
    absent = [term for term in evidence.terms if not term.general and not _credit(term)]
    if evidence.quantity_missing or any(term.detail for term in absent):
        return False
    share = coverage(evidence.terms)
    return share >= _COVERED or (evidence.document >= _CLOSE_DOCUMENT and share >= _CLOSE_COVERED)
