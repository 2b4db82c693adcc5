"""How the macros of LaTeX that take arguments are written as plain text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["DROPPED", "MACROS", "Macro", "accent", "script"]

DROPPED: Final = "\x05"
"""Stands where something was dropped, so that the blank before it can go too."""

_COMBINING: Final[Mapping[str, str]] = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "b": "\u0331",
    "d": "\u0323", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "breve": "\u0306",
    "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a",
}  # fmt: skip
_DOUBLE_STRUCK: Final = str.maketrans("CHNPQRZ", "ℂℍℕℙℚℝℤ")
_SIMPLE_SCRIPT: Final = re.compile(r"[-+−]?\d+(?:\.\d+)?|[^\W\d_]+|[^\s()]")
_RAISED: Final = frozenset(("°", "′", "″", "∗", "⋆", "†", "‡", "th", "st", "nd", "rd"))
_ATOM: Final = re.compile(r"[\w.∞%′]+(?:\^[\w∗]+)?|\([^()]*\)|[^\W_]+\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Macro:
    """What to do with a macro's arguments.

    Attributes:
        arity: How many arguments it takes, at least 1.
        write: Its text, from the text of its arguments; gets fewer than *arity* when the source ends early.
        braceless: Whether a single character or macro may stand for a braced argument.
    """

    arity: int
    write: Callable[[Sequence[str]], str]
    braceless: bool = False


def accent(name: str) -> Macro | None:
    """Return how the accent macro *name* (`'`, `"`, `c`, `hat` …) is written, or None when it is none."""
    mark = _COMBINING.get(name)
    return None if mark is None else Macro(1, lambda args: _accented(args[0], mark), braceless=True)


def script(mark: str) -> Macro:
    """Return how a braced superscript (*mark* `^`) or subscript (`_`) is written: bare when short, else in ()."""
    return Macro(1, lambda args: _scripted(mark, args[0].strip()))


def _accented(base: str, mark: str) -> str:
    letter = {"ı": "i", "ȷ": "j"}.get(base.strip(), base.strip())
    # A mark over a whole expression has no form in plain text; the expression is what matters.
    return unicodedata.normalize("NFC", letter + mark) if len(letter) == 1 and letter.isalpha() else base


def _scripted(mark: str, content: str) -> str:
    if not content or (mark == "^" and content in _RAISED):
        return content
    if content == "∘":
        return "°"
    if _SIMPLE_SCRIPT.fullmatch(content) or (content[0] == "(" and content[-1] == ")" and content.count("(") == 1):
        return mark + content
    return f"{mark}({content})"


def _fraction(args: Sequence[str]) -> str:
    parts = [part.strip() for part in args]
    return "/".join(part if _ATOM.fullmatch(part) else f"({part})" for part in parts)


def _link(args: Sequence[str]) -> str:
    address, text = args[0].strip(), args[-1].strip()
    return address if len(args) < 2 or not text or text == address else f"{text} ({address})"


def _root(args: Sequence[str]) -> str:
    content = args[0].strip()
    return f"√{content}" if _ATOM.fullmatch(content) else f"√({content})"


def _note(args: Sequence[str]) -> str:
    content = args[0].strip()
    return f" ({content})" if content else DROPPED


_KEPT_NAMES: Final = """
    textbf textit emph texttt textsc textrm textsf textsl textup textmd textnormal text underline uline mbox
    hbox fbox url path nolinkurl ensuremath section subsection paragraph title caption gls Gls acrshort acrlong
    ac num unit textsuperscript textsubscript lowercase uppercase MakeUppercase MakeLowercase hl sout st ul
    hyperref textbfit underbrace overbrace boxed smash mathop
"""
_STYLE_NAMES: Final = """
    mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathnormal boldsymbol bm pmb operatorname
    mathord mathbin mathrel
"""
_GONE_NAMES: Final = """
    todo cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite footcite yrcite nocite
    label ref eqref pageref cref Cref autoref vspace hspace thanks index color includegraphics bibliography
    bibliographystyle pagestyle thispagestyle phantom vphantom hphantom footnotemark input documentclass
    usepackage marginpar fixme
"""
_SECOND_NAMES: Final = """
    textcolor colorbox raisebox resizebox stackrel overset underset
"""
_FRACTION_NAMES: Final = """
    frac tfrac dfrac nicefrac sfrac cfrac
"""
_KEPT: Final = Macro(1, lambda args: args[0])
_KEPT_IN_MATH: Final = Macro(1, lambda args: args[0], braceless=True)
_GONE: Final = Macro(1, lambda _: DROPPED)
_SECOND: Final = Macro(2, lambda args: args[-1])
_FRACTION: Final = Macro(2, _fraction, braceless=True)

MACROS: Final[Mapping[str, Macro]] = {
    **dict.fromkeys(
        _KEPT_NAMES.split(),
        _KEPT,
    ),
    **dict.fromkeys(
        _STYLE_NAMES.split(),
        _KEPT_IN_MATH,
    ),
    **dict.fromkeys(
        _GONE_NAMES.split(),
        _GONE,
    ),
    **dict.fromkeys(_SECOND_NAMES.split(), _SECOND),
    **dict.fromkeys(_FRACTION_NAMES.split(), _FRACTION),
    "begin": Macro(1, lambda _: " "),
    "end": Macro(1, lambda _: " "),
    "texorpdfstring": Macro(2, lambda args: args[0]),
    "SI": Macro(2, " ".join),
    "qty": Macro(2, " ".join),
    "binom": Macro(2, lambda args: f"C({', '.join(args)})"),
    "footnote": Macro(1, _note),
    "enquote": Macro(1, lambda args: f"“{args[0]}”"),
    "say": Macro(1, lambda args: f"“{args[0]}”"),
    "href": Macro(2, _link),
    "mathbb": Macro(1, lambda args: args[0].translate(_DOUBLE_STRUCK), braceless=True),
    "mathds": Macro(1, lambda args: args[0].translate(_DOUBLE_STRUCK), braceless=True),
    "sqrt": Macro(1, _root, braceless=True),
}
