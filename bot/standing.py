"""Which of some entries a standing query wants: not the best few, but all that say enough of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bot.model import Verdict
from bot.subscription import Breadth
from bot.verdict import coverage, decide
from retrieval.engine import Engine
from retrieval.model import Hit, Query
from retrieval.query import Condition, ParsedQuestion
from retrieval.text.analysis import fold

__all__ = ["Standing", "unwanted"]

_LOOKED_AT = 0.3  # of the question's weight; an entry that has less of its words is never about it
_NARROW = 0.95
_WIDE = 0.5


class Standing:
    """Choose entries for standing queries; many are asked of the same engine."""

    def __init__(self, engine: Engine, parse: Callable[[str], ParsedQuestion]) -> None:
        """Look with *engine* for what *parse* takes a query apart into."""
        self._engine = engine
        self._parse = parse

    def wanted(
        self, topic: str, among: Sequence[str], *, breadth: Breadth, without: Sequence[str] = ()
    ) -> tuple[Hit, ...]:
        """Return those of the entries *among* that *topic* wants, best first.

        Args:
            topic: In the language of questions; conditions alone will do.
            among: Entry ids.
            breadth: How much of it they must have.
            without: Words that none may mention.

        Raises:
            QuerySyntaxError: If an operator is used wrongly.
        """
        if not among:
            return ()
        parsed = self._parse(topic)
        conditions = (*parsed.conditions, *unwanted(without))
        query = self._engine.understand(parsed.text)
        hits = self._engine.search(query, k=len(among), conditions=conditions, within=among).hits
        return tuple(hit for hit in hits if not query.terms or self._says_enough(query, hit, breadth))

    def kept(self, among: Sequence[str], *, without: Sequence[str]) -> tuple[str, ...]:
        """Return those of the entries *among* that mention no word of *without*, in their order."""
        if not without:
            return tuple(among)
        left = {entry.entry_id for entry in self._engine.mentioning("", unwanted(without))}
        return tuple(entry_id for entry_id in among if entry_id in left)

    def answered(self, question: str, among: Sequence[str]) -> tuple[str, ...]:
        """Return those of the entries *among* that answer *question* each by itself, best first.

        Raises:
            QuerySyntaxError: If an operator is used wrongly.
        """
        return tuple(hit.entry_id for hit in self.wanted(question, among, breadth=Breadth.NORMAL))

    def _says_enough(self, query: Query, hit: Hit, breadth: Breadth) -> bool:
        if hit.words < _LOOKED_AT:
            return False
        evidence = self._engine.evidence(query, [hit.entry_id])
        if evidence is None:  # a title alone: it must have every word
            return not self._engine.lacking(query, [hit.entry_id])
        covered = coverage(evidence.terms)
        match breadth:
            case Breadth.NARROW:
                return covered >= _NARROW
            case Breadth.NORMAL:
                return decide(evidence) is Verdict.ANSWERED
            case Breadth.WIDE:
                return covered >= _WIDE


def unwanted(words: Iterable[str]) -> tuple[Condition, ...]:
    """Return the conditions that leave out what mentions one of *words*."""
    return tuple(Condition("word", fold(word), negated=True) for word in words)
