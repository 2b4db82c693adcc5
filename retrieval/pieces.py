"""Word pieces: texts as the numbers of a vocabulary's entries, each different word taken apart once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tokenizers import Tokenizer

__all__ = ["WORD_START", "Pieces"]

WORD_START = "▁"
_REMEMBERED = 1 << 16  # some 10 MB
_AT_ONCE = 500
# A vocabulary of this kind marks where a word starts, and no piece goes on past a single blank. More than one blank has
# pieces of its own, and so have these markers.
_NOT_WORD_BY_WORD = re.compile(rf"^$|^ | $|  |{WORD_START}|<(?:s|/s|unk)>")


class Pieces:
    """What texts are made of for a tokenizer whose words stand apart, such as SentencePiece's."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Ask *tokenizer*, which neither pads nor truncates."""
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        self._starts_word = lru_cache(maxsize=None)(self._is_start)  # as many as the vocabulary has

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each text: what the tokenizer says to the whole of it."""
        apart = [None if _NOT_WORD_BY_WORD.search(text) else text.split(" ") for text in texts]
        known = self.of_words([word for words in apart for word in words or ()])
        return [
            self._encoded(text) if words is None else [piece for word in words for piece in known[word]]
            for text, words in zip(texts, apart, strict=True)
        ]

    def of_words(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the pieces of each of *words*."""
        found: dict[str, tuple[int, ...]] = {}
        new = []
        for word in dict.fromkeys(words):
            if (pieces := self._known.get(word)) is None:
                new.append(word)
            else:
                found[word] = pieces
        for first in range(0, len(new), _AT_ONCE):
            fresh = self._taken_apart(new[first : first + _AT_ONCE])
            found |= fresh
            if len(self._known) + len(fresh) > _REMEMBERED:
                self._known = {}  # a new one: another thread may be at the old
            self._known |= fresh
        return found

    def _taken_apart(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the pieces of *words*: one long text is a fraction of the work of as many short ones."""
        odd = [word for word in words if " " in word or _NOT_WORD_BY_WORD.search(word)]
        plain = [word for word in words if word not in odd] if odd else words
        taken = {word: tuple(self._encoded(word)) for word in odd}
        if plain:
            pieces = self._encoded(" ".join(plain))
            starts = [at for at, piece in enumerate(pieces) if self._starts_word(piece)]
            ends = [*starts[1:], len(pieces)]
            taken |= {word: tuple(pieces[a:b]) for word, a, b in zip(plain, starts, ends, strict=True)}
        return taken

    def _encoded(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _is_start(self, piece: int) -> bool:
        return str(self._tokenizer.id_to_token(piece)).startswith(WORD_START)
