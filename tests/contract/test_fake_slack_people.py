"""What people do on the fake reaches Bolt's listeners of every kind, in the shapes that they expect."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from tests.fakes.slack import FakeSlack, Manifest, Message, NotPossibleError, Person
from tests.fakes.slack.bolted import bolt_app, client_of, running
from tests.fakes.slack.manifest import DEFAULT_MANIFEST


def plain(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


OPTIONS = [{"text": plain(name), "value": name.lower()} for name in ("ICLR", "NeurIPS")]
FEEDBACK = {
    "type": "feedback_buttons",
    "action_id": "feedback",
    "positive_button": {"text": plain("Good"), "value": "good"},
    "negative_button": {"text": plain("Bad"), "value": "bad"},
}
BUTTONS = [
    {
        "type": "actions",
        "block_id": "row",
        "elements": [
            {"type": "button", "text": plain("More"), "action_id": "more", "value": "answer-1"},
            {"type": "static_select", "action_id": "venue", "options": OPTIONS},
        ],
    },
    {"type": "context_actions", "block_id": "marks", "elements": [FEEDBACK]},
]


def modal(title: str = "Digest", **more: Any) -> dict[str, Any]:
    text = {"type": "plain_text", "text": title}
    blocks = [
        {
            "type": "input",
            "block_id": "time",
            "label": {"type": "plain_text", "text": "When"},
            "element": {"type": "timepicker", "action_id": "at", "initial_time": "09:00"},
        },
        {
            "type": "input",
            "block_id": "topic",
            "label": {"type": "plain_text", "text": "Topic"},
            "element": {"type": "plain_text_input", "action_id": "words"},
        },
    ]
    return {"type": "modal", "callback_id": "digest", "title": text, "submit": text, "blocks": blocks, **more}


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        yield slack


@pytest.fixture
def ada(slack: FakeSlack) -> Person:
    return slack.workspace.user("ada")


@pytest.fixture
async def app(slack: FakeSlack) -> AsyncIterator[AsyncApp]:
    app = bolt_app(slack)

    @app.event("message")
    async def message() -> None: ...

    @app.event("app_mention")
    async def mention() -> None: ...

    async with running(slack, app):
        yield app


async def answer(slack: FakeSlack, question: Message, **more: Any) -> Message:
    client = client_of(slack)
    flags: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}
    channel = question.channel_id
    posted = await client.chat_postMessage(channel=channel, thread_ts=question.ts, text="answer", **flags, **more)
    message = slack.workspace.store.message(channel, posted["ts"])
    assert message is not None
    return message


async def test_what_is_typed_becomes_slacks_own_markup(slack: FakeSlack, ada: Person) -> None:
    bob = slack.workspace.user("bob")

    said = ada.says("#general", "@bob & @here: is 1 < 2? see #papers, https://x.org/?a=1&b=2, a@b.c and @nobody")

    papers = slack.workspace.channel("#papers")
    assert said.text == (
        f"<@{bob.id}> &amp; <!here>: is 1 &lt; 2? see <#{papers.id}|papers>, "
        "<https://x.org/?a=1&amp;b=2>, a@b.c and @nobody"
    )


async def test_a_thread_reply_names_the_root_and_its_author(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    root = ada.says("#papers", "root")
    reply = slack.workspace.user("bob").says("#papers", "reply", thread=root)
    await slack.quiet()

    event = slack.deliveries[-1].payload["event"]
    assert (event["ts"], event["thread_ts"], event["parent_user_id"]) == (reply.ts, root.ts, ada.id)


async def test_a_reply_can_be_awaited(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    question = ada.says("#papers", "@pullquote hello")
    posted = await answer(slack, question)

    assert await slack.reply_to(question) == posted


async def test_a_slash_command_is_acked_and_answered_over_its_response_url(
    slack: FakeSlack, ada: Person, app: AsyncApp
) -> None:
    @app.command("/pullquote")
    async def command(ack: Any, respond: Any, command: dict[str, Any]) -> None:
        await ack("looking")
        await respond(text=f"found {command['text']}", response_type="in_channel", unfurl_links=False)

    used = ada.slash("/pullquote", "@ada transformers", channel="#papers")
    await slack.quiet()

    assert used.acked
    assert [message.text for message in ada.ephemerals] == ["looking"]
    assert [message.text for message in slack.workspace.messages("#papers")] == [f"found <@{ada.id}> transformers"]


async def test_a_command_that_nobody_acks_fails_for_the_person(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    @app.command("/pullquote")
    async def command() -> None: ...

    used = ada.slash("/pullquote")
    await slack.settle_own()
    await slack.advance(3)

    assert used.failed
    assert len(used.delivery.attempts) == 1


async def test_a_response_url_can_be_used_five_times(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    statuses: list[int] = []

    @app.command("/pullquote")
    async def command(ack: Any, respond: Any) -> None:
        await ack()
        statuses.extend([(await respond(text=f"number {n}")).status_code for n in range(6)])

    ada.slash("/pullquote")
    await slack.until(lambda: len(statuses) == 6)

    assert statuses == [200] * 5 + [404]


async def test_a_button_sends_its_value_message_and_place(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    seen: list[dict[str, Any]] = []

    @app.action("more")
    async def more(ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        await ack()
        seen.extend((body, action))

    message = await answer(slack, ada.says("#papers", "@pullquote hello"), blocks=BUTTONS)
    clicked = ada.clicks(message, "more")
    await slack.quiet()

    body, action = seen
    assert clicked.acked
    assert (action["value"], action["block_id"]) == ("answer-1", "row")
    assert (body["container"]["message_ts"], body["channel"]["name"]) == (message.ts, "papers")


@pytest.mark.parametrize(("action", "value"), [("feedback", "bad"), ("venue", "neurips")])
async def test_feedback_and_menus_send_what_was_chosen(
    slack: FakeSlack, ada: Person, app: AsyncApp, action: str, value: str
) -> None:
    chosen: list[dict[str, Any]] = []

    @app.action(action)
    async def listener(ack: Any, action: dict[str, Any]) -> None:
        await ack()
        chosen.append(action)

    message = await answer(slack, ada.says("#papers", "@pullquote hello"), blocks=BUTTONS)
    ada.clicks(message, action, value=value)
    await slack.quiet()

    assert chosen[0].get("value", chosen[0].get("selected_option", {}).get("value")) == value


async def test_of_several_menus_with_one_action_the_one_that_has_the_value_is_used(
    slack: FakeSlack, ada: Person, app: AsyncApp
) -> None:
    chosen: list[dict[str, Any]] = []

    @app.action("entry")
    async def listener(ack: Any, action: dict[str, Any]) -> None:
        await ack()
        chosen.append(action)

    menus = [
        {
            "type": "section",
            "block_id": f"entry {n}",
            "text": plain(f"Entry {n}"),
            "accessory": {
                "type": "overflow",
                "action_id": "entry",
                "options": [{"text": plain("Save"), "value": f"save:{n}"}],
            },
        }
        for n in (1, 2)
    ]
    message = await answer(slack, ada.says("#papers", "@pullquote hello"), blocks=menus)
    ada.clicks(message, "entry", value="save:2")
    await slack.quiet()

    assert [(one["block_id"], one["selected_option"]["value"]) for one in chosen] == [("entry 2", "save:2")]
    with pytest.raises(LookupError):
        ada.clicks(message, "entry", value="save:3")


async def test_a_click_can_replace_the_message(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    @app.action("more")
    async def more(ack: Any, respond: Any) -> None:
        await ack()
        await respond(text="replaced", replace_original=True)

    message = await answer(slack, ada.says("#papers", "@pullquote hello"), blocks=BUTTONS)
    ada.clicks(message, "more")
    await slack.quiet()

    now = slack.workspace.current(message)
    assert now is not None
    assert (now.text, now.blocks) == ("replaced", ())


async def test_a_modal_is_opened_refused_and_saved(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    saved: list[Any] = []

    @app.shortcut("digest_settings")
    async def shortcut(ack: Any, client: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal())

    @app.view("digest")
    async def submission(ack: Any, view: dict[str, Any]) -> None:
        values = view["state"]["values"]
        if not values["topic"]["words"]["value"]:
            await ack(response_action="errors", errors={"topic": "say what about"})
        else:
            saved.append((values["time"]["at"]["selected_time"], values["topic"]["words"]["value"]))
            await ack()

    ada.shortcut("digest_settings")
    await slack.until(lambda: bool(ada.views))
    ada.submits()
    await slack.quiet()
    assert (ada.errors, len(ada.views)) == ({"topic": "say what about"}, 1)
    ada.submits(values={"words": "graphs"})
    await slack.quiet()

    assert (saved, ada.views, ada.errors) == ([("09:00", "graphs")], [], {})


@pytest.mark.parametrize(("action", "open_views"), [("update", 1), ("push", 2), ("clear", 0)])
async def test_a_submission_can_update_push_or_clear(
    slack: FakeSlack, ada: Person, app: AsyncApp, action: str, open_views: int
) -> None:
    @app.shortcut("digest_settings")
    async def shortcut(ack: Any, client: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal())

    @app.view("digest")
    async def submission(ack: Any) -> None:
        await ack(response_action=action, view=None if action == "clear" else modal("Second"))

    ada.shortcut("digest_settings")
    await slack.until(lambda: bool(ada.views))
    ada.submits(values={"words": "graphs"})
    await slack.quiet()

    titles = [view.body["title"]["text"] for view in ada.views]
    assert titles[-1:] == ["Second"][:open_views]
    assert len(titles) == open_views


async def test_a_trigger_opens_one_modal_within_three_seconds(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    triggers: list[str] = []

    @app.shortcut("digest_settings")
    async def shortcut(ack: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        triggers.append(shortcut["trigger_id"])

    async def opened(trigger: str) -> Any:
        return (await client_of(slack).api_call("views.open", json={"trigger_id": trigger, "view": modal()})).data

    async def error(trigger: str) -> str:
        with pytest.raises(Exception, match="trigger") as caught:
            await opened(trigger)
        return str(caught.value.response["error"])  # type: ignore[attr-defined]

    ada.shortcut("digest_settings")
    ada.shortcut("digest_settings")
    await slack.quiet()
    assert (await opened(triggers[0]))["ok"]
    assert await error(triggers[0]) == "exchanged_trigger_id"
    await slack.advance(4)
    assert await error(triggers[1]) == "expired_trigger_id"
    assert await error("made-up") == "invalid_trigger_id"


async def test_a_message_shortcut_carries_the_message(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    texts: list[str] = []

    @app.shortcut("find_papers")
    async def shortcut(ack: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        texts.append(shortcut["message"]["text"])

    ada.shortcut("find_papers", on=ada.says("#papers", "attention is fun"))
    await slack.quiet()

    assert texts == ["attention is fun"]


async def test_the_home_tab_is_published_when_opened(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], client: Any) -> None:
        if event["tab"] == "home":
            await client.views_publish(user_id=event["user"], view={"type": "home", "blocks": BUTTONS[:1]})
        else:
            prompts = [{"title": "New", "message": "What is new?"}]
            await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)

    clicks: list[str] = []

    @app.action("more")
    async def more(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        clicks.append(body["container"]["type"])

    ada.opens_home()
    ada.opens_home("messages")
    await slack.quiet()
    assert ada.home is not None
    ada.clicks_in_view(ada.home, "more")
    await slack.quiet()

    assert clicks == ["view"]
    assert slack.workspace.store.suggested[ada.dm_channel.id][0]["title"] == "New"


async def test_a_closed_modal_is_told_when_the_app_asked_for_it(slack: FakeSlack, ada: Person, app: AsyncApp) -> None:
    closed: list[str] = []

    @app.shortcut("digest_settings")
    async def shortcut(ack: Any, client: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        await client.views_open(trigger_id=shortcut["trigger_id"], view=modal(notify_on_close=True))

    @app.view_closed("digest")
    async def dismissed(ack: Any, view: dict[str, Any]) -> None:
        await ack()
        closed.append(view["id"])

    ada.shortcut("digest_settings")
    await slack.until(lambda: bool(ada.views))
    view = ada.views[0]
    ada.closes(view)
    await slack.quiet()

    assert (closed, ada.views) == ([view.id], [])


async def test_reactions_and_membership_are_told_to_whoever_subscribes() -> None:
    settings = {"event_subscriptions": {"bot_events": ["reaction_added", "member_joined_channel"]}}
    scopes = {"scopes": {"bot": ["reactions:read", "channels:read"]}}
    manifest = Manifest.parse({**DEFAULT_MANIFEST, "settings": settings, "oauth_config": scopes})
    async with FakeSlack(manifest) as slack:
        ada = slack.workspace.user("ada")
        ada.reacts(ada.says("#papers", "hello"), "eyes")
        slack.workspace.channel("#new", bot=False)
        slack.workspace.invite_bot("#new")

        events = [delivery.payload["event"] for delivery in slack.deliveries]

    assert [event["type"] for event in events] == ["reaction_added", "member_joined_channel"]
    assert (events[0]["reaction"], events[1]["user"]) == ("eyes", slack.workspace.bot.id)


def test_a_manifest_that_subscribes_without_the_scope_is_refused() -> None:
    settings = {"event_subscriptions": {"bot_events": ["message.channels"]}}

    with pytest.raises(ValueError, match="channels:history"):
        Manifest.parse({"settings": settings})


async def test_a_person_cannot_do_what_is_not_there(slack: FakeSlack, ada: Person) -> None:
    message = await answer(slack, ada.says("#papers", "@pullquote hello"), blocks=BUTTONS)
    slack.workspace.channel("#secret", kind="private")
    slack.workspace.archive("#general")

    for impossible in (
        lambda: ada.clicks(message, "less"),
        lambda: ada.clicks(message),
        lambda: ada.slash("/other"),
        lambda: ada.shortcut("find_papers"),
        lambda: ada.says("#secret", "hello"),
        lambda: ada.says("#general", "hello"),
        lambda: ada.says("#nowhere", "hello"),
        ada.submits,
        lambda: ada.edits(message, "mine now"),
    ):
        with pytest.raises(NotPossibleError):
            impossible()


async def test_another_bot_writes_with_a_bot_id(slack: FakeSlack, app: AsyncApp) -> None:
    slack.workspace.user("rival", is_bot=True).posts_as_bot("#papers", "@pullquote what do you think?")
    await slack.quiet()

    events = [delivery.payload["event"] for delivery in slack.deliveries]
    assert [event["type"] for event in events] == ["app_mention", "message"]
    assert all(event["bot_id"] for event in events)
