"""Answers as the terminal shows them: wrapped at its width, matched words standing out, links whole."""

from __future__ import annotations

from typing import Literal, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from bot.links import quote_link
from bot.model import Answer, Quote, Verdict
from bot.present import byline, entry_line, footer, is_same_entry, lead_lines, same_entry_line, title_of

__all__ = ["Color", "make_console", "rendered"]

Color = Literal["auto", "always", "never"]

_MAX_WIDTH = 100  # longer lines are hard to read
_INDENT = 3


def make_console(file: TextIO, color: Color) -> Console:
    """Return a console on *file* that wraps at its width.

    With "auto" there is colour only on a terminal and not where NO_COLOR is set.
    """
    console = Console(
        file=file,
        force_terminal={"always": True, "never": False, "auto": None}[color],
        no_color=True if color == "never" else False if color == "always" else None,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
    console.width = min(console.width, _MAX_WIDTH)
    return console


def rendered(answer: Answer) -> RenderableType:
    """Return *answer* ready to print: the lead, the quotes, what else there is."""
    parts: list[RenderableType] = [Text(line, style=_lead_style(answer)) for line in lead_lines(answer)]
    for number, quote in enumerate(answer.quotes):
        lines = _again(quote) if is_same_entry(answer, number) else _quote(quote)
        parts += [Text(), *lines] if parts else lines
    parts += [_listed(number, entry_line(entry)) for number, entry in enumerate(answer.listing, start=1)]
    if answer.verbatim:
        parts.append(_unwrapped(answer.verbatim))
    if line := footer(answer):
        parts += [Text(), Text(line, style="dim")]
    parts += [Text(f"Try: {suggestion}", style="dim") for suggestion in answer.suggestions]
    return Group(*parts)


def _lead_style(answer: Answer) -> str:
    return "" if answer.verdict in {Verdict.REPLY, Verdict.ANSWERED} else "yellow"


def _quote(quote: Quote) -> list[RenderableType]:
    head = Text.assemble((f"{quote.rank}. ".ljust(_INDENT), "cyan"), (title_of(quote.entry), "bold"))
    parts: list[RenderableType] = [_Hanging(head), _indented(Text(byline(quote), style="dim"))]
    if quote.entry.url:
        parts.append(_address(quote.entry.url, quote_link(quote) or quote.entry.url))
    parts.append(_indented(_marked(quote)))
    return parts


def _again(quote: Quote) -> list[RenderableType]:
    head = Text.assemble((f"{quote.rank}. ".ljust(_INDENT), "cyan"), (same_entry_line(quote), "dim"))
    return [_Hanging(head), _indented(_marked(quote))]


def _marked(quote: Quote) -> Text:
    text = Text(f"“{quote.text}”")
    for span in quote.highlights:
        offset = 1 - quote.span.start
        text.stylize("bold green", span.start + offset, span.end + offset)
    return text


def _address(url: str, target: str) -> RenderableType:
    # A link is never cut or wrapped: half of one leads nowhere.
    text = Text(" " * _INDENT + url, style="blue")
    text.stylize(Style(link=target), _INDENT)
    return _unwrapped(text)


def _unwrapped(text: Text | str) -> Text:
    whole = Text(text) if isinstance(text, str) else text
    whole.no_wrap, whole.overflow = True, "ignore"
    return whole


def _listed(number: int, line: str) -> RenderableType:
    return _Hanging(Text.assemble((f"{number}. ".ljust(_INDENT), "cyan"), line))


def _indented(text: Text) -> RenderableType:
    return _Hanging(Text(" " * _INDENT) + text)


class _Hanging:
    """A line whose continuation is indented under its text, as in a numbered list; nothing is padded at the end."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        marker, rest = self._text[:_INDENT], self._text[_INDENT:]
        for number, line in enumerate(rest.wrap(console, max(options.max_width - _INDENT, 10))):
            line.rstrip()
            yield Text.assemble(Text(" " * _INDENT) if number else marker, line)
