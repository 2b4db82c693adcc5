"""The way out of digests keeps the promises of its port, whatever Slack answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import aiohttp
import pytest

from bot.adapters.slack.boot import identify
from bot.adapters.slack.names import DIGEST_METADATA
from bot.adapters.slack.outlet import SlackOutlet
from bot.adapters.slack.teams import OneTeam
from bot.adapters.slack.turns import Turns
from bot.adapters.slack.web import Web
from bot.subscription import Part, Place, Posted
from tests.fakes.clock import StandingClock
from tests.fakes.slack import FakeSlack, Message
from tests.fakes.slack.faults import ApiFault, DropAfter, DropBefore, Error, HttpStatus, RateLimited, RefuseBlocks
from tests.fakes.slack.people import Person
from tests.integration.harness import make_slack


@dataclass
class Way:
    """An outlet with a connection, and a place to post at."""

    slack: FakeSlack
    outlet: SlackOutlet
    place: Place
    waited: list[float]

    @property
    def begun(self) -> datetime:
        return datetime.fromtimestamp(float(self.slack.workspace.store.new_ts()), UTC)

    async def post(self, key: str = "s1:2026-12-01:0", *, root: str = "", said: str = "12 new papers") -> Posted:
        return await self.outlet.post(self.place, self.outlet.render_notice(said), key=key, root=root)

    async def find(self, since: datetime, key: str = "s1:2026-12-01:0", *, root: str = "") -> Posted:
        return await self.outlet.find(self.place, key=key, root=root, since=since)

    def standing(self) -> list[Message]:
        return [one for one in self.slack.workspace.store.messages(self.place.channel) if one.bot_id]


@asynccontextmanager
async def _way(slack: FakeSlack, channel: str = "#papers") -> AsyncIterator[Way]:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async with aiohttp.ClientSession() as session:
        web, outlet = Web(session, api_url=slack.api_url), SlackOutlet()
        team = await identify(web, slack.workspace.bot_token)
        outlet.connect(web, OneTeam(team), Turns(StandingClock(), pace_s=1.0, sleep=sleep))
        yield Way(slack, outlet, Place(team.team_id, slack.workspace.channel(channel).id), waited)


@pytest.fixture
async def way(slack: FakeSlack) -> AsyncIterator[Way]:
    async with _way(slack) as way:
        yield way


async def test_what_is_posted_carries_its_key_and_shows_no_previews(way: Way) -> None:
    posted = await way.post()

    (message,) = way.standing()
    assert posted == Posted("posted", name=message.ts)
    assert message.metadata == {"event_type": DIGEST_METADATA, "event_payload": {"key": "s1:2026-12-01:0"}}
    (call,) = way.slack.calls_of("chat.postMessage")
    assert (call.arguments["unfurl_links"], call.arguments["unfurl_media"]) == (False, False)


async def test_posts_in_one_channel_are_a_second_apart(way: Way) -> None:
    await way.post("a")
    await way.post("b")

    assert way.waited == [1.0]


@pytest.mark.parametrize(
    ("fault", "outcome", "stands"),
    [
        (RateLimited(7), "later", 0),
        (HttpStatus(503), "uncertain", 0),
        (HttpStatus(502, html=True), "uncertain", 0),
        (DropBefore(), "uncertain", 0),
        (DropAfter(), "uncertain", 1),
        (Error("fatal_error", applied=True), "uncertain", 1),
        (Error("internal_error"), "uncertain", 0),
        (Error("invalid_auth"), "absent", 0),
        (Error("missing_scope"), "absent", 0),
        (Error("token_revoked"), "refused", 0),
        (Error("account_inactive"), "refused", 0),
        (Error("restricted_action"), "refused", 0),
    ],
    ids=repr,
)
async def test_what_goes_wrong_is_said_by_what_can_be_done_about_it(
    way: Way, fault: ApiFault, outcome: str, stands: int
) -> None:
    begun = way.begun
    way.slack.faults.api("chat.postMessage", fault)

    posted = await way.post()

    assert posted.outcome == outcome
    assert posted.wait_s == (7 if outcome == "later" else 0)
    assert posted.reason
    assert len(way.standing()) == stands
    assert (await way.find(begun)).outcome == ("posted" if stands else "absent")


def _archived(slack: FakeSlack) -> None:
    slack.workspace.archive("#papers")


def _kicked(slack: FakeSlack) -> None:
    slack.workspace.kick_bot("#papers")


@pytest.mark.parametrize(
    ("change", "reason"), [(_archived, "the channel is archived"), (_kicked, "/invite lets me in")]
)
async def test_a_channel_that_takes_nothing_is_said_to_and_how_to_mend_that(
    way: Way, change: Callable[[FakeSlack], None], reason: str
) -> None:
    change(way.slack)

    posted = await way.post()

    assert posted.outcome == "refused"
    assert reason in posted.reason


async def test_without_a_connection_nothing_is_posted_and_nothing_lost(way: Way) -> None:
    await way.outlet.disconnect()

    assert not way.outlet.serves(way.place)
    assert (await way.post()).outcome == "absent"
    assert (await way.find(way.begun)).outcome == "later"


async def test_it_serves_what_is_in_slack_alone(way: Way) -> None:
    assert way.outlet.serves(way.place)
    assert not way.outlet.serves(Place("", "stdout"))


async def test_blocks_that_are_refused_are_left_out_and_what_they_say_is_not(way: Way) -> None:
    way.slack.faults.api("chat.postMessage", RefuseBlocks())

    posted = await way.post(said="12 new papers: sieves & sorting")

    (message,) = way.standing()
    assert posted == Posted("posted", name=message.ts)
    assert message.text == "12 new papers: sieves &amp; sorting"
    assert not message.blocks


async def test_text_that_is_refused_as_well_is_an_end(way: Way) -> None:
    way.slack.faults.api("chat.postMessage", Error("invalid_blocks"), times=2)

    assert (await way.post()).outcome == "refused"


async def test_a_part_is_posted_and_found_in_the_thread_of_the_first(way: Way) -> None:
    begun = way.begun
    root = (await way.post()).name
    part = await way.post("s1:2026-12-01:1", root=root)

    assert [one.thread_ts for one in way.standing()] == [None, root]
    assert await way.find(begun, "s1:2026-12-01:1", root=root) == part
    assert (await way.find(begun, "s1:2026-12-01:1")).outcome == "absent"
    assert (await way.find(begun, "s1:2026-12-01:2", root=root)).outcome == "absent"


async def test_it_is_found_in_a_channel_where_much_was_said_since(
    way: Way, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = way.begun
    posted = await way.post()
    for number in range(450):
        ada.says("#papers", f"chatter {number}")

    assert await way.find(begun) == posted
    assert len(way.slack.calls_of("conversations.history")) == 3
    monkeypatch.setattr("bot.adapters.slack.looking._PAGES", 2)
    assert (await way.find(begun)).outcome == "unknowable"


async def test_what_is_older_than_the_delivery_is_not_taken_for_it(way: Way) -> None:
    await way.post()
    await way.slack.advance(3600)

    assert (await way.find(way.begun)).outcome == "absent"


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (RateLimited(7), "later"),
        (HttpStatus(503), "later"),
        (DropBefore(), "later"),
        (Error("invalid_auth"), "later"),
        (Error("channel_not_found"), "unknowable"),
    ],
    ids=repr,
)
async def test_a_look_that_fails_tells_nothing_of_what_stands_there(way: Way, fault: ApiFault, outcome: str) -> None:
    begun = way.begun
    way.slack.faults.api("conversations.history", fault)

    assert (await way.find(begun)).outcome == outcome


async def test_without_leave_to_read_the_channel_nothing_can_be_known() -> None:
    async with make_slack(history=False) as slack, _way(slack) as way:
        found = await way.find(way.begun)

    assert found.outcome == "unknowable"
    assert "channels:history" in found.reason


async def test_somebody_is_told_in_their_messages_with_the_bot(way: Way, ada: Person) -> None:
    await way.outlet.tell(way.place, ada.id, "I could not post <!here> & there")
    way.slack.faults.api("chat.postMessage", Error("user_not_found"))
    await way.outlet.tell(way.place, "U0NOBODY", "gone")

    (told,) = way.slack.workspace.store.messages(ada.dm_channel.id)
    assert told.text == "I could not post &lt;!here&gt; &amp; there"


async def test_what_was_rendered_is_posted_as_it_was(way: Way) -> None:
    kept = Part(way.outlet.render_notice("Digest paused", by="U7").content)

    await way.outlet.post(way.place, kept, key="k", root="")

    (message,) = way.standing()
    assert message.text == "Digest paused"
    assert "U7" in str(message.blocks)
