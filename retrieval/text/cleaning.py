"""Make the display text of a raw abstract: what is shown, searched, quoted and measured in spans."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["display_text"]

_MAX_PASSES: Final = 8
_UNSHOWN: Final = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff"
)
_UNSHOWN_CHARACTERS: Final = re.compile(f"[{_UNSHOWN}]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
# Text without any of these is display text once its blanks are folded.
_BUSY: Final = re.compile(f"[\\\\{{}}$*_`&<~\ud800-\udfff{_UNSHOWN}]|--|''")
_NOT_PLAIN: Final = re.compile(r"[\\{}$*_`&<~]|-{2,}|'{2,}")
_LATEX: Final = re.compile(r"[\\{}$]")
_BRACES: Final = re.compile(r"([{}])\1{32,}")
_URL: Final = re.compile(
    r"""(?:https?://|www\.|(?<![\w.@/-])(?:[a-z0-9-]{1,40}+\.){1,4}+(?:com|org|io|net|edu|science|ai|dev|me)/)
        (?:[^\s{}<>()"`$\\|^\x01\x02，。；）】」]|\\[_%#&~]|\([^\s{}<>()"`$\\]{0,80}+\)){1,2000}+""",
    re.VERBOSE | re.IGNORECASE,
)
_URL_END: Final = re.compile(r"[*_'~.,;:!?]+$")
_STASHED: Final = re.compile("\x01([0-9]+)\x02")
_MARKDOWN_LINK: Final = re.compile(r"!?\[([^\[\]]{1,200}+)\]\((\x01[0-9]+\x02)\)")
_QUOTES: Final = (
    (re.compile(r"(?<!`)``([^`]{1,300}+)``(?!`)"), r"\1"),
    (re.compile(r"``([^`'”]{1,300}+(?:['’](?!['’])[^`'”]{0,300}+){0,3}+)(?:''|’’|”)"), r"“\1”"),
    (re.compile(r'``([^`"]{1,300}+)"'), r"“\1”"),
    (re.compile(r"(?<![`\w])`([^`'’]{1,200}+)['’](?![\w'’])"), r"‘\1’"),
    (re.compile(r"(?<![\w'])''([^'\s][^']{0,200}+)''(?![\w'])"), r"“\1”"),
    (re.compile(r"(?<!`)``(?=\w)"), "“"),
    (re.compile(r"(?<=[^\s\d'])''(?![\w'])"), '"'),
)
_ESCAPED_QUOTES: Final = re.compile(r'(?<![A-Za-z])\\"([^"\\{}]{1,200}+)\\"(?![A-Za-z{\\])')
_TIE: Final = re.compile(r"(?<=[^\s~\\$])~++(?=[^\s~])")
_DASHES: Final = re.compile(r"(?<!-)-{2,3}(?!-)")
_DROPPED_RUN: Final = re.compile("\x05(?: ?\x05)++")
_DROPPED: Final = re.compile(" ?\x05(?= ?[.,;:!?)\\]])|\x05")


def display_text(raw: str) -> str:
    """Return the text to show for *raw*: no LaTeX, Markdown, tags, entities or control characters; NFC; single blanks.

    URLs stay as written, and so do U+2011 and soft hyphens. What is display text already comes back unchanged:
    `display_text(display_text(x)) == display_text(x)` for every `x`. Any text will do; time is linear in its length.
    """
    text = _folded(raw)
    for _ in range(_MAX_PASSES):
        if _BUSY.search(text) is None:
            return text
        cleaned = _folded(_pass(text))
        if cleaned == text:
            return text
        text = cleaned
    # Markup that unfolds into markup, again and again, is nobody's abstract: without its signs it is at rest.
    return _folded(_NOT_PLAIN.sub("", text))


def _folded(text: str) -> str:
    text = " ".join(text.split())
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _pass(text: str) -> str:
    # What reads markup is imported by the first text that has some: most have none, and starting is to be quick.
    text = _UNSHOWN_CHARACTERS.sub("", _SURROGATES.sub("\ufffd", text))
    if "<" in text or "&" in text:
        from retrieval.text.markup import markup_to_text

        text = _UNSHOWN_CHARACTERS.sub("", markup_to_text(text))
    urls: list[str] = []
    text = _URL.sub(lambda match: _stash(match, urls), text)
    text = _MARKDOWN_LINK.sub(r"\1 (\2)", text) if urls else text
    text = _typography(text)
    if _LATEX.search(text):
        from retrieval.text.latex import latex_to_text

        text = latex_to_text(_ESCAPED_QUOTES.sub(r'"\1"', _BRACES.sub(lambda match: match[1] * 32, text)))
        text = _DROPPED.sub("", _DROPPED_RUN.sub("\x05", _folded(text)))
    if "*" in text or "_" in text or "`" in text:
        from retrieval.text.emphasis import plain_emphasis

        text = plain_emphasis(text)
    return _STASHED.sub(lambda match: urls[int(match[1])], text)


def _stash(match: re.Match[str], urls: list[str]) -> str:
    """Put a URL out of reach of the markup rules, in which `_`, `~`, `--` and `%` mean something."""
    ending = _URL_END.search(match[0])
    length = ending.start() if ending else len(match[0])
    urls.append(re.sub(r"\\([_%#&~])", r"\1", match[0][:length]))
    return f"\x01{len(urls) - 1}\x02{match[0][length:]}"


def _typography(text: str) -> str:
    if "`" in text or "''" in text:
        for pattern, quoted in _QUOTES:
            text = pattern.sub(quoted, text)
    if "~" in text:
        text = _TIE.sub(_tie, text)
    return _DASHES.sub(lambda match: "–" if len(match[0]) == 2 else "—", text) if "--" in text else text


def _tie(match: re.Match[str]) -> str:
    """Return a blank for LaTeX's tie; a range of numbers, 5~10, keeps its sign."""
    before, after = match.string[match.start() - 1], match.string[match.end()]
    return match[0] if before.isdigit() and after.isdigit() else " "
