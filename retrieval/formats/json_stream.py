"""Take JSON apart into records without holding more than one: an array, JSON Lines, or an answer of a web service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from retrieval.formats.source import Limits, SourceFile
from retrieval.records import Fault

__all__ = ["JsonRecord", "json_records"]

# A string that the text ends in is a token too: were it none, each quotation mark inside would be tried as a beginning.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|(?P<open>\\?\Z))|[{}\[\]]', re.DOTALL)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_WHOLE_LINE: Final = re.compile(r"^\{.*\}\s*$", re.MULTILINE)
_ENVELOPES: Final = (
    "data",
    "results",
    "notes",
    "items",
    "message",
    "papers",
    "works",
    "entries",
    "records",
    "documents",
)
_MAX_ENVELOPE_CHARS: Final = Limits.WHOLE_BYTES
# How much is looked at in vain before the rest is given up: at the least, and for each character of the file.
_VAIN_CHARS: Final = 10_000_000
_VAIN_SHARE: Final = 20


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """One object of the file; `line` is None inside the answer of a web service."""

    number: int
    line: int | None
    fields: Mapping[str, object]


def json_records(source: SourceFile) -> Iterator[JsonRecord | Fault]:
    """Yield the objects that stand for records, and a fault for each that cannot be read.

    What a file holds is told by its beginning: one object a line, an array of objects, or one object, which is a
    record or has them in a field such as "results". A damaged object of an array costs itself only: reading goes on at
    the next line that begins as it did.

    Raises:
        SourceError: As `SourceFile.lines`.
    """
    number = 0
    lines = _is_lines(source.head)
    for line, text, whole in _lines(source) if lines else _values(source):
        if not whole:
            number += 1
            yield Fault(f"the object does not end, or is longer than {len(text):,} characters; left out", number, line)
            continue
        try:
            value = _loaded(text)
        except ValueError as exc:
            number += 1
            yield Fault(f"is not JSON: {exc}; left out", number, line)
            continue
        for item in _unwrapped(value):
            number += 1
            if isinstance(item, dict):
                yield JsonRecord(number, line if item is value else None, item)
            else:
                yield Fault(f"is {json.dumps(item)[:40]}, not an object; left out", number, line)


def _is_lines(head: str) -> bool:
    text = head.lstrip("\ufeff \t\r\n")
    first, newline, _ = text.partition("\n")
    if text.startswith("[") or not newline:
        return False
    if not text.startswith("{"):  # a damaged first line says nothing of the others
        return _WHOLE_LINE.search(text) is not None
    try:
        _loaded(first)
    except ValueError:
        return _WHOLE_LINE.search(text, len(first) + 1) is not None and first.rstrip() != "{"
    return True


def _lines(source: SourceFile) -> Iterator[tuple[int, str, bool]]:
    for number, line in enumerate(source.lines(), start=1):
        if line.strip():
            yield number, line, len(line) <= _MAX_ENVELOPE_CHARS


def _values(source: SourceFile) -> Iterator[tuple[int, str, bool]]:
    """Yield line, text and completeness of each element of the outer array, or of each outer value without one."""
    framer = _Framer()
    for piece in source.pieces():
        yield from framer.feed(piece)
    yield from framer.end()


class _Framer:
    """Finds where objects end by their brackets and strings alone; what is inside is for the parser."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0  # up to where `_text` was looked at
        self._start: int | None = None  # of the open object in `_text`
        self._depth = 0
        self._line = 1  # at the beginning of `_text`
        self._in_array = False
        self._fed = 0
        self._in_vain = 0

    def feed(self, piece: str) -> Iterator[tuple[int, str, bool]]:
        self._text += piece
        self._fed += len(piece)
        yield from self._scan()
        limit = Limits.RECORD_CHARS if self._in_array else _MAX_ENVELOPE_CHARS
        if self._start is not None and len(self._text) - self._start > limit:
            yield from self._resumed()
        self._forget(self._at if self._start is None else self._start)

    def end(self) -> Iterator[tuple[int, str, bool]]:
        while self._start is not None:
            yield from self._resumed()
            yield from self._scan()

    def _scan(self) -> Iterator[tuple[int, str, bool]]:
        for token in iter(lambda: _TOKEN.search(self._text, self._at), None):
            if token["open"] is not None:
                self._at = token.start()
                return
            self._at = token.end()
            sign = token[0]
            if sign in "{[":
                if self._start is None and sign == "[" and not self._in_array:
                    self._in_array = True
                    continue
                self._start = token.start() if self._start is None else self._start
                self._depth += 1
            elif sign in "}]" and self._start is not None:
                self._depth -= 1
                if self._depth == 0:
                    yield self._line_of(self._start), self._text[self._start : self._at], True
                    self._start = None
        self._at = len(self._text)

    def _resumed(self) -> Iterator[tuple[int, str, bool]]:
        """Give up the open object and go on at the next line that begins as its own did.

        The object may have run to the end of the text, and so may the next: what that costs has a limit.
        """
        start = self._start or 0
        self._in_vain += len(self._text) - start
        indent = self._text[self._text.rfind("\n", 0, start) + 1 : start]
        same = re.compile(rf"\n{re.escape(indent)}\{{") if not indent.strip() else None
        following = same.search(self._text, start + 1) if same and self._may_resume else None
        end = following.end() - 1 if following else len(self._text)
        yield self._line_of(start), self._text[start:end], False
        self._at, self._start, self._depth = end, None, 0

    @property
    def _may_resume(self) -> bool:
        return self._in_array and self._in_vain <= _VAIN_CHARS + _VAIN_SHARE * self._fed

    def _line_of(self, position: int) -> int:
        return self._line + self._text.count("\n", 0, position)

    def _forget(self, position: int) -> None:
        keep = self._text.rfind("\n", 0, position) + 1  # the line's beginning tells its indentation
        keep = keep if position - keep < 1_000 else position
        self._line += self._text.count("\n", 0, keep)
        self._text = self._text[keep:]
        self._at -= keep
        self._start = None if self._start is None else self._start - keep


def _loaded(text: str) -> object:
    """Return the value of *text*.

    Raises:
        ValueError: If it is not JSON or nested too deeply; the message is one line.
    """
    depth = deepest = 0
    if text.count("{") + text.count("[") > Limits.NESTING:
        for token in _TOKEN.finditer(text):
            depth += 1 if token[0] in "{[" else -1 if token[0] in "}]" else 0
            deepest = max(deepest, depth)
    if deepest > Limits.NESTING:
        raise ValueError(f"nested more than {Limits.NESTING} deep")
    try:
        value: object = json.loads(text)
        if "\\ud" in text.lower():  # half of a pair, as cutting a text leaves it, is a character nowhere else
            value = json.loads(_SURROGATES.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as exc:
        raise ValueError(f"{exc.msg} at character {exc.pos + 1}") from None
    return value


def _unwrapped(value: object) -> list[object]:
    """Return the records of an answer: what its field of records holds, or *value* itself."""
    if isinstance(value, list):
        return list(value)
    if not isinstance(value, dict) or "title" in value or "itemType" in value:
        return [value]
    for name in _ENVELOPES:
        inner = value.get(name)
        if isinstance(inner, list) and (not inner or isinstance(inner[0], dict)):
            return list(inner)
        if name == "message" and isinstance(inner, dict):
            return _unwrapped(inner)
    inner = list(value.values())
    if len(inner) > 1 and all(isinstance(item, dict) and "title" in item for item in inner):
        return inner  # records by their keys
    return [value]
