"""One spelling for words that are spelled in two, so that "optimisation" and "optimization" are one term."""

from __future__ import annotations

import re

__all__ = ["american"]

_ISE = re.compile(r"^(.{3,})is(e|es|ed|ing|er|ers|ation|ations|able|ational)$")
# Words whose "ise" is no suffix: exercise, precise, otherwise, …
_NOT_ISE = re.compile(
    r"(?:exerc|prec|conc|prom|prem|enterpr|expert|surpr|comprom|superv|disgu|compr|franch|merchand|telev|improv|parad|"
    r"treat|circumc|porpo|torto|turquo|appra|upra|(?:like|other|clock|step|pair|element|point|layer|token)w)$"
    r"|^(?:adv|rev|dev|unw|dem|exc|inc|cru|bru|pra|fals)$"
)
_OUR = "behavi|misbehavi|col|fav|neighb|hum|tum|lab|harb|hon|rum|vap|flav|od|arm|endeav|sav|vig|rig|ferv"
_SPELLINGS = tuple(
    (re.compile(british), spelling)
    for british, spelling in (
        (rf"^({_OUR})our", r"\1or"),
        (r"yz(e|es|ed|ing|er|ers)$", r"ys\1"),
        (r"^(cent|fib|lit|met|theat|calib)re(s|d)?$", r"\1er\2"),
        (r"ogue(s?)$", r"og\1"),
        (r"haem", "hem"),
        (r"^oe(dem|str|soph)", r"e\1"),
        (r"^paed", "ped"),
        (r"aemi(a|c)", r"emi\1"),
        (r"^aetio", "etio"),
        (r"^foet", "fet"),
        (r"^programme(s?)$", r"program\1"),
        (r"^artefact", "artifact"),
        (r"^defence", "defense"),
        (r"^ageing$", "aging"),
        (r"^grey", "gray"),
    )
)
# Few words have anything of these, and one look for all is a fraction of one for each.
_ANY = re.compile("|".join(pattern.pattern for pattern in (_ISE, *(british for british, _ in _SPELLINGS))))


def american(word: str) -> str:
    """Return a folded *word* in one spelling of those that English has for it, most often the American one.

    Abstracts and questions both go through it, so that a wrong guess does no harm.
    """
    if not _ANY.search(word):
        return word
    match = _ISE.match(word)
    if match and not _NOT_ISE.search(match[1]):
        return f"{match[1]}iz{match[2]}"
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    return word
