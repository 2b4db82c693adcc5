"""Resolve the tags and entities of JATS and HTML; everything else between `<` and `>` is text."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["markup_to_text"]

_BLOCK_NAMES: Final = """
    p br hr div title sec label list list-item def-list disp-formula disp-quote table tr td th thead tbody
    caption fig ul ol li dl dt dd h1 h2 h3 h4 h5 h6 section article header footer abstract blockquote pre boxed-
    text
"""
_INLINE_NAMES: Final = """
    b i u s q a em strong sub sup span font small big code tt bold italic sc monospace underline overline strike
    del ins mark cite abbr xref ext-link uri email inline-formula alternatives tex-math named-content styled-
    content roman sans-serif math img graphic inline-graphic break wbr center kbd var samp nobr body html head
    inf
"""
_BLOCKS: Final = frozenset(_BLOCK_NAMES.split())
_INLINE: Final = frozenset(_INLINE_NAMES.split())
# Also a variable's name: "a<b" opens nothing, so these count only where something is closed.
_SHORT: Final = frozenset("biusqa")
_TAG: Final = re.compile(
    r"""<(?P<close>/?) (?:(?P<prefix>jats|mml|m|xhtml):)? (?P<name>[A-Za-z][A-Za-z0-9-]{0,20}+)
        (?:\s++ [\w:.-]{1,40}+ \s*+ = \s*+ (?:"[^"<>]{0,400}+"|'[^'<>]{0,400}+'|[^\s"'<>=]{1,200}+) ){0,12}+
        \s*+ /?+ >""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"<!--(?:[^-<]|-(?!->)|<(?!!--)){0,5000}+-->|<!\[CDATA\[|\]\]>|<\?[^<>]{0,200}+\?>")
_UNSEEN: Final = re.compile(r"<(script|style)\b[^<>]{0,200}+>[^<]{0,20000}+</\1\s*+>", re.IGNORECASE)
_TEX_PREAMBLE: Final = re.compile(
    r"\\documentclass(?:[^\\]|\\(?!begin\{document\})){0,3000}+\\begin\{document\}|\\end\{document\}"
)
_AMPERSANDS: Final = re.compile(r"&(?:amp;)++", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}+|#[xX][0-9A-Fa-f]{1,6}+|[A-Za-z][A-Za-z0-9]{1,31}+);")


def markup_to_text(text: str) -> str:
    """Return *text* without tags, comments and entities.

    Only names that JATS or HTML define are tags, so `p < 0.05 and q > 3` stays. Tags that end a block leave a blank;
    a power, as in `10<sup>9</sup>`, keeps a `^`.
    """
    if "<" in text:
        text = _TAG.sub(_Tags(text), _UNSEEN.sub(" ", _COMMENT.sub("", _TEX_PREAMBLE.sub(" ", text))))
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), _AMPERSANDS.sub("&", text))
    return text


class _Tags:
    """Writes each tag of one text."""

    def __init__(self, text: str) -> None:
        self._closed = {name for name in _SHORT if f"</{name}" in text.lower()}

    def __call__(self, match: re.Match[str]) -> str:
        name = match["name"].lower()
        if name in _BLOCKS:
            return " "
        if match["prefix"] is None and (name not in _INLINE or (name in _SHORT and name not in self._closed)):
            return match[0]
        if name == "sup" and not match["close"] and _is_power(match):
            return "^"
        return ""


def _is_power(match: re.Match[str]) -> bool:
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return before.isdigit() and (after.isdigit() or after in {"-", "−", "+", "–"})
