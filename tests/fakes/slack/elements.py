"""Block Kit's elements and composition objects, with the limits of Slack's reference pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tests.fakes.slack.shapes import (
    Check,
    Misfit,
    Shape,
    anything,
    array,
    boolean,
    integer,
    matching,
    one_of,
    string,
    typed,
    web_address,
)

__all__ = ["ELEMENTS", "INPUTS", "INTERACTIVE", "SELECTS", "any_text", "confirm", "element", "image", "plain"]

_TEXTS = ("plain_text", "mrkdwn")


def any_text(*, most: int, least: int = 1, only: str | None = None) -> Check:
    """Accept a text object of at most *most* characters; *only* one of its two types when given."""
    of_string: Mapping[str, Check] = {"text": string(most=most, least=least)}
    shapes = {
        "plain_text": Shape(of_string, {"emoji": boolean}),
        "mrkdwn": Shape(of_string, {"verbatim": boolean}),
    }
    return typed(shapes, *((only,) if only else _TEXTS))


def plain(most: int) -> Check:
    """Accept a plain_text object of at most *most* characters."""
    return any_text(most=most, only="plain_text")


confirm = Shape(
    {"title": plain(100), "text": any_text(most=300), "confirm": plain(30), "deny": plain(30)},
    {"style": one_of("primary", "danger")},
)

_marked_option = Shape(
    {"text": any_text(most=75), "value": string(most=150)},
    {"description": any_text(most=75)},
)
"""Of checkboxes and radio buttons; the options of menus are plain."""

_option = Shape(
    {"text": plain(75), "value": string(most=150)},
    {"description": plain(75), "url": web_address()},
)
_group = Shape({"label": plain(75), "options": array(_option, most=100)})
_action: Mapping[str, Check] = {"action_id": string(most=255), "confirm": confirm, "focus_on_load": boolean}
_input: Mapping[str, Check] = {**_action, "placeholder": plain(150)}
_many: Mapping[str, Check] = {"max_selected_items": integer}
_date, _time = matching(r"\d{4}-\d\d-\d\d", "a date as YYYY-MM-DD"), matching(r"\d\d:\d\d", "a time as HH:mm")
_response: Mapping[str, Check] = {
    "response_url_enabled": boolean,
    "default_to_current_conversation": boolean,
    "filter": Shape(
        {},
        {
            "include": array(one_of("im", "mpim", "private", "public"), most=4),
            "exclude_external_shared_channels": boolean,
            "exclude_bot_users": boolean,
        },
        ("include", "exclude_external_shared_channels", "exclude_bot_users"),
    ),
}


def _options_once(value: object, at: str) -> Iterator[Misfit]:
    if isinstance(value, Mapping) and value.get("options") and value.get("option_groups"):
        yield Misfit("must define either `options` or `option_groups`, not both", at)
    yield from _initial_offered(value, at)


def _initial_offered(value: object, at: str) -> Iterator[Misfit]:
    """Yield what is chosen at first without being on offer, word for word."""
    if not isinstance(value, Mapping):
        return
    groups = [group for group in _listed(value, "option_groups") if isinstance(group, Mapping)]
    offered = [*_listed(value, "options"), *(option for group in groups for option in _listed(group, "options"))]
    initial = [value.get("initial_option"), *_listed(value, "initial_options")]
    if any(option is not None and option not in offered for option in initial):
        yield Misfit("the initial option must match one of the options", at)


def _listed(value: Mapping[str, object], name: str) -> Sequence[object]:
    found = value.get(name)
    return found if isinstance(found, list) else ()


_options: Mapping[str, Check] = {"options": array(_option, most=100), "option_groups": array(_group, most=100)}
_either = ("options", "option_groups")
_feedback = Shape({"text": plain(75), "value": string(most=2000)}, {"accessibility_label": string(most=75)})
image = Shape({"alt_text": string(most=2000)}, {"image_url": web_address(), "slack_file": anything})

SELECTS: Mapping[str, Shape] = {
    "static_select": Shape({}, {**_input, **_options, "initial_option": _option}, _either, _options_once),
    "multi_static_select": Shape(
        {}, {**_input, **_many, **_options, "initial_options": array(_option, most=100)}, _either, _options_once
    ),
    "external_select": Shape({}, {**_input, "initial_option": _option, "min_query_length": integer}),
    "multi_external_select": Shape({}, {**_input, **_many, "initial_options": anything, "min_query_length": integer}),
    "users_select": Shape({}, {**_input, "initial_user": string(most=255)}),
    "multi_users_select": Shape({}, {**_input, **_many, "initial_users": anything}),
    "conversations_select": Shape({}, {**_input, **_response, "initial_conversation": string(most=255)}),
    "multi_conversations_select": Shape({}, {**_input, **_many, **_response, "initial_conversations": anything}),
    "channels_select": Shape({}, {**_input, **_response, "initial_channel": string(most=255)}),
    "multi_channels_select": Shape({}, {**_input, **_many, "initial_channels": anything}),
}

INTERACTIVE: Mapping[str, Shape] = {
    **SELECTS,
    "button": Shape(
        {"text": plain(75)},
        {
            **_action,
            "url": web_address(),
            "value": string(most=2000),
            "style": one_of("primary", "danger"),
            "accessibility_label": string(most=75),
            "agent_prompt": string(most=4000),
        },
    ),
    "overflow": Shape({"options": array(_option, most=5)}, _action),
    "datepicker": Shape({}, {**_input, "initial_date": _date}),
    "timepicker": Shape({}, {**_input, "initial_time": _time, "timezone": string(most=255)}),
    "datetimepicker": Shape({}, {**_action, "initial_date_time": integer}),
    "checkboxes": Shape(
        {"options": array(_marked_option, most=10)},
        {**_action, "initial_options": array(_marked_option, most=10)},
        extra=_initial_offered,
    ),
    "radio_buttons": Shape(
        {"options": array(_marked_option, most=10)},
        {**_action, "initial_option": _marked_option},
        extra=_initial_offered,
    ),
}

_typed_in: Mapping[str, Check] = {
    **_input,
    "initial_value": string(most=3000, least=0),
    "dispatch_action_config": anything,
}
INPUTS: Mapping[str, Shape] = {
    **{name: shape for name, shape in INTERACTIVE.items() if name not in ("button", "overflow")},
    "plain_text_input": Shape({}, {**_typed_in, "multiline": boolean, "min_length": integer, "max_length": integer}),
    "email_text_input": Shape({}, _typed_in),
    "url_text_input": Shape({}, _typed_in),
    "number_input": Shape(
        {"is_decimal_allowed": boolean}, {**_typed_in, "min_value": string(most=99), "max_value": string(most=99)}
    ),
    "rich_text_input": Shape({}, {**_typed_in, "initial_value": anything}),
    "file_input": Shape({}, {**_action, "filetypes": anything, "max_files": integer}),
}

ELEMENTS: Mapping[str, Shape] = {
    **INPUTS,
    **INTERACTIVE,
    "image": image,
    "workflow_button": Shape({"text": plain(75), "workflow": anything}, {**_action, "style": anything}),
    "feedback_buttons": Shape(
        {"positive_button": _feedback, "negative_button": _feedback}, {"action_id": string(most=255)}
    ),
    "icon_button": Shape(
        {"icon": string(most=50), "text": plain(75)},
        {**_action, "value": string(most=2000), "visible_to_user_ids": anything, "accessibility_label": anything},
    ),
    "plain_text": Shape({"text": string(most=3000)}, {"emoji": boolean}),
    "mrkdwn": Shape({"text": string(most=3000)}, {"verbatim": boolean}),
}


def element(*allowed: str) -> Check:
    """Accept one of the elements named."""
    return typed(ELEMENTS, *allowed)
