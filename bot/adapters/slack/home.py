"""The Home tab and the suggested prompts: what is there to ask, how fresh it is, and how to ask it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from bot.adapters.slack import rich
from bot.adapters.slack.blocks import context
from bot.adapters.slack.digest_fields import place_element
from bot.adapters.slack.mrkdwn import cut
from bot.adapters.slack.names import COMMAND, DIGEST_SETTINGS
from bot.adapters.slack.rich import Block
from bot.present import printable
from retrieval.collection import Collection

__all__ = ["Shelf", "home_view", "prompts", "shelf_of"]

_MOST_PROMPTS = 4
_LOOKED_AT = 200  # entries; a list of a million of which none has a name is not read for an example
_MOST_DIGESTS = 20


@dataclass(frozen=True, slots=True)
class Shelf:
    """What is searched, at one moment.

    Attributes:
        summary: One line.
        newest: The latest year of any entry.
        at: When it was looked at.
        examples: Questions that it answers.
    """

    summary: str
    newest: int | None
    at: datetime
    examples: tuple[str, ...]


def shelf_of(collection: Collection, *, at: datetime) -> Shelf:
    """Describe *collection* as it is at that time, with examples from its own names and keywords."""
    named = list(islice((printable(entry.name) for entry in islice(collection, _LOOKED_AT) if entry.name), 2))
    examples = [f"What is {name}?" for name in named]
    examples += ["Which venues do you cover?", "What is new this week?"]
    return Shelf(collection.summary, collection.latest_year, at, tuple(examples[:_MOST_PROMPTS]))


def prompts(shelf: Shelf) -> list[dict[str, str]]:
    """Return what the Messages tab suggests to ask."""
    return [{"title": cut(example, 75), "message": example} for example in shelf.examples]


def home_view(shelf: Shelf, *, bot_user_id: str, subscriptions: Sequence[tuple[str, str]] | None = None) -> Block:
    """Return the Home tab.

    Args:
        shelf: What is searched.
        bot_user_id: Whom to mention.
        subscriptions: Where the person set up digests, each with a line on it; None where nobody can.
    """
    fresh = f"As of {shelf.at:%d %b %Y, %H:%M} UTC" + (f"; newest entries: {shelf.newest}." if shelf.newest else ".")
    mention: Block = {"type": "user", "user_id": bot_user_id}
    ways: Sequence[Sequence[Block]] = [
        [rich.text("In a channel or thread: mention "), mention, rich.text(" with your question.")],
        [rich.text("Here, under Messages: just ask. Only you see it.")],
        [rich.text(f"Anywhere: {COMMAND} and your question. Only you see the answer.")],
        [rich.text("On somebody's message: More actions, then “Find entries about this”.")],
        [
            rich.text(
                "In the thread of an answer: more, open 2, like 2, why 1, only 2026, bib 1. Say “help” for the rest."
            )
        ],
    ]
    blocks: list[Block] = [
        _header("Every answer is a quote"),
        rich.rich_text(rich.section(rich.text(f"I know {shelf.summary}.\n{fresh}"))),
        _header("How to ask"),
        rich.rich_text(rich.bullets(ways)),
        _header("For example"),
        rich.rich_text(rich.bullets([[rich.text(example)] for example in shelf.examples])),
        *([] if subscriptions is None else _digests(subscriptions)),
    ]
    return {"type": "home", "blocks": blocks}


def _digests(subscriptions: Sequence[tuple[str, str]]) -> Iterator[Block]:
    yield _header("Your digests")
    if not subscriptions:
        yield rich.rich_text(rich.section(rich.text("You have set up no digest of new papers yet.")))
    for channel, line in subscriptions[:_MOST_DIGESTS]:
        said = (place_element(channel), rich.text(f": {cut(line, 500)}"))
        yield rich.rich_text(rich.section(*said))
        yield _settings("Change", channel, "Change this digest")
    if (left := len(subscriptions) - _MOST_DIGESTS) > 0:
        yield context(f"and {left:,} more: “{COMMAND} subscriptions” lists them")
    yield _settings("Set up a digest", "", "Be told of new papers in a channel or here")


def _settings(label: str, channel: str, meaning: str) -> Block:
    button: Block = {
        "type": "button",
        "action_id": DIGEST_SETTINGS,
        "text": {"type": "plain_text", "text": label, "emoji": False},
        "accessibility_label": meaning,
    }
    return {"type": "actions", "elements": [button | ({"value": channel} if channel else {})]}


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": text, "emoji": False}}
