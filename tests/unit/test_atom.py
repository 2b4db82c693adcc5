"""The Atom feed of what was posted: valid, stable, and safe to read whatever is in it."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.atom import MOST_IN_FEED, feed_document, write_feed
from bot.subscription import Place, Sent, Subscription

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
_A = "{http://www.w3.org/2005/Atom}"
_SUBSCRIPTION = Subscription("s1", Place("T1", "C1"), "U1", NOW, topics=("causal <discovery> & more",))


def _sent(number: int = 1, **fields: object) -> Sent:
    given = {
        "entry_id": f"e{number}",
        "title": f"Paper {number}",
        "venue": "ICLR 2026",
        "url": f"https://example.org/{number}",
        "abstract": "We propose a method. It works.",
        "sentence": "We propose a method.",
        "authors": ("Ada Smith", "Bo Chen"),
        "at": NOW + timedelta(hours=number),
    }
    return Sent(**{**given, **fields})  # type: ignore[arg-type]


def _checked(document: bytes) -> ET.Element:
    """Return the feed, after a look whether it has what RFC 4287 requires."""
    feed = ET.fromstring(document)  # our own
    assert feed.tag == f"{_A}feed"
    for parent in (feed, *feed.findall(f"{_A}entry")):
        for name in ("id", "title", "updated"):
            (element,) = parent.findall(f"{_A}{name}")
            assert element.text
        assert (parent.findtext(f"{_A}updated") or "").endswith("Z")
    ids = [element.text for element in feed.iter(f"{_A}id")]
    assert len(ids) == len(set(ids))
    assert all(name and name.startswith("urn:uuid:") for name in ids)
    assert feed.find(f"{_A}author/{_A}name") is not None
    assert all(
        e.find(f"{_A}link") is not None or e.find(f"{_A}content") is not None for e in feed.findall(f"{_A}entry")
    )
    return feed


def test_a_reader_finds_the_newest_first_with_all_that_is_known() -> None:
    document = feed_document(_SUBSCRIPTION, [_sent(1), _sent(2)], updated=NOW)
    _checked(document)
    read = feedparser.parse(document)

    assert not read.bozo
    assert read.feed.title == "Pullquote: causal <discovery> & more"
    assert [entry.title for entry in read.entries] == ["Paper 2", "Paper 1"]
    first = read.entries[0]
    assert first.link == "https://example.org/2"
    assert [author.name for author in first.authors] == ["Ada Smith", "Bo Chen"]
    assert first.summary == "We propose a method."
    assert first.content[0].value == "We propose a method. It works."
    assert first.tags[0].term == "ICLR 2026"


def test_an_entry_keeps_its_id_whatever_becomes_of_it() -> None:
    before = _checked(feed_document(_SUBSCRIPTION, [_sent(1)], updated=NOW))
    after = _checked(feed_document(_SUBSCRIPTION, [_sent(1, title="Another"), _sent(2)], updated=NOW))
    ids = [entry.findtext(f"{_A}id") for entry in after.findall(f"{_A}entry")]

    assert before.findtext(f"{_A}entry/{_A}id") in ids
    assert before.findtext(f"{_A}id") == after.findtext(f"{_A}id")


def test_an_empty_feed_is_one_and_a_long_one_is_cut() -> None:
    assert _checked(feed_document(_SUBSCRIPTION, [], updated=NOW)).findall(f"{_A}entry") == []
    many = _checked(feed_document(_SUBSCRIPTION, [_sent(n) for n in range(300)], updated=NOW))
    assert len(many.findall(f"{_A}entry")) == MOST_IN_FEED


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=20))
def test_nothing_in_an_entry_breaks_the_feed(title: str, abstract: str, author: str) -> None:
    hostile = _sent(1, title=title, abstract=abstract, sentence=abstract, authors=(author,), venue=author, url=None)

    _checked(feed_document(_SUBSCRIPTION, [hostile], updated=NOW))


def test_half_characters_and_control_characters_are_replaced() -> None:
    document = feed_document(_SUBSCRIPTION, [_sent(1, title="a\x00\x1b[31m\ud800<script>")], updated=NOW)

    assert b"<script>" not in document
    assert "\ufffd" in (_checked(document).findtext(f"{_A}entry/{_A}title") or "")


def test_the_file_is_written_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "feeds" / "s1.atom"
    write_feed(path, _SUBSCRIPTION, [_sent(1)], updated=NOW)
    write_feed(path, _SUBSCRIPTION, [_sent(2)], updated=NOW)

    assert "Paper 2" in path.read_text(encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["s1.atom"]


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        feed_document(_SUBSCRIPTION, [], updated=NOW.replace(tzinfo=None))
