"""Digests as Slack takes them: within its limits, whatever is in them, and readable."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from bot.adapters.slack.blocks import Content
from bot.adapters.slack.digest_blocks import digest_parts, notice_part
from bot.compose import quote_of
from bot.model import Quote
from bot.subscription import Digest, DigestEntry, DigestNote, Place, Section, Subscription
from retrieval.model import Entry
from tests.fakes.entries import engine_on, entry
from tests.fakes.slack.blocks import check_blocks, too_long

_HOSTILE = "<!channel> <@U123> *bold* `code` &lt;b&gt; https://evil.example \u202egnp.exe \x1b[31m @here"
_DAY = date(2026, 11, 30)


def _entries(count: int, *, abstract: str = "We propose a method.", title: str = "A title") -> tuple[DigestEntry, ...]:
    made = [
        entry(f"e{n:04}", f"{title} {n}", abstract, authors=("Ada Smith", "Bo Chen"), venue="ICLR", year=2026)
        for n in range(count)
    ]
    return tuple(DigestEntry(n, one, _quoted(one, n)) for n, one in enumerate(made, start=1))


def _quoted(one: Entry, number: int) -> Quote | None:
    chosen = engine_on([one], semantic=False).contribution(one.entry_id)
    return None if chosen is None else quote_of(one, chosen, rank=number, score=0.0)


def _digest(sections: Sequence[Section], *, total: int | None = None, **options: object) -> Digest:
    subscription = Subscription("s1", Place("T1", "C1"), "U1", datetime(2026, 11, 1, tzinfo=UTC), topics=("causal",))
    count = sum(len(section.entries) for section in sections)
    return Digest(subscription, _DAY, sections=tuple(sections), total=count if total is None else total, **options)  # type: ignore[arg-type]


def _contents(digest: Digest) -> list[Content]:
    contents = [Content.from_json(part.content) for part in digest_parts(digest)]
    for content in contents:
        assert check_blocks(list(content.blocks)) == []
        assert not too_long(content.blocks)
        assert len(content.blocks) <= 50
        assert 0 < len(content.text) <= 4_000
    return contents


@pytest.mark.parametrize(("count", "messages"), [(1, 1), (8, 1), (9, 2), (60, 8), (200, 25)])
def test_a_digest_of_any_size_is_messages_that_slack_takes(count: int, messages: int) -> None:
    digest = _digest([Section("", _entries(count))])

    assert len(_contents(digest)) == messages
    shown = [name for part in digest_parts(digest) for name in part.entry_ids]
    assert shown == [one.entry.entry_id for one in digest.entries]


def test_what_is_not_shown_is_counted_at_the_end() -> None:
    contents = _contents(_digest([Section("", _entries(60))], total=1_000))

    assert "and 940 more: ask “what is new since 2026-11-30?”" in str(contents[-1].blocks)
    assert "more: ask" not in str(contents[0].blocks)


def test_the_first_message_says_what_it_is_and_what_can_be_done() -> None:
    (content,) = _contents(
        _digest([Section("graphs", _entries(2)), Section("bandits", _entries(1))], since=date(2026, 11, 27))
    )
    shown = str(content.blocks)

    assert "New papers · Mon 30 Nov" in shown
    assert "3 new for causal, since Fri 27 Nov · Mon to Fri, 09:00 UTC" in shown
    assert "'text': 'graphs', 'style': {'bold': True}" in shown
    assert "Ada Smith, Bo Chen · ICLR 2026" in shown
    assert all(label in shown for label in ("Settings", "Mute", "More like this", "Save for me"))
    assert content.text == "3 new for causal, since Fri 27 Nov: A title 0; A title 1; A title 0"


def test_long_abstracts_and_titles_are_cut_and_still_fit() -> None:
    long = "We propose " + "a very long sentence that goes on and on " * 60 + "."

    contents = _contents(_digest([Section("x" * 500, _entries(40, abstract=long, title="T" * 900))]))
    assert sum(len(part.entry_ids) for part in digest_parts(_digest([Section("", _entries(40))]))) == 40
    assert " …" in str(contents[0].blocks)


def test_nothing_that_a_stranger_wrote_is_markup() -> None:
    hostile = Section(_HOSTILE, _entries(2, abstract=f"We propose {_HOSTILE}.", title=_HOSTILE))
    notes = (DigestNote("e", _HOSTILE, "javascript:alert(1)", _HOSTILE),)
    (content,) = _contents(_digest([hostile], notes=notes))

    assert "<!channel>" not in content.text
    assert "javascript" not in str(content.blocks)
    assert "mrkdwn" not in str(content.blocks)
    assert "'type': 'user'" not in str(content.blocks)


def test_notes_alone_are_a_digest_too() -> None:
    notes = tuple(DigestNote(f"e{n}", f"Paper {n}", None, "withdrawn") for n in range(50))
    (content,) = _contents(_digest([], notes=notes))

    assert "Nothing new for causal; but:" in str(content.blocks)
    assert "Paper 0" in str(content.blocks)
    assert "and 30 more changes" in str(content.blocks)


def test_a_quiet_week_is_one_line() -> None:
    (content,) = _contents(_digest([], quiet=True))

    assert content.text == "Still watching for causal: nothing new for a week."


def test_an_entry_without_an_abstract_has_its_title_alone() -> None:
    (content,) = _contents(_digest([Section("", _entries(1, abstract=""))]))

    assert "rich_text_quote" not in str(content.blocks)


def test_a_notice_names_who_had_it_said() -> None:
    content = Content.from_json(notice_part("Digest paused", by="U1").content)

    assert check_blocks(list(content.blocks)) == []
    assert content.text == "Digest paused"
    assert "{'type': 'user', 'user_id': 'U1'}" in str(content.blocks)
