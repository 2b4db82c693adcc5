"""Where the index is kept: one file for what was compiled together, a small one for what changed since.

Each is written whole beside its predecessor and takes its place by one rename, so that a crash leaves the old one or
the new one, and who has the old one open goes on with it. The small file says which large one it belongs to; beside
another it counts for nothing.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from retrieval.errors import IndexDamagedError
from retrieval.index.arrayfile import ArrayFile, ArrayWriter, spilled, writing
from retrieval.index.building import build_segment
from retrieval.index.merging import merged_columns
from retrieval.index.parts import Part, Parts
from retrieval.index.segment import BULKY, Segment
from retrieval.index.strings import Strings
from retrieval.index.tables import Counts
from retrieval.index.terms import vectors_of_terms
from retrieval.model import Entry
from retrieval.semantic import WordVectors

__all__ = ["IndexStore", "Kept", "compiled"]

log = logging.getLogger(__name__)

_FORMAT: Final = 1
_LARGE_BYTES: Final = 1 << 26  # a larger file's bulky arrays are not read as a whole, nor kept in memory
_COMPILED_AT_ONCE: Final = 4_096
_QUESTIONS: Final = 4  # leave some 50 MB
_ANALYSIS: Final = tuple("code.py collection.py corpus.py cues.py ownnames.py pieces.py semantic.py index text".split())


@dataclass(frozen=True, slots=True)
class Kept:
    """What was found on the disk, or put there.

    Attributes:
        parts: The entries.
        position: Up to where in its source the collection had been read.
        base: What the large file is called by.
    """

    parts: tuple[Part, ...]
    position: str
    base: str


class IndexStore:
    """A folder with the index of one collection."""

    def __init__(self, folder: Path, vectors: WordVectors | None) -> None:
        """Keep the index in *folder*, which is made when it is first written to."""
        self._folder = folder
        self._vectors = vectors
        self._opened: ArrayFile | None = None
        self._asked = 0
        self._settings = {"format": _FORMAT, "analysis": analysis(), "semantic": vectors is not None}

    @property
    def path(self) -> Path:
        """The large file."""
        return self._folder / "collection.index"

    @property
    def recent_path(self) -> Path:
        """The small file."""
        return self._folder / "recent.index"

    def open(self) -> Kept | str:
        """Return what is kept; else why nothing that can be used is."""
        try:
            file = ArrayFile(self.path)
            if reason := self._unlike(file.facts):
                return reason
            file.check(None if file.size < _LARGE_BYTES else file.names - BULKY)
            base = Part(Segment.from_arrays(file.arrays()))
            self._opened = file
            kept = Kept((base,), str(file.facts["position"]), str(file.facts["base"]))
        except FileNotFoundError:
            return "there is none yet"
        except IndexDamagedError as exc:
            return f"it {exc.reason}"
        except (OSError, KeyError, TypeError, ValueError) as exc:
            return f"it cannot be read ({exc})"
        return self._with_recent(kept)

    def release(self) -> None:
        """Give back the memory of what a question looks at in a few places of a large file, the next one in others.

        To be called for every question. What several left is given back together, which takes as long as for one; but
        some compare all terms. The vectors of entries stay, as every question is compared with them.
        """
        if self._opened is None or self._opened.size < _LARGE_BYTES:
            return
        self._asked += 1
        self._opened.release(BULKY - {"entry_vectors"} if self._asked % _QUESTIONS == 0 else {"term_vectors"})

    def write(self, parts: Parts, position: str) -> Kept:
        """Keep *parts* as one large file, and return it opened.

        Raises:
            OSError: If it cannot be written.
        """
        base = secrets.token_hex(8)
        with writing(self.path) as writer:
            _write_parts(writer, parts, self._vectors)
            writer.finish({**self._settings, "position": position, "base": base, "entries": parts.size})
        self.recent_path.unlink(missing_ok=True)
        found = self.open()
        if isinstance(found, str):
            raise OSError(f"{self.path}: {found}")
        return found

    def write_recent(self, base: str, parts: Parts, position: str) -> None:
        """Keep what *parts* have beside the first of them, which is the large file that is called *base*.

        Raises:
            OSError: If it cannot be written.
        """
        first, others = parts.parts[0], parts.parts[1:]
        with writing(self.recent_path) as writer:
            if others:
                for column in merged_columns(Parts(others)):
                    writer.add_blocks(column.name, column.blocks, dtype=column.dtype, row=column.row)
            for name, array in _gone(first):
                writer.add(name, array)
            writer.finish({**self._settings, "position": position, "base": base, "others": bool(others)})

    def compile(self, entries: Iterable[Entry]) -> Parts:
        """Return *entries* compiled, at least one, in files without a name as far as the folder can be written to."""
        return Parts([Part(segment) for segment in compiled(entries, self._vectors, self._folder)])

    def _unlike(self, facts: Mapping[str, Any]) -> str:
        if facts.get("format") != _FORMAT or facts.get("analysis") != self._settings["analysis"]:
            return "it is of another version"
        if facts.get("semantic") != self._settings["semantic"]:
            return "it was made with another setting of PULLQUOTE_SEMANTIC"
        return ""

    def _with_recent(self, kept: Kept) -> Kept:
        """Return *kept* with what the small file has; without it what that would have is found in the source again."""
        try:
            file = ArrayFile(self.recent_path)
            if self._unlike(file.facts) or file.facts["base"] != kept.base:
                return kept
            file.check()
            arrays = file.arrays()
            base = Part(
                kept.parts[0].segment,
                frozenset(arrays["gone"].tolist()),
                dict(_counts("gone_words", arrays).items()),
                dict(_counts("gone_forms", arrays).items()),
            )
            others = [Part(Segment.from_arrays(arrays))] if file.facts["others"] else []
            return Kept((base, *others), str(file.facts["position"]), kept.base)
        except FileNotFoundError:
            return kept
        except (IndexDamagedError, OSError, KeyError, TypeError, ValueError) as exc:
            log.warning("index: what came last is read again, as %s", exc)
            return kept


def compiled(entries: Iterable[Entry], vectors: WordVectors | None, folder: Path | None) -> Iterator[Segment]:
    """Yield segments of so many of *entries* that no more has to be in memory at a time.

    Args:
        folder: Where they are put aside; None, or one that cannot be written to, keeps them in memory.
    """
    batch: list[Entry] = []
    for entry in entries:
        batch.append(entry)
        if len(batch) == _COMPILED_AT_ONCE:
            segment = build_segment(batch, vectors)
            yield segment if folder is None else _put_aside(segment, folder)
            batch = []
    if batch:
        yield build_segment(batch, vectors)


def _put_aside(segment: Segment, folder: Path) -> Segment:
    try:
        return Segment.from_arrays(spilled(folder, segment.columns()))
    except OSError:
        return segment


@cache
def analysis() -> str:
    """Return what changes with the code that takes texts apart, so that no release reads what another one made."""
    digest = hashlib.blake2b(digest_size=8)
    package = Path(__file__).parents[1]
    for name in _ANALYSIS:
        place = package / name
        for file in sorted(place.glob("*.py")) if place.is_dir() else [place]:
            digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


def _write_parts(writer: ArrayWriter, parts: Parts, vectors: WordVectors | None) -> None:
    whole = {}
    for column in merged_columns(parts):
        if column.name in {"terms", "terms_starts", "words", "words_starts", "word_numbers"}:
            whole[column.name] = column.whole()
            writer.add(column.name, whole[column.name])
        else:
            writer.add_blocks(column.name, column.blocks, dtype=column.dtype, row=column.row)
    if vectors is not None:
        words = Counts(Strings(whole["words"], whole["words_starts"]), whole["word_numbers"])
        terms = Strings(whole["terms"], whole["terms_starts"])
        term_vectors, word_terms = vectors_of_terms(terms, words, vectors)
        writer.add("term_vectors", term_vectors)
        writer.add("word_terms", word_terms)


def _gone(part: Part) -> Iterator[tuple[str, Any]]:
    yield "gone", np.array(sorted(part.gone), np.int64)
    for name, counted, columns in (("gone_words", part.gone_words, 2), ("gone_forms", part.gone_forms, 1)):
        counts = Counts.of(counted, columns)
        yield name, counts.keys.data
        yield f"{name}_starts", counts.keys.starts
        yield f"{name}_numbers", counts.numbers


def _counts(name: str, arrays: Mapping[str, Any]) -> Counts:
    return Counts(Strings(arrays[name], arrays[f"{name}_starts"]), arrays[f"{name}_numbers"])
