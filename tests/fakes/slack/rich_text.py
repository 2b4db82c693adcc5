"""Block Kit's rich_text: structured text, in which nothing needs escaping."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.slack.shapes import Check, Shape, anything, array, boolean, integer, one_of, string, typed, web_address

__all__ = ["RICH_TEXT"]

_flags = ("bold", "italic", "strike", "code", "underline", "highlight", "client_highlight", "unlink")
_style = {"style": Shape({}, dict.fromkeys(_flags, boolean))}
_id = string(most=255)

_parts: Mapping[str, Shape] = {
    "text": Shape({"text": string(most=12_000)}, _style),
    "link": Shape({"url": web_address()}, {**_style, "text": string(most=12_000), "unsafe": boolean}),
    "emoji": Shape({"name": _id}, {**_style, "unicode": _id, "skin_tone": integer}),
    "user": Shape({"user_id": _id}, _style),
    "usergroup": Shape({"usergroup_id": _id}, _style),
    "channel": Shape({"channel_id": _id}, _style),
    "team": Shape({"team_id": _id}, _style),
    "broadcast": Shape({"range": one_of("here", "channel", "everyone")}, _style),
    "color": Shape({"value": _id}, _style),
    "date": Shape({"timestamp": integer, "format": _id}, {**_style, "url": web_address(), "fallback": _id}),
}
_many = 10_000  # Slack documents no ceiling: the text counts, not its pieces.
_content: Check = array(typed(_parts), most=_many)
_section = Shape({"elements": _content})
_places = {"indent": integer, "border": integer}

RICH_TEXT: Mapping[str, Shape] = {
    "rich_text_section": _section,
    "rich_text_quote": Shape({"elements": _content}, {"border": integer}),
    "rich_text_preformatted": Shape({"elements": _content}, {"border": integer, "language": anything}),
    "rich_text_list": Shape(
        {
            "style": one_of("bullet", "ordered"),
            "elements": array(typed({"rich_text_section": _section}), most=_many),
        },
        {**_places, "offset": integer},
    ),
}
