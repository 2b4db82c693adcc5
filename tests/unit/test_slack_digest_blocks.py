"""Digests as blocks: complete, never more than Slack takes, and nothing of an entry or a topic is markup."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.adapters.slack.blocks import MAX_TEXT, Content
from bot.adapters.slack.digest_blocks import digest_parts, notice_part
from bot.adapters.slack.outlet import SlackOutlet
from bot.model import Answer, Quote, Verdict
from bot.subscription import Digest, DigestEntry, DigestNote, Part, Place, Section, Subscription, Watch
from retrieval.model import Entry, Span
from tests.fakes.entries import entry
from tests.fakes.slack.blocks import check_blocks, too_long
from tests.fakes.slack.model import Message
from tests.fakes.slack.mrkdwn import live_in

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
SENTENCE = "We propose SIEVE, which sorts x_1 < p*q & more of what there is to sort in a single pass."
HOSTILE = "<!channel> <@U1|ada> *bold* _it_ ~no~ `code` <https://evil.example|click> &amp; @here\n:tada: \u202etxt"


def _quote(one: Entry, text: str) -> Quote:
    start = one.abstract.index(text)
    return Quote(1, one, Span(start, start + len(text)), text, 1, 1, 1)


def _shown(number: int, *, title: str = "Sieves that sort", sentence: str = SENTENCE, **more: Any) -> DigestEntry:
    given_fields = {
        "authors": ("Ada Smith", "Bo Chen"),
        "venue": "ICLR",
        "year": 2026,
        "url": f"https://x.org/{number}",
    }
    one = entry(f"e{number}", f"{title} {number}", f"Sorting is slow. {sentence}", **{**given_fields, **more})
    return DigestEntry(number, one, _quote(one, sentence))


def _digest(
    sizes: Sequence[int], *, topics: tuple[str, ...] = ("sorting",), headings: Sequence[str] = (), **more: Any
) -> Digest:
    subscription = Subscription("s1", Place("T1", "C1"), "U1", NOW, topics=topics, most=200)
    numbers = iter(range(1, sum(sizes) + 1))
    sections = tuple(
        Section(headings[at] if headings else "", tuple(_shown(next(numbers)) for _ in range(size)))
        for at, size in enumerate(sizes)
    )
    return Digest(subscription, date(2026, 11, 30), **{"sections": sections, "total": sum(sizes), **more})


def _contents(parts: Sequence[Part]) -> list[Content]:
    return [Content.from_json(part.content) for part in parts]


def _valid(parts: Sequence[Part]) -> None:
    for content in _contents(parts):
        blocks: list[Any] = list(content.blocks)
        assert check_blocks(blocks) == []
        assert not too_long(blocks)
        assert content.text.strip()
        assert len(content.text) <= MAX_TEXT
        message = Message("1.0", "C1", "T1", "U0", content.text, blocks=tuple(blocks))
        assert {live.kind for live in live_in(message, users={"ada": "U1"})} <= {"link", "autolink"}


def _all_text(parts: Sequence[Part]) -> str:
    return "\n".join(json.dumps(content.blocks, ensure_ascii=False) for content in _contents(parts))


@pytest.mark.parametrize(("entries", "messages"), [(1, 1), (8, 1), (9, 2), (60, 8), (200, 25)])
def test_every_entry_is_shown_once_in_messages_that_slack_takes(entries: int, messages: int) -> None:
    parts = digest_parts(_digest([entries]))

    _valid(parts)
    assert len(parts) == messages
    assert [name for part in parts for name in part.entry_ids] == [f"e{n}" for n in range(1, entries + 1)]
    assert all(f'"https://x.org/{n}"' in _all_text(parts) for n in range(1, entries + 1))


def test_of_a_thousand_entries_it_says_how_many_are_left_and_how_to_see_them() -> None:
    parts = digest_parts(_digest([200], total=1_000))

    _valid(parts)
    assert "192 more in the thread" in _all_text(parts[:1])
    assert "and 800 more: ask “what is new since 2026-11-27?”" in _all_text(parts[-1:])  # 30 November is a Monday


def test_the_first_message_says_the_day_the_topic_and_when_it_comes() -> None:
    (part,) = digest_parts(_digest([2], since=date(2026, 11, 27)))

    content = Content.from_json(part.content)
    assert content.text == "2 new for sorting, since Fri 27 Nov: Sieves that sort 1; Sieves that sort 2"
    shown = json.dumps(content.blocks[:2], ensure_ascii=False)
    assert "New papers · Mon 30 Nov" in shown
    assert "2 new for sorting, since Fri 27 Nov · Mon to Fri, 09:00 UTC" in shown


def test_an_entry_has_its_link_its_authors_and_one_sentence() -> None:
    (part,) = digest_parts(_digest([1]))

    titled, about = Content.from_json(part.content).blocks[2:4]
    assert json.dumps(titled["elements"]).count(SENTENCE) == 1
    assert '"url": "https://x.org/1"' in json.dumps(titled)
    assert "Ada Smith, Bo Chen · ICLR 2026" in json.dumps(about, ensure_ascii=False)
    assert all(label in part.content for label in ("Settings", "Mute", "More like this", "Less like this", "Save"))


def test_an_entry_without_an_abstract_has_its_title_alone() -> None:
    bare = DigestEntry(1, entry("e1", "Sieves that sort", ""), None)
    (part,) = digest_parts(_digest([], sections=(Section("", (bare,)),), total=1))

    _valid([part])
    assert "Sieves that sort" in part.content
    assert "rich_text_quote" not in part.content


def test_a_long_sentence_is_cut_at_a_word_and_marked_so() -> None:
    one = _shown(1, sentence="This sentence grows " + "word by word and " * 40 + "ends.")
    (part,) = digest_parts(_digest([], sections=(Section("", (one,)),), total=1))

    quoted = Content.from_json(part.content).blocks[2]["elements"][1]["elements"]  # type: ignore[index]
    text = "".join(piece["text"] for piece in quoted)
    assert text.endswith(("word …", "by …", "and …"))
    assert len(text) <= 280


def test_a_heading_stands_above_its_section_and_again_where_it_goes_on() -> None:
    parts = digest_parts(_digest([3, 9], topics=("sorting", "sieves"), headings=("sorting", "sieves")))

    _valid(parts)
    bold = [json.dumps({"type": "text", "text": name, "style": {"bold": True}}) for name in ("sorting", "sieves")]
    assert [[_all_text([part]).count(one) for one in bold] for part in parts] == [[1, 1], [0, 1]]


def test_the_notes_stand_in_the_first_message_and_leave_room_for_it() -> None:
    notes = tuple(
        DigestNote(f"n{n}", "Old " * 90, f"https://x.org/{'y' * 900}{n}", "now at ICLR " * 40) for n in range(99)
    )
    parts = digest_parts(_digest([60], notes=notes))

    _valid(parts)
    assert "Of earlier entries" in _all_text(parts[:1])
    assert "more of earlier entries" in _all_text(parts[:1])
    assert len([name for part in parts for name in part.entry_ids]) == 60


def test_a_digest_of_notes_alone_and_a_quiet_one_are_messages_too() -> None:
    notes = (DigestNote("n1", "Old sieves", None, "withdrawn"),)
    (noted,), (quiet,) = digest_parts(_digest([], notes=notes)), digest_parts(_digest([], quiet=True))

    _valid([noted, quiet])
    assert "Nothing new for sorting" in _all_text([noted])
    assert "Old sieves" in Content.from_json(noted.content).text
    assert "Still watching for sorting: nothing new for a week." in _all_text([quiet])


def test_nothing_of_an_entry_or_a_topic_becomes_markup() -> None:
    one = _shown(1, title=HOSTILE, sentence=f"{HOSTILE} is all we do.", authors=(HOSTILE,) * 5, venue=HOSTILE)
    digest = _digest([], topics=(HOSTILE[:200],), sections=(Section(HOSTILE, (one,)),), total=1)
    noted = DigestNote("n1", HOSTILE, "javascript:alert(1)", HOSTILE)
    parts = digest_parts(Digest(**{name: getattr(digest, name) for name in digest.__slots__} | {"notes": (noted,)}))

    _valid(parts)
    assert "javascript:" not in _all_text(parts)
    assert "mrkdwn" not in _all_text(parts)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(min_size=1, max_size=3_000), min_size=1, max_size=12), st.text(min_size=1, max_size=4_000))
def test_whatever_is_in_it_slack_takes_it(titles: list[str], sentence: str) -> None:
    shown = tuple(_shown(n, title=title, sentence=sentence, authors=(title,) * 9) for n, title in enumerate(titles, 1))
    parts = digest_parts(_digest([], topics=("t" * 200,) * 20, sections=(Section(sentence, shown),), total=len(shown)))

    _valid(parts)
    assert sum(len(part.entry_ids) for part in parts) == len(titles)


def test_an_entry_whose_id_is_too_long_for_a_menu_is_shown_without_one() -> None:
    one = entry("x" * 400, "Sieves", f"{SENTENCE}")
    (part,) = digest_parts(_digest([], sections=(Section("", (DigestEntry(1, one, None),)),), total=1))

    _valid([part])
    assert "overflow" not in part.content


def test_a_notice_names_who_had_it_said() -> None:
    content = Content.from_json(notice_part(f"Digest on: {HOSTILE}", by="U7").content)

    assert check_blocks(list(content.blocks)) == []
    assert '{"type": "user", "user_id": "U7"}' in json.dumps(content.blocks)
    assert "U7" not in content.text


def test_a_new_answer_to_a_watched_question_has_no_buttons() -> None:
    one = _shown(1)
    assert one.quote is not None
    answer = Answer("", "what sorts?", Verdict.ANSWERED, lead="New here:", quotes=(one.quote,), total=9, left=8)
    part = SlackOutlet().render_answer(Watch("w1", Place("T1", "C1", "1.0"), "U1", "what sorts?", NOW), answer)

    _valid([part])
    assert part.entry_ids == ("e1",)
    assert "actions" not in part.content
