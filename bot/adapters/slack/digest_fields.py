"""The fields of a modal: each is an input whose block and action share one name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.adapters.slack import rich
from bot.adapters.slack.rich import Block

__all__ = ["Field", "boxes", "fixed", "line", "menu", "number", "place_element", "places", "time_of_day"]


@dataclass(frozen=True, slots=True)
class Field:
    """What people see of a field."""

    name: str
    label: str
    hint: str = ""
    optional: bool = False

    def block(self, element: Block) -> Block:
        """Return the field with *element* in it."""
        hint = {"hint": _plain(self.hint)} if self.hint else {}
        optional = {"optional": True} if self.optional else {}
        named = {**element, "action_id": self.name}
        return {
            "type": "input",
            "block_id": self.name,
            "label": _plain(self.label),
            **hint,
            **optional,
            "element": named,
        }


def line(field: Field, value: str, *, most: int, multiline: bool = False) -> Block:
    """Return a field for text."""
    initial = {"initial_value": value[:most]} if value else {}
    several = {"multiline": True} if multiline else {}
    return field.block({"type": "plain_text_input", "max_length": most, **several, **initial})


def number(field: Field, value: int, *, least: int, most: int) -> Block:
    """Return a field for a whole number."""
    bounds = {"min_value": str(least), "max_value": str(most)}
    return field.block({"type": "number_input", "is_decimal_allowed": False, **bounds, "initial_value": str(value)})


def time_of_day(field: Field, value: str) -> Block:
    """Return a field for a time, as "09:00"."""
    return field.block({"type": "timepicker", "initial_time": value})


def menu(field: Field, options: Mapping[str, str], value: str) -> Block:
    """Return a field in which one of *options* is chosen."""
    return field.block(
        {
            "type": "static_select",
            "options": [_option(*one) for one in options.items()],
            "initial_option": _option(value, options[value]),
        }
    )


def boxes(field: Field, options: Mapping[str, str], ticked: Collection[str]) -> Block:
    """Return a field in which any of *options* are ticked."""
    initial = [_option(value, label) for value, label in options.items() if value in ticked]
    element: Block = {"type": "checkboxes", "options": [_option(*one) for one in options.items()]}
    return field.block(element | ({"initial_options": initial} if initial else {}))


def places(name: str, label: str, channel: str) -> Block:
    """Return a field in which a channel is chosen, or one's messages with the app; *channel* is suggested."""
    suggested: Block = {"initial_conversation": channel} if channel else {"default_to_current_conversation": True}
    # A direct message with the app is one of a bot user, so bot users stay in.
    kinds = {"include": ["public", "private", "im"]}
    return Field(name, label).block({"type": "conversations_select", "filter": kinds, **suggested})


def fixed(label: str, channel: str) -> Block:
    """Return a line that names a channel."""
    return rich.rich_text(rich.section(rich.text(f"{label}: ", bold=True), place_element(channel)))


def place_element(channel: str) -> Block:
    """Return a channel as people know it: by its name, which Slack puts in, or as their messages with the app."""
    if channel.startswith(("D", "U", "W")):
        return rich.text("direct messages with me")
    return {"type": "channel", "channel_id": channel}


def _option(value: str, label: str) -> Block:
    return {"text": _plain(label), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
