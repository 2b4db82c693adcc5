"""Read `titles.jsonl`: what is known about the entries of abstract lists beyond their text, one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from retrieval.errors import SourceError
from retrieval.identifiers import http_url
from retrieval.text.cleaning import display_text

__all__ = ["KEYWORDS", "SIDECAR_NAME", "Title", "read_titles"]

SIDECAR_NAME: Final = "titles.jsonl"
KEYWORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "recsys": ("recommendation",),
        "causal": ("causal inference",),
        "interpretability": ("interpretability",),
        "other": (),
    }
)
"""What the short topic codes say; a topic that is no code is a keyword as it stands."""

_MAX_LINE_CHARS: Final = 50_000
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Title:
    """What one line says; all empty when nothing is known."""

    title: str = ""
    name: str | None = None
    authors: tuple[str, ...] = ()
    authors_complete: bool = True
    url: str | None = None
    arxiv_id: str | None = None
    keywords: tuple[str, ...] = ()


def read_titles(path: Path, text: str, abstracts: Mapping[str, Sequence[str]]) -> dict[tuple[str, int], Title]:
    """Return what *text* says, by file name and ordinal.

    Each object needs `file`, `ordinal` (from 0), `first_words` (how the abstract begins) and `title`; it may have
    `name`, `authors`, `authors_complete`, `url`, `arxiv_id` and `topic`. An entry may be left out; its title may be
    null.

    Args:
        path: Where *text* was read; for messages.
        text: The lines.
        abstracts: The raw abstracts that may be named, by file name.

    Raises:
        SourceError: If a line is not such an object, names no abstract, one that begins otherwise, or one twice.
    """
    found: dict[tuple[str, int], Title] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        record = _Record(path, number, line)
        key = record.text("file"), record.ordinal()
        raw = next((raws[key[1]] for name, raws in abstracts.items() if name == key[0] and key[1] < len(raws)), None)
        if raw is None:
            raise record.fault(
                f"there is no abstract {key[1]} in “{display_text(key[0])}”", "name one of the lists beside it"
            )
        if key in found:
            raise record.fault(f"{key[0]} {key[1]} was named on an earlier line", "keep one of them")
        record.check_first_words(raw)
        found[key] = record.title()
    return found


class _Record:
    """One line of the sidecar, checked field by field."""

    def __init__(self, path: Path, number: int, line: str) -> None:
        self._path = path
        self._number = number
        if len(line) > _MAX_LINE_CHARS:
            raise self.fault(f"the line is longer than {_MAX_LINE_CHARS:,} characters", "put one object on each line")
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self.fault("the line is not JSON", "put one object on each line") from error
        if not isinstance(fields, dict):
            raise self.fault("the line is not a JSON object", 'expected {"file": …, "ordinal": …, …}')
        self._fields: dict[str, object] = fields

    def fault(self, problem: str, way_out: str) -> SourceError:
        return SourceError(self._path, f"{problem}; {way_out}", line=self._number)

    def text(self, field: str) -> str:
        value = self._required(field)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f'"{field}" is {_shown(value)}', "expected text")
        return value

    def ordinal(self) -> int:
        value = self._required("ordinal")
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.fault(f'"ordinal" is {_shown(value)}', "expected a whole number from 0")
        return value

    def check_first_words(self, raw: str) -> None:
        expected = _WORD.findall(display_text(self.text("first_words")).casefold())
        begins = _WORD.findall(display_text(raw).casefold())[: len(expected)]
        if not expected or expected != begins:
            raise self.fault(
                f'"first_words" is {_shown(self._fields["first_words"])}',
                f"the abstract begins “{' '.join(begins or _WORD.findall(raw)[:5])}”",
            )

    def title(self) -> Title:
        self._required("title")
        topic = self._optional("topic")
        return Title(
            title=display_text(self._optional("title") or ""),
            name=display_text(self._optional("name") or "") or None,
            authors=self._authors(),
            authors_complete=self._authors_complete(),
            url=self._url(),
            arxiv_id=self._optional("arxiv_id"),
            keywords=KEYWORDS.get(topic, (display_text(topic),)) if topic else (),
        )

    def _required(self, field: str) -> object:
        if field not in self._fields:
            raise self.fault(f'"{field}" is missing', "add it")
        return self._fields[field]

    def _optional(self, field: str) -> str | None:
        value = self._fields.get(field)
        if value is not None and not isinstance(value, str):
            raise self.fault(f'"{field}" is {_shown(value)}', "expected text or null")
        return value.strip() or None if value else None

    def _authors(self) -> tuple[str, ...]:
        value = self._fields.get("authors")
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(author, str) for author in value):
            raise self.fault(f'"authors" is {_shown(value)}', "expected a list of names")
        return tuple(author for author in map(display_text, value) if author)

    def _authors_complete(self) -> bool:
        value = self._fields.get("authors_complete", True)
        if not isinstance(value, bool):
            raise self.fault(f'"authors_complete" is {_shown(value)}', "expected true or false")
        return value

    def _url(self) -> str | None:
        value = self._optional("url")
        if value is not None and http_url(value) is None:
            raise self.fault(f'"url" is {_shown(value)}', "expected an http(s) address")
        return value


def _shown(value: object) -> str:
    """Return *value* as JSON for a message, without control characters and cut short."""
    shown = display_text(json.dumps(value, ensure_ascii=False)[:200])
    return shown if len(shown) <= 60 else shown[:60] + "…"
