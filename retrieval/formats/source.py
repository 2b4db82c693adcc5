"""Bytes from outside as text, bounded: plain or gzip, in any common encoding, a line or a piece at a time."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from retrieval.errors import SourceError

__all__ = ["HEAD_CHARS", "Limits", "SourceFile"]

HEAD_CHARS: Final = 1 << 16
_PIECE: Final = 1 << 18
_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


_DECLARED: Final = re.compile(rb"\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{2,40})[\"']")
_DECLARATION_BYTES: Final = 200
# A declaration that can be read in plain letters speaks of an encoding in which these are single bytes.
_BELIEVED: Final = re.compile(
    r"ascii|iso8859[-_]\d+|cp(?:437|8\d\d|932|949|950|125\d)|koi8[-_]\w+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|mac[-_]\w+|tis_620"
)


_LATIN: Final = "pullquote.latin"


def _latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


codecs.register_error(_LATIN, _latin)


class Limits:
    """How much is read before a file counts as an attack or a mistake."""

    FILE_BYTES: Final = 8_000_000_000
    """Of a file that is read as a stream, after decompression."""
    WHOLE_BYTES: Final = 64_000_000
    """Of a file that its format makes us hold in memory."""
    LINE_BYTES: Final = 16_000_000
    RECORD_CHARS: Final = 4_000_000
    RATIO: Final = 200
    """Decompressed to compressed bytes; text stays below 20."""
    NESTING: Final = 100


class SourceFile:
    """One file to import, opened anew by each look at it."""

    def __init__(self, path: Path, opened: Callable[[], io.BufferedReader], size: int) -> None:
        """Read from *opened*; *path* is for messages, for the name and for what lies beside it."""
        self.path = path
        self.size = size
        self.position = 0
        self._opened = opened
        first = self._peek(4)
        self.compressed = first[:2] == b"\x1f\x8b"
        self.magic = self._head_bytes(4)
        self._encoding, self._mark = _encoding(self._head_bytes(_DECLARATION_BYTES))
        head = _decoded(self._head_bytes(HEAD_CHARS)[self._mark :], self._encoding)
        self.head = head.replace("\r\n", "\n").replace("\r", "\n")

    @classmethod
    def at(cls, path: Path) -> SourceFile:
        """Return the file at *path*.

        Raises:
            SourceError: If it cannot be read.
        """
        try:
            if not path.is_file():
                raise SourceError(path, "is not a file" if path.exists() else "there is no such file")
            return cls(path, lambda: path.open("rb"), path.stat().st_size)
        except OSError as exc:
            raise SourceError(path, f"cannot be read: {exc.strerror or exc}") from exc

    @classmethod
    def of(cls, data: bytes, name: str) -> SourceFile:
        """Return *data* as if it were a file of that name."""
        return cls(Path(name), lambda: io.BufferedReader(io.BytesIO(data)), len(data))

    @property
    def stem(self) -> str:
        """The file's name without what says how it is stored."""
        return self.path.name.removesuffix(".gz").rsplit(".", 1)[0]

    def lines(self) -> Iterator[str]:
        """Yield the lines without their ends, which may be LF, CRLF or CR; bytes that are no UTF-8 are read as Latin.

        Raises:
            SourceError: If the file is cut off, unpacks to too much, or has a line that is too long.
        """
        number, rest = 0, b""
        for piece in self._decodable():
            *whole, rest = _LINE_END.split(rest + piece)
            for line in whole:
                number += 1
                yield _decoded(line, "utf-8")
            if len(rest) > Limits.LINE_BYTES:
                raise SourceError(self.path, f"a line is longer than {Limits.LINE_BYTES:,} bytes", line=number + 1)
        if rest:
            yield _decoded(rest, "utf-8")

    def pieces(self) -> Iterator[str]:
        """Yield the text piece by piece; bytes that are no UTF-8 are read as Latin.

        Raises:
            SourceError: As `lines`.
        """
        decoder = codecs.getincrementaldecoder("utf-8")(errors=_LATIN)
        for piece in self._decodable():
            yield decoder.decode(piece)
        decoder.errors = "replace"  # a file may be cut off inside a character
        yield decoder.decode(b"", final=True)

    def text(self) -> str:
        """Return all of the text, for formats that cannot be read otherwise.

        Raises:
            SourceError: If there is more than `Limits.WHOLE_BYTES` of it.
        """
        parts, size = [], 0
        for piece in self.pieces():
            parts.append(piece)
            size += len(piece)
            self._check_whole(size)
        return "".join(parts)

    def whole(self) -> bytes:
        """Return all bytes, for formats that cannot be read otherwise.

        Raises:
            SourceError: If there are more than `Limits.WHOLE_BYTES`.
        """
        data = bytearray()
        for piece in self._pieces():
            data += piece
            self._check_whole(len(data))
        return bytes(data)

    def _decodable(self) -> Iterator[bytes]:
        """Yield UTF-8, or bytes to be read as such, without a byte order mark and never ending between CR and LF."""
        decoder = codecs.getincrementaldecoder(self._encoding)(errors="replace") if self._encoding != "utf-8" else None
        skipped, held = self._mark, b""
        for raw in self._pieces():
            piece, skipped = raw[skipped:], max(0, skipped - len(raw))
            piece = held + (decoder.decode(piece).encode("utf-8") if decoder else piece)
            held = b"\r" if piece.endswith(b"\r") else b""
            yield piece[: len(piece) - len(held)]
        yield held

    def _pieces(self) -> Iterator[bytes]:
        read, self.position = 0, 0
        try:
            with self._opened() as raw, gzip.open(raw) if self.compressed else nullcontext(raw) as file:
                while piece := file.read1(_PIECE):  # what can be unpacked of a file that is cut off
                    read += len(piece)
                    self.position = raw.tell()
                    self._check_size(read)
                    yield bytes(piece)
        except (EOFError, gzip.BadGzipFile, zlib.error) as exc:
            raise SourceError(
                self.path, "the compressed data is cut off or damaged; what came before was read"
            ) from exc
        except OSError as exc:
            raise SourceError(self.path, f"cannot be read: {exc.strerror or exc}") from exc

    def _check_whole(self, size: int) -> None:
        if size > Limits.WHOLE_BYTES:
            raise SourceError(self.path, f"is longer than {Limits.WHOLE_BYTES:,} bytes; split it into several files")

    def _check_size(self, read: int) -> None:
        if read > Limits.FILE_BYTES:
            raise SourceError(self.path, f"is longer than {Limits.FILE_BYTES:,} bytes; split it into several files")
        if self.compressed and read > 8 * _PIECE and read > Limits.RATIO * self.position:
            raise SourceError(
                self.path, f"unpacks to more than {Limits.RATIO} times its size; unpack it yourself first"
            )

    def _peek(self, size: int) -> bytes:
        with self._opened() as raw:
            return raw.read(size)

    def _head_bytes(self, size: int) -> bytes:
        head = bytearray()
        try:
            for piece in self._pieces():
                head += piece
                if len(head) >= size:
                    break
        except SourceError:
            if not head:
                raise
        return bytes(head[:size])


def _encoding(head: bytes) -> tuple[str, int]:
    """Return the encoding that a file's beginning tells, and how long its byte order mark is."""
    marked = next(((encoding, len(mark)) for mark, encoding in _MARKS if head.startswith(mark)), None)
    declared = _DECLARED.match(head)
    if marked or declared is None:
        return marked or ("utf-8", 0)
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name
    except LookupError:
        return "utf-8", 0
    return name if _BELIEVED.fullmatch(name) else "utf-8", 0


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as exc:
        if encoding != "utf-8" or len(data) - exc.start < 4:  # a head may end inside a character
            return data.decode(encoding, errors="replace")
        return data.decode("cp1252", errors="replace")
