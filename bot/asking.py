"""A question in a conversation: what it leans on, what is found, what is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.comparison import sides
from bot.compose import corrections_of, nothing_found, quote_entries, quote_entry, refused, related_lead
from bot.conversation import Conversation
from bot.followup import Leaning, Reading, read_followup
from bot.model import Answer, Quote, Verdict
from bot.results import Reply
from bot.verdict import coverage, decide, missing_words
from retrieval.engine import Engine
from retrieval.evidence import Evidence
from retrieval.intents import intents
from retrieval.model import Entry, Hit, Query, Ranking
from retrieval.query import Condition, ParsedQuestion, parse_question, without_unwanted
from retrieval.text.analysis import fold

__all__ = ["Asking"]

_MOST_HITS = 100
_MOST_CLOSEST = 10
_SIDE_COVERED = 0.5
_SAYS_NO_MORE = re.compile(
    r"\W*(?:(?:what|which|show|find|list|give|get|me|us|any|some|the|are|is|was|were|there|here|do|you|have|please)\W+)*"
    r"(?:(?:papers?|abstracts?|entries|entry|articles?|publications?|work|submissions?|published|written|there|here)\W*)*",
    re.IGNORECASE,
)
_FAIR_SHARE = 0.6  # of the weight that the best entry covers


@dataclass(frozen=True, slots=True)
class _Finding:
    """What was found for a query, and what it is worth."""

    query: Query
    ranking: Ranking
    evidence: Evidence
    verdict: Verdict


class Asking:
    """Answer questions about the subject, in the light of what was said before."""

    def __init__(self, engine: Engine) -> None:
        """Search with *engine*."""
        self._engine = engine
        self._venues = engine.collection.venue_names

    def parse(self, question: str) -> ParsedQuestion:
        """Take the conditions out of *question*, with the venues that the collection has.

        Raises:
            QuerySyntaxError: If an operator is used wrongly.
        """
        return parse_question(question, venues=self._venues, is_author=self.is_author)

    def is_author(self, name: str) -> bool:
        """Tell whether an entry has an author of that name."""
        return self._engine.listing.any_passes((Condition("author", fold(name)),))

    def ask(self, talk: Conversation, parsed: ParsedQuestion, *, k: int) -> Reply:
        """Answer a question; one that leans on the table is read together with what lies there."""
        parsed = without_unwanted(parsed)
        if parsed.conditions and _SAYS_NO_MORE.fullmatch(parsed.text):
            parsed = replace(parsed, text="")  # "papers by Smith": the conditions say it all
        reading = self._reading(talk, parsed)
        match reading.leaning:
            case Leaning.ENTRY if talk.focus is not None:
                return self._about_entry(talk, parsed, reading.text, talk.focus, k=k)
            case Leaning.RESULTS if talk.numbered:
                return self._search(talk, parsed, reading.text, k=k, within=talk.numbered, fresh=False)
            case Leaning.TOPIC_OR_ENTRY if talk.focus is not None:
                return self._continue(talk, parsed, reading.text, talk.focus, k=k)
        if compared := sides(parsed.text):
            answer = self._compare_sides(talk, parsed, compared)
            if answer is not None:
                return answer
        return self._search(talk, parsed, parsed.text, k=k)

    def again(self, talk: Conversation, narrowing: Sequence[Condition], *, k: int) -> Reply:
        """Answer the question on the table once more, under further conditions; numbers given out stay."""
        before = self._on_table(talk)
        parsed = ParsedQuestion(before.text, tuple(dict.fromkeys((*before.conditions, *narrowing))))
        return self._search(talk, parsed, parsed.text, k=k, fresh=False)

    def _on_table(self, talk: Conversation) -> ParsedQuestion:
        """Return the question that the results on the table answer, with its conditions."""
        return ParsedQuestion(talk.question, self.parse(" ".join(talk.narrowing)).conditions)

    def _reading(self, talk: Conversation, parsed: ParsedQuestion) -> Reading:
        if not talk.numbered:
            return Reading(Leaning.NOTHING, parsed.text)
        named = set(self._engine.named(parsed.text)) - {talk.focus}
        return Reading(Leaning.NOTHING, parsed.text) if named else read_followup(parsed.text)

    def _search(
        self,
        talk: Conversation,
        parsed: ParsedQuestion,
        text: str,
        *,
        k: int,
        within: Sequence[str] | None = None,
        fresh: bool = True,
    ) -> Reply:
        query = self._engine.understand(text)
        ranking = self._engine.search(query, k=_MOST_HITS, conditions=parsed.conditions, within=within)
        evidence = self._evidence(query, ranking)
        conditioned = bool(parsed.conditions) or within is not None
        if titles := self._only_titles(query, ranking):
            listed = tuple(entry.entry_id for entry in titles.listing)
            return Reply(titles, replace(_begun(talk), question=text, focus=listed[0]).show(listed))
        if evidence is None:
            nothing = nothing_found(self._engine, parsed) if conditioned else refused(self._engine, parsed, query)
            return Reply(nothing, talk)
        # A question of which nothing is understood is answered by its conditions or not at all.
        without_terms = Verdict.ANSWERED if conditioned else Verdict.NOTHING
        verdict = decide(evidence) if query.terms else without_terms
        if verdict is Verdict.NOTHING and not conditioned:
            answer = refused(self._engine, parsed, query)
            worth_asking = tuple(question for question in answer.suggestions if self._finds(question))
            return Reply(replace(answer, suggestions=worth_asking), talk)
        if verdict is Verdict.NOTHING:
            verdict = Verdict.RELATED
        return self._quoted(talk, parsed, _Finding(query, ranking, evidence, verdict), k=k, fresh=fresh)

    def _only_titles(self, query: Query, ranking: Ranking) -> Answer | None:
        """Return the answer that lists what is asked for by name or title where it has no abstract to quote."""
        collection = self._engine.collection
        named = [collection.entry(entry_id) for entry_id in self._engine.named(query.text)]
        hits = [collection.entry(hit.entry_id) for hit in ranking.hits[:1]]
        meant = named or [e for e in hits if query.terms and not self._engine.lacking(query, [e.entry_id])]
        if not meant or any(entry.abstract for entry in meant):
            return None
        lead = "The list has the title alone; there is no abstract to quote:"
        return Answer("", "", Verdict.RELATED, lead=lead, listing=tuple(meant), total=len(meant))

    def _quoted(self, talk: Conversation, parsed: ParsedQuestion, finding: _Finding, *, k: int, fresh: bool) -> Reply:
        query, verdict = finding.query, finding.verdict
        start = _begun(talk) if fresh else talk
        hits = self._found(finding)
        quotes, after = self._quotes(query, hits, start, k=k)
        after = replace(
            after,
            question=query.text if fresh else talk.question,
            narrowing=tuple(condition.expression for condition in parsed.conditions),
            ranking=tuple(hit.entry_id for hit in hits),
            focus=quotes[0].entry.entry_id if quotes else talk.focus,
        )
        answer = Answer(
            "",
            "",
            verdict,
            quotes=quotes,
            total=len(hits),
            left=len(set(after.ranking) - set(after.numbered)),
            corrections=corrections_of(query),
            filters=parsed.filters(),
        )
        if verdict is Verdict.RELATED:
            named = self._engine.named(query.text)
            quoted = {quote.entry.entry_id for quote in quotes}
            about = self._engine.collection.entry(named[0]) if len(named) == 1 and named[0] in quoted else None
            answer = self._with_missing(answer, query, finding.evidence, about)
        return Reply(answer, after)

    def _found(self, finding: _Finding) -> Sequence[Hit]:
        """Return the hits that the question found, best first.

        For a question that names entries, those alone. Under an answer, none whose words cover far less of the question
        than the best's: it would be read as one more answer. What is merely closest is cut to a few.
        """
        hits = finding.ranking.hits
        named = set(self._engine.named(finding.query.text))
        if chosen := [hit for hit in hits if hit.entry_id in named]:
            return chosen
        if finding.verdict is not Verdict.ANSWERED:
            return hits[:_MOST_CLOSEST]
        if not finding.query.terms:  # only conditions: whatever fulfils them
            return hits
        weights = {term.word: term.weight for term in finding.evidence.terms}
        fair = self._engine.covering(finding.query, hits, weights, share=_FAIR_SHARE) if weights else ()
        return fair or hits[:1]

    def _quotes(
        self, query: Query, hits: Sequence[Hit], talk: Conversation, *, k: int
    ) -> tuple[tuple[Quote, ...], Conversation]:
        """Quote one sentence of each hit; of a single one, whose name was asked about, what else it says to that."""
        if len(hits) == 1 and intents(query.text, len(query.terms)).isdisjoint({"define", "topic"}):
            return quote_entry(self._engine, query, hits[0].entry_id, hits[0].score, talk, k=k)
        return quote_entries(self._engine, query, [(hit.entry_id, hit.score) for hit in hits[:k]], talk)

    def _with_missing(self, answer: Answer, query: Query, evidence: Evidence, about: Entry | None) -> Answer:
        """Say in *answer* which words none of the quoted entries has."""
        lacking = set(self._engine.lacking(query, [quote.entry.entry_id for quote in answer.quotes]))
        missing = tuple(word for word in missing_words(evidence.terms) if word in lacking)
        absent = set(self._engine.lacking(query, None)) if missing else set()
        nowhere = tuple(word for word in missing if word in absent)
        return replace(answer, lead=related_lead(missing, nowhere, about), missing_terms=missing)

    def _about_entry(self, talk: Conversation, parsed: ParsedQuestion, text: str, entry_id: str, *, k: int) -> Reply:
        """Answer from the one entry that the talk is about."""
        if entry_id not in self._engine.collection:
            return self._search(talk, parsed, text, k=1)
        query = self._engine.understand(text)
        evidence = self._engine.evidence(query, [entry_id], on_table=True)
        quotes, after = quote_entry(self._engine, query, entry_id, 0.0, talk, k=k)
        if evidence is None or not quotes:
            return _plain("That entry has no abstract.", talk)
        verdict = decide(evidence)
        answer = Answer("", "", verdict, quotes=quotes, total=1, corrections=corrections_of(query))
        if verdict is Verdict.RELATED:
            answer = self._with_missing(answer, query, evidence, self._engine.collection.entry(entry_id))
        return Reply(answer, after)

    def _continue(self, talk: Conversation, parsed: ParsedQuestion, text: str, focus: str, *, k: int) -> Reply:
        """Answer "and for X?", "what about X?": from the entry on the table if it has X, else the topic with X."""
        query = self._engine.understand(text)
        evidence = self._engine.evidence(query, [focus], on_table=True)
        if evidence is not None and evidence.terms and decide(evidence) is Verdict.ANSWERED:
            return self._about_entry(talk, parsed, text, focus, k=k)
        return self._search(talk, parsed, f"{text} {talk.question}", k=k)

    def _compare_sides(self, talk: Conversation, parsed: ParsedQuestion, compared: tuple[str, str]) -> Reply | None:
        """Quote the best entry for each side; None when a side has none, or both have the same."""
        found: list[tuple[str, float]] = []
        for side in compared:
            query = self._engine.understand(side)
            named = [entry_id for entry_id in self._engine.named(side) if entry_id not in dict(found)]
            ranking = self._engine.search(query, k=3, conditions=parsed.conditions, within=named or None)
            hits = [hit for hit in ranking.hits if hit.entry_id not in dict(found)]
            evidence = self._engine.evidence(query, [hit.entry_id for hit in hits[:1]]) if hits else None
            if evidence is None or (not named and coverage(evidence.terms) < _SIDE_COVERED):
                return None
            found.append((hits[0].entry_id, hits[0].score))
        start = _begun(talk)
        quotes, after = quote_entries(self._engine, self._engine.understand(parsed.text), found, start)
        after = replace(
            after,
            question=parsed.text,
            narrowing=tuple(condition.expression for condition in parsed.conditions),
            ranking=tuple(entry_id for entry_id, _ in found),
            focus=found[0][0],
        )
        answer = Answer("", "", Verdict.ANSWERED, quotes=quotes, total=len(quotes), filters=parsed.filters())
        return Reply(answer, after)

    def _finds(self, text: str) -> bool:
        query = self._engine.understand(text)
        evidence = self._evidence(query, self._engine.search(query, k=_MOST_CLOSEST))
        return evidence is not None and decide(evidence) is not Verdict.NOTHING

    def _evidence(self, query: Query, ranking: Ranking) -> Evidence | None:
        return self._engine.evidence(query, [hit.entry_id for hit in ranking.hits]) if ranking.hits else None


def _begun(talk: Conversation) -> Conversation:
    """Return *talk* with nothing on the table."""
    return Conversation(talk.conversation_id, questions=talk.questions)


def _plain(lead: str, talk: Conversation) -> Reply:
    return Reply(Answer("", "", Verdict.REPLY, lead=lead), talk)
