"""What can go wrong in retrieval. Each error carries its facts and its message names the way out."""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "CatalogueError",
    "CollectionError",
    "EmptyCollectionError",
    "EntryNotFoundError",
    "EvaluationError",
    "IndexDamagedError",
    "QuerySyntaxError",
    "RetrievalError",
    "SourceError",
]


class RetrievalError(Exception):
    """The root of every error that `retrieval` raises on purpose."""


class SourceError(RetrievalError, ValueError):
    """A file could not be read as what it claims to be.

    Attributes:
        path: The file or folder at fault.
        line: Line number, from 1, when one line is to blame.
        reason: What is wrong and what would be accepted.
    """

    def __init__(self, path: Path | str, reason: str, *, line: int | None = None) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {reason}")
        self.path = Path(path)
        self.line = line
        self.reason = reason


class CollectionError(RetrievalError):
    """A collection as a whole cannot be used."""


class CatalogueError(RetrievalError):
    """What was imported cannot be read or written.

    Attributes:
        path: The catalogue's file; None when it is kept in memory.
        reason: What is wrong.
    """

    def __init__(self, path: Path | None, reason: str) -> None:
        place = path or "the catalogue"
        super().__init__(f"{place}: {reason}. Nothing that was kept is lost; PULLQUOTE_DATA_DIR says where it is kept.")
        self.path = path
        self.reason = reason


class EmptyCollectionError(CollectionError, LookupError):
    """There is no entry to search in."""


class EntryNotFoundError(RetrievalError, LookupError):
    """An entry id names no entry of the collection."""

    def __init__(self, entry_id: str) -> None:
        super().__init__(f'no entry has the id "{entry_id}"')
        self.entry_id = entry_id


class QuerySyntaxError(RetrievalError, ValueError):
    """A question uses the query language wrongly.

    Attributes:
        query: The text as typed.
        position: Character offset of the fault in `query`.
        reason: What is wrong and what would be accepted.
    """

    def __init__(self, query: str, position: int, reason: str) -> None:
        super().__init__(f"{reason}\n  {query}\n  {' ' * position}^")
        self.query = query
        self.position = position
        self.reason = reason


class EvaluationError(RetrievalError, ValueError):
    """Judgements or questions do not fit the collection they are meant for."""


class IndexDamagedError(RetrievalError, ValueError):
    """A file of the index cannot be used; it is made anew from the collection.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason
