"""Split display text into sentences: the units that are ranked, quoted and counted.

Rules of our own for the prose of abstracts, in which a full stop is a decimal point, an abbreviation, an initial, a
part of an address or of a name as often as it is an end. When in doubt two sentences stay one: a quote that is a little
long is still true.
"""

from __future__ import annotations

import re
from typing import Final

from retrieval.model import Span

__all__ = ["sentences"]

_CLOSERS: Final = "\"”’'»)\\]}」』）］"
_OPENERS: Final = "\"“‘'«(\\[{「『（［"
_STOP: Final = re.compile(
    rf"[.!?…]+[{_CLOSERS}]*(?: [\"”](?=\s|$))?(?=\s|$)"
    rf"|[。！？｡]+[{_CLOSERS}]*"
    rf"|(?<=[a-z)\]%0-9])[.!?][{_CLOSERS}]*(?=[A-Z][A-Za-z'’-]*[ ,])"
)
_BRACKET: Final = re.compile(r"[()\[\]]")
_LAST_TOKEN: Final = re.compile(rf"[^\s{_OPENERS}—–]+$")
_NEXT_WORD: Final = re.compile(rf"\s*[{_OPENERS}]*([^\W_][\w'’-]*)?")
_CONTINUATIONS: Final = frozenset(",;:)]=<>/±%")
_MAX_TOKEN: Final = 60
_MAX_ASIDE: Final = 300
# Looked at from where it stands and no further, so that the time taken stays linear.
_NEAR: Final = 8

_NEVER_NAMES: Final = """
    e.g eg i.e ie vs v.s cf c.f fig figs eq eqs eqn eqns sec sect secs ref refs tab approx resp viz w.r.t s.t a.k.a i.a
    eds var spp subsp ca dept univ esp incl excl suppl assoc
"""
_TITLE_NAMES: Final = """
    Dr Prof Mr Mrs Ms St Mt Gen Sen Rep Hon Rev Lt Col Sgt Capt Jan Feb Apr Aug Sept Oct Nov Dec
"""
_NUMBERED_NAMES: Final = """
    no nos p pp vol ver ed sp thm thms def defn prop lem cor alg app appx chap ch art biol chem phys rev
"""
_SOMETIMES_NAMES: Final = """
    etc al i.i.d iid u.s u.k u.s.a u.n e.u a.m p.m inc ltd co corp ph.d m.d d.c jr sr seq et max min avg std
    b.c a.d
"""
_STARTER_NAMES: Final = """
    a additionally after all although an and as at based because besides both building but by code compared crucially
    despite during each empirically existing experimental experiments extensive finally first for from further
    furthermore given here how however if importantly in instead interestingly it its many moreover most motivated
    nevertheless no notably on one our overall recent recently second several similarly since so specifically such that
    the their then there therefore these they third this those through thus to together two under unlike using we what
    when whether while with without yet
"""
_NEVER: Final = frozenset(_NEVER_NAMES.split())
_TITLES: Final = frozenset(_TITLE_NAMES.split())
_NUMBERED: Final = frozenset(_NUMBERED_NAMES.split())
_SOMETIMES: Final = frozenset(_SOMETIMES_NAMES.split())
_STARTERS: Final = frozenset(_STARTER_NAMES.split())
_DOTTED: Final = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
_ENUMERATOR: Final = re.compile(r"\(?(?:\d{1,2}|[ivx]{1,4})")
_ITEM_ONLY: Final = re.compile(r"\s*[(\[]?(?:\d{1,2}|[ivxIVX]{1,4}|[a-zA-Z])[)\].]{1,3}|[\W_]+")


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of *text* in order.

    They do not overlap, begin and end on a character that is not blank, and together hold every such character. Empty
    for blank text. Time is linear in the length of *text*.
    """
    spans = []
    start, depth, scanned = 0, 0, 0
    for stop in _STOP.finditer(text):
        depth = _depth(text, scanned, stop.end(), depth)
        scanned = stop.end()
        if _ends_sentence(text, start, stop) and not (depth and _is_aside(text, start, stop.end())):
            spans += _trimmed(text, start, stop.end())
            start, depth = stop.end(), 0
    return (*spans, *_trimmed(text, start, len(text)))


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    """Return the range without the blanks at its ends, or nothing when it is all blank."""
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    finish = start + len(piece.rstrip())
    return [Span(begin, finish)] if begin < finish else []


def _depth(text: str, start: int, end: int, depth: int) -> int:
    """Return how many brackets are open at *end*; one that was never opened, as in "1)", closes none."""
    for bracket in _BRACKET.finditer(text, start, end):
        depth = depth + 1 if bracket[0] in "([" else max(0, depth - 1)
    return depth


def _is_aside(text: str, start: int, end: int) -> bool:
    """Tell whether *end* lies inside brackets that soon close, and that the sentence did not begin with."""
    opened_at_start = text[start : min(end, start + _NEAR)].lstrip()[:1] in {"(", "["}
    following = _BRACKET.search(text, end, end + _MAX_ASIDE)
    return not opened_at_start and following is not None and following[0] in ")]"


def _ends_sentence(text: str, start: int, stop: re.Match[str]) -> bool:
    if stop.end() == len(text) or stop[0][0] in "。！？｡":
        return True
    if stop.end() - start < _MAX_TOKEN and _ITEM_ONLY.fullmatch(text, start, stop.end()) is not None:
        return False
    following = _NEXT_WORD.match(text, stop.end())
    word = (following and following[1]) or ""
    if not word:
        return text[stop.end() : stop.end() + _NEAR].lstrip()[:1] not in _CONTINUATIONS
    plain = word[0].islower() and not _is_name(word)
    if plain and (stop[0][0] in "!?…" or len(stop[0].rstrip()) > 1):
        return False
    if stop[0][0] != "." or stop[0].startswith(".."):
        return True
    token = _token(text, start, stop.start())
    glued = not text[stop.end()].isspace()
    return _is_new_start(word, token) if glued else _is_end(text, start, token, word, stop)


def _token(text: str, start: int, end: int) -> str:
    last = _LAST_TOKEN.search(text, max(start, end - _MAX_TOKEN), end)
    return last[0] if last else ""


def _is_name(word: str) -> bool:
    """Tell a name that begins in lower case (iTransformer, p53, nnU-Net) from a word."""
    return any(character.isupper() or character.isdigit() for character in word[1:])


def _is_new_start(word: str, token: str) -> bool:
    """Tell a lost blank ("system.We prove") from a dot inside a name ("torch.Tensor", "v1.Base")."""
    prose = token.isalpha() and token.islower() and len(token) > 5
    return word.lower() in _STARTERS or (prose and word[1:].islower() and len(word) > 1)


def _is_end(text: str, start: int, token: str, word: str, stop: re.Match[str]) -> bool:
    """Tell the end of a sentence from an abbreviation, an initial or the number of a list's item."""
    if _is_item_number(text, start, token, stop):
        return False
    starts = word[0].isupper() and word.lower() in _STARTERS
    if len(token) == 1 and token.isupper():
        return starts or (word[0].isupper() and not _follows_name(text, start, stop.start() - len(token)))
    bare = token.lower().rsplit("-", 1)[-1]
    if "." in token or not token.isupper():
        if bare in _NEVER or token in _TITLES or (bare in _NUMBERED and word[0].isdigit()):
            return False
        if bare in _SOMETIMES or _DOTTED.fullmatch(bare):
            return starts or (bare == "etc" and word[0].isupper())
    # "72.2% Acc. for": a short word with a capital is more often cut off than followed by a small letter.
    return not word[0].islower() or _is_name(word) or (len(token) > 1 and not (token.istitle() and len(token) <= 5))


def _follows_name(text: str, start: int, end: int) -> bool:
    """Tell whether what stands before an initial is a name, another initial or nothing."""
    while end > start and text[end - 1].isspace():
        end -= 1
    before = _token(text, start, end)
    return not before or before[0].isupper() or before in {"and", "by"}


def _is_item_number(text: str, start: int, token: str, stop: re.Match[str]) -> bool:
    if _ENUMERATOR.fullmatch(token) is None or len(stop[0]) > 1:
        return False
    end = stop.start() - len(token)
    before = text[max(start, end - _NEAR) : end].rstrip()
    return not before or before[-1] in ":;"
