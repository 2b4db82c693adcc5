"""Which of some entries a standing query wants: not the best few, but all that say enough of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from bot.model import Verdict
from bot.subscription import Breadth
from bot.verdict import coverage, decide
from retrieval.engine import Engine
from retrieval.evidence import Evidence
from retrieval.model import Hit, Query, QueryTerm
from retrieval.query import Condition, ParsedQuestion
from retrieval.text.analysis import fold, terms

__all__ = ["Standing", "unwanted"]

_LOOKED_AT = 0.1  # of all that was typed; an entry that has less of it is never about it
_NARROW = 0.95
_NORMAL = 0.77
_TOGETHER = 0.6  # of two words both: each of them stands in many an abstract that is about neither
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
        conditions, entry = unwanted(without), self._engine.collection.entry
        return tuple(one for one in among if all(condition.holds(entry(one)) for condition in conditions))

    def answered(self, question: str, among: Sequence[str]) -> tuple[str, ...]:
        """Return those of the entries *among* that answer *question* each by itself, best first.

        Raises:
            QuerySyntaxError: If an operator is used wrongly.
        """
        found = [hit.entry_id for hit in self.wanted(question, among, breadth=Breadth.NORMAL)]
        query = self._engine.understand(self._parse(question).text)
        judged = [(one, self._engine.evidence(query, [one], on_table=True)) for one in found]
        return tuple(one for one, evidence in judged if evidence and decide(evidence) is Verdict.ANSWERED)

    def _says_enough(self, query: Query, hit: Hit, breadth: Breadth) -> bool:
        if hit.words < _LOOKED_AT:
            return False
        evidence = self._engine.evidence(query, [hit.entry_id])
        if evidence is None:  # a title alone: it must have every word
            return not self._engine.lacking(query, [hit.entry_id])
        if breadth is Breadth.WIDE:
            return coverage(evidence.terms) >= _WIDE
        covered = coverage(evidence.terms)
        if breadth is Breadth.NARROW:
            return covered >= _NARROW and _together(query, evidence, self._gist(hit.entry_id)) >= _NARROW
        return covered >= _NORMAL and _together(query, evidence, self._texts(hit.entry_id)) >= _TOGETHER

    def _texts(self, entry_id: str) -> Sequence[str]:
        """Return the title and the sentences of an entry."""
        collection = self._engine.collection
        return collection.entry(entry_id).title, *collection.sentences(collection.number(entry_id))

    def _gist(self, entry_id: str) -> Sequence[str]:
        """Return the title of an entry, and the sentence that says what is new in it."""
        entry, chosen = self._engine.collection.entry(entry_id), self._engine.contribution(entry_id)
        return (entry.title,) if chosen is None else (entry.title, chosen.span.of(entry.abstract))


def _together(query: Query, evidence: Evidence, texts: Sequence[str]) -> float:
    """Return the most of the key terms of *query* that one of *texts* has, from 0 to 1.

    Common ones count as much as rare ones: "learning" makes "continual learning" of "continual".
    """
    keys = {key.word for key in evidence.terms}
    counted = [term for term in query.terms if term.counted]
    wanted = [term for term in counted if term.shown in keys] or counted
    there = [frozenset(terms(text)) for text in texts]
    return max(sum(_has(words, term) for term in wanted) for words in there) / max(1, len(wanted))


def _has(there: AbstractSet[str], term: QueryTerm) -> bool:
    spelled_out = bool(term.long_form) and there >= set(term.long_form)
    return spelled_out or not there.isdisjoint(term.matches)


def unwanted(words: Iterable[str]) -> tuple[Condition, ...]:
    """Return the conditions that leave out what mentions one of *words*."""
    return tuple(Condition("word", fold(word), negated=True) for word in words)
