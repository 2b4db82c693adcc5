"""Several workspaces install the app by OAuth; each has its own token, questions and end."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from bot.adapters.slack.manifest import manifest
from bot.adapters.slack.oauth import Installing
from retrieval.engine import Engine
from tests.fakes.slack import FakeSlack, Manifest, check
from tests.integration.harness import ASKED, Running, running, said

# The SDK's own way of sending the app's credentials.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")


@asynccontextmanager
async def installable(slack: FakeSlack, folder: Path, engine: Engine) -> AsyncIterator[tuple[Running, str]]:
    options = {"transport": "http", "http_port": 0, "signing_secret": slack.signing_secret, "bot_token": None}
    credentials = Installing(slack.client_id, slack.client_secret)
    async with running(slack, folder, engine, installing=credentials, **options) as bot:
        base = f"http://127.0.0.1:{getattr(bot.transport, 'port', 0)}"
        slack.deliver_to(f"{base}/slack/events")
        yield bot, base


async def install(base: str, code: str) -> int:
    """Do what a browser does when somebody clicks "Add to Slack" and then "Allow"."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser:
        async with browser.get(f"{base}/slack/install") as page:
            text, cookie = await page.text(), page.headers["Set-Cookie"].partition(";")[0]
        address = next(part for part in text.split('"') if "oauth/v2/authorize" in part)
        state = parse_qs(urlsplit(address.replace("&amp;", "&")).query)["state"][0]
        query = {"code": code, "state": state}
        async with browser.get(f"{base}/slack/oauth_redirect", params=query, headers={"Cookie": cookie}) as done:
            return done.status


@pytest.fixture
async def shop() -> AsyncIterator[FakeSlack]:
    async with FakeSlack(Manifest.parse(manifest(http_url="https://bot.example/slack/events", installs=True))) as slack:
        slack.rates.per_minute.clear()
        yield slack


async def test_two_workspaces_that_installed_the_app_are_answered_each_with_its_own_token(
    shop: FakeSlack, tmp_path: Path, engine: Engine
) -> None:
    other = shop.add_workspace("other")
    async with installable(shop, tmp_path, engine) as (_, base):
        statuses = [await install(base, f"code-{team}") for team in (shop.workspace.team_id, other.team_id)]
        questions = [w.user("ada").says("#papers", f"@pullquote {ASKED}") for w in (shop.workspace, other)]
        for question in questions:
            await shop.reply_to(question)
        await shop.quiet()

    assert statuses == [200, 200]
    assert [len(said(shop, question)) for question in questions] == [1, 1]
    assert {call.team_id for call in shop.calls_of("chat.postMessage")} == {shop.workspace.team_id, other.team_id}
    check(shop)


async def test_a_wrong_code_installs_nothing(shop: FakeSlack, tmp_path: Path, engine: Engine) -> None:
    async with installable(shop, tmp_path, engine) as (_, base):
        status = await install(base, "code-of-nobody")

    assert status == 401
    assert _installed(tmp_path) == 0


async def test_a_workspace_that_takes_the_app_out_is_forgotten(shop: FakeSlack, tmp_path: Path, engine: Engine) -> None:
    async with installable(shop, tmp_path, engine) as (_, base):
        await install(base, f"code-{shop.workspace.team_id}")
        await shop.reply_to(shop.workspace.user("ada").says("#papers", f"@pullquote {ASKED}"))
        await shop.quiet()
        shop.workspace.uninstall()
        await shop.until(lambda: _installed(tmp_path) == 0)
        await shop.quiet()

    with closing(sqlite3.connect(tmp_path / "slack.sqlite3")) as db:
        assert db.execute("SELECT count(*) FROM inbox").fetchone() == (0,)


def _installed(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "slack-installations.sqlite3")) as db:
        return int(db.execute("SELECT count(*) FROM slack_bots").fetchone()[0])
