"""What kind of sentence a question asks for, told by its words. Pure."""

from __future__ import annotations

import re

__all__ = ["Intents", "asked_quantity", "asks_in_words", "intents", "is_comparison", "outcome_of"]

Intents = frozenset[str]
"""Keys of `retrieval.cues.PRIORS`."""


def _rx(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ASKS = _rx(
    r"^(?:and |so |but |ok |please )?(?:what|which|who|whom|whose|how|is|are|was|were|do|does|did|can|could|has|have|will|should|"
    r"would|might|may|where|when|why|tell|show|list|explain|describe|define|remind|find|any)\b|^(?:in|on|by|for|under|to) (?:which|what|how)\b|\?\s*$"
)
_BEGINS = _rx(
    r"(?:and |so |but |ok |please )?(?:what|which|who|whom|whose|how|is|are|was|were|do|does|did|can|could|has|have|will|should|would|"
    r"might|may|where|when|why)\b"
)
_YES_NO = _rx(
    r"^(?:and |so |but )?(?:is|are|was|were|do|does|did|can|could|has|have|will|should|would|might|may)\b(?! (?:there any|you|anyone|someone)\b)"
)
_LIST = _rx(
    r"\b(?:papers?|works?|articles?|abstracts?|anything|something|everything|studies)\b.{0,12}\b(?:on|about|using|that|with)\b"
    r"|\bwhat do you have\b|^who (?:uses|works|studies)\b|^which (?:papers?|works?|abstracts?|experiments)\b"
)
_DEFINE = _rx(
    r"\bdescribe\b|\bexplain\b|\bwhat(?:'?s| is| are| does)\b|^define\b|^(?:can|could|who|please).*\btell\b"
    r"|tell me about|remind me|=\s*\?|stands? for|\bmeans?\b|\bacronym\b|\babout\?|\bwhat (?:it|that|this|\w+) is\b"
)
_DANGLING = _rx(
    r"(?<!stands )(?<!stand )(?<!it )\b(?:with|on|by|in|from|to|over|for)\?*$|\b(?:does|do|did)\b(?!.*\b(?:mean|stand|is)\b)"
)
_COUNTED = _rx(r"\bhow many (\w+)")
_COMPARE = _rx(r"\b(?:differences?|differ|different|distinguish\w*|versus|vs\.?|compare)\b|^\S+(?: \S+)? or \S+")
_NUMBER = _rx(
    r"\bhow (?:many|much|often|large|big|small|slow|slowly|fast|long)\b|\b(?:what|which) (?:percent\w*|rates?|f1\S*|accuracy|"
    r"number|factor|fraction|share|size|gains?|improvement)\b|\bby (?:what|how)\b|\bpercentage\b|\b(?:relative|absolute) gain\b|\bf1\b"
)
_DATA = _rx(
    r"\b(?:data ?sets?|benchmarks?|corpora|evaluated|tested|validated|experiments|(?:real|\w+|on what) data|tasks?)\b"
    r"|\b(?:on|with) what\b.*\b(?:evaluate|test|validate)\b|\b(?:evaluate|test|validate)(?: \w+){0,3} (?:on|with)\W*$"
)
_METHOD = _rx(r"^(?:and )?how (?:do|does|did|is|are|can)\b(?!.*\b(?:compare|differ|different|perform)\b)")
_RESULT = _rx(
    r"\b(?:baselines?|outperform\w*|state.of.the.art|perform(?:s|ance)?|results?|better than|find(?:s|ings?)?)\b"
)
_CODE = _rx(r"\b(?:code|repo(?:sitory)?|github|open.?source|publicly|released?|download)\b")
_LIMIT = _rx(r"\b(?:limit(?:s|ed|ation\w*)|challenges?|shortcomings?|drawbacks?|motivat\w*|existing)\b")
_EFFECT = _rx(
    r"\b(?:effects?|impact|influence) of (?P<cause>.+?)(?: (?:compared|relative) (?:with|to) (?P<other>.+?))? on (?P<outcome>.+?)\??$"
)


def intents(text: str, n_terms: int) -> Intents:
    """Return what kinds of sentence the question *text* asks for.

    Args:
        n_terms: How many content terms it has; a question of one term asks what that is.
    """
    text = text.strip()
    asks = bool(_ASKS.search(text))
    if not asks and text.endswith(".") and len(text.split()) > 3:
        return frozenset({"claim"})
    if _EFFECT.search(text):
        return frozenset({"effect"})
    if _LIST.search(text):
        return frozenset({"topic"})
    if (
        (_COMPARE.search(text) and not _RESULT.search(text))
        or (n_terms <= 1 and not (asks and _specific(text)))
        or len(text.split()) == 1
        or (n_terms <= 4 and _DEFINE.search(text) and not _DANGLING.search(text) and not _specific(text))
    ):
        return frozenset({"define"})
    if not asks:
        return frozenset({"topic"}) | _specific(text) & {"data", "code"}
    return _specific(text) | {"yesno" if _YES_NO.search(text) else "seek"}


def _specific(text: str) -> Intents:
    table = {"number": _NUMBER, "data": _DATA, "method": _METHOD, "result": _RESULT, "code": _CODE, "limit": _LIMIT}
    return frozenset(name for name, pattern in table.items() if pattern.search(text))


def asks_in_words(text: str) -> bool:
    """Tell whether *text* begins as a question does ("what is …", "do they …"), and not as the name of a topic.

    "Which papers are about …" names one.
    """
    return bool(_BEGINS.match(text.strip())) and not _LIST.search(text)


def is_comparison(text: str) -> bool:
    """Tell whether *text* sets two things side by side."""
    return bool(_COMPARE.search(text.strip()))


def outcome_of(text: str) -> str:
    """Return the outcome in "the effect of A (compared with B) on the outcome"; empty for other questions."""
    match = _EFFECT.search(text.strip())
    return match["outcome"] if match else ""


def asked_quantity(text: str) -> str:
    """Return the noun that is counted in "how many nouns"; empty for other questions."""
    match = _COUNTED.search(text)
    return match[1] if match else ""
