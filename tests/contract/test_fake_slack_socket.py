"""The fake's Socket Mode, with the SDK's and Bolt's own clients on the other side."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp

from tests.fakes.slack import FakeSlack, StillWaitingError
from tests.fakes.slack.bolted import bolt_app, client_of, running


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        yield slack


class Wire:
    """A bare socket that acks only when told to."""

    def __init__(self, slack: FakeSlack, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.slack, self.socket = slack, socket

    async def frame(self) -> dict[str, Any]:
        async with asyncio.timeout(5):
            frame = await self.socket.receive_json()
        assert isinstance(frame, dict)
        return frame

    async def ack(self, frame: dict[str, Any], **more: Any) -> None:
        await self.socket.send_json({"envelope_id": frame["envelope_id"], **more})


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


async def dial(slack: FakeSlack, session: aiohttp.ClientSession) -> Wire:
    url = (await client_of(slack).apps_connections_open(app_token=slack.app_token))["url"]
    return Wire(slack, await session.ws_connect(url))


@pytest.fixture
async def wire(slack: FakeSlack, session: aiohttp.ClientSession) -> Wire:
    wire = await dial(slack, session)
    assert (await wire.frame())["type"] == "hello"
    return wire


def listening(slack: FakeSlack) -> tuple[AsyncApp, list[dict[str, Any]]]:
    app, heard = bolt_app(slack), list[dict[str, Any]]()

    @app.event("app_mention")
    async def mention(body: dict[str, Any]) -> None:
        heard.append(body)

    @app.event("message")
    async def message() -> None: ...

    return app, heard


async def test_hello_says_how_many_sockets_there_are(slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    first, second = await dial(slack, session), await dial(slack, session)

    hellos = [await first.frame(), await second.frame()]

    assert [hello["num_connections"] for hello in hellos] == [1, 2]
    assert hellos[0]["connection_info"] == {"app_id": slack.app_id}


async def test_an_event_comes_in_an_envelope_that_a_bolt_app_acks(slack: FakeSlack) -> None:
    app, heard = listening(slack)

    async with running(slack, app):
        question = slack.workspace.user("ada").says("#papers", "@pullquote hello")
        await slack.quiet()

    assert [body["event"]["ts"] for body in heard] == [question.ts]
    assert {delivery.state for delivery in slack.deliveries} == {"acked"}


async def test_a_mention_comes_twice_with_different_event_ids(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").says("#papers", "@pullquote hello")

    frames = [await wire.frame(), await wire.frame()]

    assert [frame["payload"]["event"]["type"] for frame in frames] == ["app_mention", "message"]
    assert len({frame["payload"]["event_id"] for frame in frames}) == 2
    assert len({frame["payload"]["event"]["ts"] for frame in frames}) == 1
    assert {(frame["retry_attempt"], frame["retry_reason"]) for frame in frames} == {(0, "")}


async def test_what_is_not_acked_comes_again_with_the_same_event_id(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").dm("hello")
    first = await wire.frame()

    await slack.advance(3)
    second = await wire.frame()
    await wire.ack(second)
    await slack.until(lambda: slack.deliveries[0].state == "acked")

    assert first["payload"]["event_id"] == second["payload"]["event_id"]
    assert first["envelope_id"] != second["envelope_id"]
    assert (second["retry_attempt"], second["retry_reason"]) == (1, "timeout")


async def test_retries_come_at_once_after_a_minute_and_after_five_then_never(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").dm("hello")

    await slack.advance(3600)

    delivery = slack.deliveries[0]
    waits = [attempt.sent_at - delivery.attempts[0].sent_at for attempt in delivery.attempts]
    assert waits == [0, 3, 66, 369]
    assert delivery.state == "lost"


async def test_an_ack_within_the_budget_stops_the_retries(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").dm("hello")
    await wire.ack(await wire.frame())
    await slack.until(lambda: slack.deliveries[0].state == "acked")

    await slack.advance(3600)

    assert len(slack.deliveries[0].attempts) == 1


async def test_an_ack_that_comes_too_late_is_seen_as_late(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").dm("hello")
    frame = await wire.frame()
    await slack.advance(3)

    await wire.ack(frame)
    await slack.until(lambda: slack.deliveries[0].state == "acked")

    assert slack.deliveries[0].late


async def test_an_ack_for_no_envelope_is_recorded(slack: FakeSlack, wire: Wire) -> None:
    await wire.ack({"envelope_id": "nothing"})

    await slack.until(lambda: slack.courier.strays == ["nothing"])


async def test_a_payload_in_the_ack_of_an_event_is_recorded(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.user("ada").dm("hello")

    await wire.ack(await wire.frame(), payload={"text": "surprise"})

    await slack.until(lambda: slack.courier.surprises == ["message.im"])


async def test_several_sockets_share_the_envelopes(slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    wires = [await dial(slack, session) for _ in range(3)]
    await slack.connected(3)

    for n in range(6):
        slack.workspace.user("ada").dm(f"number {n}")
    await slack.settle_own()

    assert [len(connection.envelopes) for connection in slack.sockets.connections] == [2, 2, 2]
    assert all(not wire.socket.closed for wire in wires)


async def test_an_address_takes_one_handshake(slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    url = (await client_of(slack).apps_connections_open(app_token=slack.app_token))["url"]
    await session.ws_connect(url)

    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await session.ws_connect(url)

    assert refused.value.status == 400


async def test_an_address_expires(slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    url = (await client_of(slack).apps_connections_open(app_token=slack.app_token))["url"]
    await slack.advance(31)

    with pytest.raises(aiohttp.WSServerHandshakeError):
        await session.ws_connect(url)

    assert slack.sockets.refused == 1


async def test_the_sdk_keeps_trying_a_stale_address_until_it_is_made_to_forget_it(slack: FakeSlack) -> None:
    app, _ = listening(slack)

    async with running(slack, app, ping_interval_s=0.02) as handler:
        slack.sockets.stale_urls = 1
        await slack.sockets.disconnect("refresh_requested")
        await slack.until(lambda: slack.sockets.refused >= 3)
        asked = len(slack.calls_of("apps.connections.open"))

        handler.client.wss_uri = None
        await slack.connected()

    assert asked == 2


async def test_bolt_sees_retry_number_0_on_a_first_delivery(slack: FakeSlack) -> None:
    app, headers = bolt_app(slack), list[Any]()

    @app.event("message")
    async def message(req: Any) -> None:
        headers.append(req.headers.get("x-slack-retry-num"))

    async with running(slack, app):
        slack.workspace.user("ada").dm("hello")
        await slack.quiet()

    assert headers == [["0"]]


async def test_the_eleventh_socket_is_sent_away(slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    wires = [await dial(slack, session) for _ in range(10)]

    eleventh = await dial(slack, session)

    assert not any(wire.socket.closed for wire in wires)
    assert (await eleventh.frame())["reason"] == "too_many_websockets"


@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_a_bolt_app_told_to_leave_comes_back_on_a_new_socket(slack: FakeSlack, reason: Any) -> None:
    app, heard = listening(slack)

    async with running(slack, app):
        await slack.sockets.disconnect(reason)
        await slack.until(lambda: len(slack.sockets.connections) == 2)
        slack.workspace.user("ada").says("#papers", "@pullquote still there?")
        await slack.quiet()

    assert len(heard) == 1
    assert len(slack.calls_of("apps.connections.open")) == 2


async def test_slack_closes_a_socket_ten_seconds_after_the_warning(slack: FakeSlack, wire: Wire) -> None:
    await slack.sockets.disconnect()
    assert (await wire.frame())["type"] == "disconnect"

    await slack.advance(10)

    assert (await wire.socket.receive()).type == aiohttp.WSMsgType.CLOSE


async def test_an_event_while_nobody_is_connected_comes_a_minute_later(
    slack: FakeSlack, session: aiohttp.ClientSession
) -> None:
    slack.workspace.user("ada").dm("anybody?")
    await slack.settle_own()
    wire = await dial(slack, session)
    await wire.frame()

    await slack.advance(60)

    frame = await wire.frame()
    assert (frame["retry_attempt"], frame["retry_reason"]) == (2, "connection_failed")


async def test_a_socket_cut_in_mid_flight_brings_the_event_again(slack: FakeSlack) -> None:
    app, heard = listening(slack)
    slack.faults.cut()

    async with running(slack, app, ping_interval_s=0.02):
        slack.workspace.user("ada").says("#papers", "@pullquote hello")
        await slack.until(lambda: len(slack.sockets.connections) == 2)
        await slack.connected()
        await slack.advance(3)
        await slack.until(lambda: not slack.courier.waiting and slack.deliveries[0].state == "acked")

    assert len({body["event_id"] for body in heard}) == 1
    assert slack.deliveries[0].attempts[1].number == 1


async def test_a_lost_ack_brings_the_event_again(slack: FakeSlack) -> None:
    app, heard = listening(slack)
    slack.faults.ignore_acks(2)

    async with running(slack, app):
        slack.workspace.user("ada").says("#papers", "@pullquote hello")
        await slack.until(lambda: len(heard) == 1 and all(d.attempts[0].ignored for d in slack.deliveries))
        await slack.advance(3)
        await slack.quiet()

    assert [body["event_id"] for body in heard] == [slack.deliveries[0].event_id] * 2


async def test_a_duplicate_comes_at_once_with_the_same_event_id(slack: FakeSlack, wire: Wire) -> None:
    slack.faults.duplicate()
    slack.workspace.user("ada").dm("hello")

    frames = [await wire.frame(), await wire.frame()]

    assert len({frame["payload"]["event_id"] for frame in frames}) == 1
    assert {frame["retry_attempt"] for frame in frames} == {0}


async def test_deliveries_can_be_held_and_sent_in_another_order(slack: FakeSlack, wire: Wire) -> None:
    slack.faults.hold()
    for text in ("one", "two", "three"):
        slack.workspace.user("ada").dm(text)

    slack.release("reversed")

    texts = [(await wire.frame())["payload"]["event"]["text"] for _ in range(3)]
    assert texts == ["three", "two", "one"]


async def test_a_half_open_socket_answers_nothing(slack: FakeSlack, wire: Wire) -> None:
    slack.sockets.connections[0].frozen = True
    slack.workspace.user("ada").dm("hello")
    await wire.socket.ping(b"are you there")
    await slack.settle_own()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await wire.socket.receive()

    assert slack.deliveries[0].attempts[0].cut


async def test_a_live_socket_answers_pings(wire: Wire, slack: FakeSlack, session: aiohttp.ClientSession) -> None:
    url = (await client_of(slack).apps_connections_open(app_token=slack.app_token))["url"]
    socket = await session.ws_connect(url, autoping=False)
    await socket.receive()

    await socket.ping(b"sdk-ping-pong:1.0")

    pong = await socket.receive()
    assert (pong.type, bytes(pong.data)) == (aiohttp.WSMsgType.PONG, b"sdk-ping-pong:1.0")


async def test_an_event_without_a_listener_is_not_acked_by_bolt(slack: FakeSlack) -> None:
    async with running(slack, bolt_app(slack)):
        slack.workspace.user("ada").dm("hello")
        with pytest.raises(StillWaitingError, match=r"not acked: message\.im"):
            await slack.until(lambda: not slack.courier.waiting, timeout_s=0.2)

        await slack.advance(3600)

    assert len(slack.deliveries[0].attempts) == 4


async def test_only_subscribed_events_are_delivered(slack: FakeSlack, wire: Wire) -> None:
    ada = slack.workspace.user("ada")
    ada.reacts(ada.says("#papers", "hello"), "eyes")
    await wire.frame()
    await slack.settle_own()

    assert [delivery.label for delivery in slack.deliveries] == ["message.channels"]


async def test_nothing_is_heard_of_channels_that_the_bot_is_not_in(slack: FakeSlack) -> None:
    slack.workspace.channel("#outside", bot=False)

    slack.workspace.user("ada").says("#outside", "@pullquote hello")

    assert slack.deliveries == []


async def test_the_bots_own_posts_come_back_as_messages_only(slack: FakeSlack, wire: Wire) -> None:
    text = f"<@{slack.workspace.bot.id}> talking to myself"
    await client_of(slack).chat_postMessage(channel="#papers", text=text, unfurl_links=False, unfurl_media=False)

    event = (await wire.frame())["payload"]["event"]

    assert (event["type"], event["bot_id"]) == ("message", slack.workspace.bot.bot_id)
    assert [delivery.label for delivery in slack.deliveries] == ["message.channels"]


async def test_an_edit_and_a_deletion_are_told_with_what_was_there_before(slack: FakeSlack, wire: Wire) -> None:
    ada = slack.workspace.user("ada")
    message = ada.says("#papers", "frist")
    ada.deletes(ada.edits(message, "first"))

    events = [(await wire.frame())["payload"]["event"] for _ in range(3)]

    assert [event.get("subtype") for event in events] == [None, "message_changed", "message_deleted"]
    assert (events[1]["previous_message"]["text"], events[1]["message"]["text"]) == ("frist", "first")
    assert events[2]["deleted_ts"] == message.ts


async def test_a_preview_is_told_as_a_change_of_the_bots_message(slack: FakeSlack, wire: Wire) -> None:
    await client_of(slack).chat_postMessage(channel="#papers", text="https://arxiv.org/abs/1")

    events = [(await wire.frame())["payload"]["event"] for _ in range(2)]

    assert [event.get("subtype") for event in events] == [None, "message_changed"]
    assert "attachments" in events[1]["message"]


async def test_events_of_every_workspace_come_over_the_same_socket(slack: FakeSlack, wire: Wire) -> None:
    other = slack.add_workspace("other")
    slack.workspace.user("ada").dm("here")
    other.user("olga").dm("there")

    teams = [(await wire.frame())["payload"]["team_id"] for _ in range(2)]

    assert teams == [slack.workspace.team_id, other.team_id]


async def test_a_guest_of_a_shared_channel_writes_with_a_team_of_their_own(slack: FakeSlack, wire: Wire) -> None:
    slack.workspace.channel("#shared", shared=True)
    slack.workspace.user("guest", team_id="T0ELSEWHERE").says("#shared", "@pullquote hello")

    payload = (await wire.frame())["payload"]

    assert (payload["is_ext_shared_channel"], payload["event"]["team"]) == (True, "T0ELSEWHERE")


async def test_frames_are_json_objects_that_the_sdk_understands(slack: FakeSlack, wire: Wire) -> None:
    from slack_sdk.socket_mode.request import SocketModeRequest

    slack.workspace.user("ada").dm("hello")

    frame = json.loads((await wire.socket.receive()).data)
    request = SocketModeRequest.from_dict(frame)

    assert request is not None
    assert (request.type, request.retry_attempt, request.accepts_response_payload) == ("events_api", 0, False)
