"""A small grammar for JSON: what each check accepts, and Slack's words for what it does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = [
    "Check",
    "Misfit",
    "Shape",
    "anything",
    "array",
    "boolean",
    "integer",
    "matching",
    "one_of",
    "string",
    "typed",
    "web_address",
]


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing wrong in a payload, and where: `pointer` is a JSON pointer from the arguments down."""

    reason: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.reason} [json-pointer:{self.pointer}]"


Check: TypeAlias = Callable[[object, str], Iterator[Misfit]]


def anything(value: object, at: str) -> Iterator[Misfit]:
    """Accept every value."""
    return iter(())


def boolean(value: object, at: str) -> Iterator[Misfit]:
    """Accept true and false."""
    if not isinstance(value, bool):
        yield Misfit("must provide a boolean", at)


def integer(value: object, at: str) -> Iterator[Misfit]:
    """Accept a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        yield Misfit("must provide a number", at)


def string(*, most: int, least: int = 1) -> Check:
    """Accept a string of *least* to *most* characters."""

    def check(value: object, at: str) -> Iterator[Misfit]:
        if not isinstance(value, str):
            yield Misfit("must provide a string", at)
        elif len(value) > most:
            yield Misfit(f"must be less than {most + 1} characters", at)
        elif len(value) < least:
            yield Misfit(f"must be more than {least - 1} characters", at)

    return check


def matching(pattern: str, wanted: str) -> Check:
    """Accept a string that *pattern* matches from end to end."""

    def check(value: object, at: str) -> Iterator[Misfit]:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            yield Misfit(f"must be {wanted}", at)

    return check


def web_address(*, most: int = 3000) -> Check:
    """Accept an http(s) address of at most *most* characters."""

    def check(value: object, at: str) -> Iterator[Misfit]:
        yield from string(most=most)(value, at)
        if isinstance(value, str) and not re.match(r"https?://[^\s/]", value):
            yield Misfit("invalid url", at)

    return check


def one_of(*values: str) -> Check:
    """Accept one of *values*."""

    def check(value: object, at: str) -> Iterator[Misfit]:
        if value not in values:
            yield Misfit(f"must be one of {', '.join(values)}", at)

    return check


def array(of: Check, *, most: int, least: int = 1) -> Check:
    """Accept a list of *least* to *most* values that *of* accepts."""

    def check(value: object, at: str) -> Iterator[Misfit]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            yield Misfit("must provide an array", at)
            return
        if len(value) > most:
            yield Misfit(f"no more than {most} items allowed", at)
        if len(value) < least:
            yield Misfit(f"no fewer than {least} items allowed", at)
        for index, part in enumerate(value):
            yield from of(part, f"{at}/{index}")

    return check


@dataclass(frozen=True, slots=True)
class Shape:
    """An object with named fields.

    Attributes:
        required: Checks of the fields that must be there.
        optional: Checks of the fields that may be there. Any other field is refused.
        any_of: At least one of these must be there.
        extra: A rule over the whole object.
    """

    required: Mapping[str, Check] = field(default_factory=dict)
    optional: Mapping[str, Check] = field(default_factory=dict)
    any_of: tuple[str, ...] = ()
    extra: Check = anything

    def __call__(self, value: object, at: str) -> Iterator[Misfit]:
        """Yield what is wrong with *value*."""
        if not isinstance(value, Mapping):
            yield Misfit("must provide an object", at)
            return
        known = {**self.required, **self.optional}
        yield from (Misfit(f"missing required field: {n}", at) for n in self.required if value.get(n) is None)
        if self.any_of and not any(value.get(name) for name in self.any_of):
            yield Misfit(f"must define either {' or '.join(f'`{name}`' for name in self.any_of)}", at)
        yield from (Misfit(f"invalid additional property: {n}", at) for n in value if n not in known | {"type": 0})
        for name, check in known.items():
            if value.get(name) is not None:
                yield from check(value[name], f"{at}/{name}")
        yield from self.extra(value, at)


def typed(shapes: Mapping[str, Shape], *allowed: str) -> Check:
    """Accept an object whose `type` is among *allowed* (all of *shapes* when none is given) and fits its shape."""
    names = allowed or tuple(shapes)

    def check(value: object, at: str) -> Iterator[Misfit]:
        if not isinstance(value, Mapping):
            yield Misfit("must provide an object", at)
        elif value.get("type") is None:
            yield Misfit("missing required field: type", at)
        elif value["type"] not in names:
            yield Misfit(f"unsupported type: {value['type']}", f"{at}/type")
        else:
            yield from shapes[str(value["type"])](value, at)

    return check
