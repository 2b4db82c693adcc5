"""The transcript page shows what is there, escaped, and does what its forms ask for."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.fakes.slack import FakeSlack
from tests.fakes.slack.bolted import bolt_app, client_of, running
from tests.fakes.slack.transcript import Transcript, line

QUIET: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    slack = FakeSlack()
    slack.workspace.user("ada")
    Transcript(slack)
    async with slack:
        yield slack


@pytest.fixture
async def browser(slack: FakeSlack) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(slack.base_url) as session:
        yield session


async def page(browser: aiohttp.ClientSession, path: str = "/") -> str:
    async with browser.get(path) as answer:
        assert answer.status == 200
        return await answer.text()


async def send(browser: aiohttp.ClientSession, verb: str, slack: FakeSlack, **fields: str) -> str:
    place = {"team": slack.workspace.team_id, "as": "ada", "place": slack.workspace.channel("#papers").id}
    async with browser.post(f"/ui/{verb}", data={**place, **fields}) as answer:
        assert answer.status == 200
        return await answer.text()


async def test_what_people_and_apps_write_is_shown_escaped(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    question = slack.workspace.user("ada").says("#papers", "<script>alert(1)</script>")
    nasty = '"><img src=x onerror=alert(1)>'
    label, quote = {"type": "plain_text", "text": nasty}, {"type": "text", "text": nasty}
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": label},
        {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [quote]}]},
        {"type": "actions", "elements": [{"type": "button", "text": label, "value": nasty}]},
    ]
    await client_of(slack).chat_postMessage(channel="#papers", thread_ts=question.ts, text="t", blocks=blocks, **QUIET)

    html = await page(browser)

    assert "<script>alert" not in html
    assert "<img" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert html.count("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;") >= 3


async def test_nothing_is_loaded_from_elsewhere(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    async with browser.get("/") as answer:
        html, policy = await answer.text(), answer.headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert not re.search(r"(src|href)=\"https?:", html)


async def test_somebody_can_write_reply_and_use_commands(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    await send(browser, "say", slack, text="@pullquote hello")
    root = slack.workspace.messages("#papers")[0]
    await send(browser, "say", slack, text="and this?", thread=root.ts)
    await send(browser, "say", slack, text="/pullquote help")
    notice = await send(browser, "say", slack, text="/other")

    assert [message.thread_ts for message in slack.workspace.messages("#papers")] == [None, root.ts]
    assert [d.payload["text"] for d in slack.deliveries_of("/pullquote")] == ["help"]
    assert "/other is not a valid command" in notice


async def test_a_button_can_be_clicked_and_a_modal_filled_in(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    app, saved = bolt_app(slack), list[Any]()
    text = {"type": "plain_text", "text": "Settings"}
    field = {"type": "plain_text_input", "action_id": "words"}
    fields = [{"type": "input", "block_id": "topic", "label": text, "element": field}]

    @app.event("message")
    async def message() -> None: ...

    @app.action("settings")
    async def settings(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        view = {"type": "modal", "callback_id": "c", "title": text, "submit": text, "blocks": fields}
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    @app.view("c")
    async def submitted(ack: Any, view: dict[str, Any]) -> None:
        await ack()
        saved.append(view["state"]["values"]["topic"]["words"]["value"])

    async with running(slack, app):
        blocks = [{"type": "actions", "elements": [{"type": "button", "text": text, "action_id": "settings"}]}]
        posted = await client_of(slack).chat_postMessage(channel="#papers", text="t", blocks=blocks, **QUIET)
        await send(browser, "click", slack, channel=posted["channel"], ts=posted["ts"], action="settings")
        ada = slack.workspace.user("ada")
        await slack.until(lambda: bool(ada.views))
        shown = await page(browser)
        await send(browser, "submit", slack, view=ada.views[0].id, **{"value:words": "graphs"})
        await slack.quiet()

    assert 'name="value:words"' in shown
    assert (saved, ada.views) == (["graphs"], [])


async def test_a_digest_reads_well_and_its_entries_can_be_chosen(
    slack: FakeSlack, browser: aiohttp.ClientSession
) -> None:
    app, chosen = bolt_app(slack), list[str]()
    ada, papers = slack.workspace.user("ada"), slack.workspace.channel("#papers")
    options = [
        {"text": {"type": "plain_text", "text": f"{word} like this"}, "value": word} for word in ("more", "less")
    ]
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": "New papers"}},
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "channel", "channel_id": papers.id}]},
                {"type": "rich_text_quote", "elements": [{"type": "text", "text": "We propose it."}]},
            ],
        },
        {
            "type": "section",
            "text": {"type": "plain_text", "text": "Ada Smith"},
            "accessory": {"type": "overflow", "action_id": "entry", "options": options},
        },
    ]

    @app.action("entry")
    async def entry(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        chosen.append(body["actions"][0]["selected_option"]["value"])

    async with running(slack, app):
        posted = await client_of(slack).chat_postMessage(channel=papers.id, text="t", blocks=blocks, **QUIET)
        html, where = await page(browser), {"channel": papers.id, "ts": posted["ts"]}
        await send(browser, "click", slack, **where, action="entry", value="less")
        liked = await send(browser, "react", slack, **where, name="thumbsup")
        await slack.quiet()
        assert slack.workspace.messages("#papers")[0].reactions == {"thumbsup": (ada.id,)}
        await send(browser, "react", slack, **where, name="thumbsup")
        await slack.quiet()

    assert "#papers</span>" in html
    assert "<blockquote>We propose it." in html
    assert "✓ :thumbsup:" in liked
    assert chosen == ["less"]
    assert not slack.workspace.messages("#papers")[0].reactions.get("thumbsup")


async def test_the_page_is_told_of_changes(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    async with browser.get("/ui/changes", params={"since": "0"}) as answer:
        slack.workspace.user("ada").says("#papers", "hello")

        async with asyncio.timeout(5):
            told = await answer.content.readline()

    assert told.startswith(b"data: ")


async def test_a_line_of_the_terminals_transcript_holds_no_control_character(slack: FakeSlack) -> None:
    said = slack.workspace.user("ada").says("#papers", "red \x1b[31m alert\nnext line & more")

    shown = line(said, {said.user_id: "ada"}, "papers")

    assert shown == "09:00:00 papers ada: red  [31m alert next line & more"


async def test_run_by_hand_it_prints_the_settings_and_serves_the_page() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.slack", "--user", "ada", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(30):
        printed = [(await process.stdout.readline()).decode().strip() for _ in range(5)]
    address = re.search(r"http://127\.0\.0\.1:\d+/", printed[4])
    assert address is not None

    async with aiohttp.ClientSession() as session, session.get(address[0]) as answer:
        html = await answer.text()
    process.send_signal(signal.SIGTERM)

    names = [setting.partition("=")[0] for setting in printed[:4]]
    assert names == ["SLACK_API_URL", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"]
    assert "# papers" in html
    assert await process.wait() == 0


async def test_a_channel_is_shown_by_its_name(slack: FakeSlack, browser: aiohttp.ClientSession) -> None:
    channel = slack.workspace.channel("#papers")
    section = {"type": "rich_text_section", "elements": [{"type": "channel", "channel_id": channel.id}]}
    blocks: list[dict[str, Any]] = [{"type": "rich_text", "elements": [section]}]
    await client_of(slack).chat_postMessage(channel="#papers", text="t", blocks=blocks, **QUIET)

    assert '<span class="mention">#papers</span>' in await page(browser)
