"""Static word embeddings: how near two texts are in meaning, without a model to run.

The vectors are WordLlama's (its weights ship in its wheel): one for each word piece of a large language model's
vocabulary, trained so that their sum says what a text is about. A text is the sum of its words.
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from retrieval.errors import RetrievalError
from retrieval.pieces import WORD_START, Pieces
from retrieval.text.analysis import content_words

__all__ = ["Floats", "WordVectors", "WordVectorsMissingError", "cosines", "load_word_vectors", "unit"]

Floats = NDArray[np.float32]

_PACKAGE = "wordllama"
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_FIRST_PIECE = 259  # before it stand markers and single bytes
_FIRST_RARE_PIECE = 29_871  # from here on single characters, not in the order of frequency
_MANDELBROT = 2.7
_SIF = 1e-3
_BYTE_WEIGHT = 0.02
_WORDS_AT_ONCE = 1_000


class WordVectorsMissingError(RetrievalError, LookupError):
    """The word vectors are not installed, or not as this version expects them."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"word vectors: {reason}. Install wordllama, or set PULLQUOTE_SEMANTIC=off.")


class WordVectors:
    """One vector a word: the sum of the vectors of its pieces, case kept."""

    def __init__(self, tokenizer: Tokenizer, weights: NDArray[np.float16]) -> None:
        """Look words up in *weights*, float16, one row a piece of *tokenizer*."""
        self._tokenizer = tokenizer
        self._pieces = Pieces(tokenizer)
        # Twice the memory that the file takes, but every question looks up hundreds of rows.
        self._weights = weights.astype(np.float32)
        self.dimensions = int(weights.shape[1])

    @cached_property
    def words(self) -> frozenset[str]:
        """The vocabulary's whole words of four letters and more: words that are spelled right."""
        vocabulary = self._tokenizer.get_vocab()
        return frozenset(p[1:] for p in vocabulary if p[0] == WORD_START and p[1:].isalpha() and len(p) > 4)

    @cached_property
    def commonness(self) -> Floats:
        """float32, one for each piece: a / (a + p), by which it counts in the sum of a sentence.

        Arora, Liang and Ma, "A simple but tough-to-beat baseline for sentence embeddings" (ICLR 2017). The frequency p
        of a piece comes from its rank in the vocabulary, which is ordered by frequency (Zipf-Mandelbrot).
        """
        numbers = np.arange(len(self._weights))
        special = (numbers < _FIRST_PIECE) | (numbers >= _FIRST_RARE_PIECE)
        frequency = 1 / (np.where(special, 1, numbers - _FIRST_PIECE + 1) + _MANDELBROT)
        frequency /= frequency.sum()
        weights = _SIF / (_SIF + frequency)
        # Bytes say nothing; single letters of other scripts say little and are not ordered by frequency.
        weights[numbers < _FIRST_PIECE], weights[numbers >= _FIRST_RARE_PIECE] = (
            _BYTE_WEIGHT,
            _SIF / (_SIF + _BYTE_WEIGHT),
        )
        return weights.astype(np.float32)

    @cached_property
    def common(self) -> Floats:
        """float32, shape (dimensions,): the direction that all texts share, that of common words; of length 1."""
        numbers = np.arange(len(self._weights))
        frequency = 1 / (np.maximum(numbers - _FIRST_PIECE + 1, 1) + _MANDELBROT)
        frequency[numbers >= _FIRST_RARE_PIECE], frequency[numbers < _FIRST_PIECE] = _BYTE_WEIGHT, _BYTE_WEIGHT / 20
        return unit(np.asarray(frequency.astype(np.float32) @ self._weights, np.float32))

    @staticmethod
    def log_rank(piece: int) -> float:
        """Return how rare a *piece* is by its rank: 0 for the commonest, 1 for the 30,000th."""
        return math.log(max(piece - _FIRST_PIECE + 1, 2)) / math.log(30_000)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each text; a low number is a frequent piece."""
        return self._pieces.of(texts)

    def rows(self, pieces: Sequence[int] | NDArray[np.int64]) -> Floats:
        """Return float32, one row for each of *pieces*."""
        return self._weights[np.asarray(pieces, np.intp)]

    def pooled(self, pieces: Sequence[int]) -> Floats:
        """Return float32, shape (dimensions,): the mean of *pieces*, weighed by `commonness`; zeros for none."""
        if not pieces:
            return np.zeros(self.dimensions, np.float32)
        weights = self.commonness[list(pieces)]
        return np.asarray(weights @ self.rows(pieces) / weights.sum(), np.float32)

    def of(self, words: Sequence[str]) -> Floats:
        """Return float32, one row for each of *words*, none of them empty: not normalised."""
        rows = np.zeros((len(words), self.dimensions), np.float32)
        for first in range(0, len(words), _WORDS_AT_ONCE):
            listed = self.pieces(words[first : first + _WORDS_AT_ONCE])
            lengths = np.fromiter(map(len, listed), np.intp, len(listed))
            rows[first : first + len(listed)] = self.sums(list(chain.from_iterable(listed)), lengths)
        return rows

    def sums(self, pieces: Sequence[int] | NDArray[np.intp], lengths: NDArray[np.intp]) -> Floats:
        """Return float32, one row for each of so many of *pieces* as *lengths* say, at least one: their sum, in order.

        Not normalised.
        """
        rows = self.rows(pieces)
        starts = np.cumsum(lengths) - lengths
        sums = rows[starts]
        # Most words have one piece or two: a few additions of many rows are faster than many of a few.
        for place in range(1, int(lengths.max(initial=0))):
            longer = np.flatnonzero(lengths > place)
            sums[longer] += rows[starts[longer] + place]
        return np.asarray(sums, np.float32)

    def text(self, text: str) -> Floats:
        """Return float32, shape (dimensions,): the sum of the content words of *text*; zeros when it has none."""
        return np.asarray(self.of(content_words(text)).sum(axis=0), np.float32)


def load_word_vectors() -> WordVectors:
    """Return the vectors from the installed package's own files, without importing it and without a network.

    Raises:
        WordVectorsMissingError: If the package or one of its files is not there or not as expected.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise WordVectorsMissingError(f"the package {_PACKAGE} is not installed")
    root = Path(spec.submodule_search_locations[0])
    try:
        pieces = Tokenizer.from_file(str(root / _TOKENIZER))
        weights = _safetensor(root / _WEIGHTS)
    except Exception as exc:  # tokenizers raises bare Exceptions
        raise WordVectorsMissingError(f"{exc}") from exc
    pieces.no_padding()
    pieces.no_truncation()
    return WordVectors(pieces, weights)


def unit(vectors: Floats) -> Floats:
    """Return *vectors* scaled to length 1 along the last axis; zeros stay zeros."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


def cosines(rows: Floats, asked: Floats) -> Floats:
    """Return float32, one for each of *rows*: its cosine with *asked*; all of them have length 1.

    The same row gives the same number wherever it stands. A matrix product does not promise that, and takes twice as
    long to go through rows that no core has at hand.
    """
    return np.asarray(np.einsum("ij,j->i", rows, asked), np.float32)


def _safetensor(path: Path) -> NDArray[np.float16]:
    """Map the one float16 matrix of a safetensors file: 8 bytes of header length, a JSON header, the numbers."""
    with path.open("rb") as file:
        header_length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(header_length))
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (tensor,) = (value for name, value in header.items() if name != "__metadata__")
    if tensor["dtype"] != "F16":
        raise WordVectorsMissingError(f"{path.name} holds {tensor['dtype']}, expected F16")
    rows, columns = tensor["shape"]
    return np.frombuffer(mapped, np.float16, rows * columns, 8 + header_length).reshape(rows, columns)
