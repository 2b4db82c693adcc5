"""What travels between Slack and an app: JSON objects, refusals, identifiers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

__all__ = ["Ids", "JsonObject", "RefusedError", "as_object", "compact", "strings_in"]

# The one place where Any is let in: Slack's payloads have no fixed shape.
JsonObject: TypeAlias = dict[str, Any]


class RefusedError(Exception):
    """An `ok: false` answer of the Web API.

    Attributes:
        error: Slack's word for it, such as "channel_not_found".
        details: Further keys of the answer, such as "needed" and "provided".
    """

    def __init__(self, error: str, /, **details: Any) -> None:
        super().__init__(error)
        self.error = error
        self.details: JsonObject = details

    def answer(self) -> JsonObject:
        """Return the body of the answer."""
        return {"ok": False, "error": self.error, **self.details}


class Ids:
    """Hands out identifiers that look like Slack's and repeat from run to run."""

    def __init__(self) -> None:
        self._count = 0

    def next(self, prefix: str) -> str:
        """Return a fresh identifier, *prefix* and ten letters or digits."""
        self._count += 1
        return f"{prefix}0FAKE{self._count:05d}"

    def uuid(self) -> str:
        """Return a fresh identifier in the form of a UUID."""
        self._count += 1
        return f"{self._count:08x}-fa4e-4000-8000-{self._count:012x}"

    def number(self) -> int:
        """Return a fresh whole number."""
        self._count += 1
        return self._count


def as_object(value: object) -> JsonObject:
    """Return *value* as a JSON object, empty when it is not one."""
    return dict(value) if isinstance(value, Mapping) else {}


def compact(value: object) -> str:
    """Return *value* as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def strings_in(value: object) -> Iterator[str]:
    """Yield every string inside a JSON value, keys left out, in reading order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from strings_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings_in(part)
