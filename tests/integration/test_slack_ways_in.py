"""Every way in which a question can reach the bot in Slack."""

from __future__ import annotations

from pathlib import Path

import pytest

from retrieval.engine import Engine
from tests.fakes.entries import THREE, engine_on
from tests.fakes.slack import FakeSlack, RefuseBlocks, check
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, BROAD, ENTRY, Desk, make_slack, rules, running, said, shown

FIRST = "Wombat burrows in region"


async def test_a_mention_is_answered_in_its_thread_with_a_quote(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        answer = await slack.reply_to(question)
        await slack.quiet()

    assert answer.thread_ts == question.ts
    assert ENTRY in answer.text
    assert "sentence 10 of 10" in shown(answer)
    check(slack)


async def test_a_mention_inside_a_thread_is_answered_in_that_thread(
    slack: FakeSlack, ada: Person, grace: Person, desk: Desk
) -> None:
    async with desk.running():
        root = grace.says("#papers", "something else")
        question = ada.says("#papers", f"@pullquote {ASKED}", thread=root)
        answer = await slack.reply_to(question)
        await slack.quiet()

    assert answer.thread_ts == root.ts
    check(slack)


async def test_a_direct_message_is_answered(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.dm(ASKED)
        answer = await slack.reply_to(question)
        await slack.quiet()

    assert answer.thread_ts == question.ts
    assert ENTRY in answer.text
    check(slack)


async def test_direct_messages_are_one_conversation(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        await slack.reply_to(ada.dm(BROAD))
        answer = await slack.reply_to(ada.dm("more"))
        await slack.quiet()

    assert answer.text.startswith("4. ")
    check(slack)


async def test_a_reply_in_a_direct_messages_thread_is_about_that_answer(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    async with desk.running():
        first = ada.dm(ASKED)
        await slack.reply_to(first)
        await slack.reply_to(ada.dm("What is PreDiff?"))
        follow_up = ada.dm("open 1", thread=first)
        answer = await slack.reply_to(follow_up)
        await slack.quiet()

    assert answer.text.startswith(ENTRY)
    check(slack)


async def test_a_refinement_in_the_thread_works_on_its_results(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {BROAD}")
        await slack.reply_to(question)
        narrowed = ada.says("#papers", "@pullquote only NeurIPS", thread=question)
        answer = await slack.reply_to(narrowed)
        await slack.quiet()

    assert answer.text.casefold().startswith("only: venue neurips.")
    assert "ICLR" not in answer.text
    check(slack)


async def test_a_follow_up_without_a_mention_is_answered_where_threads_are_followed(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    rules(desk.folder, 'follow_up = "joined_threads"')
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        follow_up = ada.says("#papers", "how much does it compress?", thread=question)
        answer = await slack.reply_to(follow_up)
        await slack.quiet()

    assert "0.8%" in answer.text
    check(slack)


async def test_the_slash_command_answers_the_person_alone(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        typed = ada.slash("/pullquote", ASKED, channel="#papers")
        await slack.until(lambda: bool(ada.ephemerals))
        await slack.quiet()

    assert typed.acked
    assert ENTRY in ada.ephemerals[0].text
    check(slack)


async def test_the_slash_command_alone_shows_help(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        ada.slash("/pullquote")
        await slack.until(lambda: bool(ada.ephemerals))
        await slack.quiet()

    assert "Ask about the abstracts" in ada.ephemerals[0].text
    check(slack)


async def test_slash_commands_of_one_person_in_one_place_are_a_conversation(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    async with desk.running():
        ada.slash("/pullquote", BROAD, channel="#papers")
        await slack.until(lambda: len(ada.ephemerals) == 1)
        ada.slash("/pullquote", "more", channel="#papers")
        await slack.until(lambda: len(ada.ephemerals) == 2)
        await slack.quiet()

    assert ada.ephemerals[1].text.startswith("4. ")
    check(slack)


async def test_the_message_shortcut_looks_for_entries_about_a_message(
    slack: FakeSlack, ada: Person, grace: Person, desk: Desk
) -> None:
    async with desk.running():
        message = grace.says("#papers", "We could share the KV cache of our sequential recommender between users.")
        ada.shortcut("find_entries", on=message)
        await slack.until(lambda: len([m for m in slack.workspace.posts if m.visible_to == ada.id]) == 1)
        await slack.quiet()

    assert ENTRY in slack.workspace.posts[-1].text
    check(slack)


@pytest.mark.parametrize(("button", "begins"), [("ask:more", "4. "), ("ask:like", "Most like 1:"), ("ask:why", FIRST)])
async def test_a_button_of_an_answer_asks_in_its_thread(
    slack: FakeSlack, ada: Person, desk: Desk, button: str, begins: str
) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {BROAD}")
        answer = await slack.reply_to(question)
        slack.workspace.user("grace").clicks(answer, button)
        second = await slack.reply_to(question, nth=2)
        await slack.quiet()

    assert second.text.startswith(begins)
    assert second.thread_ts == question.ts
    check(slack)


async def test_a_button_of_an_earlier_answer_works_on_that_answer(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {BROAD}")
        answer = await slack.reply_to(question)
        await slack.reply_to(ada.says("#papers", "@pullquote What is PreDiff?", thread=question))
        ada.clicks(answer, "ask:why")
        third = await slack.reply_to(question, nth=3)
        await slack.quiet()

    assert third.text.startswith(FIRST)
    check(slack)


async def test_a_button_of_a_private_answer_answers_privately(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        ada.slash("/pullquote", BROAD, channel="#papers")
        await slack.until(lambda: len(ada.ephemerals) == 1)
        ada.clicks(ada.ephemerals[0], "ask:more")
        await slack.until(lambda: len(ada.ephemerals) == 2)
        await slack.quiet()

    assert ada.ephemerals[1].text.startswith("4. ")
    check(slack)


async def test_a_private_answer_in_plain_text_has_no_markup(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    slack.faults.api("response_url", RefuseBlocks())
    async with desk.running():
        ada.slash("/pullquote", BROAD, channel="#papers")
        await slack.until(lambda: len(ada.ephemerals) == 1)
        await slack.quiet()

    assert ada.ephemerals[0].blocks == ()
    assert ada.ephemerals[0].arguments["mrkdwn"] is False


async def test_home_shows_what_is_indexed_and_how_to_ask(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        ada.opens_home()
        await slack.until(lambda: ada.home is not None)
        await slack.quiet()

    assert ada.home is not None
    assert desk.engine.collection.summary in str(ada.home.body)
    check(slack)


async def test_home_shows_what_is_indexed_by_then(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    shelves = [desk.engine.collection]
    async with desk.running(collection=lambda: shelves[-1]):
        ada.opens_home()
        await slack.until(lambda: ada.home is not None)
        shelves.append(engine_on(THREE, semantic=False).collection)
        ada.opens_home()
        await slack.until(lambda: shelves[-1].summary in str(ada.home))
        await slack.quiet()

    assert shelves[0].summary not in str(ada.home)
    check(slack)


async def test_the_messages_tab_suggests_what_to_ask(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        ada.opens_home("messages")
        await slack.until(lambda: bool(slack.workspace.store.suggested))
        await slack.quiet()

    prompts = slack.workspace.store.suggested[ada.dm_channel.id]
    assert 1 <= len(prompts) <= 4
    check(slack)


async def test_feedback_is_kept_and_a_bad_one_can_be_explained(
    slack: FakeSlack, ada: Person, grace: Person, desk: Desk
) -> None:
    from datetime import UTC, datetime

    from bot.adapters.slack.statistics import read_statistics

    async with desk.running():
        answer = await slack.reply_to(ada.says("#papers", f"@pullquote {ASKED}"))
        grace.clicks(answer, "feedback", value="good")
        ada.clicks(answer, "feedback", value="bad")
        await slack.until(lambda: bool(slack.workspace.posts[-1].visible_to))
        ada.clicks(slack.workspace.posts[-1], "feedback_reason")
        await slack.until(lambda: bool(ada.views))
        ada.submits(values={"reason": "too old"})
        await slack.until(lambda: not ada.views)
        await slack.quiet()

    found = read_statistics(desk.folder / "slack.sqlite3", days=1, now=datetime.now(UTC))
    assert (found.helpful, found.unhelpful, found.reasons) == (1, 1, ("too old",))
    check(slack)


async def test_everything_works_over_signed_http_as_well(tmp_path: Path, engine: Engine) -> None:
    async with make_slack(http_url="https://bot.example/slack/events") as slack:
        options = {"transport": "http", "http_port": 0, "signing_secret": slack.signing_secret}
        async with running(slack, tmp_path, engine, **options) as bot:
            slack.deliver_to(f"http://127.0.0.1:{getattr(bot.transport, 'port', 0)}/slack/events")
            ada = slack.workspace.user("ada")
            question = ada.says("#papers", f"@pullquote {ASKED}")
            await slack.reply_to(question)
            ada.slash("/pullquote", ASKED, channel="#papers")
            await slack.until(lambda: bool(ada.ephemerals))
            await slack.quiet()

        assert len(said(slack, question)) == 1
        check(slack)
