"""The fake's signed HTTP, with the SDK's verifier and a Bolt app's own endpoint on the other side."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from slack_bolt.async_app import AsyncApp
from slack_sdk.signature import SignatureVerifier

from tests.fakes.slack import FakeSlack
from tests.fakes.slack.bolted import client_of
from tests.fakes.slack.http_delivery import signature


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        yield slack


class Endpoint:
    """Where an app would listen: answers what it is told to, and keeps what came."""

    def __init__(self) -> None:
        self.status, self.headers = 200, dict[str, str]()
        self.came: list[tuple[dict[str, str], bytes]] = []

    async def handle(self, request: web.Request) -> web.Response:
        self.came.append((dict(request.headers), await request.read()))
        return web.Response(status=self.status, headers=self.headers)


@pytest.fixture
async def endpoint(slack: FakeSlack) -> AsyncIterator[Endpoint]:
    endpoint, app = Endpoint(), web.Application()
    app.router.add_post("/slack/events", endpoint.handle)
    async with TestServer(app) as server:
        slack.deliver_to(str(server.make_url("/slack/events")))
        yield endpoint


@pytest.fixture
async def bolt(slack: FakeSlack) -> AsyncIterator[AsyncApp]:
    app = AsyncApp(client=client_of(slack), signing_secret=slack.signing_secret)
    async with TestServer(app.web_app(path="/slack/events")) as server:
        slack.deliver_to(str(server.make_url("/slack/events")))
        yield app


def test_the_signature_is_the_one_that_the_sdk_computes() -> None:
    verifier = SignatureVerifier("secret")

    assert signature("secret", "1700000000", b"body=1") == verifier.generate_signature(
        timestamp="1700000000", body=b"body=1"
    )


async def test_every_request_is_signed_so_that_the_sdk_accepts_it(slack: FakeSlack, endpoint: Endpoint) -> None:
    ada = slack.workspace.user("ada")
    ada.dm("hello & <goodbye>")
    ada.slash("/pullquote", "help")
    ada.shortcut("digest_settings")
    await slack.quiet()

    verifier = SignatureVerifier(slack.signing_secret)
    assert len(endpoint.came) == 3
    assert all(verifier.is_valid_request(body, headers) for headers, body in endpoint.came)


async def test_the_address_is_verified_with_a_challenge(slack: FakeSlack, bolt: AsyncApp) -> None:
    assert slack.http is not None

    assert await slack.http.verify_url()


async def test_a_forged_signature_is_refused_by_bolt(slack: FakeSlack, bolt: AsyncApp) -> None:
    assert slack.http is not None
    slack.http.secret = "guessed"

    slack.workspace.user("ada").dm("hello")
    await slack.until(lambda: bool(slack.deliveries and slack.deliveries[0].attempts[-1].failed))

    assert slack.deliveries[0].attempts[0].failed == "http_error"


async def test_a_stale_timestamp_is_refused_by_bolt(slack: FakeSlack, bolt: AsyncApp) -> None:
    assert slack.http is not None
    slack.http.wall_clock = lambda: 1_000_000.0

    assert not await slack.http.verify_url()


async def test_a_bolt_app_hears_an_event_and_answers_a_command(slack: FakeSlack, bolt: AsyncApp) -> None:
    heard: list[str] = []

    @bolt.event("message")
    async def message(event: dict[str, Any]) -> None:
        heard.append(event["text"])

    @bolt.command("/pullquote")
    async def command(ack: Any) -> None:
        await ack("on my way")

    ada = slack.workspace.user("ada")
    ada.dm("hello")
    used = ada.slash("/pullquote", "help")
    await slack.quiet()

    assert heard == ["hello"]
    assert used.acked
    assert [message.text for message in ada.ephemerals] == ["on my way"]


async def test_an_error_brings_the_event_again_with_the_retry_headers(slack: FakeSlack, endpoint: Endpoint) -> None:
    endpoint.status = 500
    slack.workspace.user("ada").dm("hello")
    await slack.until(lambda: len(endpoint.came) == 2)
    await slack.settle_own()
    await slack.until(lambda: not slack.courier.waiting)
    endpoint.status = 200

    await slack.advance(60)
    await slack.quiet()

    retries = [(h.get("X-Slack-Retry-Num"), h.get("X-Slack-Retry-Reason")) for h, _ in endpoint.came]
    assert retries == [(None, None), ("1", "http_error"), ("2", "http_error")]
    assert len({body for _, body in endpoint.came}) == 1
    assert slack.deliveries[0].state == "acked"


async def test_no_retry_header_stops_the_retries(slack: FakeSlack, endpoint: Endpoint) -> None:
    endpoint.status, endpoint.headers = 500, {"X-Slack-No-Retry": "1"}

    slack.workspace.user("ada").dm("hello")
    await slack.until(lambda: slack.deliveries[0].state == "lost")

    assert len(endpoint.came) == 1


async def test_an_endpoint_that_is_down_counts_as_a_failed_connection(slack: FakeSlack) -> None:
    server = TestServer(web.Application())
    await server.start_server()
    url = str(server.make_url("/"))
    await server.close()
    slack.deliver_to(url)

    slack.workspace.user("ada").dm("hello")
    await slack.until(lambda: slack.deliveries[0].attempts[-1].number == 1)

    assert slack.deliveries[0].attempts[0].failed == "connection_failed"
