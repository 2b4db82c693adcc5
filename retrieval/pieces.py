"""Word pieces: texts as the numbers of a vocabulary's entries, each different word taken apart once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from tokenizers import Tokenizer

__all__ = ["WORD_START", "Pieces"]

WORD_START = "▁"
_REMEMBERED = 1 << 16  # some 10 MB
_AT_ONCE = 500
_APART = ",.;:)?!"  # no piece of the vocabulary has one of these after a letter or digit
_PLAIN_END = re.compile("[A-Za-z0-9]")
# A vocabulary of this kind marks where a word starts, and no piece goes on past a single blank. More than one blank has
# pieces of its own, and so have these markers.
_NOT_WORD_BY_WORD = re.compile(rf"^$|^ | $|  |{WORD_START}|<(?:s|/s|unk)>")


class Pieces:
    """What texts are made of for a tokenizer whose words stand apart, such as SentencePiece's."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Ask *tokenizer*, which neither pads nor truncates."""
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        self._number = lru_cache(maxsize=len(_APART))(lambda sign: self._encoded(f"a{sign}")[-1])
        self._starts_word = lru_cache(maxsize=None)(self._is_start)  # as many as the vocabulary has

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each text: what the tokenizer says to the whole of it."""
        apart = [None if _NOT_WORD_BY_WORD.search(text) else text.split(" ") for text in texts]
        known = self._of_words([word for words in apart for word in words or ()])
        return [
            self._encoded(text) if words is None else [piece for word in words for piece in known[word]]
            for text, words in zip(texts, apart, strict=True)
        ]

    def _of_words(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the pieces of each of *words*, in which there is no blank."""
        known = self._known
        found: dict[str, tuple[int, ...]] = {}
        unknown = []
        for word in dict.fromkeys(words):
            if (pieces := known.get(word)) is None:
                unknown.append(word)
            else:
                found[word] = pieces
        for first in range(0, len(unknown), _AT_ONCE):
            fresh = self._taken_apart(unknown[first : first + _AT_ONCE])
            found |= fresh
            if len(self._known) + len(fresh) > _REMEMBERED:
                # A new one, as another thread may be at the old: the half that came last.
                self._known = dict(islice(self._known.items(), len(self._known) // 2, None))
            self._known |= fresh
        return found

    def _taken_apart(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the pieces of *words*, punctuation at the end taken off where they are known without it."""
        taken: dict[str, tuple[int, ...]] = {}
        new = []
        for word in words:
            plain = len(word) > 1 and word[-1] in _APART and _PLAIN_END.match(word[-2])
            stem = self._known.get(word[:-1]) if plain else None
            if stem is None:
                new.append(word)
            else:
                taken[word] = (*stem, self._number(word[-1]))
        return taken | self._encoded_words(new)

    def _encoded_words(self, words: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Ask the tokenizer: one long text is a fraction of the work of as many short ones."""
        text = " ".join(words)
        if _NOT_WORD_BY_WORD.search(text):
            return {word: tuple(self._encoded(word)) for word in words}
        pieces = self._encoded(text)
        starts = [at for at, piece in enumerate(pieces) if self._starts_word(piece)]
        ends = [*starts[1:], len(pieces)]
        return {word: tuple(pieces[start:end]) for word, start, end in zip(words, starts, ends, strict=True)}

    def _encoded(self, text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode("utf-8")  # the tokenizer takes no half of a surrogate pair
        return list(self._tokenizer.encode(whole, add_special_tokens=False).ids)

    def _is_start(self, piece: int) -> bool:
        return str(self._tokenizer.id_to_token(piece)).startswith(WORD_START)
