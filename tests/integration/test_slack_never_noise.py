"""Never noise: what is not for the bot, and what would be too much, goes by without a word."""

from __future__ import annotations

import pytest

from retrieval.engine import Engine
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from tests.fakes.slack import FakeSlack, check
from tests.fakes.slack.mrkdwn import live_in
from tests.fakes.slack.people import Person
from tests.integration.harness import ASKED, Desk, rules, said

FOLLOWED = 'follow_up = "joined_threads"'


async def test_chatter_is_not_answered(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        ada.says("#papers", ASKED)
        ada.says("#papers", "pullquote is nice")
        await slack.quiet()

    assert slack.workspace.posts == []
    check(slack)


async def test_threads_are_not_followed_unless_set(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        ada.says("#papers", "how much does it compress?", thread=question)
        await slack.quiet()

    assert len(slack.workspace.posts) == 1
    check(slack)


@pytest.mark.parametrize("text", ["@grace what do you think?", "thanks!", "hello"])
async def test_in_a_followed_thread_what_is_for_others_is_passed_over(
    slack: FakeSlack, ada: Person, grace: Person, desk: Desk, text: str
) -> None:
    rules(desk.folder, FOLLOWED)
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        ada.says("#papers", text, thread=question)
        grace.says("#papers", "I know somebody who works on that", thread=question)
        await slack.quiet()

    assert len(slack.workspace.posts) == 1
    check(slack)


async def test_other_bots_are_never_answered(slack: FakeSlack, desk: Desk) -> None:
    other = slack.workspace.user("otherbot", is_bot=True)
    async with desk.running():
        slack.workspace.channel("papers")
        slack.workspace.store.set_members(
            slack.workspace.channel("papers"), slack.workspace.channel("papers").members | {other.id}
        )
        other.posts_as_bot("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert slack.workspace.posts == []


async def test_one_thread_has_a_fuse(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    rules(desk.folder, "thread_fuse = 2")
    async with desk.running():
        question = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(question)
        for nth in range(2, 6):
            ada.says("#papers", "@pullquote more", thread=question)
            if nth < 4:
                await slack.reply_to(question, nth=nth)
            await slack.quiet()

    texts = said(slack, question)
    assert len(texts) == 3
    assert texts[2].startswith("That is many answers in one thread.")


async def test_one_person_has_a_quota_and_is_told_once(
    slack: FakeSlack, ada: Person, grace: Person, desk: Desk
) -> None:
    rules(desk.folder, "user_quota = 1")
    async with desk.running():
        asked = []
        for person in (ada, ada, ada, grace):
            asked.append(person.says("#papers", f"@pullquote {ASKED}"))
            await slack.quiet()

    assert [len(said(slack, question)) for question in asked] == [1, 1, 0, 1]
    assert said(slack, asked[1])[0].startswith("That is many questions at once.")


@pytest.mark.parametrize(
    "rule",
    ["answers = false", 'deny_channels = ["{channel}"]', 'deny_users = ["{user}"]', 'allow_channels = ["C0OTHER"]'],
)
async def test_a_switch_takes_effect_without_a_restart_and_so_does_switching_back(
    slack: FakeSlack, ada: Person, desk: Desk, rule: str
) -> None:
    async with desk.running():
        first = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(first)
        rules(desk.folder, rule.format(channel=first.channel_id, user=ada.id))
        second = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()
        (desk.folder / "slack.toml").unlink()
        third = ada.says("#papers", f"@pullquote {ASKED}")
        await slack.reply_to(third)
        await slack.quiet()

    assert [len(said(slack, question)) for question in (first, second, third)] == [1, 0, 1]


async def test_rules_that_cannot_be_read_leave_those_before_in_force(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    rules(desk.folder, "answers = false")
    async with desk.running():
        ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()
        rules(desk.folder, "answers = perhaps")
        ada.says("#papers", f"@pullquote {ASKED}")
        await slack.quiet()

    assert slack.workspace.posts == []


HOSTILE = (
    "<!channel> and <!here> meet <@U0FAKE00007> in <#C0FAKE00006> about *stars*, `code` & <https://evil.example|sharing>"
    " the KV cache of recommenders :tada: @channel."
)


async def test_nothing_in_an_abstract_or_a_question_becomes_a_mention_or_a_link(
    slack: FakeSlack, ada: Person, desk: Desk
) -> None:
    entry = Entry("a", f"{HOSTILE[:60]}", HOSTILE, venue="<!everyone>", year=2026, url="https://example.org/a")
    other = Entry("b", "Another entry", "Nothing of the kind is said here.", venue="ICLR", year=2025)
    hostile = Engine.of([entry, other], load_word_vectors())
    async with desk.running(engine=hostile):
        question = ada.says("#papers", "@pullquote sharing the KV cache of recommenders &lt;!channel&gt;", raw=False)
        answer = await slack.reply_to(question)
        ada.says("#papers", "@pullquote open 1", thread=question)
        await slack.reply_to(question, nth=2)
        ada.says("#papers", "@pullquote bib 1", thread=question)
        await slack.reply_to(question, nth=3)
        await slack.quiet()

    live = {found.target for message in slack.workspace.posts for found in live_in(message, users={})}
    assert "&lt;!channel&gt;" in answer.text
    assert live <= {"https://example.org/a"}
    check(slack)


async def test_links_are_never_unfurled(slack: FakeSlack, ada: Person, desk: Desk) -> None:
    async with desk.running():
        answer = await slack.reply_to(ada.says("#papers", f"@pullquote {ASKED}"))
        await slack.quiet()

    current = slack.workspace.current(answer)
    assert current is not None
    assert not current.unfurled
    check(slack)
