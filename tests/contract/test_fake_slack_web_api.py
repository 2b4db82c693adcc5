"""The fake's Web API, driven by the SDK's own client: it refuses what Slack refuses and keeps what it keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncConnectionErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import (
    DropAfter,
    DropBefore,
    Error,
    FakeSlack,
    HttpStatus,
    Message,
    RateLimited,
    RefuseBlocks,
    Slow,
)
from tests.fakes.slack.bolted import client_of

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}

LONGEST = {"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3000}}


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        yield slack


@pytest.fixture
def client(slack: FakeSlack) -> AsyncWebClient:
    return client_of(slack)


@pytest.fixture
async def question(slack: FakeSlack) -> Message:
    return slack.workspace.user("ada").says("#papers", "@pullquote what is attention?")


async def refusal(call: Any) -> SlackApiError:
    with pytest.raises(SlackApiError) as caught:
        await call
    return caught.value


async def post(client: AsyncWebClient, channel: str = "#papers", text: str = "hi", **more: Any) -> Any:
    return await client.chat_postMessage(channel=channel, text=text, unfurl_links=False, unfurl_media=False, **more)


async def test_auth_test_names_the_bot_and_its_scopes(slack: FakeSlack, client: AsyncWebClient) -> None:
    answer = await client.auth_test()

    assert (answer["user_id"], answer["bot_id"]) == (slack.workspace.bot.id, slack.workspace.bot.bot_id)
    assert set(answer.headers["X-OAuth-Scopes"].split(",")) == slack.manifest.scopes


@pytest.mark.parametrize(
    ("token", "error"),
    [("xoxb-someone-elses", "invalid_auth"), ("xapp-1-x", "not_allowed_token_type")],
)
async def test_a_wrong_token_is_refused(slack: FakeSlack, token: str, error: str) -> None:
    assert (await refusal(client_of(slack, token).auth_test())).response["error"] == error


async def test_a_call_without_a_token_is_refused(slack: FakeSlack) -> None:
    client = AsyncWebClient(base_url=slack.api_url)

    assert (await refusal(client.auth_test())).response["error"] == "not_authed"


async def test_the_bot_token_opens_no_socket(slack: FakeSlack, client: AsyncWebClient) -> None:
    error = await refusal(client.apps_connections_open(app_token=slack.workspace.bot_token))

    assert error.response["error"] == "not_allowed_token_type"


async def test_a_revoked_token_is_refused(client: AsyncWebClient) -> None:
    await client.auth_revoke()

    assert (await refusal(client.auth_test())).response["error"] == "token_revoked"


async def test_a_missing_scope_is_named(slack: FakeSlack, client: AsyncWebClient) -> None:
    error = await refusal(client.users_info(user=slack.workspace.user("ada").id))

    assert (error.response["error"], error.response["needed"]) == ("missing_scope", "users:read")
    assert error.response["provided"] == ",".join(sorted(slack.manifest.scopes))


async def test_an_older_installation_lacks_newer_scopes(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.workspace.grant("app_mentions:read")

    assert (await refusal(post(client))).response["needed"] == "chat:write"


async def test_an_unknown_method_is_refused(client: AsyncWebClient) -> None:
    assert (await refusal(client.api_call("chat.shout"))).response["error"] == "unknown_method"


@pytest.mark.parametrize("sent", ["query", "form", "json"])
async def test_arguments_come_from_query_form_and_json(slack: FakeSlack, client: AsyncWebClient, sent: str) -> None:
    arguments = {"channel": "#papers", "text": sent, "metadata": {"event_type": "t", "event_payload": {"a": 1}}}
    if sent == "json":
        await client.api_call("chat.postMessage", json=arguments)
    else:
        flat = arguments | {"metadata": '{"event_type": "t", "event_payload": {"a": 1}}'}
        if sent == "query":
            await client.api_call("chat.postMessage", params=flat)
        else:
            await client.api_call("chat.postMessage", data=flat)

    kept = slack.workspace.messages("#papers")[-1]
    assert (kept.text, kept.metadata) == (sent, arguments["metadata"])


@pytest.mark.parametrize(("body", "error"), [("{", "invalid_json"), ("[]", "json_not_object")])
async def test_a_body_that_is_no_json_object_is_refused(slack: FakeSlack, body: str, error: str) -> None:
    headers = {"Authorization": f"Bearer {slack.workspace.bot_token}", "Content-Type": "application/json"}

    url = f"{slack.api_url}chat.postMessage"
    async with aiohttp.ClientSession(headers=headers) as session, session.post(url, data=body) as answer:
        told = await answer.json()

    assert told == {"ok": False, "error": error}


async def test_an_argument_that_the_method_does_not_have_is_recorded(slack: FakeSlack, client: AsyncWebClient) -> None:
    await post(client, colour="red", team_id=slack.workspace.team_id)

    assert slack.calls[-1].unknown == ("colour",)


@pytest.mark.parametrize(
    ("channel", "error"),
    [
        ("C0NOWHERE", "channel_not_found"),
        ("#outside", "not_in_channel"),
        ("#secret", "channel_not_found"),
        ("#old", "is_archived"),
    ],
)
async def test_a_post_that_cannot_reach_its_channel_is_refused(
    slack: FakeSlack, client: AsyncWebClient, channel: str, error: str
) -> None:
    slack.workspace.channel("#outside", bot=False)
    slack.workspace.channel("#secret", kind="private", bot=False)
    slack.workspace.channel("#old")
    slack.workspace.archive("#old")

    assert (await refusal(post(client, channel))).response["error"] == error


async def test_a_post_to_a_user_goes_to_the_direct_messages(slack: FakeSlack, client: AsyncWebClient) -> None:
    ada = slack.workspace.user("ada")

    answer = await post(client, ada.id)

    assert answer["channel"] == ada.dm_channel.id


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({"text": ""}, "no_text"),
        ({"text": " \n"}, "no_text"),
        ({"text": "t", "blocks": [{"type": "header"}]}, "invalid_blocks"),
        ({"text": "t", "blocks": "not json"}, "invalid_blocks_format"),
        ({"text": "t", "markdown_text": "m"}, "markdown_text_conflict"),
        (
            {"text": "t", "blocks": [{**SECTION, "text": {"type": "mrkdwn", "text": "x" * 3000}}] * 5},
            "msg_blocks_too_long",
        ),
        ({"text": "t", "metadata": {"event_type": "x"}}, "invalid_metadata_schema"),
        ({"text": "t", "thread_ts": "1.000001"}, "thread_not_found"),
    ],
)
async def test_content_that_slack_does_not_take_is_refused(
    client: AsyncWebClient, content: dict[str, Any], error: str
) -> None:
    call = client.api_call("chat.postMessage", json={"channel": "#papers", **content})

    assert (await refusal(call)).response["error"] == error


async def test_refused_blocks_come_with_json_pointers(client: AsyncWebClient) -> None:
    error = await refusal(post(client, blocks=[{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}]))

    reason = "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    assert error.response["errors"] == [reason]
    assert error.response["response_metadata"]["messages"] == [f"[ERROR] {reason}"]


async def test_a_long_text_is_cut_in_a_post_and_refused_in_an_update(client: AsyncWebClient) -> None:
    answer = await post(client, text="x" * 40_001)

    assert len(answer["message"]["text"]) == 40_000
    error = await refusal(client.chat_update(channel=answer["channel"], ts=answer["ts"], text="x" * 4_001))
    assert error.response["error"] == "msg_too_long"


async def test_a_reply_to_a_reply_joins_the_thread_of_the_root(client: AsyncWebClient, question: Message) -> None:
    first = await post(client, thread_ts=question.ts)

    second = await post(client, thread_ts=first["ts"])

    assert second["message"]["thread_ts"] == question.ts


async def test_metadata_is_kept_and_returned_only_when_asked_for(client: AsyncWebClient, question: Message) -> None:
    metadata = {"event_type": "pullquote_answer", "event_payload": {"for": question.ts}}
    await post(client, thread_ts=question.ts, metadata=metadata)

    channel = question.channel_id
    plain = await client.conversations_replies(channel=channel, ts=question.ts)
    whole = await client.conversations_replies(channel=channel, ts=question.ts, include_all_metadata=True)

    assert "metadata" not in plain["messages"][1]
    assert whole["messages"][1]["metadata"] == metadata
    await post(client, metadata=metadata)
    bare = await client.conversations_history(channel=channel)
    top = await client.conversations_history(channel=channel, include_all_metadata=True)
    assert "metadata" not in bare["messages"][0]
    assert top["messages"][0]["metadata"] == metadata


async def test_history_shows_the_top_level_newest_first_within_bounds(
    slack: FakeSlack, client: AsyncWebClient, question: Message
) -> None:
    later = slack.workspace.user("ada").says("#papers", "later")
    slack.workspace.user("ada").says("#papers", "in a thread", thread=question)

    everything = await client.conversations_history(channel=question.channel_id)
    newer = await client.conversations_history(channel=question.channel_id, oldest=question.ts)

    assert [m["ts"] for m in everything["messages"]] == [later.ts, question.ts]
    assert [m["ts"] for m in newer["messages"]] == [later.ts]


async def test_history_comes_in_pages(slack: FakeSlack, client: AsyncWebClient) -> None:
    said = [slack.workspace.user("ada").says("#papers", f"number {n}").ts for n in range(5)]
    channel = slack.workspace.channel("#papers").id

    pages = [page["messages"] async for page in await client.conversations_history(channel=channel, limit=2)]

    assert [[m["ts"] for m in page] for page in pages] == [[said[4], said[3]], [said[2], said[1]], [said[0]]]


async def test_only_the_apps_own_messages_can_be_changed(client: AsyncWebClient, question: Message) -> None:
    changed = await refusal(client.chat_update(channel=question.channel_id, ts=question.ts, text="mine"))
    deleted = await refusal(client.chat_delete(channel=question.channel_id, ts=question.ts))

    assert changed.response["error"] == "cant_update_message"
    assert deleted.response["error"] == "cant_delete_message"


async def test_an_update_with_text_alone_removes_the_blocks(slack: FakeSlack, client: AsyncWebClient) -> None:
    answer = await post(client, blocks=[SECTION])

    await client.chat_update(channel=answer["channel"], ts=answer["ts"], text="plain now")

    assert slack.workspace.messages("#papers")[-1].blocks == ()


async def test_an_ephemeral_message_is_seen_by_one_person(slack: FakeSlack, client: AsyncWebClient) -> None:
    ada, bob = slack.workspace.user("ada"), slack.workspace.user("bob")
    ada.says("#papers", "hi")

    await client.chat_postEphemeral(channel="#papers", user=ada.id, text="only you")

    assert ([m.text for m in ada.ephemerals], bob.ephemerals) == (["only you"], [])
    error = await refusal(client.chat_postEphemeral(channel="#papers", user=bob.id, text="only you"))
    assert error.response["error"] == "user_not_in_channel"


async def test_an_ephemeral_message_in_a_thread_without_replies_is_never_shown(
    slack: FakeSlack, client: AsyncWebClient, question: Message
) -> None:
    ada = slack.workspace.user("ada")

    await client.chat_postEphemeral(channel="#papers", user=ada.id, text="lost", thread_ts=question.ts)

    assert ada.ephemerals == []


async def test_links_become_previews_unless_both_flags_are_off(slack: FakeSlack, client: AsyncWebClient) -> None:
    loud = await client.chat_postMessage(channel="#papers", text="see https://arxiv.org/abs/1")
    quiet = await post(client, text="see https://arxiv.org/abs/1")

    kept = {message.ts: message.unfurled for message in slack.workspace.messages("#papers")}
    assert kept == {loud["ts"]: True, quiet["ts"]: False}


async def test_a_status_is_shown_until_the_reply_or_two_minutes(
    slack: FakeSlack, client: AsyncWebClient, question: Message
) -> None:
    async def searching() -> None:
        place: dict[str, Any] = {"channel_id": question.channel_id, "thread_ts": question.ts}
        await client.assistant_threads_setStatus(**place, status="is searching…")

    await searching()
    assert list(slack.workspace.store.statuses.values()) == ["is searching…"]
    await post(client, thread_ts=question.ts)
    assert not slack.workspace.store.statuses
    await searching()
    await slack.advance(120)
    assert not slack.workspace.store.statuses


async def test_a_stream_grows_and_ends_after_five_minutes(
    slack: FakeSlack, client: AsyncWebClient, question: Message
) -> None:
    place: dict[str, Any] = {"channel": question.channel_id, "thread_ts": question.ts}
    to: dict[str, Any] = {"recipient_user_id": question.user_id, "recipient_team_id": question.team_id}
    started = await client.chat_startStream(**place, **to, markdown_text="one ")
    await client.chat_appendStream(channel=question.channel_id, ts=started["ts"], markdown_text="two")
    assert (await slack.reply_to(question)).text == "one two"

    await slack.advance(301)

    error = await refusal(client.chat_stopStream(channel=question.channel_id, ts=started["ts"]))
    assert error.response["error"] == "message_not_in_streaming_state"


async def test_the_sixty_first_post_of_a_minute_in_a_channel_is_limited(
    slack: FakeSlack, client: AsyncWebClient
) -> None:
    for _ in range(60):
        await post(client)

    error = await refusal(post(client))

    assert (error.response.status_code, error.response["error"]) == (429, "ratelimited")
    assert error.response.headers["Retry-After"] == "60"
    await post(client, "#general")
    await slack.advance(60)
    await post(client)


async def test_a_limit_can_be_set_by_the_test(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.rates.per_minute["auth.test"] = 1
    await client.auth_test()

    assert (await refusal(client.auth_test())).response["error"] == "ratelimited"


async def test_faults_strike_the_calls_they_are_meant_for(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("chat.postMessage", Error("internal_error"), call=2)

    await post(client, text="first")
    struck = await refusal(post(client, text="second"))
    await post(client, text="third")

    assert struck.response["error"] == "internal_error"
    assert [m.text for m in slack.workspace.messages("#papers")] == ["first", "third"]
    assert [call.struck for call in slack.calls_of("chat.postMessage")] == [False, True, False]


async def test_a_rate_limit_fault_carries_retry_after(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("auth.test", RateLimited(retry_after_s=7))

    error = await refusal(client.auth_test())

    assert (error.response.status_code, error.response.headers["Retry-After"]) == (429, "7")


@pytest.mark.parametrize(("status", "html"), [(500, False), (503, False), (502, True)])
async def test_a_server_error_is_a_status(slack: FakeSlack, client: AsyncWebClient, status: int, html: bool) -> None:
    slack.faults.api("auth.test", HttpStatus(status, html=html))

    assert (await refusal(client.auth_test())).response.status_code == status


async def test_a_call_dropped_before_it_is_applied_leaves_nothing(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("chat.postMessage", DropBefore())

    with pytest.raises(aiohttp.ClientError):
        await post(client)

    assert slack.workspace.messages("#papers") == []


async def test_a_call_dropped_after_it_is_applied_has_happened(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("chat.postMessage", DropAfter())

    with pytest.raises(aiohttp.ClientError):
        await post(client)

    assert len(slack.workspace.messages("#papers")) == 1


async def test_the_sdks_own_retry_turns_one_dropped_call_into_two_messages(slack: FakeSlack) -> None:
    retrying = AsyncWebClient(
        slack.workspace.bot_token, base_url=slack.api_url, retry_handlers=[AsyncConnectionErrorRetryHandler()]
    )
    slack.faults.api("chat.postMessage", DropAfter())

    await post(retrying)

    assert len(slack.workspace.messages("#papers")) == 2


async def test_a_fatal_error_may_have_been_applied(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("chat.postMessage", Error("fatal_error", applied=True))

    assert (await refusal(post(client))).response["error"] == "fatal_error"
    assert len(slack.workspace.messages("#papers")) == 1


async def test_a_slow_answer_comes_when_the_clock_has_moved(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("auth.test", Slow(5))
    call = asyncio.create_task(client.auth_test())
    await slack.until(lambda: bool(slack.calls_of("auth.test")))
    assert not call.done()

    await slack.advance(5)

    assert (await call)["ok"]


async def test_blocks_can_be_refused_while_text_passes(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.faults.api("chat.postMessage", RefuseBlocks())

    assert (await refusal(post(client, blocks=[SECTION]))).response["error"] == "invalid_blocks"
    await post(client, text="only text")
    assert [m.text for m in slack.workspace.messages("#papers")] == ["only text"]


async def test_each_workspace_has_its_own_token_channels_and_bot(slack: FakeSlack, client: AsyncWebClient) -> None:
    other = slack.add_workspace("other")
    elsewhere = client_of(slack, other.bot_token)

    await post(elsewhere, text="over there")

    assert slack.workspace.messages("#papers") == []
    assert [m.text for m in other.messages("#papers")] == ["over there"]
    assert (await elsewhere.auth_test())["user_id"] != (await client.auth_test())["user_id"]


async def test_an_authorization_code_buys_the_bot_token(slack: FakeSlack) -> None:
    client = AsyncWebClient(base_url=slack.api_url)
    given = {"client_id": slack.client_id, "client_secret": slack.client_secret}
    given |= {"code": f"code-{slack.workspace.team_id}"}

    answer = await client.api_call("oauth.v2.access", data=given)

    assert answer["access_token"] == slack.workspace.bot_token
    wrong = client.api_call("oauth.v2.access", data={**given, "client_secret": "guess"})
    assert (await refusal(wrong)).response["error"] == "bad_client_secret"


async def test_blocks_can_be_validated_without_posting(slack: FakeSlack, client: AsyncWebClient) -> None:
    assert (await client.api_call("blocks.validate", json={"blocks": [SECTION]}))["ok"]

    error = await refusal(client.api_call("blocks.validate", json={"blocks": [{"type": "header"}]}))

    assert error.response["errors"][0]["pointer"] == "/0"


async def test_channels_and_people_are_listed_with_the_scopes_for_it(slack: FakeSlack, client: AsyncWebClient) -> None:
    slack.workspace.grant("channels:read", "users:read", "im:write", "reactions:write", "channels:join")
    ada = slack.workspace.user("ada", tz="Asia/Kathmandu")
    message = ada.says("#papers", "hello")
    slack.workspace.channel("#outside", bot=False)

    listed = [channel["name"] for channel in (await client.conversations_list())["channels"]]
    members = (await client.conversations_members(channel=message.channel_id))["members"]
    await client.reactions_add(channel=message.channel_id, timestamp=message.ts, name="eyes")
    await client.conversations_join(channel=slack.workspace.channel("#outside").id)

    assert listed == ["general", "papers", "outside"]
    assert set(members) == {slack.workspace.bot.id, ada.id}
    assert (await client.users_info(user=ada.id))["user"]["tz"] == "Asia/Kathmandu"
    assert (await client.conversations_open(users=ada.id))["channel"]["id"] == ada.dm_channel.id
    assert (await client.conversations_info(channel=slack.workspace.channel("#outside").id))["channel"]["is_member"]
