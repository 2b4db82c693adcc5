"""Turn the LaTeX that abstracts are written in into plain text.

An abstract is not a LaTeX document: a bare `%`, `&`, `#` or `_` is a character, `$5 million and $10` is money, macros
are undefined, braces do not match. Nothing here raises, nothing but what is marked for dropping is lost, and the time
taken is proportional to the length of the text, whatever it holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from retrieval.text.latex_macros import DROPPED, MACROS, Macro, accent, script
from retrieval.text.latex_symbols import FUNCTIONS, LETTERS, SILENT, symbol

__all__ = ["latex_to_text"]

_MAX_DEPTH: Final = 32
_TOKEN: Final = re.compile(
    r"""
      (?P<plain>[^\\{}$^_]+)
    | \$\$ (?P<display>(?:[^$\\]|\\[\s\S]){1,2000}+) \$\$
    | \$ (?P<inline>(?:[^$\\]|\\[^$]){1,800}+) \\?\$
    | \\\( (?P<round>(?:[^\\]|\\[^()]){1,800}+) \\\)
    | \\\[ (?P<square>(?:[^\\]|\\[^\[\]]){1,2000}+) \\\]
    | \\(?P<macro>[A-Za-z]+) (?:\*(?=\{))?
    | \\(?P<escape>[\s\S])
    | (?P<script>[\^_])\{
    | (?P<open>\{)
    | (?P<close>\})
    | (?P<literal>\$+|[\\^_])
    """,
    re.VERBOSE,
)
_MATH: Final = frozenset({"display", "inline", "round", "square"})
_ACCENTS: Final = frozenset("'`^\"~=.")
_BLANK_ESCAPES: Final = {
    ",": " ",
    ";": " ",
    ":": " ",
    "!": "",
    "/": "",
    "-": "",
    "@": "",
    "|": "‖",
    "\\": " ",
    "(": "(",
    ")": ")",
}
_CONTRACTION: Final = re.compile(r"(?:s|t|re|ve|ll|d|m)\b")
_LETTER_ARGUMENT: Final = re.compile(r"\s*\{?\s*(?:\\[ij](?![A-Za-z])|[A-Za-z])")
_NAME: Final = re.compile(r"[A-Za-z]{2,}")
_BRACED_LETTER: Final = re.compile(r"\{\s*(?:\\[ij]|[A-Za-z])\s*\}")
_RAISED: Final = re.compile(r"\^([∗⋆′″†‡])")
_FUNCTION_ARGUMENT: Final = re.compile(r"\{|\\[A-Za-z]")
_OPTION: Final = re.compile(r"(?:\s*\[[^\[\]{}]{0,80}\])+(?=\s*\{)")
_MATH_ONLY: Final = re.compile(r"[\\^_]")
_RELATION: Final = re.compile(r"[=<>≤≥≈∈(/]")
_SCRIPT_BLANK: Final = re.compile(r"\s+(?=[\^_])")
_WORD: Final = re.compile(r"(?<![\\A-Za-z])[A-Za-z]+")
_SEPARATOR: Final = re.compile(r"[,|:=;]")
_ALPHANUMERIC: Final = re.compile(r"[^\W_]")
_PLACEHOLDER_NAMES: Final = """
    ours our name model method bench sys algo alg data task tool set mode key red blue new
"""
# Stand-ins for a name that authors meant to define; shorter lower-case ones are most often an acronym.
_PLACEHOLDERS: Final = frozenset(_PLACEHOLDER_NAMES.split())


@dataclass(slots=True)
class _Frame:
    """An open group, or a macro that waits for its arguments."""

    macro: Macro | None = None
    single: bool = False
    marked: bool = False
    pieces: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


def latex_to_text(text: str) -> str:
    """Return *text* with its LaTeX resolved; where something was dropped `DROPPED` stands.

    Groups deeper than 32 lose their braces and keep their content; so do braces that have no partner.
    """
    if "\\\\(" in text:
        # Nobody ends a line there: the backslashes were doubled on their way here.
        text = text.replace("\\\\", "\\")
    return _Reader(text).read()


def _formula_text(source: str) -> str:
    if source.strip() == "~":
        return "~"
    formula = _SCRIPT_BLANK.sub("", " ".join(_Reader(source, math=True).read().split()))
    return _RAISED.sub(r"\1", formula.replace("^∘", "°"))


class _Reader:
    def __init__(self, text: str, *, math: bool = False) -> None:
        self._text = text
        self._math = math
        self._position = 0
        self._ignored = 0
        self._frames = [_Frame()]

    def read(self) -> str:
        while self._position < len(self._text):
            self._step()
        while len(self._frames) > 1:
            unfinished = self._frames.pop()
            self._frames[-1].pieces += [*unfinished.arguments, *unfinished.pieces]
        return "".join(self._frames[0].pieces)

    def _step(self) -> None:
        match = _TOKEN.match(self._text, self._position)
        kind, token = (
            (match.lastgroup, match[match.lastgroup])
            if match and match.lastgroup
            else ("literal", self._text[self._position])
        )
        start, self._position = self._position, match.end() if match else self._position + 1
        if kind == "plain":
            self._plain(token, start)
        elif kind in _MATH:
            self._formula(kind, token, start)
        elif kind == "macro":
            self._macro(token)
        elif kind == "escape":
            self._escape(token, start)
        elif kind == "script":
            self._push(_Frame(script(token)))
        elif kind == "open":
            self._push(_Frame())
        elif kind == "close":
            self._close()
        else:
            self._emit(token)

    def _emit(self, piece: str) -> None:
        """Add *piece* to the innermost group, and end every macro that waited for just this."""
        self._frames[-1].pieces.append(piece)
        if self._frames[-1].single:
            self._finish_argument()

    def _push(self, frame: _Frame) -> None:
        if len(self._frames) < _MAX_DEPTH:
            self._frames.append(frame)
        elif not frame.single:
            self._ignored += 1

    def _close(self) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        while self._frames[-1].single:
            self._finish_argument()
        if len(self._frames) == 1:
            return
        if self._frames[-1].macro is not None:
            self._finish_argument()
            return
        group = self._frames.pop()
        content = "".join(group.pieces)
        self._emit(f"{{{content}}}" if self._is_set(group, content) else content)

    def _is_set(self, group: _Frame, content: str) -> bool:
        """Tell whether the braces are text, as in {2.5, 3}, and not there for LaTeX's sake."""
        if self._math or group.marked or self._frames[-1].macro is not None:
            return False
        return _SEPARATOR.search(content) is not None and _ALPHANUMERIC.search(content) is not None

    def _finish_argument(self) -> None:
        frame = self._frames[-1]
        frame.arguments.append("".join(frame.pieces))
        frame.pieces, frame.single = [], False
        if frame.macro is not None and len(frame.arguments) < frame.macro.arity and self._await_argument(frame):
            return
        self._frames.pop()
        self._frames[-1].marked = True
        self._emit(frame.macro.write(frame.arguments) if frame.macro else frame.arguments[0])

    def _await_argument(self, frame: _Frame) -> bool:
        """Step to the next argument of *frame*'s macro; false when the text has none."""
        position = self._position
        while position < len(self._text) and self._text[position].isspace():
            position += 1
        if position >= len(self._text) or self._text[position] in "}$":
            return False
        if self._text[position] == "{":
            self._position = position + 1
            return True
        if frame.macro is None or not frame.macro.braceless:
            return False
        self._position, frame.single = position, True
        return True

    def _plain(self, token: str, start: int) -> None:
        if self._frames[-1].single and (stripped := token.lstrip()):
            self._position = start + len(token) - len(stripped) + 1
            token = stripped[0]
        if self._math:
            token = token.replace("*", "∗").replace("~", " ").replace("&", " ").replace("'", "′")
        self._emit(token)

    def _formula(self, kind: str, token: str, start: int) -> None:
        if self._math or (kind == "inline" and self._is_money(token, start)):
            # Only the opening sign is text; what follows is read like everything else.
            self._position = start + 1
            self._emit(self._text[start] if kind in {"display", "inline"} else "")
            return
        formula = _formula_text(token)
        self._frames[-1].marked = True
        self._emit(f" {formula} " if kind in {"display", "square"} else formula)

    def _is_money(self, content: str, start: int) -> bool:
        """Tell a formula from two sums of dollars, as in $5 million and $10."""
        stripped = content.strip()
        if stripped[:1].isdigit() and len(content.split()) > 12:
            return True
        if _MATH_ONLY.search(content) or len(stripped) == 1:
            return False
        if stripped != content:
            glued = start > 0 and self._text[start - 1].isalnum()
            return glued or _RELATION.search(content) is None or len(content.split()) > 7
        return self._text[self._position : self._position + 1].isdigit() or len(content.split()) > 12

    def _macro(self, name: str) -> None:
        self._frames[-1].marked = True
        if name in SILENT:
            self._skip_blanks()
            if name in {"left", "right"}:
                self._position += self._text.startswith(".", self._position)
        elif (macro := MACROS.get(name)) is not None or (macro := self._long_accent(name)) is not None:
            self._open_macro(macro)
        elif name in FUNCTIONS:
            self._function(name)
        elif (meaning := symbol(name)) is not None:
            self._symbol(name, meaning)
        else:
            self._undefined(name)

    def _open_macro(self, macro: Macro) -> None:
        if (option := _OPTION.match(self._text, self._position)) is not None:
            self._position = option.end()
        frame = _Frame(macro)
        if self._await_argument(frame):
            self._push(frame)

    def _long_accent(self, name: str) -> Macro | None:
        """Return the accent *name* means here; one-letter names need a braced letter, else they are undefined."""
        if len(name) == 1 and _BRACED_LETTER.match(self._text, self._position) is None:
            return None
        return accent(name)

    def _skip_blanks(self) -> None:
        while self._text[self._position : self._position + 1].isspace():
            self._position += 1

    def _function(self, name: str) -> None:
        pieces = self._frames[-1].pieces
        before = " " if pieces and pieces[-1][-1:].isalnum() else ""
        self._emit(before + name + (" " if _FUNCTION_ARGUMENT.match(self._text, self._position) else ""))

    def _symbol(self, name: str, meaning: str) -> None:
        if name in LETTERS:
            self._skip_blanks()
        if meaning.endswith("."):
            self._position += self._text.startswith(".", self._position)
        self._emit(meaning)

    def _undefined(self, name: str) -> None:
        """Keep the name of a macro that nobody defined; with an argument it is a style, and the argument is kept."""
        if self._text.startswith("{}", self._position):
            self._position += 2
        elif self._text.startswith("{", self._position):
            self._position += 1
            self._push(_Frame(_STYLE))
            return
        self._emit(name if self._math else self._written(name))

    def _written(self, name: str) -> str:
        """Return *name* as the abstract itself writes it, else in capitals when it looks like an acronym."""
        if name in self._spellings:
            return self._spellings[name]
        return name.upper() if 1 < len(name) <= 5 and name.islower() and name not in _PLACEHOLDERS else name

    @cached_property
    def _spellings(self) -> dict[str, str]:
        return {word.lower(): word for word in _WORD.findall(self._text) if not word[1:].islower() and len(word) > 1}

    def _escape(self, character: str, start: int) -> None:
        self._frames[-1].marked |= character not in "{}"
        if character == "\\" and self._is_escaped_twice():
            self._position -= 1
        elif character.isspace():
            self._emit(" ")
        elif character in _ACCENTS and not self._math:
            self._short_accent(character, start)
        elif character in _BLANK_ESCAPES:
            self._emit(_BLANK_ESCAPES[character])
        elif not character.isalnum() and character.isprintable():
            self._emit(character)
        else:
            self._emit("\\")
            self._position -= 1

    def _is_escaped_twice(self) -> bool:
        """Tell a macro whose backslash was doubled on its way here from the end of a line."""
        name = _NAME.match(self._text, self._position)
        if name is None:
            return self._text.startswith("%", self._position)
        return name[0] in MACROS or name[0] in FUNCTIONS or name[0] in SILENT or symbol(name[0]) is not None

    def _short_accent(self, mark: str, start: int) -> None:
        r"""Read an accent such as \'e; an escaped quote, as in don\'t, stays a quote."""
        after_letter = start > 0 and self._text[start - 1].isalpha()
        letter = _LETTER_ARGUMENT.match(self._text, self._position)
        contraction = mark == "'" and after_letter and _CONTRACTION.match(self._text, self._position)
        macro = accent(mark)
        if letter is None or contraction or macro is None or not self._composes(mark, letter[0][-1]):
            self._emit(mark)
        else:
            self._open_macro(macro)

    def _composes(self, mark: str, letter: str) -> bool:
        macro = accent(mark)
        return macro is not None and len(macro.write([letter])) == 1


_STYLE: Final = Macro(1, lambda args: args[0] or DROPPED)
