"""Take typed values out of loosely typed ones, as JSON and spreadsheets hold them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

__all__ = ["at", "items", "mapping", "people", "text", "texts"]


def text(value: object) -> str:  # noqa: PLR0911  # one for each kind of value
    """Return *value* as text: the first of a list, a number's digits, the "value" of an object; else empty."""
    match value:
        case str():
            return value
        case bool() | None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case int() | float():
            return str(value)
        case [first, *_]:
            return text(first)
        case {"value": inner}:
            return text(inner)
        case _:
            return ""


def texts(value: object, *, separators: str = ";") -> list[str]:
    """Return *value* as a list of texts; one text is taken apart at any of *separators*."""
    match value:
        case {"value": inner}:
            return texts(inner, separators=separators)
        case str():
            return [part for piece in re.split(f"[{re.escape(separators)}]", value) if (part := piece.strip())]
        case Sequence():
            return [part for item in value if (part := text(item).strip())]
        case _:
            return []


def people(value: object) -> list[str]:
    """Return the names in a list of texts or of people as services describe them, else none."""
    return [name for item in value if (name := _person(item))] if isinstance(value, list) else []


def _person(value: object) -> str:
    match value:
        case {"family": str(family)} | {"lastName": str(family)} | {"last": str(family)}:
            given = text(value.get("given") or value.get("firstName") or value.get("first"))  # type: ignore[attr-defined]
            return f"{family}, {given}" if given else family
        case {"name": str(name)} | {"literal": str(name)} | {"fullname": str(name)}:
            return name
        case _:
            return text(value)


def mapping(value: object) -> Mapping[str, object]:
    """Return *value* when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> list[Mapping[str, object]]:
    """Return the objects in a list, else none."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def at(value: object, *names: str | int) -> object:
    """Return what stands at a path of names and positions, or None."""
    for name in names:
        if isinstance(name, int):
            value = value[name] if isinstance(value, list) and len(value) > name else None
        else:
            value = mapping(value).get(name)
    return value
