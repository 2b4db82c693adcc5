"""The query language: plain questions first, and operators for those who want them.

    "exact phrase"   -word   -"exact phrase"   title:word   author:name   venue:name   year:2025..2026

The natural forms of the same ("ICLR 2026 papers on …", "since 2024", "papers by Smith") are read as well. What
is left after conditions are taken out is the question proper.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from retrieval.errors import QuerySyntaxError
from retrieval.model import Entry
from retrieval.people import given_first
from retrieval.text.analysis import fold
from retrieval.venues import VENUE_ALIASES, canonical_venue

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

__all__ = ["Condition", "Field", "ParsedQuestion", "canonical_venue", "parse_question", "without_unwanted"]

Field = Literal["phrase", "word", "title", "author", "venue", "year"]

_YEAR = r"(?:19\d\d|20[0-3]\d)"
_COUNTED = r"(?!\s+(?:tokens?|samples?|steps?|users?|items?|examples?|dimensions?|entries|nodes|images|words)\b)"
_WORDS = re.compile(r"\w+")
_CURLY = str.maketrans("“”„«»", '"' * 5)
_BEFORE_SIGN = re.compile(r"\s+(?=[?.,;:!])")
_FIRST_YEAR, _LAST_YEAR = 1000, 9999


@dataclass(frozen=True, slots=True)
class Condition:
    """Something an entry must fulfil, or must not.

    Attributes:
        value: Folded text; for a year, "2025..2026" with both ends given.
        shown: How to write it for people, where that is not the value; no part of what makes two conditions equal.
    """

    field: Field
    value: str
    negated: bool = False
    shown: str = dataclasses.field(default="", compare=False)

    def holds(self, entry: Entry) -> bool:
        """Tell whether *entry* passes this condition."""
        return self._matches(entry) is not self.negated

    @property
    def expression(self) -> str:
        """The condition in the query language, such that `parse_question` reads the same again."""
        sign = "-" if self.negated else ""
        match self.field:
            case "word" if self.negated:
                return f"-{self.value}"
            case "phrase" | "word":
                return f'{sign}"{self.value}"'
            case "year":
                return f"{sign}year:{self.value}"
            case name:
                return f'{sign}{name}:"{self.shown or self.value}"'

    def __str__(self) -> str:
        value = _years_in_words(self.value) if self.field == "year" else self.shown or self.value
        return f"not {value}" if self.negated else value

    def _matches(self, entry: Entry) -> bool:
        match self.field:
            case "phrase" | "word":
                return _mentions(f"{entry.title}\n{entry.abstract}", self.value)
            case "title":
                return _mentions(entry.title, self.value)
            case "author":
                return any(_mentions(author, self.value) for author in entry.authors)
            case "venue":
                return canonical_venue(entry.venue) == self.value
            case "year":
                low, _, high = self.value.partition("..")
                return entry.year is not None and int(low) <= entry.year <= int(high)


def _years_in_words(value: str) -> str:
    low, _, high = value.partition("..")
    if low == high:
        return low
    if int(high) == _LAST_YEAR:
        return f"{low} or later"
    return f"{high} or earlier" if int(low) == _FIRST_YEAR else f"{low} to {high}"


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question taken apart.

    Attributes:
        text: What is asked, without the conditions; phrases that must occur stay in it, unquoted.
        conditions: In the order typed.
    """

    text: str
    conditions: tuple[Condition, ...] = ()

    def filters(self) -> dict[str, str]:
        """Return the conditions in readable form, by field."""
        found: dict[str, str] = {}
        for condition in self.conditions:
            shown = f'"{condition}"' if condition.field == "phrase" else str(condition)
            found[condition.field] = f"{found[condition.field]}, {shown}" if condition.field in found else shown
        return found


def parse_question(
    text: str, *, venues: Iterable[str] = (), is_author: Callable[[str], bool] = lambda _: False
) -> ParsedQuestion:
    """Take *text* apart into a question and its conditions.

    Args:
        text: As typed.
        venues: The names that may be meant by "ICLR 2026 papers"; others are words like any.
        is_author: Whether somebody of that name wrote something here: asked of a name that ends the question
            ("Pareto optimality by Kocaoglu").

    Raises:
        QuerySyntaxError: If an operator is used wrongly; the message shows the place.
    """
    venues = tuple(venues)
    text = text.translate(_CURLY)
    rest, conditions = _operators(text) if _OPERATOR.search(text) else (text, [])
    for pattern, read in _natural_forms(frozenset(canonical_venue(v) for v in venues)):
        while match := pattern.search(rest):
            conditions.extend(read(match))
            kept = match.groupdict().get("kept") or ""  # the noun, which says that entries are asked for
            rest = f"{rest[: match.start()]} {kept} {rest[match.end() :]}"
    if (match := _BY_WHOM.search(rest)) and is_author(match["author"]):
        conditions.extend(_author(match))
        rest = rest[: match.start()]
    names = {canonical_venue(venue): venue for venue in venues}
    shown = (replace(c, shown=names.get(c.value, c.value)) if c.field == "venue" else c for c in conditions)
    return ParsedQuestion(_BEFORE_SIGN.sub("", " ".join(rest.split())), tuple(dict.fromkeys(shown)))


_NOT_ABOUT = re.compile(
    r"[,\s]+(?:but\s+)?(?:not\s+(?:about|related\s+to|concerning)|excluding|other\s+than)\s+(?P<topic>\w[\w' -]*?)\W*$",
    re.IGNORECASE,
)


def without_unwanted(parsed: ParsedQuestion) -> ParsedQuestion:
    """Take what *parsed* is not about ("… not about recommendation"), at its end, as a condition."""
    match = _NOT_ABOUT.search(parsed.text)
    if match is None:
        return parsed
    topic = " ".join(match["topic"].split())
    unwanted = Condition("phrase" if " " in topic else "word", fold(topic), negated=True)
    return ParsedQuestion(parsed.text[: match.start()], (*parsed.conditions, unwanted))


# Only what looks like an operator is handed to the parser: a plain question may hold colons, dashes and quotes.
_OPERATOR = re.compile(r'"|(?:^|\s)-(?:\w|")|(?:^|\s)-?(?:title|author|venue|year):', re.IGNORECASE)

_GRAMMAR = r"""
start: item*
item: MINUS? (FIELD value? | PHRASE) | MINUS WORD | WORD
value: PHRASE | WORD
FIELD.3: /(title|author|venue|year):/i
PHRASE.2: /"[^"]*"/
MINUS.2: /(?<!\S)-(?=[\w"])/
WORD: /[^\s"]+/
%ignore /\s+/
"""


@cache
def _parser() -> Lark:
    from lark import Lark  # read only when a question has an operator: most have none

    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True)


def _operators(text: str) -> tuple[str, list[Condition]]:
    from lark.exceptions import UnexpectedInput

    try:
        tree = _parser().parse(text)
    except UnexpectedInput as exc:
        position = text.rfind('"') if text.count('"') % 2 else max(exc.column - 1, 0)
        reason = "this quotation mark is not closed" if text.count('"') % 2 else "this cannot stand here"
        raise QuerySyntaxError(text, position, reason) from None
    words: list[str] = []
    conditions: list[Condition] = []
    for item in tree.children:
        word, condition = _item(text, item)  # type: ignore[arg-type]  # the grammar holds only trees here
        words.append(word)
        conditions.extend(condition)
    return " ".join(filter(None, words)), conditions


def _item(text: str, item: Tree[Token]) -> tuple[str, list[Condition]]:
    tokens = {token.type: token for token in item.scan_values(lambda _: True)}
    negated = "MINUS" in tokens
    operand = tokens.get("PHRASE", tokens.get("WORD"))
    value = "" if operand is None else " ".join(operand.strip('"').split())
    if "FIELD" in tokens:
        return "", [_field(text, tokens["FIELD"], operand, value, negated=negated)]
    if "PHRASE" in tokens:
        if not _WORDS.search(value):
            raise QuerySyntaxError(text, _position(tokens["PHRASE"]), "there is no word between these quotation marks")
        return "" if negated else value, [Condition("phrase", fold(value), negated)]
    return ("", [Condition("word", fold(value), negated=True)]) if negated else (value, [])


def _field(text: str, field: Token, operand: Token | None, value: str, *, negated: bool) -> Condition:
    name = field[:-1].lower()
    if operand is None or not value:
        raise QuerySyntaxError(
            text, _position(field) + len(field), f'"{field}" needs a value, such as {_EXAMPLES[name]}'
        )
    match name:
        case "year":
            return Condition("year", _years(text, operand), negated)
        case "venue":
            return Condition("venue", canonical_venue(value), negated)
        case "title":
            return Condition("title", fold(value), negated)
        case _:
            return Condition("author", fold(given_first(value)), negated, shown=value)


_EXAMPLES: Mapping[str, str] = {
    "title": "title:diffusion",
    "author": "author:smith",
    "venue": "venue:ICLR",
    "year": "year:2025..2026",
}


def _years(text: str, operand: Token) -> str:
    match = re.fullmatch(r"([0-9]{4})?(?:(\.\.)([0-9]{4})?)?", operand)
    if match is None or not operand.strip("."):
        raise QuerySyntaxError(
            text, _position(operand), "expected a year or a range, such as 2026, 2024.. or 2025..2026"
        )
    low, dots, high = match.groups()
    first = int(low) if low else _FIRST_YEAR
    last = int(high) if high else (_LAST_YEAR if dots else first)
    if first > last:
        raise QuerySyntaxError(text, _position(operand), f"the range ends before it begins; meant {last}..{first}?")
    return f"{first}..{last}"


def _position(token: Token) -> int:
    return token.start_pos or 0


_Reader = Callable[[re.Match[str]], list[Condition]]
_ENTRIES = r"(?:papers?|abstracts?|entries|articles?|publications?|work|submissions?)"

_WRITTEN = r"(?:(?:that\s+|which\s+)?(?:are\s+|were\s+)?(?:written|authored|published)\s+)?"
# "Smith", "J. Smith", "Ludwig van der Berg"; after the first word only what is written large goes on.
_NAME = (
    r"(?!(?:using|venue|year|topic|keyword|author|conference|area|and|or|the|a|an|any|all|my|our|their)\b)"
    r"(?P<author>(?:(?-i:[A-Z])\.\s*)*[^\W\d_][\w'’-]+"
    r"(?:\s(?:(?:van|von|de|der|den|di|da|la|le|del)\s)*(?-i:[A-Z])[\w'’.-]*)*)"
)
_BY_WHOM = re.compile(rf"\bby\s+(?=(?-i:[A-Z])){_NAME}\W*$", re.IGNORECASE)


@cache
def _natural_forms(venues: frozenset[str]) -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    names = sorted({*venues, *(alias for alias, name in VENUE_ALIASES.items() if name in venues)} - {""}, key=len)
    forms: list[tuple[str, _Reader]] = []
    if names:
        venue = rf"(?P<venue>{'|'.join(re.escape(name) for name in reversed(names))})"
        but_not = r"\b(?:not|but not|excluding|except)\s+(?:(?:at|from|in|of)\s+)?"
        forms.append((rf"{but_not}{venue}\b(?:[\s'’]+{_YEAR}\b)?", _not_at_venue))
        # "ICLR 2026 papers on …", "at NeurIPS", "papers from ICLR 2026"
        forms.append((rf"\b(?:(?:at|from|in|of)\s+)?{venue}[\s'’]+(?P<year>{_YEAR})\b", _venue_and_year))
        forms.append((rf"\b(?:at|from|in)\s+{venue}\b", _venue_and_year))
        forms.append((rf"\b{venue}\s+(?P<kept>{_ENTRIES})\b", _venue_and_year))
    forms += [
        (rf"\bsince\s+(?P<low>{_YEAR})\b(?!-\d)|\bfrom\s+(?P<from>{_YEAR})\s+on(?:wards?)?\b", _year_range),
        (rf"\bafter\s+(?P<after>{_YEAR})\b", _year_range),
        (rf"\bbefore\s+(?P<before>{_YEAR})\b", _year_range),
        (rf"\b(?:until|up to)\s+(?P<high>{_YEAR})\b", _year_range),
        (rf"\b(?:between|from)\s+(?P<low>{_YEAR})\s*(?:and|to|-|–|until)\s*(?P<high>{_YEAR})\b", _year_range),
        (rf"\b(?:in|from|published in)\s+(?P<year>{_YEAR})\b{_COUNTED}", _year_range),
        (rf"\b(?P<kept>{_ENTRIES})\s+of\s+(?P<year>{_YEAR})\b", _year_range),
        (rf"\b(?P<year>{_YEAR})\s+(?P<kept>{_ENTRIES})\b", _year_range),
        (rf"\b(?P<kept>{_ENTRIES})\s+{_WRITTEN}by\s+{_NAME}", _author),
        (rf"\bwhat\s+(?:did|has|have)\s+{_NAME}\s+(?:writ(?:e|ten)|publish(?:ed)?|author(?:ed)?)\b", _author),
    ]
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in forms)


def _venue_and_year(match: re.Match[str]) -> list[Condition]:
    groups = match.groupdict()
    venue = [Condition("venue", canonical_venue(groups["venue"]))]
    return venue + ([Condition("year", f"{groups['year']}..{groups['year']}")] if groups.get("year") else [])


def _not_at_venue(match: re.Match[str]) -> list[Condition]:
    return [Condition("venue", canonical_venue(match["venue"]), negated=True)]


def _year_range(match: re.Match[str]) -> list[Condition]:
    found = {name: int(year) for name, year in match.groupdict().items() if year and name != "kept"}
    low = found.get("low", found.get("from", found.get("year", found.get("after", _FIRST_YEAR - 1) + 1)))
    high = found.get("high", found.get("year", found.get("before", _LAST_YEAR + 1) - 1))
    return [Condition("year", f"{low}..{max(low, high)}")]


def _author(match: re.Match[str]) -> list[Condition]:
    return [Condition("author", fold(match["author"]), shown=match["author"])]


def _mentions(text: str, value: str) -> bool:
    """Tell whether the words of *value* stand in *text* one after the other, whatever joins them."""
    return f" {' '.join(_WORDS.findall(value))} " in f" {' '.join(_WORDS.findall(fold(text)))} "
