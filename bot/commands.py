"""Tell commands from questions: one small grammar, the same in every adapter.

A command is the whole message. A leading slash is optional, so that "/more" in the console and "more" in a
thread are the same; what is not a command is a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

__all__ = ["COMMAND_WORDS", "Command", "Verb", "nearest_command", "parse_command"]


class Verb(StrEnum):
    """What can be asked for besides an answer."""

    HELP = "help"
    GREETING = "hello"
    THANKS = "thanks"
    MORE = "more"
    OPEN = "open"
    LIKE = "like"
    ONLY = "only"
    WITHOUT = "without"
    ALL = "all"
    COMPARE = "compare"
    WHY = "why"
    BIB = "bib"
    CITE = "cite"
    VERIFY = "verify"
    REPLAY = "replay"
    CLEAR = "clear"
    QUIT = "quit"


COMMAND_WORDS = (
    "help",
    "more",
    "open",
    "like",
    "only",
    "compare",
    "why",
    "bib",
    "cite",
    "verify",
    "replay",
    "subscribe",
    "unsubscribe",
    "subscriptions",
    "digest",
    "watch",
    "watches",
    "unwatch",
    "saved",
    "clear",
    "quit",
)
"""The words that may be typed after a slash, in the order of the help text."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    Attributes:
        numbers: Result numbers it refers to, from 1, in the order given; empty where none was named.
        text: What to narrow by, for ONLY and WITHOUT; the answer's id, for VERIFY and REPLAY; else empty.
    """

    verb: Verb
    numbers: tuple[int, ...] = ()
    text: str = ""


_ORDINALS = {word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), start=1)}
_ORDINALS |= {word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)}
_ORDINALS |= {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "6th": 6}
_ORDINAL = "|".join(_ORDINALS)
_N = r"(?:number |no\.? ?|#)?(\d{1,4})"
_AND = r"(?: |, ?| and |, and )"
_GREETING = r"(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|你好|您好|嗨|hallo|hola|bonjour)"
_THANKS = r"(?:thanks?|thank you|thx|ty|cheers|much appreciated|谢谢|多谢|感谢|danke|merci|gracias)"
_PRAISE = (
    r"(?:great|perfect|nice|cool|awesome|excellent|wonderful|super|ok|okay|good|lovely|brilliant|got it|very helpful)"
)
_ADDRESS = r"(?: (?:there|all|everyone|everybody|bot|pullquote|team))?"


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(group) if group.isdigit() else _ORDINALS[group.lower()] for group in match.groups() if group)


def _plain(verb: Verb) -> Callable[[re.Match[str]], Command]:
    return lambda match: Command(verb, _numbers(match))


def _listed(verb: Verb) -> Callable[[re.Match[str]], Command]:
    return lambda match: Command(verb, tuple(map(int, re.findall(r"\d+", match["list"] or ""))))


def _with_text(verb: Verb) -> Callable[[re.Match[str]], Command]:
    return lambda match: Command(verb, text=match.group("text").strip())


_GRAMMAR: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Command]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), build)
    for pattern, build in (
        (r"(?:help|usage|commands|\?)", _plain(Verb.HELP)),
        (
            r"(?:what|how) (?:can|do) (?:you|i|we) (?:do|ask|use (?:this|you|it))(?: bot| tool| here| with (?:you|this))?",
            _plain(Verb.HELP),
        ),
        (
            r"(?:who|what) are you|what is (?:this|pullquote)|how does (?:this|it) work|你能做什么|你是谁|帮助",
            _plain(Verb.HELP),
        ),
        (rf"{_GREETING}{_ADDRESS}", _plain(Verb.GREETING)),
        (
            rf"(?:{_PRAISE},? )*(?:many )?{_THANKS}(?: (?:so|very) much| a lot| a bunch)?{_ADDRESS}(?:,? {_PRAISE})?",
            _plain(Verb.THANKS),
        ),
        (rf"(?:that (?:helps|helped)|{_PRAISE}(?:,? {_PRAISE})?)", _plain(Verb.THANKS)),
        (r"(?:show (?:me )?)?more(?: results| papers| quotes| of (?:them|those|these))?", _plain(Verb.MORE)),
        (r"(?:anything|what) else", _plain(Verb.MORE)),
        (rf"(?:open|show(?: me)?) {_N}", _plain(Verb.OPEN)),
        (rf"open(?: it| this| that)?|open ({_ORDINAL})", _plain(Verb.OPEN)),
        (
            rf"(?:tell me |show me |say )?(?:more|details?) (?:about|on|of) (?:the )?({_ORDINAL})(?: (?:one|paper|entry|result))?",
            _plain(Verb.OPEN),
        ),
        (rf"(?:tell me |show me )?(?:more|details?) (?:about|on|of) {_N}", _plain(Verb.OPEN)),
        (rf"(?:open|show(?: me)?) the ({_ORDINAL})(?: (?:one|paper|entry|result))?", _plain(Verb.OPEN)),
        (rf"(?:more )?like {_N}", _plain(Verb.LIKE)),
        (rf"more like (?:the )?({_ORDINAL})(?: (?:one|paper|entry|result))?", _plain(Verb.LIKE)),
        (rf"compare {_N}(?: and | with | to | vs\.? |,? ){_N}", _plain(Verb.COMPARE)),
        (
            rf"compare (?:the )?({_ORDINAL})(?: one)? (?:and|with|to) (?:the )?({_ORDINAL})(?: one)?",
            _plain(Verb.COMPARE),
        ),
        (rf"why(?: {_N})?", _plain(Verb.WHY)),
        (rf"bib(?:tex)?(?: all|(?P<list>(?:{_AND}{_N})+))?", _listed(Verb.BIB)),
        (rf"cite(?: all|(?P<list>(?:{_AND}{_N})+))?", _listed(Verb.CITE)),
        (r"compare (?:the two|them|both|these|those)(?: two)?", lambda _: Command(Verb.COMPARE, (1, 2))),
        (
            r"(?:drop|clear|remove|forget|no) (?:the |all )*(?:filters?|conditions?|that)|all (?:years|venues|of them)",
            _plain(Verb.ALL),
        ),
        (r"verify (?P<text>[0-9a-f]{12})", _with_text(Verb.VERIFY)),
        (r"replay (?P<text>[0-9a-f]{12})", _with_text(Verb.REPLAY)),
        (r"(?:clear|reset|start over|forget (?:it|that))", _plain(Verb.CLEAR)),
        (r"(?:quit|exit|bye|goodbye)", _plain(Verb.QUIT)),
        (r"only (?P<text>\S.{0,80})", _with_text(Verb.ONLY)),
        (r"(?P<text>by [^\W\d][\w.'’-]*(?: [^\W\d][\w.'’-]*){0,2})", _with_text(Verb.ONLY)),
        (r"(?P<text>since (?:19|20)\d\d|(?:from|in) (?:19|20)\d\d)", _with_text(Verb.ONLY)),
        (r"(?:-|without |no |not )(?P<text>[\w-]{1,60})", _with_text(Verb.WITHOUT)),
    )
)


def parse_command(message: str) -> Command | None:
    """Return the command that *message* is, or None when it is a question.

    Case, surrounding blanks, a leading slash and closing punctuation do not matter.
    """
    text = " ".join(message.split()).removeprefix("/").rstrip("!.。！ ")
    text = text.rstrip("?？ ") or text
    for pattern, build in _GRAMMAR:
        if match := pattern.fullmatch(text):
            return build(match)
    return None


def nearest_command(message: str) -> str | None:
    """Return the command word closest to an unknown "/word", without its slash; None when nothing is close."""
    word = message.strip().removeprefix("/").partition(" ")[0].lower()
    return next(iter(get_close_matches(word, COMMAND_WORDS, n=1, cutoff=0.5)), None)
