"""The payloads of clicks, submissions, shortcuts and slash commands, and what an ack to them does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.fakes.slack.courier import Delivery
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Channel, Message, User, View
from tests.fakes.slack.posting import answer_privately
from tests.fakes.slack.store import Prompt, Store
from tests.fakes.slack.views import show_update, view_from
from tests.fakes.slack.wire import JsonObject, as_object

__all__ = ["Interaction", "deliver_command", "deliver_interactive", "people_part", "submission"]


@dataclass(frozen=True, slots=True)
class Interaction:
    """Something a person did, and how the app took it."""

    delivery: Delivery

    @property
    def acked(self) -> bool:
        """Whether the app answered in time."""
        return self.delivery.state == "acked"

    @property
    def failed(self) -> bool:
        """Whether the person saw "that did not work"."""
        return self.delivery.state == "lost"

    @property
    def response(self) -> JsonObject:
        """The payload of the ack, empty for none."""
        return self.delivery.response or {}


def people_part(hub: Hub, store: Store, user: User) -> JsonObject:
    """Return the keys that every interactive payload has."""
    team = {"id": store.team_id, "domain": store.name}
    person = {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id}
    shared = {"enterprise": None, "is_enterprise_install": False, "token": "legacy-verification-token"}
    return {"user": person, "team": team, "api_app_id": hub.app_id, **shared}


def deliver_command(hub: Hub, store: Store, user: User, channel: Channel, *, command: str, text: str) -> Interaction:
    """Deliver a slash command; a payload in the ack is shown to the person, or to all if it says so."""
    url = hub.new_response_url(store, user.id, channel, ts=None, kind="commands")
    payload = {
        "token": "legacy-verification-token",
        "team_id": store.team_id,
        "team_domain": store.name,
        "channel_id": channel.id,
        "channel_name": "directmessage" if channel.kind == "im" else channel.name,
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": hub.app_id,
        "is_enterprise_install": "false",
        "response_url": url,
        "trigger_id": hub.new_trigger(store, user.id),
    }
    delivery = Delivery("slash_commands", command, payload, store.team_id, accepts_response=True)
    delivery.on_ack = lambda body: answer_privately(hub, store, user.id, channel, body, via="ack")
    ts = store.new_ts()
    store.prompts.append(Prompt("slash", channel.id, ts, ts, user.id, f"{command} {text}", addressed=False))
    return Interaction(hub.courier.post(delivery))


def deliver_interactive(
    hub: Hub, store: Store, payload: JsonObject, *, on_ack: Callable[[JsonObject], None] | None = None
) -> Interaction:
    """Deliver a click, a shortcut or a submission."""
    label, accepts = str(payload["type"]), payload["type"] in ("view_submission", "block_suggestion")
    delivery = Delivery("interactive", label, payload, store.team_id, accepts_response=accepts)
    if on_ack is not None:
        delivery.on_ack = on_ack
    return Interaction(hub.courier.post(delivery))


def submission(hub: Hub, store: Store, view: View, errors: dict[str, str]) -> Callable[[JsonObject], None]:
    """Return what the ack of a submission does: it closes, replaces or stacks the view, or fills in *errors*."""

    def apply(response: JsonObject) -> None:
        action = response.get("response_action")
        if action == "errors":
            errors.update({str(k): str(v) for k, v in as_object(response.get("errors")).items()})
            return
        if action == "update":
            show_update(hub, store, view, as_object(response.get("view")))
            return
        if action == "push":
            pushed = view_from(hub, store, as_object(response.get("view")), view.user_id)
            store.views[pushed.id] = replace(pushed, root_id=view.root_id, previous_id=view.id)
            return
        gone = [v.id for v in store.views.values() if v.root_id == view.root_id] if action == "clear" else [view.id]
        for view_id in gone:
            store.views.pop(view_id, None)

    return apply


def message_part(store: Store, message: Message) -> JsonObject:
    """Return the keys that say which message an interaction happened on."""
    channel = store.channels[message.channel_id]
    name = "directmessage" if channel.kind == "im" else channel.name
    return {"channel": {"id": channel.id, "name": name}, "message": message.wire()}
