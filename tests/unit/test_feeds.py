"""Feeds against a server that plays what services answer, and what they answer on bad days."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.adapters.http import HttpClient, HttpPolicy
from bot.errors import FeedError
from bot.feeds import FeedKind, Feeds, Polled, Services
from bot.importing import take_source
from retrieval.catalogue.ingest import Outcome
from retrieval.catalogue.store import Catalogue
from retrieval.errors import CatalogueError
from retrieval.formats.source import SourceFile
from tests.fakes.clock import StandingClock
from tests.fakes.web import Play, WebStage, answer, cut_off, web_stage

_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Desk:
    """Feeds on a stage, with a catalogue in memory."""

    stage: WebStage
    clock: StandingClock
    catalogue: Catalogue
    feeds: Feeds

    def titles(self) -> list[str]:
        return [entry.title for entry in self.catalogue.entries()]


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    clock = StandingClock()
    policy = HttpPolicy(allow_private=True, interval_s=0, timeout_s=0.5, attempts=2)
    async with web_stage() as stage, HttpClient(clock, policy, sleep=lambda _: asyncio.sleep(0)) as client:
        with Catalogue(None) as catalogue:
            services = Services(stage.plays("/arxiv"), stage.plays("/openreview"), stage.plays("/openalex"))
            yield Desk(stage, clock, catalogue, Feeds(catalogue, client, clock, services=services))


def atom(*papers: tuple[str, str], total: int | None = None) -> Play:
    expected = "" if total is None else f"<opensearch:totalResults>{total}</opensearch:totalResults>"
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{arxiv}v1</id><title>Paper {arxiv}</title><summary>About {arxiv}.</summary>"
        f"<updated>{day}T00:00:00Z</updated><published>{day}T00:00:00Z</published></entry>"
        for arxiv, day in papers
    )
    names = 'xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
    return answer(f"<feed {names}><title>arXiv</title>{expected}{entries}</feed>")


def notes(*changed: str) -> Play:
    millis = [int(datetime.fromisoformat(f"{day}T12:00:00Z").timestamp() * 1_000) for day in changed]
    made = [
        {"id": f"note{at}", "forum": f"note{at}", "tmdate": at, "content": {"title": {"value": f"A study of {at}"}}}
        for at in millis
    ]
    return answer(json.dumps({"notes": made}))


def rss(*titles: str, tag: str = "") -> Play:
    items = "".join(f"<item><title>{title}</title><link>https://example.org/{title}</link></item>" for title in titles)
    body = f'<rss version="2.0"><channel><title>Journal</title>{items}</channel></rss>'
    return answer(body, ETag=tag) if tag else answer(body)


async def only(polling: Sequence[Polled]) -> Polled:
    (found,) = polling
    return found


async def test_a_feed_that_did_not_change_is_not_read_again(desk: Desk) -> None:
    url = desk.stage.plays("/rss", rss("A title", tag='"1"'))
    desk.feeds.add(FeedKind.RSS, url)

    first = await only(await desk.feeds.poll())
    second = await only(await desk.feeds.poll())

    assert (first.report.outcomes[Outcome.NEW], second.report.files) == (1, 0)
    assert desk.stage.asked_at("/rss")[1].headers["If-None-Match"] == '"1"'
    assert second.feed.error == ""


async def test_pages_are_read_back_to_where_the_last_poll_ended(desk: Desk) -> None:
    desk.stage.plays(
        "/arxiv",
        atom(("2611.00005", "2026-11-29"), ("2611.00004", "2026-11-28")),
        atom(("2611.00003", "2026-11-20")),
        atom(("2610.00001", "2026-10-01")),
        atom(("2609.00001", "2026-09-01")),
    )
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")

    polled = await only(await desk.feeds.poll())

    assert desk.titles() == [f"Paper {n}" for n in ("2611.00005", "2611.00004", "2611.00003", "2610.00001")]
    assert polled.feed.watermark == "2026-11-29"
    assert [request.query["start"] for request in desk.stage.asked_at("/arxiv")] == ["0", "100", "200"]
    assert desk.stage.asked[0].query["search_query"] == "cat:cs.IR"


@pytest.mark.parametrize(
    ("target", "query"),
    [
        ("cs.IR", "cat:cs.IR"),
        ("cond-mat.mtrl-sci", "cat:cond-mat.mtrl-sci"),
        ("hep-th", "cat:hep-th"),
        ("agents", 'all:"agents"'),
        ("multi-agent", 'all:"multi-agent"'),
        ("dense retrieval", 'all:"dense" AND all:"retrieval"'),
        ('"dense retrieval" nests', 'all:"dense retrieval" AND all:"nests"'),
        ("nests AND birds", 'all:"nests" AND all:"birds"'),
        ("(nests OR trees) ANDNOT whales", 'all:"nests" OR all:"trees" ANDNOT all:"whales"'),
        ("RAG: a survey", 'all:"RAG" AND all:"a" AND all:"survey"'),
        ('ti:nests AND abs:"tall trees"', 'ti:nests AND abs:"tall trees"'),
        ("(cat:cs.IR OR cat:cs.CL)", "(cat:cs.IR OR cat:cs.CL)"),
    ],
)
async def test_arxiv_is_asked_for_a_category_or_for_every_word(desk: Desk, target: str, query: str) -> None:
    desk.stage.plays("/arxiv", atom())
    desk.feeds.add(FeedKind.ARXIV, target)

    await desk.feeds.poll()

    assert desk.stage.asked[0].query["search_query"] == query


async def test_a_page_that_is_empty_where_papers_are_left_is_an_error_and_they_are_looked_for_again(desk: Desk) -> None:
    desk.stage.plays("/arxiv", atom(("2611.00002", "2026-11-29"), total=150), atom(total=150))
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")

    polled = await only(await desk.feeds.poll())

    assert (polled.feed.watermark, "50 of 150" in polled.feed.error) == ("", True)


async def test_a_page_that_is_empty_because_none_are_left_is_the_last(desk: Desk) -> None:
    desk.stage.plays("/arxiv", atom(("2611.00002", "2026-11-29"), total=100), atom(total=100))
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")

    polled = await only(await desk.feeds.poll())

    assert (polled.feed.watermark, polled.feed.error) == ("2026-11-29", "")


async def test_downtime_loses_nothing(desk: Desk) -> None:
    desk.stage.plays("/arxiv", atom(("2611.00001", "2026-11-29")), atom())
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")
    await desk.feeds.poll()
    desk.clock.advance(60 * _DAY_S)
    desk.stage.plays(
        "/arxiv",
        atom(("2701.00009", "2027-01-28")),
        atom(("2612.00005", "2026-12-10")),
        atom(("2611.00001", "2026-11-20")),
        atom(("2601.00001", "2026-01-01")),
    )

    await desk.feeds.poll()

    assert desk.titles() == ["Paper 2611.00001", "Paper 2701.00009", "Paper 2612.00005"]


async def test_a_poll_that_breaks_off_keeps_what_came_and_looks_there_again(desk: Desk) -> None:
    desk.stage.plays("/arxiv", atom(("2611.00002", "2026-11-29")), cut_off("<feed"))
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")

    polled = await only(await desk.feeds.poll())

    assert desk.titles() == ["Paper 2611.00002"]
    assert (polled.feed.watermark, "cut off" in polled.feed.error) == ("", True)


async def test_a_feed_that_fails_holds_up_no_other_and_shows_it(desk: Desk) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/bad", answer(status=500)), name="bad")
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/odd", answer("no feed at all")), name="odd")
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/good", rss("A title")), name="good")

    await desk.feeds.poll()

    assert desk.titles() == ["A title"]
    errors = {feed.name: feed.error for feed in desk.feeds.all()}
    assert "answers 500" in errors["bad"]
    assert "no format that is known" in errors["odd"]
    assert errors["good"] == ""


async def test_a_feed_that_fails_in_an_unforeseen_way_holds_up_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/bad", rss("Bad")), name="bad")
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/good", rss("A title")), name="good")

    def fail_on_bad(source: SourceFile, *args: Any, **options: Any) -> None:
        if source.path.name == "bad":
            raise KeyError("what nobody thought of")
        take_source(source, *args, **options)

    monkeypatch.setattr("bot.feeds.take_source", fail_on_bad)

    await desk.feeds.poll()

    errors = {feed.name: feed.error for feed in desk.feeds.all()}
    assert desk.titles() == ["A title"]
    assert ("KeyError" in errors["bad"], "nobody" in errors["bad"], errors["good"]) == (True, False, "")
    assert [record.exc_info is not None for record in caplog.records] == [True]


async def test_a_feed_that_cannot_be_kept_holds_up_no_other(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/bad", rss("Bad")), name="bad")
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/good", rss("A title")), name="good")
    keep = desk.catalogue.update_feed

    def fail_on_bad(name: str, content: str, *, before: str) -> None:
        if name == "bad":
            raise CatalogueError(None, "another import is running")
        keep(name, content, before=before)

    monkeypatch.setattr(desk.catalogue, "update_feed", fail_on_bad)

    bad, good = await desk.feeds.poll()

    assert ("another import" in bad.feed.error, good.feed.error) == (True, "")


async def test_a_feed_that_is_removed_while_it_is_polled_stays_removed(desk: Desk) -> None:
    async def remove(request: web.Request) -> web.StreamResponse:
        desk.feeds.remove("x")
        return await rss("A title")(request)

    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/rss", remove), name="x")

    await desk.feeds.poll()

    assert (desk.feeds.all(), desk.titles()) == ((), ["A title"])


async def test_what_is_being_kept_is_kept_when_the_poll_is_called_off(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/rss", rss("A title")), name="x")
    polling = asyncio.create_task(desk.feeds.poll())
    loop = asyncio.get_running_loop()

    def call_off_first(*args: Any, **options: Any) -> None:
        called_off = threading.Event()
        loop.call_soon_threadsafe(polling.cancel)
        loop.call_soon_threadsafe(called_off.set)
        called_off.wait(5)
        take_source(*args, **options)

    monkeypatch.setattr("bot.feeds.take_source", call_off_first)

    with pytest.raises(asyncio.CancelledError):
        await polling

    assert desk.titles() == ["A title"]


async def test_a_feed_that_recovers_shows_no_error(desk: Desk) -> None:
    url = desk.stage.plays("/rss", answer(status=404), rss("A title"))
    desk.feeds.add(FeedKind.RSS, url)

    await desk.feeds.poll()
    await desk.feeds.poll()

    assert [feed.error for feed in desk.feeds.all()] == [""]


async def test_an_api_that_reports_an_error_in_its_answer_is_a_fault_not_a_paper(desk: Desk) -> None:
    error = "<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>bad</summary></entry>"
    desk.stage.plays("/arxiv", answer(f'<feed xmlns="http://www.w3.org/2005/Atom">{error}</feed>'))
    desk.feeds.add(FeedKind.ARXIV, "cs.IR")

    polled = await only(await desk.feeds.poll())

    assert (desk.titles(), polled.report.refused) == ([], 1)
    assert (polled.feed.watermark, "reports an error: bad" in polled.feed.error) == ("", True)


async def test_openalex_is_followed_from_cursor_to_cursor(desk: Desk) -> None:
    pages = [
        {"meta": {"next_cursor": "two"}, "results": [{"id": "https://openalex.org/W111", "title": "First of all"}]},
        {"meta": {"next_cursor": None}, "results": [{"id": "https://openalex.org/W222", "title": "Second of all"}]},
    ]
    desk.stage.plays("/openalex", *(answer(json.dumps(page)) for page in pages))
    desk.feeds.add(FeedKind.OPENALEX, "bird nests")

    await desk.feeds.poll()

    assert desk.titles() == ["First of all", "Second of all"]
    assert [request.query["cursor"] for request in desk.stage.asked] == ["*", "two"]
    assert desk.stage.asked[0].query["search"] == "bird nests"


async def test_openalex_is_asked_again_for_what_is_listed_long_after_its_day(desk: Desk) -> None:
    page = {"meta": {"next_cursor": None}, "results": [{"id": "https://openalex.org/W111", "title": "First of all"}]}
    desk.stage.plays("/openalex", answer(json.dumps(page)))
    desk.feeds.add(FeedKind.OPENALEX, "bird nests")
    await desk.feeds.poll()
    desk.clock.advance(100 * _DAY_S)

    await desk.feeds.poll()
    polled = await only(await desk.feeds.poll())

    assert polled.feed.watermark == "2027-03-10"
    assert [request.query["filter"] for request in desk.stage.asked] == [
        "from_publication_date:2026-10-01",
        "from_publication_date:2026-10-01",
        "from_publication_date:2027-01-09",
    ]


async def test_openreview_is_read_whole_first_and_then_back_to_where_the_last_poll_ended(desk: Desk) -> None:
    desk.stage.plays("/openreview", notes("2026-11-28"), notes("2025-11-01"), notes("2024-11-01"), notes())
    desk.feeds.add(FeedKind.OPENREVIEW, "ICLR.cc/2026/Conference")
    await desk.feeds.poll()
    desk.stage.plays("/openreview", notes("2026-11-29"), notes("2026-11-24"), notes("2025-11-01"), notes())

    polled = await only(await desk.feeds.poll())

    assert [request.query["offset"] for request in desk.stage.asked] == ["0", "100", "200", "300", "0", "100"]
    assert (polled.feed.watermark, polled.feed.error, len(desk.titles())) == ("2026-11-29", "", 5)


async def test_openreview_submissions_come_with_their_withdrawals(desk: Desk) -> None:
    note = {"id": "abcdefg", "forum": "abcdefg", "content": {"title": {"value": "A study of nests"}}}
    desk.stage.plays("/openreview", answer(json.dumps({"notes": [note]})), answer('{"notes": []}'))
    desk.feeds.add(FeedKind.OPENREVIEW, "ICLR.cc/2026/Conference")
    await desk.feeds.poll()
    shown = desk.titles()
    desk.stage.plays("/openreview", answer(json.dumps({"notes": [{**note, "ddate": 1}]})), answer('{"notes": []}'))

    await desk.feeds.poll()

    assert (shown, desk.titles()) == (["A study of nests"], [])


async def test_a_folder_is_watched(desk: Desk, tmp_path: Path) -> None:
    desk.feeds.add(FeedKind.FOLDER, str(tmp_path))
    (tmp_path / "a.ris").write_text("TY  - JOUR\nTI  - A study of nests\nER  -\n")
    first = await only(await desk.feeds.poll())

    second = await only(await desk.feeds.poll())

    assert (first.report.outcomes[Outcome.NEW], second.report.outcomes[Outcome.UNCHANGED]) == (1, 1)


async def test_a_feed_without_news_for_long_is_stale(desk: Desk) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/rss", rss("A title")))
    await desk.feeds.poll()
    desk.clock.advance(15 * _DAY_S)

    polled = await only(await desk.feeds.poll())

    assert polled.feed.is_stale(desk.clock.now())
    assert not replace(polled.feed, changed_at=desk.clock.now().isoformat()).is_stale(desk.clock.now())


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (FeedKind.RSS, "javascript:alert(1)"),
        (FeedKind.RSS, "file:///etc/passwd"),
        (FeedKind.OPENREVIEW, "ICLR 2026"),
        (FeedKind.FOLDER, "no/such/folder"),
        (FeedKind.ARXIV, "  "),
        (FeedKind.ARXIV, '""'),
    ],
)
async def test_a_target_that_is_none_of_its_kind_is_refused(desk: Desk, kind: FeedKind, target: str) -> None:
    with pytest.raises(FeedError):
        desk.feeds.add(kind, target)


async def test_names_are_given_once_and_unknown_ones_are_said_to_be_unknown(desk: Desk) -> None:
    desk.feeds.add(FeedKind.ARXIV, "cs.IR", name="recsys")

    with pytest.raises(FeedError, match="already"):
        desk.feeds.add(FeedKind.ARXIV, "cs.LG", name="recsys")
    with pytest.raises(FeedError, match="there are: recsys"):
        await desk.feeds.poll(["other"])


async def test_a_removed_feed_leaves_what_it_gave(desk: Desk) -> None:
    desk.feeds.add(FeedKind.RSS, desk.stage.plays("/rss", rss("A title")), name="x")
    await desk.feeds.poll()

    desk.feeds.remove("x")

    assert (desk.feeds.all(), desk.titles()) == ((), ["A title"])
