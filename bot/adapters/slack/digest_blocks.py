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
from bot.subscription import Digest, DigestEntry, Part

__all__ = ["ENTRY_ACTIONS", "digest_parts", "notice_part"]

ENTRY_ACTIONS = {"more": "More like this", "less": "Less like this", "save": "Save for me"}
"""What can be done with an entry, by the value that its menu sends before the entry's id."""

_IN_ONE = 8  # entries of a message: each has two blocks, and a message has room for 50
_ROOM = 11_000
_QUOTED = 280
_TITLE = 300
_HEADING = 200
_LONGEST_VALUE = 150  # of an option


def digest_parts(digest: Digest) -> tuple[Part, ...]:
    """Return the messages of *digest*, the first to stand by itself and the others to be in its thread."""
    around = [*_head(digest), *_notes(digest), *_buttons()]
    pieces = list(_pieces(digest, taken=cost(around))) or [[]]
    first = _first(digest, pieces[0], is_all=len(pieces) == 1)
    return (first, *(_further(digest, piece, is_last=piece is pieces[-1]) for piece in pieces[1:]))


def notice_part(text: str, *, by: str = "") -> Part:
    """Return a message of plain words; *by* is the person who had it said."""
    said: list[Block] = [rich.text(text)]
    if by:
        said += [rich.text(" · by "), {"type": "user", "user_id": by}]
    return Part(Content(fallback(unlinked(text)), (rich.rich_text(rich.section(*said)),)).to_json())


_Headed = tuple[str, DigestEntry]


def _pieces(digest: Digest, *, taken: int) -> Iterator[list[_Headed]]:
    """Yield the entries of one message after the other, each with the heading of its section.

    Args:
        digest: Of what.
        taken: How much of the first message's room is.
    """
    piece: list[_Headed] = []
    spent = taken
    for section in digest.sections:
        heading = cut(printable(section.heading), _HEADING)
        for entry in section.entries:
            price = cost([*_heading(heading), *_entry(entry)])
            if piece and (len(piece) == _IN_ONE or spent + price > _ROOM):
                yield piece
                piece, spent = [], 0
            piece.append((heading, entry))
            spent += price
    if piece:
        yield piece


def _first(digest: Digest, piece: Sequence[_Headed], *, is_all: bool) -> Part:
    below = _left(digest) if is_all else [context(f"{len(digest.entries) - len(piece):,} more in the thread")]
    return _part(_summary(digest), [*_head(digest), *_shown(piece), *_notes(digest), *below, *_buttons()], piece)


def _further(digest: Digest, piece: Sequence[_Headed], *, is_last: bool) -> Part:
    titles = "; ".join(printable(entry.entry.title) for _, entry in piece)
    return _part(titles, [*_shown(piece), *(_left(digest) if is_last else ())], piece)


def _part(text: str, blocks: Sequence[Block], piece: Sequence[_Headed]) -> Part:
    content = Content(fallback(unlinked(text)), tuple(blocks))
    return Part(content.to_json(), tuple(entry.entry.entry_id for _, entry in piece))


def _shown(piece: Sequence[_Headed]) -> Iterator[Block]:
    above = ""
    for heading, entry in piece:
        if heading != above:
            yield from _heading(heading)
        above = heading
        yield from _entry(entry)


def _heading(heading: str) -> Iterator[Block]:
    if heading:
        yield rich.rich_text(rich.section(rich.text(heading, bold=True)))


def _left(digest: Digest) -> list[Block]:
    left = left_line(digest)
    return [context(left)] if left else []


def _head(digest: Digest) -> Iterator[Block]:
    title = f"New papers · {day_said(digest.day)}"
    yield {"type": "header", "text": {"type": "plain_text", "text": title, "emoji": False}}
    yield context(f"{cut(count_line(digest), 1_500)} · {digest.subscription.schedule.said}")


def _entry(one: DigestEntry) -> Iterator[Block]:
    head = [rich.text(f"{one.number}. "), rich.link(cut(title_of(one.entry), _TITLE), one.entry.url, bold=True)]
    parts: list[Block] = [rich.section(*head)]
    if one.quote is not None:
        shown = cut(one.quote.text, _QUOTED)
        whole = shown == one.quote.text
        parts.append(rich.quotation(rich.quote_parts(one.quote, most=len(shown) - (0 if whole else len(" …")))))
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
    items: list[list[Block]] = []
    spent = 0
    for note in digest.notes:
        said = rich.text(f": {cut(printable(note.said), _TITLE)}")
        item = [rich.link(cut(printable(note.title), _TITLE), note.url), said]
        spent += cost(item)
        if spent > _ROOM // 3:
            break
        items.append(item)
    if items:
        yield rich.rich_text(rich.section(rich.text("Of earlier entries", bold=True)), rich.bullets(items))
    if left := len(digest.notes) - len(items):
        yield context(f"and {left:,} more of earlier entries")


def _buttons() -> Iterator[Block]:
    buttons = [
        _button("Settings", DIGEST_SETTINGS, "Change what this digest is about, and when it comes"),
        _button("Mute", DIGEST_MUTE, "Pause this digest for everybody here"),
    ]
    yield {"type": "actions", "block_id": DIGEST, "elements": buttons}


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
