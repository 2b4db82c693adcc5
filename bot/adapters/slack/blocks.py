"""Answers as Slack shows them: Block Kit, with a text for notifications and screen readers. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.adapters.plaintext import plain_text
from bot.adapters.slack import rich
from bot.adapters.slack.mrkdwn import cut, escaped, unlinked
from bot.adapters.slack.names import ASK, FEEDBACK
from bot.adapters.slack.rich import Block
from bot.model import Answer, Quote, Verdict
from bot.present import byline, footer, is_same_entry, lead_lines, same_entry_line, title_of, venue_year
from retrieval.model import Entry

__all__ = ["MAX_TEXT", "Content", "content_of", "context", "cost", "fallback", "notice"]

MAX_TEXT = 3_900
"""Characters of the fallback text. Slack takes more in a new message, but not in a changed one."""

_ROOM = 11_000  # of the 13,000 or so at which Slack refuses the blocks of one message; 12,000 is documented nowhere
_MOST_QUOTED = 2_900
_MOST_BLOCKS = 48
_MOST_LISTED = 1_000  # more than MAX_TEXT has lines
_SILENCE = "There is nothing to say to that."


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says.

    Attributes:
        text: mrkdwn, escaped; the whole answer, for notifications, screen readers and where blocks are refused.
        blocks: Empty for a message of text alone.
    """

    text: str
    blocks: tuple[Block, ...] = ()

    def arguments(self) -> dict[str, object]:
        """Return what a method that posts takes of it."""
        shown: dict[str, object] = {"blocks": list(self.blocks)} if self.blocks else {"mrkdwn": False}
        return {"text": self.text, **shown, "unfurl_links": False, "unfurl_media": False}

    def to_json(self) -> str:
        """Return the content as JSON, for a store."""
        return json.dumps({"text": self.text, "blocks": self.blocks}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Content:
        """Return the content that `to_json` wrote."""
        fields = json.loads(text)
        return cls(fields["text"], tuple(fields["blocks"]))


def content_of(answer: Answer, key: str) -> Content:
    """Return *answer* as a message.

    Args:
        answer: Any answer.
        key: Names the message in what its buttons send; at most 200 characters.
    """
    first = replace(answer, listing=answer.listing[:_MOST_LISTED])
    text = unlinked(plain_text(first) or _SILENCE, keep=_addresses(first))
    return Content(fallback(text), tuple(_fitted(answer, key)))


def fallback(text: str) -> str:
    """Return *text* as the text of a message: escaped, and cut so that no entity is cut in two."""
    most = MAX_TEXT
    while len(shown := escaped(cut(text, most))) > MAX_TEXT:
        most -= len(shown) - MAX_TEXT + 2
    return shown


def notice(text: str) -> Content:
    """Return a message of one plain sentence."""
    return Content(escaped(unlinked(text)), (rich.rich_text(rich.section(rich.text(text))),))


def _addresses(answer: Answer) -> frozenset[str]:
    entries = (*(quote.entry for quote in answer.quotes), *answer.listing)
    return frozenset(entry.url for entry in entries if entry.url)


def cost(blocks: Sequence[Block]) -> int:
    """Return about how many characters Slack counts for *blocks*: their texts, and something for their containers."""
    return sum(len(str(part)) + 30 for part in _texts(list(blocks))) + 125 * len(blocks)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key in {"text", "url"} and isinstance(part, str):
                yield part
            else:
                yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _fitted(answer: Answer, key: str) -> list[Block]:
    """Return the blocks that fit into one message, and a line that says what did not."""
    tail = [*_footer(answer), *_buttons(answer, key), *_feedback(answer, key)]
    room = _ROOM - cost(tail)
    blocks: list[Block] = []
    for block in (*_lead(answer), *_quotes(answer), *_listing(answer, room // 2), *_verbatim(answer)):
        if len(blocks) + len(tail) >= _MOST_BLOCKS or cost([*blocks, block]) > room:
            blocks.append(context("There is more than fits into one message: ask for less at a time."))
            break
        blocks.append(block)
    return [*blocks, *tail] or [rich.rich_text(rich.section(rich.text(_SILENCE)))]


def _lead(answer: Answer) -> Iterator[Block]:
    lines = "\n".join(lead_lines(answer)).strip()
    if lines:
        yield rich.rich_text(rich.section(rich.text(cut(lines, _ROOM - 2_000))))


def _quotes(answer: Answer) -> Iterator[Block]:
    for number, quote in enumerate(answer.quotes):
        again = is_same_entry(answer, number)
        head = rich.text(same_entry_line(quote)) if again else _title(quote.entry)
        parts = rich.quote_parts(quote, most=_MOST_QUOTED)
        yield rich.rich_text(rich.section(rich.text(f"{quote.rank}. "), head), rich.quotation(parts))
        if not again:
            yield context(_about(quote))


def _about(quote: Quote) -> str:
    shortened = " · cut: the sentence is longer than fits here" if len(quote.text) > _MOST_QUOTED else ""
    return f"{quote.rank} · {byline(quote)}{shortened}"


def _title(entry: Entry) -> Block:
    return rich.link(title_of(entry), entry.url, bold=True)


def _listing(answer: Answer, room: int) -> Iterator[Block]:
    items: list[list[Block]] = []
    spent = 0
    for entry in answer.listing:
        place = venue_year(entry)
        item = [rich.link(title_of(entry), entry.url), *([rich.text(f" ({place})")] if place else [])]
        spent += cost(item) - 125 * len(item)
        if spent > room:
            break
        items.append(item)
    if items:
        yield rich.rich_text(rich.numbered(items))
    if len(items) < len(answer.listing):
        yield context(f"and {len(answer.listing) - len(items):,} more: narrow the question to see them")


def _verbatim(answer: Answer) -> Iterator[Block]:
    if answer.verbatim:
        yield rich.rich_text(rich.preformatted(cut(answer.verbatim, _ROOM - 2_000)))


def _footer(answer: Answer) -> Iterator[Block]:
    lines = [footer(answer), *(f"Try: {suggestion}" for suggestion in answer.suggestions)]
    if text := "\n".join(line for line in lines if line):
        yield context(text)


def context(text: str) -> Block:
    """Return a small line."""
    return {"type": "context", "elements": [{"type": "plain_text", "text": cut(text, 2_000), "emoji": False}]}


def _buttons(answer: Answer, key: str) -> Iterator[Block]:
    """Yield the buttons that do something here, each with the message that it stands for."""
    asks = [("More", "more", "Show the next entries")] if answer.left else []
    if answer.quotes:
        first = answer.quotes[0].rank
        asks.append((f"Like {first}", f"like {first}", f"Show entries like number {first}"))
        asks.append((f"Why {first}", f"why {first}", f"Explain why number {first} is there"))
    if asks:
        yield {"type": "actions", "block_id": f"{ASK}:{key}", "elements": [_button(*ask) for ask in asks]}


def _button(label: str, message: str, meaning: str) -> Block:
    text = {"type": "plain_text", "text": label, "emoji": False}
    return {
        "type": "button",
        "action_id": f"{ASK}:{message.partition(' ')[0]}",
        "text": text,
        "value": message,
        "accessibility_label": meaning,
    }


def _feedback(answer: Answer, key: str) -> Iterator[Block]:
    if answer.verdict in {Verdict.ANSWERED, Verdict.RELATED}:
        sides = {
            "positive_button": _opinion("Helpful", "good", "This answer helped"),
            "negative_button": _opinion("Not helpful", "bad", "This answer did not help"),
        }
        element: Block = {"type": "feedback_buttons", "action_id": FEEDBACK, **sides}
        yield {"type": "context_actions", "block_id": f"{FEEDBACK}:{key}", "elements": [element]}


def _opinion(label: str, value: str, meaning: str) -> Block:
    text = {"type": "plain_text", "text": label, "emoji": False}
    return {"text": text, "value": value, "accessibility_label": meaning}
