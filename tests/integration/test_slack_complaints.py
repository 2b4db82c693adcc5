"""The ten things that people complain about most in bots like this one, each shown not to happen."""

from __future__ import annotations

import pytest

from bot.present import title_of
from retrieval.engine import Engine
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from tests.fakes.slack import Allowed, Error, FakeSlack, check
from tests.fakes.slack.blocks import block_cost
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, ENTRY, FAR, Desk, rules, said, shown


async def test_1_it_does_not_answer_twice(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.duplicate(4)
    slack.faults.ignore_acks(1)
    async with desk.running(), desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()
        await slack.advance(400)
        await slack.quiet()

    assert len(said(slack, question)) == 1
    check(slack)


async def test_2_a_redelivery_is_not_mistaken_for_a_duplicate(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    question = ada.says("#papers", f"@pullquote {ASKED}")  # nobody is there to hear it
    await slack.settle_own()
    async with desk.running():
        await slack.advance(70)
        await slack.reply_to(question)
        await slack.quiet()

    assert slack.deliveries[0].attempts[-1].number > 0
    assert len(said(slack, question)) == 1


async def test_3_the_socket_does_not_die_in_silence(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running(ping_s=0.1, check_s=0.05) as bot:
        slack.sockets.open[0].frozen = True
        await slack.until(lambda: len(slack.sockets.connections) > 1)
        slack.sockets.connections[0].drop()
        await slack.reply_to(ada.says("#papers", f"@pullquote {ASKED}"))
        health = await bot.health()

    assert health["ok"]


async def test_4_follow_ups_in_a_thread_are_heard(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    rules(desk.folder, 'follow_up = "joined_threads"')
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
    async with desk.running():  # also after a restart
        await slack.advance(70)
        follow_up = ada.says("#papers", "which datasets?", thread=question)
        await slack.reply_to(follow_up)
        await slack.quiet()

    assert len(said(slack, follow_up)) == 1


async def test_5_it_does_not_chatter(slack: FakeSlack, ada: Person, grace: Person, desk: Desk) -> None:
    async with desk.running():
        root = ada.says("#papers", "Has anybody read about KV caches?")
        grace.says("#papers", "Yes, what about them?", thread=root)
        ada.says("#papers", "@grace are they shared?", thread=root)
        await slack.quiet()

    assert slack.workspace.posts == []
    check(slack)


async def test_6_there_are_no_quotes_under_i_do_not_know(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        answer = await slack.reply_to(ada.says("#papers", f"@pullquote {FAR}"))
        await slack.quiet()

    assert "rich_text_quote" not in shown(answer)
    assert "Everest" in answer.text
    check(slack)


async def test_7_formatting_stays_what_the_authors_wrote(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    abstract = "We write x_1, p*q, `code` & a <b> tag about wombat tracking. Nothing else is said."
    title = "Wombats | tracking\n<x> (a & b)"
    entry = Entry("w", title, abstract, venue="ICLR", year=2026, url="https://example.org/w?a=1&b=2")
    other = Entry("o", "Other", "Something about other animals.", venue="ICLR", year=2026)
    async with desk.running(engine=Engine.of([entry, other], load_word_vectors())):
        answer = await slack.reply_to(ada.says("#papers", "@pullquote wombat tracking tag"))
        await slack.quiet()

    (block,) = [b for b in answer.blocks if b["type"] == "rich_text" and len(b["elements"]) == 2]
    head, quote = block["elements"]
    assert "".join(part["text"] for part in quote["elements"]) in abstract
    assert (head["elements"][1]["text"], head["elements"][1]["url"]) == (title_of(entry), entry.url)
    check(slack)


async def test_8_a_long_answer_fits(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    entries = [
        Entry(f"e{n:03}", f"Wombat study {n} {'with a long name ' * 6}", f"The wombat is studied here, part {n}. " * 40)
        for n in range(150)
    ]
    async with desk.running(engine=Engine.of(entries, load_word_vectors())):
        question = ada.says("#papers", "@pullquote list the wombat papers")
        answer = await slack.reply_to(question)
        ada.says("#papers", "@pullquote open 1", thread=question)
        await slack.reply_to(question, nth=2)
        await slack.quiet()

    assert "more: narrow the question to see them" in shown(answer)
    assert all(block_cost(post.blocks) < 12_000 and len(post.text) <= 3_900 for post in slack.workspace.posts)
    check(slack)


@pytest.mark.parametrize("error", ["channel_not_found", "is_archived", "not_in_channel", "restricted_action"])
async def test_9_what_cannot_be_done_is_said_where_it_can_be(
    slack: FakeSlack, ada: Person, desk: Desk, error: str
) -> None:
    slack.faults.api("chat.postMessage", Error(error))
    async with desk.running():
        slack.workspace.drop(ada.says("#papers", f"@pullquote {ASKED}"))
        await slack.until(lambda: bool(slack.workspace.messages(ada.dm_channel.id)))
        await slack.quiet()

    assert "channel" in slack.workspace.messages(ada.dm_channel.id)[0].text
    check(slack)


async def test_10_a_channel_stays_quiet(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        answer = await slack.reply_to(question)
        await slack.advance(3_600)
        await slack.quiet()

    assert [message.ts for message in slack.workspace.messages("#papers")] == [question.ts, answer.ts]
    assert ENTRY in answer.text
    check(slack, Allowed(hosts={"openreview.net", "neurips.cc"}))
