"""What a sentence does in an abstract, told by its words and its place. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.code import CODE
from retrieval.intents import Intents

__all__ = ["CUES", "CUE_PATTERNS", "PRIORS", "SentenceCues", "column", "leans_back", "number_near", "prior"]


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NUMERAL = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|doubl\w+|half"
CUE_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "digit": re.compile(r"\d"),
    "quantity": _rx(rf"\d|\b(?:{_NUMERAL})\b"),
    "contribution": _rx(
        r"\b(?:we|paper|work|study|article) (?:\w+ )?(?:propose|introduce|present|develop|design|describe|formali[sz]e|instantiate|"
        r"study|construct|address|investigat\w+|formulate|argue)s?\b|\bis proposed\b"
    ),
    "result": _rx(
        r"\b(?:we|results?|experiments?|evaluations?|findings|analys[ie]s|evidence|data) (?:\w+ ){0,3}?(?:show|find|found|demonstrate|"
        r"suggest|indicate|reveal|observe|confirm|report|provide)\w*\b|\boutperform|state-of-the-art|\bachiev\w+"
    ),
    "background": _rx(
        r"^(?:however|yet|recent|existing|although|despite|while|prior|previous|current|traditional|most|many)\b|\b(?:is|are|has been|"
        r"remains?) (?:widely|fundamental|essential|crucial|central|unknown|unclear|poorly|a major|an important|often|typically)\b"
    ),
    "aim": _rx(
        r"\b(?:aim(?:ed)?|objective|purpose|sought|hypothes\w+|investigated whether|to (?:determine|evaluate|assess|compare|"
        r"investigate|examine)|was designed)\b"
    ),
    "procedure": _rx(
        r"\b(?:were (?:randomi[sz]ed|assigned|recruited|enrolled|included|measured|collected|assessed|divided|treated|performed)|was "
        r"(?:measured|performed|assessed|conducted|used)|randomly|patients? (?:were|received)|double-blind|we (?:used|measured|"
        r"performed|randomi|analy[sz]ed|recruited|enrolled|conducted))\b"
    ),
    "significance": _rx(
        r"\bsignifican\w+|\bp\s?[<=>≤]|\b(?:95\s?%? )?(?:CI|confidence interval)\b|\bno (?:\w+ )?(?:difference|effect|change)|"
        r"\bdid not\b|\bsimilar\b|\bnot differ"
    ),
    "comparison": _rx(
        r"\b(?:higher|lower|greater|less|more|fewer|better|worse|increas\w+|decreas\w+|reduc\w+|improv\w+|compared|versus|vs|than|"
        r"superior|inferior|differ\w*|similar)\b"
    ),
    "experiment": _rx(
        r"\b(?:data ?sets?|benchmarks?|corpora|experiments?|tasks|evaluations?|real-world data|data from|replay|synthetic)\b"
    ),
    "code": CODE,
    "limit": _rx(
        r"\b(?:however|limit\w*|challenge\w*|suffers?|fails?|lacks?|cannot|bottleneck\w*|yet|overlook\w*|restrictive|difficult)\b"
    ),
    "pronoun": _rx(
        r"^(?:it|this|these|both|they|such|that is|the resulting|the (?:method|framework|model|approach|latter)|our (?:method|"
        r"framework|approach|model|characterization))\b"
    ),
    "acronym": re.compile(
        r"\b[A-Za-z]\w+(?:[- ]\w+)* \((?:[A-Z][\w-]*[A-Z]\w*|[A-Z]+s?)\)|\([A-Z][a-z]*(?:[ -][A-Za-z]?[a-z]+)+\)|\b[A-Z]{3,}, an? "
    ),
    "means": _rx(r"\b(?:by|using|via|through|based on|leverag\w+|specifically|with a|consists?)\b"),
}
CUES = (*CUE_PATTERNS, "late", "late2", "introduces", "counted")
"""What is known of a sentence besides its terms: the patterns that it fits, its place (0 first, 1 last; and the square),
whether it is the first to mention the rarest term asked for, whether it has a number beside what is counted."""

_COLUMNS = {cue: number for number, cue in enumerate(CUES)}

PRIORS: Mapping[str, Mapping[str, float]] = {
    "claim": {
        "late": 5.5,
        "late2": -3.0,
        "background": -1.5,
        "aim": -5.0,
        "procedure": -4.0,
        "pronoun": -2.0,
        "significance": 0.75,
        "result": 0.5,
        "comparison": 1.0,
    },
    "effect": {"late": 6.5, "late2": -5.5, "aim": -2.75, "procedure": -2.0, "significance": 5.0, "comparison": 1.5},
    "yesno": {"late": 4.5, "late2": -2.0, "aim": -1.0, "procedure": -2.0},
    "seek": {"late": 1.0},
    "topic": {"contribution": 3.0, "background": -2.0},
    "define": {"contribution": 2.5, "background": -4.0, "acronym": 1.5, "introduces": 2.0},
    "number": {"digit": 3.0, "quantity": 5.0, "counted": 4.0},
    "data": {"experiment": 2.5, "late": 3.0},
    "code": {"code": 8.0},
    "limit": {"limit": 2.5},
    "method": {"means": 3.0, "result": -2.0},
    "result": {"result": 2.5, "late": 2.0},
}
"""What each cue is worth to each intent: a conditional logit, as McFadden's, fitted to
sentences that experts marked (docs/decisions/0003-choosing-the-quote.md), rounded."""


_LEANS_BACK = _rx(
    r"^(?:it|this|these|those|both|they|such|its|their|in particular|that is|here|moreover|furthermore|also|the (?:resulting|"
    r"former|latter|method|framework|model|approach))\b"
)


_SAME_THINGS = {"dataset": "(?:data ?set|benchmark|corpus|corpora)", "benchmark": "(?:data ?set|benchmark)"}


class SentenceCues:
    """The cues of an abstract's sentences; a pattern is looked for when it is first worth something to a question."""

    def __init__(self, sentences: Sequence[str]) -> None:
        """Look at *sentences*, all of one abstract."""
        self._sentences = sentences
        self._rows = np.zeros((len(sentences), len(CUES)), np.float32)
        self._looked_for: set[str] = set()
        place = np.arange(len(sentences)) / max(len(sentences) - 1, 1)
        self._rows[:, column("late")], self._rows[:, column("late2")] = place, place**2

    def rows(self, worth: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32, shape (sentences, len(CUES)), a copy: those cues that have some *worth*.

        The others may be 0 where they are there, and so may those that depend on a question.
        """
        for at in np.flatnonzero(worth[: len(CUE_PATTERNS)]):
            if (cue := CUES[at]) not in self._looked_for:
                self._rows[:, at] = [bool(CUE_PATTERNS[cue].search(sentence)) for sentence in self._sentences]
                self._looked_for.add(cue)
        return self._rows.copy()


def column(cue: str) -> int:
    """Return the column of *cue* in `SentenceCues.rows`."""
    return _COLUMNS[cue]


def prior(asked: Intents) -> NDArray[np.float32]:
    """Return float32, shape (len(CUES),): what each cue is worth to a question with the intents *asked*."""
    total = np.zeros(len(CUES), np.float32)
    for intent in asked:
        for cue, value in PRIORS.get(intent, {}).items():
            total[column(cue)] += value
    return total


def leans_back(sentence: str) -> bool:
    """Tell whether *sentence* begins with a word that only the sentence before explains ("It", "These")."""
    return bool(_LEANS_BACK.match(sentence))


def number_near(noun: str) -> re.Pattern[str]:
    """Return a pattern for a number within four words of *noun*, before or after it."""
    root = _SAME_THINGS.get(noun.lower().rstrip("s"), re.escape(noun.rstrip("s")))
    number, gap = rf"(?:\d[\d.,%]*|\b(?:{_NUMERAL})\b)", r"(?:\W+\w+){0,4}?\W+"
    return re.compile(rf"{number}{gap}{root}|\b{root}\w*{gap}{number}", re.IGNORECASE)
