"""Write people's names one way: "Family, Given" to compare and file, "Given Family" to show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["family", "family_first", "filed_names", "given_first", "split_names"]

_PARTICLES: Final = frozenset(
    "von van de der den del della di da dos das du la le ten ter zu zur af bin ibn el al".split()
)
_SUFFIX: Final = re.compile(r"(?:Jr|Sr|II|III|IV)\.?")
_INITIALS: Final = re.compile(r"(?:[A-Z]\.?[ -]?){1,4}")
_ORGANISATION: Final = re.compile(
    r"\b(?:collaboration|consortium|group|team|committee|institute|university|society|association|organi[sz]ation|"
    r"network|center|centre|foundation|council|department|inc|ltd|contributors|investigators)\b|[()\d]",
    re.IGNORECASE,
)
_HONORIFIC: Final = re.compile(r"^(?:(?:Prof|Dr|Mr|Mrs|Ms)\. ?)+")
_AND: Final = re.compile(r",?(?<!\s)\s+(?:and|&)\s+", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'((?:[^'\\]|\\.){0,500}+)'|\"((?:[^\"\\]|\\.){0,500}+)\"", re.DOTALL)


def family_first(name: str) -> str:
    """Return a person's name as "Family, Given"; an organisation's stays as it is.

    "Ludwig van Beethoven" is "van Beethoven, Ludwig", "Lim SM" is "Lim, SM". A name that has its comma keeps it.
    """
    name = _HONORIFIC.sub("", " ".join(name.replace(";", " ").split()))
    if "," in name:
        parts = [part.strip() for part in name.split(",") if part.strip()]
        if len(parts) == 3 and _SUFFIX.fullmatch(parts[1]):
            parts = [f"{parts[0]} {parts[1]}", parts[2]]
        return ", ".join(parts)
    words = name.split(" ")
    if len(words) < 2 or _ORGANISATION.search(name):
        return name
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        start = _family_start(words[:-1])
    elif words[-1].isupper() and _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return f"{' '.join(words[:-1])}, {words[-1]}"
    else:
        start = _family_start(words)
    return f"{' '.join(words[start:])}, {' '.join(words[:start])}"


def given_first(name: str) -> str:
    """Return a "Family, Given" name as one says it: "Given Family"."""
    family_name, comma, given = name.partition(", ")
    return f"{given} {family_name}" if comma else name


def family(name: str) -> str:
    """Return the last word of a "Family, Given" name's family part, folded to compare by."""
    words = re.findall(r"[^\W\d_]+", name.partition(",")[0].casefold())
    words = [word for word in words if word not in {"jr", "sr", "ii", "iii", "iv"}] or words
    return words[-1] if words else ""


def split_names(text: str) -> list[str]:
    """Return the names that *text* lists, whatever separates them: semicolons, "and", bars, commas, a printed list."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [name for pair in _QUOTED.findall(text) if (name := (pair[0] or pair[1]).strip())]
    for separator in (";", "|", "\n"):
        if separator in text:
            return [name for part in text.split(separator) if (name := part.strip(" ,"))]
    parts = [part.strip() for part in _AND.split(text) if part.strip()]
    return [name for part in parts for name in _split_commas(part, alone=len(parts) == 1)]


def filed_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return *names* as "Family, Given", in order, without what only stands for a name.

    Two people may have one name, so none is left out for being there already.
    """
    filed = (family_first(name) for name in names)
    return tuple(name for name in filed if name and name.casefold() not in {"anonymous", "et al.", "et al"})


def _family_start(words: list[str]) -> int:
    for index in range(1, len(words) - 1):
        word, following = words[index], words[index + 1]
        if word in _PARTICLES or (word.lower() in _PARTICLES and following in _PARTICLES):
            return index
    return len(words) - (2 if _SUFFIX.fullmatch(words[-1]) else 1)


def _split_commas(text: str, *, alone: bool) -> list[str]:
    """Tell the commas between names from those inside them."""
    parts = [part for piece in text.split(",") if (part := piece.strip())]
    if len(parts) < 2:
        return parts
    if all(" " in part for part in parts):
        if not any(part.endswith(".") for part in parts[:-1]):  # else the last stop belongs to an initial
            parts[-1] = parts[-1].removesuffix(".")
        return parts
    if len(parts) % 2 == 0 and (len(parts) == 2 or all(_INITIALS.fullmatch(given) for given in parts[1::2])):
        return [f"{name}, {given}" for name, given in zip(parts[::2], parts[1::2], strict=True)]
    return parts if alone else [text]
