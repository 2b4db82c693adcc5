"""The app's manifest: what it may do, least privilege, and what each scope is for. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from bot.adapters.slack.names import (
    COMMAND,
    DIGEST_SHORTCUT,
    EVENTS,
    FIND,
    HISTORY_EVENTS,
    INSTALL_EVENTS,
    REACTION_EVENTS,
)

__all__ = ["HISTORY_SCOPES", "METHODS", "SCOPES", "lost_without", "manifest"]

SCOPES: Mapping[str, str] = MappingProxyType(
    {
        "app_mentions:read": "mentions in channels are not heard",
        "assistant:write": "no suggested prompts under Messages",
        "chat:write": "nothing can be answered in channels, threads and direct messages",
        "commands": f"no {COMMAND} and no shortcuts",
        "im:history": "direct messages are not heard",
        "channels:history": "in public channels no follow-ups without a mention, and no look whether a post arrived",
        "groups:history": "in private channels no follow-ups without a mention, and no look whether a post arrived",
        "reactions:read": "reactions to entries of a digest are not noted; their menus are",
    }
)
"""Every scope that is asked for, and what is lost without it."""

HISTORY_SCOPES = ("channels:history", "groups:history", "reactions:read")
"""Those that tell of what people do in channels without turning to the bot."""

METHODS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "apps.connections.open": (),
        "assistant.threads.setStatus": ("chat:write",),
        "assistant.threads.setSuggestedPrompts": ("assistant:write",),
        "auth.test": (),
        "blocks.validate": (),
        "chat.postEphemeral": ("chat:write",),
        "chat.postMessage": ("chat:write",),
        "conversations.history": ("channels:history", "groups:history", "im:history"),
        "conversations.replies": ("channels:history", "groups:history", "im:history"),
        "views.open": (),
        "views.publish": (),
    }
)
"""Every method that is called, and the scopes that it takes: any one of them, by the kind of channel."""


def lost_without(scope: str) -> str:
    """Return what does not work without *scope*."""
    return SCOPES.get(scope, "nothing that is known")


def manifest(*, history: bool = True, http_url: str | None = None, installs: bool = False) -> dict[str, Any]:
    """Return the manifest.

    Args:
        history: Whether to hear every message and reaction of the channels that the bot is in: for follow-ups without
            a mention, and for what people think of entries.
        http_url: Where Slack is to deliver over signed HTTP, instead of over a socket.
        installs: Whether workspaces install the app themselves, by OAuth; then `http_url` says where to come back to.
    """
    scopes = [scope for scope in SCOPES if history or scope not in HISTORY_SCOPES]
    events = [*EVENTS, *((*HISTORY_EVENTS, *REACTION_EVENTS) if history else ()), *(INSTALL_EVENTS if installs else ())]
    address = {} if http_url is None else {"request_url": http_url}
    command = {
        "command": COMMAND,
        "description": "Ask the abstracts, or be told of new ones; only you see the answer",
        "usage_hint": "question | subscribe | settings | digest | help",
        "should_escape": True,
        **({} if http_url is None else {"url": http_url}),
    }
    return {
        "_metadata": {"major_version": 1, "minor_version": 1},
        "display_information": {
            "name": "Pullquote",
            "description": "Answers from paper abstracts, every one a quote",
            "background_color": "#1d3557",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": "pullquote", "always_online": True},
            "agent_view": {"agent_description": "Finds and quotes the abstracts that answer your question."},
            "slash_commands": [command],
            "shortcuts": [
                {
                    "name": "Find entries about this",
                    "type": "message",
                    "callback_id": FIND,
                    "description": "Look for abstracts about a message",
                },
                {
                    "name": "Digest settings",
                    "type": "global",
                    "callback_id": DIGEST_SHORTCUT,
                    "description": "Be told of new papers daily",
                },
            ],
        },
        "oauth_config": {"scopes": {"bot": scopes}, **_redirect(http_url if installs else None)},
        "settings": {
            "event_subscriptions": {**address, "bot_events": events},
            "interactivity": {"is_enabled": True, **address},
            "org_deploy_enabled": False,
            "socket_mode_enabled": http_url is None,
            "token_rotation_enabled": False,
        },
    }


def _redirect(http_url: str | None) -> dict[str, list[str]]:
    if http_url is None:
        return {}
    parts = urlsplit(http_url)
    return {"redirect_urls": [f"{parts.scheme}://{parts.netloc}/slack/oauth_redirect"]}
