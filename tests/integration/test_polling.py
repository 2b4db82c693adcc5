"""The loop that polls feeds: by the hour, on and on, whatever fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.adapters.http import HttpClient
from bot.bootstrap import build, build_loops
from bot.feeds import FeedKind, Feeds
from bot.polling import Polling
from bot.settings import load_settings
from retrieval.catalogue.store import Catalogue
from retrieval.collection import Collection
from retrieval.errors import CatalogueError
from retrieval.model import Entry
from tests.fakes.clock import StandingClock

_HOUR_S = 3_600


class Desk:
    """Feeds that are folders, polled while the clock is turned on from one look to the next."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self.folder, self.catalogue, self.clock = folder, catalogue, StandingClock()
        self.feeds = Feeds(catalogue, HttpClient(self.clock), self.clock)
        self.waited: list[float] = []
        self.failures: list[Exception] = []

    def write(self, name: str, title: str) -> Path:
        path = self.folder / name / "a.ris"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"TY  - JOUR\nTI  - {title}\nER  -\n")
        return path.parent

    async def run(self, *between: Callable[[], object]) -> None:
        """Poll until all of *between* were called, each when the loop has looked once more, and it has looked again."""
        stop, waiting = asyncio.Event(), list(between)

        async def sleep(seconds: float) -> None:
            self.waited.append(seconds)
            if not waiting:
                stop.set()
                await asyncio.Event().wait()
            waiting.pop(0)()
            self.clock.advance(seconds)

        @asynccontextmanager
        async def opened() -> AsyncIterator[Feeds]:
            if self.failures:
                raise self.failures.pop()
            yield self.feeds

        await Polling(opened, every_s=_HOUR_S, sleep=sleep).run(stop)

    def titles(self) -> list[str]:
        return [entry.title for entry in self.catalogue.entries()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, Catalogue(None))


async def test_feeds_are_polled_by_the_hour_also_those_that_are_added_later(desk: Desk) -> None:
    desk.feeds.add(FeedKind.FOLDER, str(desk.write("one", "A study of nests")))

    await desk.run(
        lambda: desk.feeds.add(FeedKind.FOLDER, str(desk.write("two", "On whales"))),
        lambda: desk.write("one", "Trees in winter"),
    )

    assert desk.titles() == ["A study of nests", "On whales", "Trees in winter"]
    assert desk.waited == [_HOUR_S] * 3


async def test_a_feed_that_was_polled_a_moment_ago_is_not_polled_at_a_start(desk: Desk) -> None:
    desk.feeds.add(FeedKind.FOLDER, str(desk.write("one", "A study of nests")))
    await desk.run()
    polled_at = desk.feeds.all()[0].polled_at
    desk.clock.advance(60)

    await desk.run()

    assert desk.feeds.all()[0].polled_at == polled_at


async def test_a_poll_that_fails_is_logged_and_shown_until_the_next_works(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    folder = desk.write("one", "A study of nests")
    hidden = folder.rename(folder.with_name("away"))
    folder.mkdir()
    desk.feeds.add(FeedKind.FOLDER, str(folder), name="one")
    folder.rmdir()

    await desk.run()
    (shown,) = desk.feeds.all()
    hidden.rename(folder)
    desk.clock.advance(_HOUR_S)
    await desk.run()

    assert "there is no such file" in shown.error
    assert [record.message for record in caplog.records] == ["feed failed"]
    assert (desk.titles(), desk.feeds.all()[0].error) == (["A study of nests"], "")


@pytest.mark.parametrize("failure", [CatalogueError(None, "another import is running"), KeyError("unforeseen")])
async def test_feeds_that_cannot_be_opened_are_tried_again(
    desk: Desk, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    desk.feeds.add(FeedKind.FOLDER, str(desk.write("one", "A study of nests")))
    desk.failures.append(failure)

    await desk.run(lambda: None)

    assert [record.message for record in caplog.records] == ["feeds not polled"]
    assert desk.titles() == ["A study of nests"]


async def test_the_loop_ends_while_it_waits_for_an_answer(desk: Desk) -> None:
    stop, asked = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def hang() -> AsyncIterator[Feeds]:
        asked.set()
        await asyncio.Event().wait()
        yield desk.feeds

    running = asyncio.create_task(Polling(hang, every_s=_HOUR_S).run(stop))
    await asked.wait()

    stop.set()

    await running


@pytest.mark.parametrize(("every_s", "polls"), [(3_600.0, True), (0.0, False)])
def test_feeds_are_polled_while_the_program_runs_unless_that_is_switched_off(
    tmp_path: Path, every_s: float, polls: bool
) -> None:
    assert bool(polling_in(tmp_path, feed_poll_s=every_s)) is polls


async def test_the_feeds_of_the_data_folder_are_polled(tmp_path: Path) -> None:
    (polling,) = polling_in(tmp_path)
    folder = Desk(tmp_path, Catalogue(None)).write("inbox", "A study of nests")
    with Catalogue(tmp_path / "catalogue.sqlite3") as catalogue:
        Feeds(catalogue, HttpClient(StandingClock()), StandingClock()).add(FeedKind.FOLDER, str(folder))

    await polling._poll()

    with Catalogue(tmp_path / "catalogue.sqlite3") as catalogue:
        assert [entry.title for entry in catalogue.entries()] == ["A study of nests"]


def polling_in(folder: Path, **settings: float) -> list[Polling]:
    """Return the loops that poll feeds in a program with that data folder."""
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}
    app = build(
        load_settings(data_dir=folder, semantic=False, **tokens, **settings),
        collection=Collection([Entry("x:1", "A study of nests", "Birds build nests.")]),
    )
    loops = build_loops(app)
    app.close()
    return [loop for loop in loops if isinstance(loop, Polling)]
