"""Block Kit as HTML, close enough to Slack's own look to judge a message by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.fakes.slack.markup import Markup, join, link, tag
from tests.fakes.slack.mrkdwn import to_html
from tests.fakes.slack.wire import JsonObject, as_object, strings_in

__all__ = ["Names", "Use", "blocks_html", "text_html"]

Names = Mapping[str, str]
# Makes an interactive element usable: the page knows where it stands.
Use = Callable[[JsonObject], Markup]

_STYLES = (("bold", "strong"), ("italic", "em"), ("strike", "del"), ("code", "code"))
_WRAPS = {"rich_text_quote": "blockquote", "rich_text_preformatted": "pre", "rich_text_section": "div"}


def text_html(text: object, names: Names) -> Markup:
    """Return a text object, or mrkdwn given as a string."""
    if isinstance(text, Mapping):
        plain = text.get("type") != "mrkdwn"
        return tag("span", text["text"]) if plain else Markup(to_html(str(text["text"]), names))
    return Markup(to_html(str(text), names))


def _part(part: JsonObject, names: Names) -> Markup:
    kind = part.get("type")
    if kind == "link":
        shown = link(str(part["url"]), str(part.get("text") or part["url"]))
    elif kind == "text":
        shown = Markup("<br>".join(join([line]) for line in str(part["text"]).split("\n")))
    elif kind == "user":
        shown = tag("span", f"@{names.get(part['user_id'], part['user_id'])}", class_="mention")
    elif kind == "channel":
        shown = tag("span", f"#{names.get(part['channel_id'], part['channel_id'])}", class_="mention")
    elif kind == "broadcast":
        shown = tag("span", f"@{part['range']}", class_="mention")
    elif kind == "emoji":
        shown = tag("span", f":{part['name']}:")
    else:
        shown = tag("span", " ".join(s for s in strings_in(part) if s != kind), class_="mention")
    for style, name in _STYLES:
        if as_object(part.get("style")).get(style):
            shown = tag(name, shown)
    return shown


def _rich(element: JsonObject, names: Names) -> Markup:
    parts = element.get("elements", [])
    if element.get("type") == "rich_text_list":
        items = [tag("li", _rich(part, names)) for part in parts]
        return tag("ol" if element.get("style") == "ordered" else "ul", *items)
    return tag(_WRAPS.get(str(element.get("type")), "div"), *(_part(part, names) for part in parts))


def _section(block: JsonObject, names: Names, use: Use) -> Markup:
    text = [tag("div", text_html(block["text"], names))] if block.get("text") else []
    fields = [tag("div", text_html(field, names)) for field in block.get("fields") or []]
    body = tag("div", *text, *([tag("div", *fields, class_="fields")] if fields else []), class_="grow")
    accessory = [use(block["accessory"])] if block.get("accessory") else []
    return tag("div", body, *accessory, class_="section")


def _context(block: JsonObject, names: Names, use: Use) -> Markup:
    parts = [use(e) if e["type"] == "image" else text_html(e, names) for e in block["elements"]]
    return tag("div", *(tag("span", part) for part in parts), class_="context")


def _input(block: JsonObject, names: Names, use: Use) -> Markup:
    hint = [tag("small", block["hint"]["text"])] if block.get("hint") else []
    wanted = "" if not block.get("optional") else " (optional)"
    return tag("label", tag("b", block["label"]["text"] + wanted), use(block["element"]), *hint, class_="field")


def _table(block: JsonObject, names: Names, use: Use) -> Markup:
    rows = [tag("tr", *(tag("td", " ".join(_texts(cell))) for cell in row)) for row in block["rows"]]
    return tag("table", *rows)


def _texts(value: object) -> Iterable[str]:
    return (s for s in strings_in(value) if not s.startswith(("rich_text", "raw_text")) and s != "text")


def _fallback(block: JsonObject, names: Names, use: Use) -> Markup:
    return tag("div", tag("small", f"[{block.get('type')}] "), " ".join(_texts(block)), class_="unknown")


_BLOCKS: Mapping[str, Callable[[JsonObject, Names, Use], Markup]] = {
    "section": _section,
    "context": _context,
    "input": _input,
    "table": _table,
    "header": lambda block, names, use: tag("h3", block["text"]["text"]),
    "divider": lambda block, names, use: Markup("<hr>"),
    "markdown": lambda block, names, use: tag("div", block["text"], class_="markdown"),
    "rich_text": lambda block, names, use: tag("div", *(_rich(part, names) for part in block["elements"])),
    "actions": lambda block, names, use: tag("div", *map(use, block["elements"]), class_="actions"),
    "context_actions": lambda block, names, use: tag("div", *map(use, block["elements"]), class_="actions quiet"),
    "image": lambda block, names, use: tag("div", f"🖼 {block.get('alt_text', '')}", class_="unknown"),
}


def blocks_html(blocks: Sequence[JsonObject], names: Names, use: Use) -> Markup:
    """Return blocks as HTML.

    Args:
        blocks: Valid blocks.
        names: A name by the id of a user or a channel.
        use: Renders an element that a person can use.
    """
    return join(tag("div", _BLOCKS.get(b["type"], _fallback)(b, names, use), class_="block") for b in blocks)
