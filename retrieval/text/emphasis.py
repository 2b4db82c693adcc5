"""Dissolve the emphasis and code marks of Markdown, and nothing else of it.

The rules for what opens and closes emphasis are those of CommonMark 0.31, section 6.2 (delimiter runs), with one
difference: a mark with a letter or digit on its outer side at both ends is a sign, as in 2*3*4 or a*b*c.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

__all__ = ["plain_emphasis"]

_RUN: Final = re.compile(r"\*+|_+")
_CODE: Final = re.compile(r"(?<!`)(`{1,3}+)(?P<code>[^`]{1,300}+)\1(?!`)")


@dataclass(slots=True)
class _Run:
    """A run of `*` or `_`; *left* and *right* count the marks that are used up on each side."""

    mark: str
    start: int
    end: int
    opens: bool
    closes: bool
    before: str
    after: str
    left: int = 0
    right: int = 0

    @property
    def size(self) -> int:
        return self.end - self.start

    @property
    def free(self) -> int:
        return self.size - self.left - self.right


def plain_emphasis(text: str) -> str:
    """Return *text* without the marks of emphasis and code that Markdown would resolve, also inside words."""
    if "`" in text:
        text = _CODE.sub(lambda match: match["code"], text)
    runs = [run for run in _runs(text) if run.opens or run.closes]
    if len(runs) < 2:
        return text
    _pair(runs)
    pieces, position = [], 0
    for run in runs:
        pieces += [text[position : run.start], run.mark * run.free]
        position = run.end
    return "".join([*pieces, text[position:]])


def _runs(text: str) -> list[_Run]:
    return [
        _classified(match, text[match.start() - 1 : match.start()] or " ", text[match.end() : match.end() + 1] or " ")
        for match in _RUN.finditer(text)
    ]


def _classified(match: re.Match[str], before: str, after: str) -> _Run:
    """Tell whether the run is left- or right-flanking, and with it what it may do."""
    sign_before, sign_after = _is_sign(before), _is_sign(after)
    left = not after.isspace() and (not sign_after or before.isspace() or sign_before)
    right = not before.isspace() and (not sign_before or after.isspace() or sign_after)
    mark = match[0][0]
    opens = left if mark == "*" else left and (not right or sign_before)
    closes = right if mark == "*" else right and (not left or sign_after)
    return _Run(mark, match.start(), match.end(), opens, closes, before, after)


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _pair(runs: list[_Run]) -> None:
    """Use up opening and closing marks, nearest first, as CommonMark's procedure "process emphasis" does."""
    openers: list[int] = []
    # Where a search for a partner ended in vain it need not pass again: this keeps the time linear.
    bottom: dict[tuple[str, bool, int, bool, bool], int] = {}
    for index, run in enumerate(runs):
        while run.closes and run.free:
            key = (run.mark, run.opens, run.size % 3, run.after.isalnum(), run.after.isdigit())
            place = _partner(runs, openers, run, bottom.get(key, 0))
            if place is None:
                bottom[key] = len(openers)
                break
            opener = runs[openers[place]]
            used = 2 if opener.free >= 2 and run.free >= 2 else 1
            opener.right += used
            run.left += used
            del openers[place + (1 if opener.free else 0) :]
            bottom = {key: min(height, len(openers)) for key, height in bottom.items()}
        if run.opens and run.free:
            openers.append(index)


def _partner(runs: list[_Run], openers: list[int], closer: _Run, bottom: int) -> int | None:
    for place in range(len(openers) - 1, bottom - 1, -1):
        opener = runs[openers[place]]
        if opener.mark == closer.mark and not _is_multiple_of_three(opener, closer) and not _is_product(opener, closer):
            return place
    return None


def _is_multiple_of_three(opener: _Run, closer: _Run) -> bool:
    both_ways = opener.closes or closer.opens
    return both_ways and (opener.size + closer.size) % 3 == 0 and not (opener.size % 3 == 0 and closer.size % 3 == 0)


def _is_product(opener: _Run, closer: _Run) -> bool:
    """Tell 2*3*4 and 2**3**4 from emphasis; **Pre**ference and un**believ**able are emphasis."""
    outside = opener.before + closer.after
    return outside.isalnum() and (min(opener.size, closer.size) == 1 or any(map(str.isdigit, outside)))
