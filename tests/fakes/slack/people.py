"""The person's side: everything that somebody in the workspace can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tests.fakes.slack.blocks import interactive_elements
from tests.fakes.slack.compose import as_typed
from tests.fakes.slack.interactions import (
    Interaction,
    deliver_command,
    deliver_interactive,
    message_part,
    people_part,
    submission,
)
from tests.fakes.slack.model import Message, View
from tests.fakes.slack.seat import NotPossibleError
from tests.fakes.slack.store import Prompt
from tests.fakes.slack.view_state import Values, action_of, state_of, values_of
from tests.fakes.slack.wire import JsonObject
from tests.fakes.slack.writing import Writer

__all__ = ["NotPossibleError", "Person"]


@dataclass(slots=True)
class Person(Writer):
    """Somebody in the workspace. Each verb takes effect at once; the app hears of it over its transport."""

    def slash(self, command: str, text: str = "", *, channel: str | None = None) -> Interaction:
        """Type a slash command, in the app's own conversation unless a channel is named.

        Raises:
            NotPossibleError: If the manifest declares no such command.
        """
        if command not in self.hub.manifest.commands:
            raise NotPossibleError(f"{command} is not a valid command")
        place = self.channel(channel) if channel else self.dm_channel
        escapes = command in self.hub.manifest.should_escape
        typed = as_typed(text, self.store) if escapes else text
        return deliver_command(self.hub, self.store, self.user, place, command=command, text=typed)

    def clicks(self, message: Message, action: str | None = None, *, value: str | None = None) -> Interaction:
        """Use a button, menu or feedback button of a message.

        Args:
            message: Where it stands.
            action: Its action id; the only element of the message when omitted.
            value: What is chosen: an option's value, or the value of one of two feedback buttons. Of several elements
                with the same action id, the first that has it is used.

        Raises:
            NotPossibleError: If the message has no such element, or the element no such value.
        """
        current = self.store.message(message.channel_id, message.ts) or message
        chosen = self._element(list(current.blocks), action, value)
        payload = people_part(self.hub, self.store, self.user) | message_part(self.store, current)
        kind = {"type": "message", "message_ts": current.ts, "channel_id": current.channel_id}
        if current.thread_ts:
            kind["thread_ts"] = current.thread_ts
        place = self.store.channels[current.channel_id]
        url = self.hub.new_response_url(self.store, self.id, place, ts=current.ts, kind="actions")
        payload |= {"type": "block_actions", "container": {**kind, "is_ephemeral": current.visible_to is not None}}
        payload |= {"actions": [chosen], "response_url": url, "state": {"values": {}}}
        payload["trigger_id"] = self.hub.new_trigger(self.store, self.id)
        self._prompt("click", current.channel_id, current.root_ts, str(chosen.get("value", "")))
        return deliver_interactive(self.hub, self.store, payload)

    def clicks_in_view(self, view: View, action: str | None = None, *, value: str | None = None) -> Interaction:
        """Use a button or menu of a modal or of the Home tab."""
        chosen = self._element(view.body["blocks"], action, value)
        payload = people_part(self.hub, self.store, self.user)
        payload |= {"type": "block_actions", "container": {"type": "view", "view_id": view.id}, "actions": [chosen]}
        payload |= {"view": self._wire(view, {}), "trigger_id": self.hub.new_trigger(self.store, self.id)}
        return deliver_interactive(self.hub, self.store, payload)

    def _element(self, blocks: list[JsonObject], action: str | None, value: str | None) -> JsonObject:
        there = list(interactive_elements(blocks))
        fitting = [(block, part) for block, part in there if action in (None, part["action_id"])]
        if not fitting or (action is None and len(fitting) > 1):
            names = ", ".join(part["action_id"] for _, part in there) or "none"
            raise NotPossibleError(f"which one? wanted {action}, there are: {names}")
        block_id, part = next(((block, part) for block, part in fitting if value in values_of(part)), fitting[0])
        return action_of(part, block_id, value, ts=self.store.new_ts())

    def _prompt(self, kind: Literal["click", "shortcut"], channel_id: str, root_ts: str, text: str) -> None:
        prompt = Prompt(kind, channel_id, root_ts, self.store.new_ts(), self.id, text, addressed=False)
        self.store.prompts.append(prompt)

    def _wire(self, view: View, state: JsonObject) -> JsonObject:
        return view.wire(app_id=self.hub.app_id, bot_id=str(self.store.bot.bot_id), state=state)

    def submits(self, view: View | None = None, values: Mapping[str, Values] | None = None) -> Interaction:
        """Fill in and submit a modal, the topmost one unless told otherwise.

        Args:
            view: Which.
            values: What is entered, by action id or block id; the rest keeps its initial value.

        Raises:
            NotPossibleError: If no modal is open, or it has no such field.
        """
        if view is None and not self.views:
            raise NotPossibleError("no modal is open")
        shown = view or self.views[-1]
        self.errors = {}
        try:
            state = state_of(shown.body["blocks"], values or {})
        except LookupError as missing:
            raise NotPossibleError(str(missing)) from missing
        payload = people_part(self.hub, self.store, self.user)
        payload |= {"type": "view_submission", "view": self._wire(shown, state), "response_urls": []}
        payload["trigger_id"] = self.hub.new_trigger(self.store, self.id)
        applies = submission(self.hub, self.store, shown, self.errors)
        return deliver_interactive(self.hub, self.store, payload, on_ack=applies)

    def closes(self, view: View) -> Interaction | None:
        """Dismiss a modal; the app hears of it if it asked to."""
        self.store.views.pop(view.id, None)
        if not view.body.get("notify_on_close"):
            return None
        payload = people_part(self.hub, self.store, self.user)
        payload |= {"type": "view_closed", "view": self._wire(view, {}), "is_cleared": False}
        return deliver_interactive(self.hub, self.store, payload)

    def shortcut(self, callback_id: str, *, on: Message | None = None) -> Interaction:
        """Use a shortcut: a global one, or one *on* a message.

        Raises:
            NotPossibleError: If the manifest declares no such shortcut of that kind.
        """
        if (callback_id, "message" if on else "global") not in self.hub.manifest.shortcuts:
            raise NotPossibleError(f"there is no shortcut {callback_id} {'on messages' if on else 'of that kind'}")
        payload = people_part(self.hub, self.store, self.user) | {"callback_id": callback_id}
        payload |= {"action_ts": self.store.new_ts(), "trigger_id": self.hub.new_trigger(self.store, self.id)}
        payload["type"] = "message_action" if on else "shortcut"
        if on:
            place = self.store.channels[on.channel_id]
            url = self.hub.new_response_url(self.store, self.id, place, ts=on.ts, kind="actions")
            payload |= message_part(self.store, on) | {"message_ts": on.ts, "response_url": url}
            self._prompt("shortcut", on.channel_id, on.root_ts, callback_id)
        return deliver_interactive(self.hub, self.store, payload)

    def opens_home(self, tab: str = "home") -> None:
        """Look at the app's Home tab, or at its Messages tab."""
        event: JsonObject = {"type": "app_home_opened", "user": self.id, "channel": self.dm_channel.id, "tab": tab}
        if tab == "home" and self.home is not None:
            event["view"] = self._wire(self.home, {})
        self.hub.publish(self.store, "app_home_opened", {**event, "event_ts": self.store.new_ts()})
        self.hub.activity.note()
