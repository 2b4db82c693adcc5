"""What is new goes out once, on time, to whoever wants it, whatever fails on the way."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime

import pytest

from bot.subscription import Place, RunState
from tests.fakes.arrivals import HERE, Office, paper
from tests.fakes.digests import CrashError

_TEN = [paper(number) for number in range(10)]
_IDS = [f"arxiv:2611.{number:05}" for number in range(10)]


@pytest.fixture
def office() -> Office:
    return Office()


def _states(office: Office) -> list[tuple[str, str]]:
    return [(one.key, one.state.value) for one in office.deliveries.deliveries() if one.key[0].isdigit()]


async def test_what_arrives_is_posted_once_when_it_is_due(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive(_TEN)

    await office.after(minutes=29)
    assert office.posted() == []
    await office.after(minutes=1)
    assert office.posted() == _IDS
    for _ in range(100):
        await office.after(minutes=20)
    assert office.posted() == _IDS
    assert _states(office) == [("2026-12-01", "empty"), ("2026-11-30", "sent")]


async def test_a_new_subscription_starts_now_and_says_so_where_it_is(office: Office) -> None:
    office.arrive(_TEN[:4])
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN[4:6])
    await office.after(hours=1)

    said, digest = office.wall.posts
    assert said.text == "Digest on, every day, 09:30 UTC: everything new (by U1)"
    assert digest.entry_ids == tuple(_IDS[4:6])


async def test_a_time_that_was_past_when_it_was_made_waits_for_tomorrow(office: Office) -> None:
    office.subscribe("everything at 8:00 daily")
    office.arrive(_TEN[:1])

    await office.after(minutes=5)
    assert office.posted() == []
    await office.after(hours=23)
    assert office.posted() == _IDS[:1]


async def test_an_empty_day_posts_nothing_and_is_written_down(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")

    await office.after(hours=1)
    assert [post.text for post in office.wall.posts] == ["Digest on, every day, 09:30 UTC: everything new (by U1)"]
    (run,) = [one for one in office.deliveries.deliveries() if one.key == "2026-11-30"]
    assert run.state is RunState.EMPTY
    assert run.facts["new"] == 0
    assert run.facts["sources"] == {"arxiv:cs.IR": office.clock.now().isoformat()}


async def test_a_quiet_week_is_said_where_that_is_wanted(office: Office) -> None:
    office.subscribe("everything at 9:30 daily weekly sign")
    await office.after(hours=1)
    for _ in range(14):
        await office.after(hours=24)

    quiet = [post.text for post in office.wall.posts[1:]]
    assert len(quiet) == 2
    assert "Still watching for everything new: nothing new for a week." in quiet[0]


async def test_after_a_week_of_downtime_one_digest_brings_everything_and_names_its_span(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive(_TEN[:1])
    await office.after(hours=1)
    office.arrive(_TEN[1:])
    office.clock.advance(7 * 24 * 3600)

    again = office.another()
    await again.digests.tick()
    assert office.posted() == _IDS
    assert "9 new for everything new, since Mon 30 Nov" in office.wall.posts[-2].text
    await again.after(hours=24)
    assert office.posted() == _IDS


async def test_what_is_missed_by_far_is_brought_by_the_next_one(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive(_TEN[:2])
    await office.after(hours=16)  # one in the morning: the day is over

    assert office.posted() == []
    assert _states(office) == [("2026-11-30", "skipped")]
    await office.after(hours=9)
    assert office.posted() == _IDS[:2]


@pytest.mark.parametrize("step", range(5))
@pytest.mark.parametrize("fault", ["crash", "posted, crash"])
@pytest.mark.parametrize("again", ["posted", "crash", "posted, crash", "lost"])
async def test_wherever_the_process_dies_while_it_posts_every_entry_is_posted_once(
    office: Office, step: int, fault: str, again: str
) -> None:
    office.wall.per_part = 2
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN)
    office.wall.faults = [*["posted"] * step, fault, again]

    with pytest.raises(CrashError):
        await office.after(hours=1)
    await _restarted_until_done(office)
    assert office.posted() == _IDS
    assert office.deliveries.progress(office.subscriptions.subscriptions()[0].subscription_id) == 10


@pytest.mark.parametrize("write", range(13))
@pytest.mark.parametrize("written", [False, True])
async def test_wherever_the_process_dies_while_it_writes_every_entry_is_posted_once(
    office: Office, write: int, written: bool
) -> None:
    office.wall.per_part = 2
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN)
    dying = office.another()
    dying.deliveries.dies_at(write, written=written)

    with pytest.raises(CrashError):
        await dying.after(hours=1)
    await _restarted_until_done(office)
    assert office.posted() == _IDS
    assert office.deliveries.progress(office.subscriptions.subscriptions()[0].subscription_id) == 10


async def _restarted_until_done(office: Office) -> None:
    for _ in range(3):
        try:
            await office.another().until_done()
        except CrashError:
            continue
        return


@pytest.mark.parametrize("part", range(5))
async def test_a_post_whose_answer_was_lost_is_looked_for_before_it_is_posted_again(office: Office, part: int) -> None:
    office.wall.per_part = 2
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN)
    office.wall.faults = [*["posted"] * part, "lost"]

    await office.after(hours=1)
    await office.until_done()
    assert office.posted() == _IDS


async def test_a_post_that_may_have_failed_is_posted_after_two_looks(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN[:1])
    office.wall.faults = ["uncertain"]

    await office.after(hours=1)
    for _ in range(2):
        assert office.posted() == []
        await office.after(seconds=31)
    await office.after(seconds=31)
    assert office.posted() == _IDS[:1]


async def test_where_nothing_can_be_looked_for_it_is_not_posted_twice(office: Office) -> None:
    office.wall.blind = True
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN[:1])
    office.wall.faults = ["uncertain"]

    await office.after(hours=1)
    await office.until_done()
    await office.after(hours=24)
    assert office.posted() == []
    assert _states(office)[-1] == ("2026-11-30", "unknown")


async def test_a_storm_of_limits_only_delays(office: Office) -> None:
    office.wall.per_part = 2
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN)
    office.wall.faults = ["later"] * 25 + ["absent"] * 5 + ["posted", "later", "later"]

    await office.after(hours=1)
    await office.until_done(step_s=120)
    assert office.posted() == _IDS


async def test_what_one_channel_refuses_does_not_keep_it_from_another(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.subscribe("everything at 9:30 daily", Place("T1", "C2"))
    await office.after(seconds=1)
    office.arrive(_TEN[:2])
    office.wall.faults = ["refused"]

    await office.after(hours=1)
    assert (office.posted("C1"), office.posted("C2")) == ([], _IDS[:2])
    await office.after(hours=24)
    assert office.posted("C1") == _IDS[:2]


async def test_a_channel_that_refuses_for_three_days_is_paused_and_its_owner_told_once(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    await office.after(hours=1)
    office.arrive(_TEN[:2])
    for _ in range(5):
        office.wall.faults = ["refused"]
        await office.after(hours=24)

    subscription = office.subscribing.of(HERE)
    assert subscription is not None
    assert (subscription.enabled, subscription.problem) == (False, "the wall says refused")
    assert [person for person, _ in office.wall.told] == ["U1"]
    office.wall.faults = []
    office.subscribing.resume(HERE, "U1")
    await office.after(hours=24)
    assert office.posted() == _IDS[:2]


async def test_a_place_where_it_cannot_even_be_announced_is_told_at_once(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.wall.faults = ["refused"]
    await office.after(seconds=1)

    subscription = office.subscribing.of(HERE)
    assert subscription is not None
    assert not subscription.enabled
    assert len(office.wall.told) == 1


async def test_a_digest_that_broke_off_is_gone_on_with_by_the_next_one(office: Office) -> None:
    office.wall.per_part = 2
    office.subscribe("everything at 9:30 daily")
    await office.after(seconds=1)
    office.arrive(_TEN)
    office.wall.faults = ["posted", "posted", "refused"]

    await office.after(hours=1)
    assert office.posted() == _IDS[:4]
    await office.after(hours=24)
    assert office.posted() == _IDS


async def test_two_processes_at_once_post_once(office: Office) -> None:
    for number in range(20):
        office.subscribe("everything at 9:30 daily", Place("T1", f"C{number}"))
    await office.after(seconds=1)
    office.arrive(_TEN)
    other = office.another()
    office.clock.advance(3600)

    await asyncio.gather(office.digests.tick(), other.digests.tick())
    await office.until_done()
    assert [office.posted(f"C{number}") for number in range(20)] == [_IDS] * 20


async def test_a_clock_that_is_set_back_repeats_nothing(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive(_TEN[:2])
    await office.after(hours=1)
    for hours in (-2, 1, 1, -30, 31):
        await office.after(hours=hours)

    assert office.posted() == _IDS[:2]


@pytest.mark.parametrize(
    ("zone", "begin", "days"),
    [
        ("America/New_York", "2026-10-30T12:00", 4),
        ("America/New_York", "2026-03-06T12:00", 4),
        ("Europe/London", "2026-10-23T12:00", 4),
        ("Europe/London", "2026-03-27T12:00", 4),
        ("Australia/Lord_Howe", "2026-04-02T12:00", 4),
        ("Australia/Lord_Howe", "2026-10-01T12:00", 4),
        ("Asia/Kathmandu", "2026-11-30T00:00", 4),
    ],
)
@pytest.mark.parametrize("at", ["1:30", "1:45", "2:15", "2:30", "0:00", "23:59"])
async def test_there_is_one_digest_a_day_over_the_nights_when_clocks_change(
    office: Office, zone: str, begin: str, days: int, at: str
) -> None:
    office.clock.set(datetime.fromisoformat(begin).replace(tzinfo=UTC))
    office.subscribe(f"everything at {at} daily {zone}")
    for number in range(days * 24 * 2):
        if number % 12 == 0:
            office.arrive([paper(number)])
        await office.after(minutes=30)

    posted = Counter(office.posted())
    assert set(posted.values()) == {1}
    keys = [key for key, _ in _states(office)]
    assert len(keys) == len(set(keys)) == days


async def test_a_thousand_entries_are_one_digest_with_the_rest_counted(office: Office) -> None:
    office.subscribe("everything at 9:30 daily most 60")
    office.arrive(paper(number) for number in range(1_000))

    await office.after(hours=1)
    assert len(office.posted()) == 60
    assert len(office.wall.posts) == 1 + 8
    assert "and 940 more: ask “what is new since 2026-11-29?”" in office.wall.posts[1].text
    await office.after(hours=24)
    assert len(office.posted()) == 60


async def test_topics_are_sections_and_an_entry_is_in_one_of_them(office: Office) -> None:
    office.subscribe("bandits; glaciers; bandits and glaciers at 9:30 daily")
    office.arrive([paper(1, "bandits"), paper(2, "glaciers"), paper(3, "bandits on glaciers"), paper(4, "whales")])

    await office.after(hours=1)
    assert sorted(office.posted()) == ["arxiv:2611.00001", "arxiv:2611.00002", "arxiv:2611.00003"]
    (text,) = [post.text for post in office.wall.posts[1:]]
    assert "3 new for bandits, glaciers, bandits and glaciers" in text
    assert "bandits\n\n" in text


async def test_what_is_not_wanted_is_left_out(office: Office) -> None:
    office.subscribe("bandits without survey, whales at 9:30 daily")
    office.arrive([paper(1, "bandits"), paper(2, "a survey of bandits"), paper(3, "bandits and whales")])

    await office.after(hours=1)
    assert office.posted() == ["arxiv:2611.00001"]


async def test_what_became_of_an_entry_is_a_note_and_not_a_repeat(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive([paper(1), paper(2), paper(3)])
    await office.after(hours=1)
    office.arrive([paper(1, venue="ICLR", year=2027), paper(2, withdrawn=True, version=2)])
    await office.after(hours=24)

    text = office.wall.posts[-1].text
    assert "now at ICLR 2027" in text
    assert "withdrawn" in text
    assert office.posted() == ["arxiv:2611.00001", "arxiv:2611.00002", "arxiv:2611.00003"]
    before = len(office.wall.posts)
    await office.after(hours=24)
    assert len(office.wall.posts) == before


async def test_the_same_paper_from_another_place_is_not_news(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive([paper(1)])
    await office.after(hours=1)
    office.arrive([paper(1, arxiv=None, doi="10.1000/1", kind="ris")])
    await office.after(hours=24)

    assert office.posted() == ["arxiv:2611.00001"]


async def test_a_pause_leaves_out_what_arrives_meanwhile(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.subscribing.pause(HERE, "U2")
    await office.after(hours=1)
    office.arrive(_TEN[:2])
    await office.after(hours=48)
    office.subscribing.resume(HERE, "U2")
    office.arrive(_TEN[2:4])
    await office.after(hours=24)

    assert office.posted() == _IDS[2:4]


async def test_a_changed_topic_counts_from_then_on(office: Office) -> None:
    office.subscribe("bandits at 9:30 daily")
    office.arrive([paper(1, "glaciers")])
    await office.after(hours=1)
    office.subscribe("glaciers")
    office.arrive([paper(2, "glaciers"), paper(3, "bandits")])
    await office.after(hours=24)

    assert office.posted() == ["arxiv:2611.00002"]


async def test_a_watched_question_is_answered_in_its_thread_once_for_each_entry(office: Office) -> None:
    thread = Place("T1", "C1", "17.5")
    said = office.subscribing.watch(thread, "U1", "which papers study glaciers?")
    assert said.startswith("I watch “which papers study glaciers?”")
    office.arrive([paper(1, "bandits")])
    await office.after(seconds=20)
    assert office.wall.posts == []
    office.arrive([paper(2, "glaciers"), paper(3, "bandits")])
    for _ in range(10):
        await office.after(seconds=20)

    (post,) = office.wall.posts
    assert (post.place, post.entry_ids) == (thread, ("arxiv:2611.00002",))
    assert "New here, and an answer to “which papers study glaciers?”:" in post.text
    office.subscribing.unwatch(thread, "")
    office.arrive([paper(4, "glaciers")])
    await office.after(seconds=20)
    assert len(office.wall.posts) == 1


async def test_nothing_is_begun_before_the_platform_is_connected(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.arrive(_TEN[:1])
    office.wall.connected = False
    await office.after(hours=1)
    office.wall.connected = True
    await office.after(minutes=1)

    assert office.posted() == _IDS[:1]


async def test_a_month_of_arrivals_reaches_every_subscription_that_wants_them_exactly_once(office: Office) -> None:
    subjects = ("bandits", "glaciers", "whales", "causal graphs")
    for number in range(12):
        wish = f"{('everything', *subjects)[number % 5]} at {number % 24}:{number * 5 % 60:02} daily most 200"
        office.subscribe(wish, Place("T1", f"C{number}"))
    await office.after(seconds=1)
    number, faults = 0, ["lost", "posted", "later", "absent", "uncertain", "posted", "posted"]
    for day in range(30):
        office.arrive([paper(number + n, subjects[(number + n) % 4]) for n in range(day % 7)])
        number += day % 7
        office.wall.faults = faults * 2
        for _ in range(24):
            await office.after(hours=1)
    office.wall.faults = []
    for _ in range(48):
        await office.after(hours=1)

    every = [f"arxiv:2611.{n:05}" for n in range(number)]
    for channel in range(12):
        wanted = every if channel % 5 == 0 else every[channel % 5 - 1 :: 4]
        assert sorted(office.posted(f"C{channel}")) == wanted
