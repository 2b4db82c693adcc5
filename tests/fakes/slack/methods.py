"""The table of Web API methods: what each needs, and what a call of it carries."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Channel, ChannelKind, Message, User
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject, RefusedError

__all__ = ["METHODS", "Call", "Handler", "Method", "known_arguments", "method"]

_HISTORY: Mapping[ChannelKind, str] = {
    "public": "channels:history",
    "private": "groups:history",
    "im": "im:history",
    "mpim": "mpim:history",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One call, with its token already looked up.

    Attributes:
        arguments: Query, form and JSON body merged; JSON inside strings is decoded.
    """

    hub: Hub
    store: Store
    arguments: JsonObject

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string argument.

        Raises:
            RefusedError: `invalid_arguments` when it is missing and there is no default.
        """
        value = self.arguments.get(name, default)
        if value is None or value == "":
            if default is not None:
                return default
            message = f"[ERROR] missing required field: {name}"
            raise RefusedError("invalid_arguments", response_metadata={"messages": [message]})
        return str(value)

    def flag(self, name: str) -> bool:
        """Return a yes-or-no argument, false when missing."""
        return self.arguments.get(name) in (True, 1, "1", "true", "True")

    def number(self, name: str, default: int) -> int:
        """Return a whole-number argument, its default when missing or not one."""
        value = str(self.arguments.get(name, ""))
        return int(value) if value.isdecimal() else default

    def needs(self, *scopes: str) -> None:
        """Check that the token has one of *scopes*.

        Raises:
            RefusedError: `missing_scope`, with what is needed and what was provided.
        """
        if not self.store.scopes.intersection(scopes):
            provided = ",".join(sorted(self.store.scopes))
            raise RefusedError("missing_scope", needed=scopes[0], provided=provided)

    def channel(self, name: str = "channel") -> Channel:
        """Return the channel that an argument names, as far as the bot can see it.

        Raises:
            RefusedError: `channel_not_found`, also for a private channel that the bot is not in.
        """
        found = self.store.find_channel(self.text(name))
        if found is None or (found.kind != "public" and not self.store.bot_in(found)):
            raise RefusedError("channel_not_found")
        return found

    def readable_channel(self) -> Channel:
        """Return the channel whose history is asked for.

        Raises:
            RefusedError: `channel_not_found`, `missing_scope` or `not_in_channel`.
        """
        channel = self.channel()
        self.needs(_HISTORY[channel.kind])
        if not self.store.bot_in(channel):
            raise RefusedError("not_in_channel")
        return channel

    def user(self, name: str = "user") -> User:
        """Return the user that an argument names.

        Raises:
            RefusedError: `user_not_found`.
        """
        user = self.store.users.get(self.text(name))
        if user is None:
            raise RefusedError("user_not_found")
        return user

    def message(self, channel: Channel, name: str = "ts", error: str = "message_not_found") -> Message:
        """Return the message that an argument names.

        Raises:
            RefusedError: *error* when it is not there.
        """
        message = self.store.message(channel.id, self.text(name))
        if message is None:
            raise RefusedError(error)
        return message


Handler: TypeAlias = Callable[[Call], JsonObject]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of the Web API.

    Attributes:
        scopes: Any one of these is enough; none needed when empty.
        token: Whose token it takes.
    """

    name: str
    handler: Handler
    scopes: tuple[str, ...]
    token: Literal["bot", "app", "none"]


METHODS: dict[str, Method] = {}


def method(name: str, *scopes: str, token: Literal["bot", "app", "none"] = "bot") -> Callable[[Handler], Handler]:
    """Register a handler under a method's name."""

    def register(handler: Handler) -> Handler:
        METHODS[name] = Method(name, handler, scopes, token)
        return handler

    return register


_ALWAYS = frozenset({"token", "team_id", "kwargs", "self", "app_token", "_prev_view"})


def known_arguments(name: str) -> frozenset[str] | None:
    """Return the arguments that the SDK's own function for a method names; None when it has no such function."""
    function = getattr(AsyncWebClient, name.replace(".", "_"), None)
    return None if function is None else frozenset(inspect.signature(function).parameters) | _ALWAYS
