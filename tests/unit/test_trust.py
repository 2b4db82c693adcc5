"""An answer that was given can be checked, and given again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model import Answer, Quote, Verdict
from bot.records import AnswerRecord
from bot.trust import recorded, replay_report, verify_report
from retrieval.collection import Collection
from retrieval.model import Entry, Span
from tests.fakes.entries import entry

_TEXT = "Bandits choose arms. We propose BUDGE, which spends slowly."
_ENTRY = entry("a", "Budgeted Bandits", _TEXT)
_OTHER = entry("b", "Masks", "We mask the clicks of users.")


def _quote(of: Entry, start: int, end: int) -> Quote:
    return Quote(rank=1, entry=of, span=Span(start, end), text=of.abstract[start:end], first=1, last=1, count=2)


def _answer(*quotes: Quote) -> Answer:
    return Answer("0123456789ab", "what is BUDGE?", Verdict.ANSWERED, quotes=quotes)


def _record(answer: Answer, collection: Collection) -> AnswerRecord:
    return recorded(answer, state="{}", k=3, fingerprint=collection.fingerprint)


def test_a_quote_that_still_stands_is_verbatim() -> None:
    collection = Collection([_ENTRY])

    report = verify_report(_record(_answer(_quote(_ENTRY, 21, len(_TEXT))), collection), collection)

    assert report.lead.endswith(f"1. Budgeted Bandits: verbatim, characters 21 to {len(_TEXT)}.")


@pytest.mark.parametrize(
    ("abstract", "said"),
    [
        (f"First of all. {_TEXT}", "verbatim, now at characters 35 to 73"),
        ("All of it was rewritten.", "no longer says this"),
    ],
)
def test_a_quote_of_a_changed_abstract_is_looked_for(abstract: str, said: str) -> None:
    before = Collection([_ENTRY])
    after = Collection([replace(_ENTRY, abstract=abstract)])

    report = verify_report(_record(_answer(_quote(_ENTRY, 21, len(_TEXT))), before), after)

    assert said in report.lead


def test_a_quote_of_an_entry_that_left_is_said_to_be_gone() -> None:
    record = _record(_answer(_quote(_ENTRY, 0, 20)), Collection([_ENTRY]))

    report = verify_report(record, Collection([_OTHER]))

    assert "a is not in the collection any more" in report.lead


def test_the_same_answer_is_said_to_be_the_same() -> None:
    collection, answer = Collection([_ENTRY]), _answer(_quote(_ENTRY, 0, 20))

    replayed = replay_report(_record(answer, collection), collection, lambda: answer)

    assert replayed.lead == "The same answer as before."
    assert replayed.quotes == answer.quotes


def test_another_answer_says_what_is_new_and_what_is_gone_and_that_the_collection_changed() -> None:
    before, after = Collection([_ENTRY]), Collection([_ENTRY, _OTHER])
    record = _record(_answer(_quote(_ENTRY, 0, 20)), before)

    replayed = replay_report(record, after, lambda: _answer(_quote(_OTHER, 0, 28)))

    assert replayed.lead == "Not the same as before: 1 new, 1 gone. The collection has changed since."


def test_quotes_in_another_order_are_said_to_have_moved() -> None:
    collection = Collection([_ENTRY, _OTHER])
    one, two = _quote(_ENTRY, 0, 20), _quote(_OTHER, 0, 28)
    record = _record(_answer(one, two), collection)

    replayed = replay_report(record, collection, lambda: _answer(two, one))

    assert replayed.lead == "Not the same as before: 2 moved."
