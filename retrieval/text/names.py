"""Find the name that authors give to what they propose, in the words of their abstract."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["TRIGGER", "Introduction", "find_introduction"]

_WE: Final = (
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study)|(?:[Tt]he|[Oo]ur) (?:paper|work)|[Ii]n this (?:paper|work),?|"
    r"(?:[Tt]o|[Aa]nd|[Bb]y|[Tt]hen|[Hh]ere))"
)
_VERBS: Final = (
    r"(?:propos(?:e|es|ed|ing)|introduc(?:e|es|ed|ing)|present(?:s|ed|ing)?|develop(?:s|ed|ing)?|design(?:s|ed|ing)?|"
    r"formali[sz](?:e|es|ed|ing)|describe[sd]?|build(?:s|ing)?|built|construct(?:s|ed|ing)?|creat(?:e|es|ed|ing)|"
    r"releas(?:e|es|ed|ing)|contribut(?:e|es|ed|ing)|provid(?:e|es)|unveil(?:s|ed)?|curate[sd]?|"
    r"put forward|devise[sd]?|offers?|explore|leverage|advocate|coin)"
)
TRIGGER: Final = re.compile(
    rf"{_WE}(?: [a-z]+ly)?(?: further| then| also| thus| here| instead| first| next)? {_VERBS}\b:? "
)
_KINDS: Final = "method|framework|model|approach|algorithm|system|solution|benchmark|dataset|architecture|pipeline"
_CALLED: Final = re.compile(
    r"\b(?:called|named|termed|dubbed|coined|christened|denoted(?: as| by)?|abbreviated as|namely|as|"
    r"(?:we|which we|that we) (?:call|name|term|dub|refer to as)(?: it| (?:this|our|the) [a-z -]{1,40}?)?(?: as)?|"
    rf"[Oo]ur [a-z -]{{0,40}}?(?:{_KINDS}),(?: called| named)?) "
)
_WORD: Final = r"[^\W_](?:[\w+*@/’'‑‐.-]*[\w+*])?"
_TOKEN: Final = re.compile(_WORD)
_ARTICLE: Final = re.compile(r"(?:an?|the|our|two|three|several) ", re.IGNORECASE)
_CAPITALISED: Final = r"[A-Z](?:[\w+*@/’'‑‐.-]*[\w+*])?"
_TITLE_PHRASE: Final = re.compile(
    rf"{_CAPITALISED}(?:(?: (?:of|for|and|with|via|the|in|to|by|from|on|as|a)){{0,2}} (?:{_CAPITALISED}|[0-9]\w*))+"
)
_ASIDE: Final = re.compile(r"^\s*[(\[]([^()\[\]]{2,160})[)\]]")
_NEXT_ASIDE: Final = re.compile(r"[^()\[\].;]{3,160}?\(([^()\[\]]{2,40})\)")
_APPOSITION: Final = re.compile(
    rf"[a-z][a-zA-Z ‑-]{{3,100}}?(?:,|:|\b(?:{_KINDS})s?,?) "
    rf"({_WORD})(?=, | \(|: |\.$|\. | that | which | and [A-Z]| to )"
)
_PAIR: Final = re.compile(rf"\b[Ww]e [^.:;]{{3,140}}: ({_WORD}) and {_WORD}(?=[.,])")
_EXPLAINED: Final = re.compile(r", (?:an?|the|our|one|which|that|where) | \(|:")
_AFTER_NAME: Final = re.compile(
    r"\s*(?:$|[,(:;.)–—\[]|- |(?:that|which|to|as|and|for|with|by|in|on|is|where|via|from|using|based|whose|through|"
    r"over|of|under|or|consisting)\b)"
)
_KIND: Final = re.compile(
    rf" ?(?:{_KINDS}|suite|toolkit|library|network|estimator|corpus|platform|environment|paradigm|strategy|loss|"
    r"optimi[sz]er|attack|module|protocol|agent|metric)s?\b"
)
# Fields, tools and tasks that everybody writes in capitals; nobody proposes them.
_GENERIC_NAMES: Final = """
    1D 2D 3D 4D AI API ASR ATE BERT BO CATE CLIP CMR CNN CNNS COT CPU DAG DAGS DNA DNN DNNS DPO ECG EEG FID FL
    FMRI FRS GAN GANS GNN GNNS GP GPS GPT GPT-4 GPT-4O GPU GPUS GRPO GUI HTE ICL IID IL IMAGENET IV IVS KL KV LLM
    LLM-BASED LLMS LORA LRM LRMS LVLM LVLMS MAS MCP MCTS MDP MDPS MIA ML MLLM MLLMS MLP MLPS MOE MRI NERF NLI NLP
    OCR ODE OOD PCA PDE PDES PEFT POMDP PPO QA RAG RL RLHF RLVR RNA RNN RNNS SAE SAES SCM SCMS SDE SFT SGD SOTA
    SQL SSM SSMS SVD T2I TKG TPP TTS UQ VAE VAES VIT VITS VLM VLMS VQA XAI
"""
_GENERIC: Final = frozenset(_GENERIC_NAMES.split())
_MODIFIER: Final = re.compile(
    r"[-‑](?:based|aware|driven|guided|free|level|style|specific|like|agnostic|wise|efficient|enhanced|augmented|powered|"
    r"centric|oriented|invariant|order|to|as|of|time|shot|step|scale|world|theoretic|optimal|parametric|informed|enabled|"
    r"regularized|conditioned|generated|induced|tuning|training|modal|view|resolution)$"
)
_PREPOSITION_NAMES: Final = """
    for of in to with on using via from by based that which under over through between towards toward at into
"""
_PREPOSITIONS: Final = frozenset(_PREPOSITION_NAMES.split())


@dataclass(frozen=True, slots=True)
class Introduction:
    """Where an abstract first names what it proposes.

    Attributes:
        name: As the authors write it.
        long_form: What the name stands for, when it is spelled out beside it; else empty.
        end: Offset behind the name, and behind its long form in brackets.
        score: How sure it is: how it was introduced, and how often it is named.
    """

    name: str
    long_form: str
    end: int
    score: float


def find_introduction(text: str) -> Introduction | None:
    """Return the surest introduction of a name in display text, the earliest of equals, or None."""
    found = [*_proposed(text), *_called(text)]
    return max(found, key=lambda each: (each.score, -each.end), default=None)


def _proposed(text: str) -> list[Introduction]:
    found: list[Introduction] = []
    for trigger in TRIGGER.finditer(text):
        # What is proposed first, and by "we", is what the rest is about.
        weight = (1.0 if trigger[0][:2].lower() in {"we", "th", "in"} else 0.5) + (0.0 if found else 1.0)
        start = trigger.end()
        article = _ARTICLE.match(text, start)
        each = _named_at(text, start, weight)
        if each is None and article is not None:
            each = _named_at(text, article.end(), weight - 0.5, article=True)
        if each is None or " " in each.name:
            after = article.end() if article else start
            each = _acronym_after(text, after, weight) or each or _apposed(text, start, weight)
        found += [each] if each else []
    return found


def _apposed(text: str, start: int, weight: float) -> Introduction | None:
    """Return the name behind a description: a new element, ASIDE, that …; two learners: FD-Learner and R-Learner."""
    phrase = _APPOSITION.match(text, start)
    if phrase is None or not _is_coined(phrase[1].rstrip(".")):
        return None
    name = phrase[1].rstrip(".")
    return _introduction(text, name, phrase.start(1) + len(name), weight + 2)


def _called(text: str) -> list[Introduction]:
    found = []
    for phrase in _CALLED.finditer(text):
        weak = phrase[0] == "as "
        start = phrase.end()
        article = _ARTICLE.match(text, start)
        each = _named_at(text, start, 0.0 if weak else 1.0) or (
            article and _named_at(text, article.end(), 0.0, article=True)
        )
        if each is not None and (not weak or each.long_form):
            found.append(each)
    for pair in _PAIR.finditer(text):
        if _is_coined(pair[1]):
            found += [Introduction(pair[1], "", pair.end(1), 3 + _mentions(text, pair[1]))]
    return found


def _named_at(text: str, start: int, weight: float, *, article: bool = False) -> Introduction | None:
    """Return the name that stands at *start*; after an article it needs a word for its kind: the StruBI algorithm."""
    while start < len(text) and text[start] in "\"“‘'`":
        start += 1
    token = _TOKEN.match(text, start)
    if token is None:
        return None
    end = token.end()
    name = token[0].rstrip(".")
    if _is_coined(name) and (
        _KIND.match(text, end) if article else _AFTER_NAME.match(text, end) or _KIND.match(text, end)
    ):
        return _introduction(text, name, start + len(name), weight + 3)
    if not article and weight > 0 and _is_proper(name) and _EXPLAINED.match(text, start + len(name)):
        return _introduction(text, name, start + len(name), weight + 2)
    if article and _is_coined(name) and (each := _introduction(text, name, start + len(name), weight + 2)).long_form:
        return each
    phrase = _TITLE_PHRASE.match(text, start)
    if phrase is None or article or not _AFTER_NAME.match(text, phrase.end()):
        return None
    return _introduction(text, phrase[0], phrase.end(), weight + 1)


def _introduction(text: str, name: str, end: int, base: float) -> Introduction:
    """Add what stands in brackets behind the name: its long form, or the short form of a phrase."""
    closing = end + 1 if text[end : end + 1] in {'"', "”", "’", "'"} else end
    aside = _ASIDE.match(text[closing : closing + 180])
    if aside is None:
        return Introduction(name, "", closing, base + _mentions(text, name))
    content, after = aside[1].strip(), closing + aside.end()
    if _is_coined(content) and " " not in content and " " in name:
        if content[0].lower() == name[0].lower() and not _is_generic(content):
            return Introduction(content, name, after, base + 2.5 + _mentions(text, content))
        return Introduction(name, "", after, base + _mentions(text, name))
    spelled = content if " " in content and _abbreviates(name, content) else ""
    return Introduction(name, spelled, after, base + (1 if spelled else 0) + _mentions(text, name))


def _acronym_after(text: str, start: int, weight: float) -> Introduction | None:
    """Return the acronym in brackets behind the phrase at *start*, when the phrase is what it stands for."""
    aside = _NEXT_ASIDE.match(text, start)
    if aside is None:
        return None
    name = aside[1].split(",")[0].strip()
    long_form = _long_form(text[start : aside.start(1) - 1].strip(' "“”'), name)
    if not _is_coined(name) or " " in name or _is_generic(name) or not long_form:
        return None
    return Introduction(name, long_form, aside.end(), weight + 3.5 + _mentions(text, name))


def _long_form(phrase: str, name: str) -> str:
    """Return the end of *phrase* that *name* abbreviates; what comes before it may only be adjectives."""
    words = phrase.split()
    for index, word in enumerate(words):
        if word.lower() in _PREPOSITIONS:
            following = words[index + 1 : index + 2]
            if word == "of" and following and following[0][0].isupper():
                continue
            return ""
        if word[0].lower() == name[0].lower() and _abbreviates(name, " ".join(words[index:])):
            return " ".join(words[index:])
        if word[0].isupper():
            return ""
    return ""


def _abbreviates(name: str, phrase: str) -> bool:
    """Tell whether the letters of *name* occur in *phrase* in order, beginning with its first."""
    letters = [character for character in name.lower() if character.isalpha()]
    if letters and letters[-1] == "s" and name[-1] == "s":
        letters.pop()
    rest = iter(phrase.lower())
    return bool(letters) and phrase[:1].lower() == letters[0] and all(letter in rest for letter in letters)


def _is_coined(name: str) -> bool:
    """Tell a name that was made up (PreDiff, DML-IL, nnU-Net) from a word."""
    if len(name) < 2 or len(name) > 40 or _is_generic(name) or _MODIFIER.search(name):
        return False
    capitals = sum(character.isupper() for character in name)
    inner = sum(character.isupper() or character.isdigit() for character in name[1:])
    parts = re.split(r"[-‑]", name)
    if len(parts) > 1 and all(part[1:].islower() or not part[1:] for part in parts) and "".join(parts).isalpha():
        return capitals == len(parts) and all(len(part) < 5 for part in parts)
    return capitals > 0 and inner > 0


def _is_proper(name: str) -> bool:
    """Tell a word with a capital that is used as a name, as in "we present Polaris, a framework"."""
    return len(name) > 2 and name[0].isupper() and not _is_generic(name) and not _MODIFIER.search(name)


def _is_generic(name: str) -> bool:
    return name.upper().strip("-‑") in _GENERIC


def _mentions(text: str, name: str) -> float:
    return min(text.count(name), 6) * 0.5
