"""What using an element sends: the chosen action of a click, the values of a submitted form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tests.fakes.slack.wire import JsonObject

__all__ = ["Values", "action_of", "state_of", "values_of"]

Values: TypeAlias = str | int | Sequence[str] | None

# Under which key an element reports a single choice, and under which it holds its initial one.
_SINGLE: Mapping[str, tuple[str, str]] = {
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "users_select": ("selected_user", "initial_user"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "channels_select": ("selected_channel", "initial_channel"),
}
_MANY: Mapping[str, tuple[str, str]] = {
    "multi_users_select": ("selected_users", "initial_users"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
}
_OPTION = ("static_select", "external_select", "radio_buttons", "overflow")
_OPTIONS = ("multi_static_select", "multi_external_select", "checkboxes")


def _options(part: JsonObject) -> list[JsonObject]:
    groups = part.get("option_groups") or []
    return [*(part.get("options") or []), *(option for group in groups for option in group["options"])]


def values_of(part: JsonObject) -> list[str]:
    """Return the values that using an element can send: a button's, or those of its options."""
    given = [part["value"]] if isinstance(part.get("value"), str) else []
    return given + [str(option["value"]) for option in _options(part)]


def _option(part: JsonObject, value: object) -> JsonObject:
    found = [option for option in _options(part) if option["value"] == value]
    if found:
        return found[0]
    if part["type"].endswith("external_select"):
        return {"text": {"type": "plain_text", "text": str(value)}, "value": str(value)}
    values = ", ".join(str(option["value"]) for option in _options(part))
    raise LookupError(f"no option {value} in {part['action_id']}: there are {values}")


def _reported(part: JsonObject, value: Values) -> JsonObject:
    kind = part["type"]
    if kind in _SINGLE:
        key, initial = _SINGLE[kind]
        return {"type": kind, key: part.get(initial) if value is None else value}
    if kind in _MANY:
        key, initial = _MANY[kind]
        return {"type": kind, key: list(part.get(initial) or []) if value is None else value}
    if kind in _OPTION:
        chosen = part.get("initial_option") if value is None else _option(part, value)
        return {"type": kind, "selected_option": chosen}
    if kind in _OPTIONS:
        given = [] if value is None or isinstance(value, str | int) else [_option(part, one) for one in value]
        return {"type": kind, "selected_options": (part.get("initial_options") or []) if value is None else given}
    return {"type": kind}


def state_of(blocks: Sequence[JsonObject], values: Mapping[str, Values]) -> JsonObject:
    """Return a form's state: what each field holds, by block id and action id.

    Raises:
        LookupError: If *values* names a field or an option that is not there.
    """
    state: JsonObject = {}
    left = set(values)
    for block in blocks:
        parts = [block.get("element"), block.get("accessory"), *(block.get("elements") or [])]
        fields = [p for p in parts if isinstance(p, dict) and p.get("type") in (*_SINGLE, *_MANY, *_OPTION, *_OPTIONS)]
        for part in fields:
            name = part["action_id"] if part["action_id"] in values else block["block_id"]
            left.discard(name)
            state.setdefault(block["block_id"], {})[part["action_id"]] = _reported(part, values.get(name))
    if left:
        raise LookupError(f"the form has no field {', '.join(sorted(left))}")
    return state


def action_of(part: JsonObject, block_id: str, value: str | None, *, ts: str) -> JsonObject:
    """Return the action that using an element sends.

    Raises:
        LookupError: If the element has no such value.
    """
    action: JsonObject = {"action_id": part["action_id"], "block_id": block_id, "type": part["type"], "action_ts": ts}
    if part["type"] == "feedback_buttons":
        buttons = [part["positive_button"], part["negative_button"]]
        found = [b for b in buttons if value in (b["value"], b["text"]["text"])]
        if not found:
            raise LookupError(f"no feedback {value}: there are {', '.join(b['value'] for b in buttons)}")
        return action | {"text": found[0]["text"], "value": found[0]["value"]}
    if part["type"] in ("button", "icon_button"):
        given = {"value": part["value"]} if "value" in part else {}
        return action | given | {"text": part["text"]}
    return action | _reported(part, value)
