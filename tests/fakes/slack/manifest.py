"""What the app declares about itself: the manifest file decides which events and methods it gets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.slack.wire import JsonObject, as_object

__all__ = ["DEFAULT_MANIFEST", "EVENT_SCOPES", "Manifest"]

# The scope without which Slack refuses a subscription to the event.
EVENT_SCOPES: Mapping[str, str] = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    "member_joined_channel": "channels:read",
    "member_left_channel": "channels:read",
    "channel_archive": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_rename": "channels:read",
}

DEFAULT_MANIFEST: JsonObject = {
    "_metadata": {"major_version": 1, "minor_version": 1},
    "display_information": {"name": "Pullquote"},
    "features": {
        "app_home": {"home_tab_enabled": True, "messages_tab_enabled": True, "messages_tab_read_only_enabled": False},
        "bot_user": {"display_name": "pullquote", "always_online": True},
        "agent_view": {"agent_description": "Finds and quotes abstracts."},
        "slash_commands": [{"command": "/pullquote", "description": "Ask", "should_escape": True}],
        "shortcuts": [
            {"name": "Digest settings", "type": "global", "callback_id": "digest_settings", "description": "Digest"},
            {"name": "Find papers about this", "type": "message", "callback_id": "find_papers", "description": "Find"},
        ],
    },
    "oauth_config": {
        "scopes": {
            "bot": [
                "app_mentions:read",
                "assistant:write",
                "chat:write",
                "commands",
                "im:history",
                "channels:history",
                "groups:history",
            ]
        }
    },
    "settings": {
        "event_subscriptions": {
            "bot_events": ["app_home_opened", "app_mention", "message.im", "message.channels", "message.groups"]
        },
        "interactivity": {"is_enabled": True},
        "socket_mode_enabled": True,
    },
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The parts of a manifest that change how Slack treats the app.

    Attributes:
        name: The app's name, as people see it.
        bot_name: What people type after "@".
        scopes: Scopes that the bot token is given at installation.
        events: Events that the app subscribes to.
        commands: Slash commands, with the slash.
        should_escape: Commands whose text carries mentions as identifiers.
        shortcuts: Kind ("global" or "message") by callback id.
        interactive: Whether clicks and submissions are delivered.
        socket_mode: Whether the app may open sockets.
        agent: Whether the app is declared as an agent.
    """

    name: str
    bot_name: str
    scopes: frozenset[str]
    events: frozenset[str]
    commands: frozenset[str] = frozenset()
    should_escape: frozenset[str] = frozenset()
    shortcuts: tuple[tuple[str, str], ...] = ()
    interactive: bool = True
    socket_mode: bool = True
    agent: bool = False

    def __post_init__(self) -> None:
        for event in sorted(self.events):
            scope = EVENT_SCOPES.get(event)
            if scope is not None and scope not in self.scopes:
                raise ValueError(f'the manifest subscribes to "{event}" without the scope "{scope}"')

    @classmethod
    def parse(cls, manifest: Mapping[str, Any]) -> Manifest:
        """Read the keys that matter here from a manifest in Slack's JSON form.

        Raises:
            ValueError: If an event is subscribed to whose scope is not asked for.
        """
        features, settings = as_object(manifest.get("features")), as_object(manifest.get("settings"))
        commands = [as_object(command) for command in features.get("slash_commands", [])]
        name = str(as_object(manifest.get("display_information")).get("name", "App"))
        return cls(
            name=name,
            bot_name=str(as_object(features.get("bot_user")).get("display_name", name)),
            scopes=frozenset(as_object(as_object(manifest.get("oauth_config")).get("scopes")).get("bot", [])),
            events=frozenset(as_object(settings.get("event_subscriptions")).get("bot_events", [])),
            commands=frozenset(command["command"] for command in commands),
            should_escape=frozenset(command["command"] for command in commands if command.get("should_escape")),
            shortcuts=tuple((s["callback_id"], s["type"]) for s in features.get("shortcuts", [])),
            interactive=bool(as_object(settings.get("interactivity")).get("is_enabled", False)),
            socket_mode=bool(settings.get("socket_mode_enabled", False)),
            agent="agent_view" in features,
        )

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read a manifest file in JSON."""
        return cls.parse(json.loads(path.read_text(encoding="utf-8")))
