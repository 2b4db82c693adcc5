"""Buttons, menus and fields as HTML forms."""

from __future__ import annotations

from collections.abc import Iterable

from tests.fakes.slack.markup import Markup, form, join, link, tag
from tests.fakes.slack.wire import JsonObject

__all__ = ["clickable", "field"]

_LINES = {"plain_text_input": "text", "email_text_input": "email", "url_text_input": "url", "number_input": "number"}
_PICKERS = {"datepicker": "date", "timepicker": "time"}


def _options(element: JsonObject) -> list[tuple[str, str]]:
    groups = element.get("option_groups") or []
    options = [*(element.get("options") or []), *(option for group in groups for option in group["options"])]
    return [(option["value"], option["text"]["text"]) for option in options]


def _select(name: str, options: Iterable[tuple[str, str]], chosen: object = None) -> Markup:
    shown = [tag("option", label, value=value, selected="" if value == chosen else None) for value, label in options]
    return tag("select", *shown, name=name)


def clickable(element: JsonObject, action: str, where: list[tuple[str, object]]) -> Markup:
    """Return an element of a message or a Home tab as a form that uses it.

    Args:
        element: The element.
        action: Where the form posts.
        where: Hidden fields that say where the element stands.
    """
    kind = element.get("type")
    if kind == "image":
        return tag("span", f"🖼 {element.get('alt_text', '')}")
    hidden = [*where, ("action", element.get("action_id", ""))]
    if kind == "feedback_buttons":
        return join(_feedback(element[side], action, hidden) for side in ("positive_button", "negative_button"))
    if kind in ("button", "icon_button"):
        label = element["text"]["text"]
        button = tag("button", label, class_=element.get("style", ""), aria_label=element.get("accessibility_label"))
        beside = [link(str(element["url"]), "↗")] if element.get("url") else []
        return join([form(action, hidden, button), *beside])
    if _options(element):
        return form(action, hidden, _select("value", _options(element)), tag("button", "OK"))
    return form(action, hidden, tag("input", name="value", placeholder=str(kind)), tag("button", "OK"))


def _feedback(button: JsonObject, action: str, hidden: list[tuple[str, object]]) -> Markup:
    return form(action, [*hidden, ("value", button["value"])], tag("button", button["text"]["text"]))


def field(element: JsonObject, places: list[tuple[str, str]]) -> Markup:
    """Return an element of a modal as a field of the modal's form.

    Args:
        element: The element.
        places: Id and name of each channel, for the elements that choose one.
    """
    kind, name = str(element.get("type")), f"value:{element.get('action_id', '')}"
    if kind in _LINES and element.get("multiline"):
        return tag("textarea", element.get("initial_value", ""), name=name)
    if kind in _LINES:
        return tag("input", type=_LINES[kind], name=name, value=element.get("initial_value", ""))
    if kind in _PICKERS:
        initial = element.get("initial_date") or element.get("initial_time")
        return tag("input", type=_PICKERS[kind], name=name, value=initial or "")
    return _choice(element, kind, name, places)


def _choice(element: JsonObject, kind: str, name: str, places: list[tuple[str, str]]) -> Markup:
    if "conversations" in kind or "channels" in kind:
        return _select(name, places, element.get("initial_conversation") or element.get("initial_channel"))
    if kind in ("checkboxes", "multi_static_select"):
        initial = {option["value"] for option in element.get("initial_options") or []}
        boxes = [_box(name, value, label, on=value in initial) for value, label in _options(element)]
        return tag("div", *boxes, class_="boxes")
    if _options(element):
        return _select(name, _options(element), (element.get("initial_option") or {}).get("value"))
    return tag("input", name=name, placeholder=kind)


def _box(name: str, value: str, label: str, *, on: bool) -> Markup:
    box = tag("input", type="checkbox", name=f"{name}[]", value=value, checked="" if on else None)
    return tag("label", box, " ", label)
