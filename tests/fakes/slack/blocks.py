"""Block Kit's blocks: what a message, a modal or a Home tab may hold, and Slack's words for what it may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from tests.fakes.slack.elements import ELEMENTS, INPUTS, INTERACTIVE, any_text, element, image, plain
from tests.fakes.slack.rich_text import RICH_TEXT
from tests.fakes.slack.shapes import (
    Misfit,
    Shape,
    anything,
    array,
    boolean,
    integer,
    one_of,
    string,
    typed,
    web_address,
)
from tests.fakes.slack.wire import Ids, JsonObject

__all__ = [
    "BLOCKS",
    "Surface",
    "block_cost",
    "check_blocks",
    "interactive_elements",
    "too_long",
    "with_ids",
]

Surface: TypeAlias = Literal["message", "modal", "home"]

_id = {"block_id": string(most=255)}
_INERT = ("image", "plain_text", "mrkdwn")
_accessories = (*INTERACTIVE, "image", "workflow_button")
_rich_text = Shape({"elements": array(typed(RICH_TEXT), most=10_000)}, _id)
_cell = typed({"raw_text": Shape({"text": string(most=12_000)}), "rich_text": _rich_text})

BLOCKS: Mapping[str, Shape] = {
    "section": Shape(
        {},
        {
            **_id,
            "text": any_text(most=3000),
            "fields": array(any_text(most=2000), most=10),
            "accessory": element(*_accessories),
            "expand": boolean,
        },
        ("text", "fields"),
    ),
    "divider": Shape({}, _id),
    "header": Shape({"text": plain(150)}, {**_id, "level": integer}),
    "image": Shape(
        image.required,
        {**image.optional, **_id, "title": plain(2000)},
        ("image_url", "slack_file"),
    ),
    "actions": Shape({"elements": array(element(*INTERACTIVE, "workflow_button"), most=25)}, _id),
    "context": Shape({"elements": array(element("image", "plain_text", "mrkdwn"), most=10)}, _id),
    "context_actions": Shape({"elements": array(element("feedback_buttons", "icon_button"), most=5)}, _id),
    "input": Shape(
        {"label": plain(2000), "element": element(*INPUTS)},
        {**_id, "hint": plain(2000), "optional": boolean, "dispatch_action": boolean},
    ),
    "markdown": Shape({"text": string(most=12_000)}, _id),
    "rich_text": _rich_text,
    "table": Shape(
        {"rows": array(array(_cell, most=20), most=100)},
        {**_id, "column_settings": array(anything, most=20)},
    ),
    "file": Shape({"external_id": string(most=255), "source": one_of("remote")}, _id),
    "video": Shape(
        {
            "alt_text": string(most=2000),
            "title": plain(199),
            "thumbnail_url": web_address(),
            "video_url": web_address(),
        },
        {
            **_id,
            "author_name": string(most=49),
            "description": plain(200),
            "provider_icon_url": web_address(),
            "provider_name": string(most=50),
            "title_url": web_address(),
        },
    ),
    "card": Shape(
        {},
        {
            **_id,
            "hero_image": anything,
            "icon": anything,
            "title": any_text(most=150),
            "subtitle": any_text(most=150),
            "body": any_text(most=200),
            "actions": array(element("button"), most=5),
        },
        ("hero_image", "title", "actions", "body"),
    ),
    "alert": Shape(
        {"text": any_text(most=3000)},
        {**_id, "level": one_of("default", "info", "warning", "error", "success")},
    ),
}
_SURFACES: Mapping[Surface, frozenset[str]] = {
    "message": frozenset(BLOCKS) - {"input", "alert"},
    "modal": frozenset(BLOCKS) - {"context_actions", "table", "card", "markdown", "file"},
    "home": frozenset(BLOCKS) - {"context_actions", "table", "card", "markdown", "file", "alert"},
}
_MOST: Mapping[Surface, int] = {"message": 50, "modal": 100, "home": 100}

# Measured by others on chat.postMessage: one markdown block of 13,297 characters passes, and every
# further block lowers that by 125 (slackapi/bolt-js#2509); rich text pays for its pieces as well (#2867).
_ROOM, _PER_BLOCK, _PER_PIECE = 13_297, 125, 30


def check_blocks(blocks: object, *, surface: Surface = "message", at: str = "/blocks") -> list[Misfit]:
    """Return everything that Slack would refuse in *blocks*, in reading order; empty when it takes them."""
    allowed = sorted(_SURFACES[surface])
    found = list(array(typed(BLOCKS, *allowed), most=_MOST[surface], least=0)(blocks, at))
    if isinstance(blocks, Sequence) and not isinstance(blocks, str):
        found += _repeated_ids(blocks, at)
        found += _markdown_total(blocks, at)
    return found


def _repeated_ids(blocks: Sequence[object], at: str) -> Iterator[Misfit]:
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        if not isinstance(block, Mapping):
            continue
        block_id = block.get("block_id")
        if isinstance(block_id, str) and block_id in seen:
            yield Misfit(f'"block_id" {block_id} already exists', f"{at}/{index}/block_id")
        seen.add(str(block_id))
        yield from _repeated_actions(block, f"{at}/{index}")


def _repeated_actions(block: Mapping[str, object], at: str) -> Iterator[Misfit]:
    seen: set[str] = set()
    parts = block.get("elements")
    for index, part in enumerate(parts if isinstance(parts, list) else []):
        action_id = part.get("action_id") if isinstance(part, Mapping) else None
        if isinstance(action_id, str) and action_id in seen:
            yield Misfit(f'"action_id" {action_id} already exists', f"{at}/elements/{index}/action_id")
        seen.add(str(action_id))


def _markdown_total(blocks: Sequence[object], at: str) -> Iterator[Misfit]:
    texts = [b["text"] for b in blocks if isinstance(b, Mapping) and b.get("type") == "markdown" and "text" in b]
    if sum(len(text) for text in texts if isinstance(text, str)) > 12_000:
        yield Misfit("markdown blocks must be less than 12001 characters in all", at)


def _texts(value: object) -> Iterator[str]:
    """Yield what stands under a key "text", at any depth."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == "text" and isinstance(part, str):
                yield part
            else:
                yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def block_cost(blocks: Sequence[JsonObject]) -> int:
    """Return how many characters Slack counts for *blocks*: their texts, and something for their containers."""
    pieces = sum(1 for block in blocks if block.get("type") == "rich_text" for _ in _texts(block))
    text = sum(len(text) for text in _texts(list(blocks)))
    return text + _PER_BLOCK * max(0, len(blocks) - 1) + _PER_PIECE * pieces


def too_long(blocks: Sequence[JsonObject]) -> bool:
    """Tell whether Slack would answer `msg_blocks_too_long`."""
    return block_cost(blocks) > _ROOM


def interactive_elements(blocks: Sequence[JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """Yield each block's id with each element of it that a person can use, in reading order."""
    for block in blocks:
        parts = [block.get("accessory"), block.get("element"), *(block.get("elements") or [])]
        parts += [*(block.get("actions") or [])] if block.get("type") == "card" else []
        for part in parts:
            if isinstance(part, Mapping) and part.get("type") in ELEMENTS and "action_id" in part:
                yield str(block.get("block_id", "")), dict(part)


def with_ids(block: JsonObject, ids: Ids) -> JsonObject:
    """Return a block with the block_id and action_ids that Slack makes up when there are none."""

    def named(part: object) -> object:
        usable = isinstance(part, dict) and part.get("type") in ELEMENTS and part["type"] not in _INERT
        return {"action_id": ids.next("a"), **part} if isinstance(part, dict) and usable else part

    filled = {"block_id": ids.next("b"), **block}
    for key in ("accessory", "element"):
        if key in filled:
            filled[key] = named(filled[key])
    if block.get("type") in ("actions", "context_actions"):
        filled["elements"] = [named(part) for part in filled["elements"]]
    return filled
