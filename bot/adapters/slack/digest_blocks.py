"""Digests as Slack shows them: a message that stands by itself, and what does not fit into it in its thread. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.adapters.slack import rich
from bot.adapters.slack.blocks import MAX_TEXT, Content, context, cost, fallback
from bot.adapters.slack.mrkdwn import cut, unlinked
from bot.adapters.slack.names import DIGEST, DIGEST_ENTRY, DIGEST_MUTE, DIGEST_SETTINGS
from bot.adapters.slack.rich import Block
from bot.digest_lines import about_line, count_line, day_said, left_line, note_line
from bot.present import printable, title_of
from bot.subscription import Digest, DigestEntry, Part, Section

__all__ = ["ENTRY_ACTIONS", "digest_parts", "notice_part"]

ENTRY_ACTIONS = {"more": "More like this", "less": "Less like this", "save": "Save for me"}
"""What can be done with an entry, by the value that its menu sends before the entry's id."""

_IN_ONE = 8  # entries of a message: each has three blocks, and a message has room for 50
_ROOM = 11_000
_QUOTED = 280
_MOST_NOTES = 20
_TITLE = 300
_LONGEST_VALUE = 150  # of an option


def digest_parts(digest: Digest) -> tuple[Part, ...]:
    """Return the messages of *digest*, the first to stand by itself and the others to be in its thread."""
    pieces = list(_pieces(digest)) or [[]]
    last = len(pieces) - 1
    return tuple(_part(digest, piece, first=number == 0, last=number == last) for number, piece in enumerate(pieces))


def notice_part(text: str, *, by: str = "") -> Part:
    """Return a message of plain words; *by* is the person who had it said."""
    said: list[Block] = [rich.text(text)]
    if by:
        said += [rich.text(" · by "), {"type": "user", "user_id": by}]
    return Part(Content(fallback(unlinked(text)), (rich.rich_text(rich.section(*said)),)).to_json())


def _pieces(digest: Digest) -> Iterator[list[tuple[str, DigestEntry]]]:
    """Yield the entries of one message after the other, each with the heading that stands above it, if any."""
    piece: list[tuple[str, DigestEntry]] = []
    spent = 0
    for section in digest.sections:
        for heading, entry in _headed(section):
            price = cost(list(_entry(entry))) + len(heading)
            if piece and (len(piece) == _IN_ONE or spent + price > _ROOM):
                yield piece
                piece, spent = [], 0
            piece.append((heading, entry))
            spent += price
    if piece:
        yield piece


def _headed(section: Section) -> Iterator[tuple[str, DigestEntry]]:
    for number, entry in enumerate(section.entries):
        yield (printable(section.heading) if number == 0 else ""), entry


def _part(digest: Digest, piece: Sequence[tuple[str, DigestEntry]], *, first: bool, last: bool) -> Part:
    blocks = [*(_head(digest) if first else ())]
    for heading, entry in piece:
        if heading:
            blocks.append(rich.rich_text(rich.section(rich.text(cut(heading, 200), bold=True))))
        blocks += _entry(entry)
    if first:
        blocks += [*_notes(digest)]
    if last and (left := left_line(digest)):
        blocks.append(context(left))
    if first:
        blocks.append(_buttons())
    text = _summary(digest) if first else "; ".join(printable(entry.entry.title) for _, entry in piece)
    ids = tuple(entry.entry.entry_id for _, entry in piece)
    return Part(Content(fallback(unlinked(text)), tuple(blocks)).to_json(), ids)


def _head(digest: Digest) -> Iterator[Block]:
    title = f"New papers · {day_said(digest.day)}"
    yield {"type": "header", "text": {"type": "plain_text", "text": title, "emoji": False}}
    yield context(f"{cut(count_line(digest), 1_500)} · {digest.subscription.schedule.said}")


def _entry(one: DigestEntry) -> Iterator[Block]:
    head = [rich.text(f"{one.number}. "), rich.link(cut(title_of(one.entry), _TITLE), one.entry.url, bold=True)]
    parts: list[Block] = [rich.section(*head)]
    if one.quote is not None:
        parts.append(rich.quotation(rich.quote_parts(one.quote, most=_QUOTED)))
    yield rich.rich_text(*parts)
    about = " · ".join(part for part in (about_line(one.entry), " ".join(one.why)) if part)
    yield _with_menu(about or "no authors given", one)


def _with_menu(about: str, one: DigestEntry) -> Block:
    """Return the line under a title, with the menu of what can be done with the entry, where its id fits into that."""
    block: Block = {"type": "section", "text": {"type": "plain_text", "text": cut(about, 2_000), "emoji": False}}
    entry_id = one.entry.entry_id
    if len(entry_id) + 5 > _LONGEST_VALUE:
        return block
    options = [
        {"text": {"type": "plain_text", "text": label, "emoji": False}, "value": f"{action}:{entry_id}"}
        for action, label in ENTRY_ACTIONS.items()
    ]
    return block | {"accessory": {"type": "overflow", "action_id": DIGEST_ENTRY, "options": options}}


def _notes(digest: Digest) -> Iterator[Block]:
    if not digest.notes:
        return
    items = [
        [rich.link(cut(printable(note.title), _TITLE), note.url), rich.text(f": {cut(printable(note.said), 300)}")]
        for note in digest.notes[:_MOST_NOTES]
    ]
    yield rich.rich_text(rich.section(rich.text("Of earlier entries", bold=True)), rich.bullets(items))
    if (left := len(digest.notes) - _MOST_NOTES) > 0:
        yield context(f"and {left:,} more changes")


def _buttons() -> Block:
    buttons = [
        _button("Settings", DIGEST_SETTINGS, "Change what this digest is about, and when it comes"),
        _button("Mute", DIGEST_MUTE, "Pause this digest for everybody here"),
    ]
    return {"type": "actions", "block_id": DIGEST, "elements": buttons}


def _button(label: str, action: str, meaning: str) -> Block:
    return {
        "type": "button",
        "action_id": action,
        "text": {"type": "plain_text", "text": label, "emoji": False},
        "accessibility_label": meaning,
    }


def _summary(digest: Digest) -> str:
    """Return the text for notifications: how many, and the first titles."""
    titles = "; ".join(printable(one.entry.title) for one in digest.entries[:5])
    notes = "; ".join(note_line(note) for note in digest.notes[:5])
    return cut(": ".join(part for part in (count_line(digest), titles or notes) if part), MAX_TEXT // 2)
