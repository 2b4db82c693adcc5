"""Digests in Slack, set up, posted and changed, through real Bolt and real sockets."""

from __future__ import annotations

import asyncio
import dataclasses
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest

from bot.adapters.slack.names import (
    COMMAND,
    DIGEST_ENTRY,
    DIGEST_METADATA,
    DIGEST_MUTE,
    DIGEST_SETTINGS,
    DIGEST_SHORTCUT,
)
from bot.adapters.slack.outlet import SlackOutlet
from bot.subscription import Place, RunState
from bot.wishes import Wish, parse_wish, wish_of
from tests.fakes.arrivals import Office, paper
from tests.fakes.slack import Allowed, FakeSlack, Message, check
from tests.fakes.slack.faults import DropAfter, Error, RateLimited, Slow
from tests.fakes.slack.interactions import Interaction
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, Desk, Running, rules, shown

WISH = parse_wish("everything at 9:30 daily", default=Wish())


class Notes:
    """Notes what people think of entries."""

    def __init__(self) -> None:
        self.noted: list[tuple[object, ...]] = []

    def opine(self, place: Place, person: str, entry_id: str, *, liked: bool | None) -> str:
        self.noted.append((place, person, entry_id, liked))
        return "Noted."

    def save(self, team: str, person: str, entry_id: str) -> str:
        self.noted.append((team, person, entry_id))
        return "Saved."


class Room(Office):
    """The place where digests are made; it posts in the local Slack."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk, self.outlet, self.notes = desk, SlackOutlet(), Notes()
        self.digests.outlets = [self.outlet]

    def running(self) -> AbstractAsyncContextManager[Running]:
        return self.desk.running(
            outlet=self.outlet, orders=self.orders, subscribing=self.subscribing, entries=self.notes
        )

    def posted_ids(self, place: Place) -> list[str]:
        """Return the entries that the digests of *place* have shown."""
        there = self.subscribing.of(place)
        return [] if there is None else list(self.deliveries.sent(there.subscription_id))

    async def after(self, **time: float) -> None:
        await self.desk.slack.quiet()  # an ack that is on its way is late when the clock jumps
        await self.desk.slack.advance(timedelta(**time).total_seconds())
        await super().after(**time)


async def _acked(slack: FakeSlack, interaction: Interaction) -> None:
    await slack.until(lambda: interaction.acked)


def _check(slack: FakeSlack, *people: Person) -> None:
    """Hold every law; only digests and what is said of them stand at the top of a channel, and name who had it said."""
    digests = Allowed(
        top_level=lambda message: (message.metadata or {}).get("event_type") == DIGEST_METADATA,
        mentions=[person.id for person in people],
    )
    check(slack, digests)


@pytest.fixture
def office(desk: Desk) -> Room:
    return Room(desk)


def _place(slack: FakeSlack, ada: Person, channel: str = "#papers") -> Place:
    return Place(slack.workspace.team_id, ada.channel(channel).id)


def _top(slack: FakeSlack, place: Place) -> list[Message]:
    return [one for one in slack.workspace.store.messages(place.channel) if one.thread_ts is None]


async def test_a_typed_subscription_is_confirmed_for_all_to_see_and_posted_when_due(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        answer = await slack.reply_to(ada.says("#papers", "@pullquote subscribe bandits; glaciers at 9:30 daily"))
        assert "every day, 09:30 UTC: bandits, glaciers." in answer.text
        await office.after(seconds=1)
        office.arrive([paper(number, ("bandits", "glaciers", "whales")[number % 3]) for number in range(30)])
        await office.after(hours=1)
        await slack.quiet()

    _, said, digest = _top(slack, place)
    assert "Digest on, every day, 09:30 UTC: bandits, glaciers" in said.text
    assert ada.id in shown(said)
    assert digest.text.startswith("20 new for bandits, glaciers: ")
    assert "New papers · Mon 30 Nov" in shown(digest)
    thread = [one for one in slack.workspace.store.messages(place.channel) if one.thread_ts == digest.ts]
    assert len([one for one in thread if one.ts != digest.ts]) == 2
    _check(slack, ada)


async def test_the_form_is_filled_checked_and_kept(slack: FakeSlack, ada: Person, office: Room) -> None:
    place = _place(slack, ada)
    async with office.running():
        ada.slash(COMMAND, "subscribe", channel="#papers")
        await slack.until(lambda: bool(ada.views))
        await _acked(slack, ada.submits(values={"channel": place.channel, "zone": "Europe/Lodnon"}))
        assert "no time zone" in ada.errors["zone"]
        filled = {"channel": place.channel, "topics": "bandits\nglaciers", "zone": "Europe/London", "at": "07:45"}
        await _acked(slack, ada.submits(values={**filled, "without": "survey", "breadth": "narrow", "most": "10"}))
        await office.after(seconds=1)
        await slack.quiet()

    made = office.subscribing.of(place)
    assert made is not None
    assert (made.topics, made.without, made.most, made.created_by) == (("bandits", "glaciers"), ("survey",), 10, ada.id)
    assert made.schedule.said == "Mon to Fri, 07:45 Europe/London"
    assert "Digest on" in _top(slack, place)[-1].text
    _check(slack, ada)


async def test_a_topic_that_cannot_be_read_is_said_at_its_field(slack: FakeSlack, ada: Person, office: Room) -> None:
    async with office.running():
        ada.shortcut(DIGEST_SHORTCUT)
        await slack.until(lambda: bool(ada.views))
        await _acked(slack, ada.submits(values={"channel": _place(slack, ada).channel, "topics": "the of and"}))
        assert "nothing to look for" in ada.errors["topics"]
        await slack.quiet()

    assert office.subscriptions.subscriptions() == ()
    _check(slack, ada)


async def test_a_digest_has_buttons_for_its_settings_and_to_mute_it(
    slack: FakeSlack, ada: Person, grace: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, dataclasses.replace(WISH, topics=("bandits",)))
        office.arrive([paper(1)])
        await office.after(hours=1)
        digest = _top(slack, place)[-1]
        grace.clicks(digest, DIGEST_SETTINGS)
        await slack.until(lambda: bool(grace.views))
        assert "bandits" in str(grace.views[-1].body)
        grace.clicks(digest, DIGEST_MUTE)
        await slack.until(lambda: not office.subscribing.of(place).enabled)  # type: ignore[union-attr]
        await office.after(seconds=1)
        await slack.quiet()

    assert "Digest paused" in _top(slack, place)[-1].text
    _check(slack, ada, grace)


async def test_the_home_tab_shows_ones_own_digests(slack: FakeSlack, ada: Person, office: Room) -> None:
    async with office.running():
        ada.opens_home()
        await slack.until(lambda: ada.home is not None)
        assert "You have set up no digest" in str(ada.home.body)  # type: ignore[union-attr]
        office.subscribing.put(_place(slack, ada), ada.id, WISH)
        ada.opens_home()
        await slack.until(lambda: "everything new" in str(ada.home.body))  # type: ignore[union-attr]
        ada.clicks_in_view(ada.home, DIGEST_SETTINGS)  # type: ignore[arg-type]
        await slack.until(lambda: bool(ada.views))
        await slack.quiet()

    _check(slack, ada)


async def test_the_settings_of_a_digest_that_there_is_are_filled_in_and_its_channel_stays(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    place = _place(slack, ada)
    wish = parse_wish("bandits; glaciers without survey at 7:45 mon,thu Asia/Kathmandu wide most 12", default=Wish())
    async with office.running():
        office.subscribing.put(place, ada.id, wish)
        await _acked(slack, ada.slash(COMMAND, "settings", channel="#papers"))
        await slack.until(lambda: bool(ada.views))
        assert ada.views[-1].body["blocks"][0]["type"] == "rich_text"
        await _acked(slack, ada.submits(values={}))
        await slack.until(lambda: not ada.views)
        await slack.quiet()

    made = office.subscribing.of(place)
    assert made is not None
    assert wish_of(made) == wish
    _check(slack, ada)


async def test_a_channel_has_one_digest(slack: FakeSlack, ada: Person, office: Room) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        await _acked(slack, ada.shortcut(DIGEST_SHORTCUT))
        await slack.until(lambda: bool(ada.views))
        await _acked(slack, ada.submits(values={"channel": place.channel, "topics": "bandits"}))
        assert "There is a digest already" in ada.errors["channel"]
        await slack.quiet()

    assert [one.topics for one in office.subscriptions.subscriptions()] == [()]
    _check(slack, ada)


async def test_ones_own_messages_with_the_bot_can_have_a_digest(slack: FakeSlack, ada: Person, office: Room) -> None:
    place = Place(slack.workspace.team_id, ada.dm_channel.id)
    async with office.running():
        await _acked(slack, ada.slash(COMMAND, "subscribe"))
        await slack.until(lambda: bool(ada.views))
        await _acked(slack, ada.submits(values={"at": "09:30", "days": list("0123456")}))
        await slack.until(lambda: office.subscribing.of(place) is not None)
        await office.after(seconds=1)
        office.arrive([paper(1)])
        await office.after(hours=1)
        await slack.quiet()

    assert [one.text[:20] for one in _top(slack, place)] == ["Digest on, every day", "1 new for everything"]
    _check(slack, ada)


async def test_each_digest_is_changed_from_the_home_tab(slack: FakeSlack, ada: Person, office: Room) -> None:
    slack.workspace.channel("#whales")
    places = [_place(slack, ada), _place(slack, ada, "#whales")]
    async with office.running():
        for place, topic in zip(places, ("bandits", "whales"), strict=True):
            office.subscribing.put(place, ada.id, dataclasses.replace(WISH, topics=(topic,)))
        ada.opens_home()
        await slack.until(lambda: ada.home is not None)
        assert ada.home is not None
        assert "no digest was due yet" in str(ada.home.body).lower()
        await _acked(slack, ada.clicks_in_view(ada.home, DIGEST_SETTINGS, value=places[1].channel))
        await slack.until(lambda: bool(ada.views))
        assert "'initial_value': 'whales'" in str(ada.views[-1].body)
        await slack.quiet()

    _check(slack, ada)


async def test_whoever_may_not_change_a_digest_is_told_so_before_a_form_opens(
    slack: FakeSlack, ada: Person, grace: Person, office: Room
) -> None:
    rules(office.desk.folder, f'digest_changes = "admins"\ndigest_admins = ["{ada.id}"]\n')
    async with office.running():
        office.subscribing.put(_place(slack, ada), ada.id, WISH)
        await _acked(slack, grace.slash(COMMAND, "settings", channel="#papers"))
        await slack.until(lambda: bool(grace.ephemerals))
        await _acked(slack, ada.slash(COMMAND, "settings", channel="#papers"))
        await slack.until(lambda: bool(ada.views))
        await slack.quiet()

    assert grace.ephemerals[-1].text == "Only those who run me may change digests."
    assert not grace.views
    _check(slack, ada)


async def test_an_entry_is_liked_and_saved_from_its_menu(
    slack: FakeSlack, ada: Person, grace: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        await office.after(seconds=1)
        office.arrive([paper(1), paper(2)])
        await office.after(hours=1)
        digest = _top(slack, place)[-1]
        names = office.posted_ids(place)
        await _acked(slack, grace.clicks(digest, DIGEST_ENTRY, value=f"more:{names[1]}"))
        await _acked(slack, grace.clicks(digest, DIGEST_ENTRY, value=f"save:{names[0]}"))
        await slack.until(lambda: len(grace.ephemerals) == 2)
        await slack.quiet()

    assert office.notes.noted == [(place, grace.id, names[1], True), (place.team, grace.id, names[0])]
    assert {one.text for one in grace.ephemerals} == {"Noted.", "Saved."}
    _check(slack, ada)


async def test_a_reaction_to_a_message_of_one_entry_says_what_somebody_thinks_of_it(
    slack: FakeSlack, ada: Person, grace: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        grace.says("#papers", "hello")
        office.subscribing.put(place, ada.id, WISH)
        await office.after(seconds=1)
        office.arrive([paper(1)])
        await office.after(hours=1)
        digest, (name,) = _top(slack, place)[-1], office.posted_ids(place)
        for reaction in ("eyes", "thumbsup::skin-tone-2", "bookmark"):
            grace.reacts(digest, reaction)
            await slack.quiet()
        grace.reacts(digest, "thumbsup::skin-tone-2", added=False)
        await slack.quiet()

    assert office.notes.noted == [
        (place, grace.id, name, True),
        (place.team, grace.id, name),
        (place, grace.id, name, None),
    ]
    assert [one.text for one in grace.ephemerals] == ["Noted.", "Saved.", "Noted."]
    _check(slack, ada)


async def test_a_reaction_to_a_message_of_several_entries_is_asked_about(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        other = ada.says("#papers", "hello")
        office.subscribing.put(place, ada.id, WISH)
        await office.after(seconds=1)
        office.arrive([paper(1), paper(2)])
        await office.after(hours=1)
        for message in (other, *_top(slack, place)[-2:]):
            ada.reacts(message, "+1")
            ada.reacts(message, "+1", added=False)
        await slack.quiet()

    assert office.notes.noted == []
    (told,) = ada.ephemerals
    assert told.text == "That message shows 2 entries: the menu beside each of them says which one is meant."
    _check(slack, ada)


async def test_who_may_change_a_digest_is_ruled(slack: FakeSlack, ada: Person, grace: Person, office: Room) -> None:
    rules(office.desk.folder, 'digest_changes = "creator"\n')
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        answer = await slack.reply_to(grace.says("#papers", "@pullquote unsubscribe"))
        assert answer.text == "Only whoever made this digest may change it."
        answer = await slack.reply_to(ada.says("#papers", "@pullquote unsubscribe"))
        assert answer.text == "There will be no more digests here."
        await slack.quiet()

    _check(slack, ada)


async def test_a_post_whose_answer_was_lost_stands_there_once(slack: FakeSlack, ada: Person, office: Room) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        await office.after(seconds=1)
        office.arrive([paper(number) for number in range(20)])
        slack.faults.api("chat.postMessage", DropAfter(), times=2)
        await office.after(hours=1)
        await office.until_done()
        await slack.quiet()

    parts = [one for one in slack.workspace.store.messages(place.channel) if "new for" in one.text or one.thread_ts]
    assert len(_top(slack, place)) == 2
    assert len({one.text for one in parts}) == len(parts)
    _check(slack, ada)


async def test_limits_are_waited_for(slack: FakeSlack, ada: Person, office: Room) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        await office.after(seconds=1)
        office.arrive([paper(1)])
        slack.faults.api("chat.postMessage", RateLimited(30), times=5)
        await office.after(hours=1)
        await office.until_done()
        await slack.quiet()

    assert len(_top(slack, place)) == 2
    _check(slack, ada)


async def test_an_archived_channel_pauses_the_digest_after_days_and_its_maker_is_told(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        await office.after(hours=1)
        office.arrive([paper(1)])
        slack.faults.api("chat.postMessage", Error("is_archived"), times=3)
        for _ in range(4):
            await office.after(hours=24)
        await slack.quiet()

    made = office.subscribing.of(place)
    assert made is not None
    assert (made.enabled, made.problem) == (False, "the channel is archived")
    (told,) = slack.workspace.store.messages(ada.dm_channel.id)
    assert "have paused it: the channel is archived" in told.text
    _check(slack, ada)


async def test_a_watched_question_is_answered_in_its_thread(slack: FakeSlack, ada: Person, office: Room) -> None:
    async with office.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        follow = ada.says("#papers", "@pullquote watch for papers that study glaciers", thread=question)
        assert "I watch “papers that study glaciers”" in (await slack.reply_to(follow)).text
        office.arrive([paper(1, "bandits"), paper(2, "glaciers")])
        await office.after(seconds=20)
        await slack.quiet()

    last = slack.workspace.replies(question)[-1]
    assert "New here, and an answer to “papers that study glaciers”:" in last.text
    assert "glaciers" in shown(last)
    _check(slack, ada)


async def test_a_watch_in_direct_messages_is_ended_there(slack: FakeSlack, ada: Person, office: Room) -> None:
    async with office.running():
        begun = ada.dm("watch for papers that study glaciers")
        assert "I watch" in (await slack.reply_to(begun)).text
        assert (await slack.reply_to(ada.dm("watches"))).text == "1. papers that study glaciers"
        office.arrive([paper(1, "glaciers")])
        await office.after(seconds=20)
        assert "New here" in slack.workspace.replies(begun)[-1].text
        assert "I no longer watch" in (await slack.reply_to(ada.dm("unwatch"))).text
        await slack.quiet()

    assert office.subscriptions.watches() == ()
    _check(slack, ada)


async def test_a_private_command_begins_no_watch_and_says_where_it_does(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    async with office.running():
        slack.workspace.channel("#papers")
        ada.slash(COMMAND, "watch for papers that study glaciers", channel="#papers")
        await slack.until(lambda: bool(ada.ephemerals))
        await slack.quiet()

    assert "in the thread of an answer" in ada.ephemerals[-1].text
    assert office.subscriptions.watches() == ()
    _check(slack, ada)


async def test_what_is_being_posted_when_it_is_stopped_is_known_to_be_posted(
    slack: FakeSlack, ada: Person, office: Room
) -> None:
    place = _place(slack, ada)
    async with office.running():
        office.subscribing.put(place, ada.id, WISH)
        slack.faults.api("chat.postMessage", Slow(5))
        office.clock.advance(1)
        ticking = asyncio.create_task(office.digests.tick())
        await slack.until(lambda: slack.in_flight > 0)
        moving = asyncio.create_task(slack.advance(5))
    await asyncio.gather(ticking, moving)

    (said,) = office.deliveries.deliveries()
    assert said.state is RunState.SENT
    assert len(_top(slack, place)) == 1
    assert not office.outlet.serves(place)


async def test_nothing_is_posted_while_slack_is_not_connected(office: Room) -> None:
    place = Place("T1", "C1")
    office.subscribing.put(place, "U1", WISH)
    office.arrive([paper(1)])
    await office.after(hours=1)

    assert not office.outlet.serves(place)
    assert all(one.state is RunState.CLAIMED for one in office.deliveries.deliveries())
