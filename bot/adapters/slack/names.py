"""The names under which Slack and this program know each other's parts; the manifest is made from them."""

from __future__ import annotations

__all__ = [
    "ASK",
    "COMMAND",
    "DIGEST",
    "DIGEST_ENTRY",
    "DIGEST_METADATA",
    "DIGEST_MODAL",
    "DIGEST_MUTE",
    "DIGEST_SETTINGS",
    "DIGEST_SHORTCUT",
    "EVENTS",
    "FEEDBACK",
    "FIND",
    "HISTORY_EVENTS",
    "INSTALL_EVENTS",
    "METADATA",
    "REACTION_EVENTS",
    "REASON",
    "REASON_MODAL",
]

COMMAND = "/pullquote"
FIND = "find_entries"
"""The message shortcut."""

ASK = "ask"
"""Buttons that ask something in the conversation; "ask:more" is one. Their value is the message."""

FEEDBACK = "feedback"
REASON = "feedback_reason"
"""The button that opens the modal in which one says what was wrong."""

REASON_MODAL = "feedback_reason_given"
METADATA = "pullquote_answer"
DIGEST_METADATA = "pullquote_digest"
DIGEST = "digest"
DIGEST_SETTINGS = "digest_settings"
"""The button that opens the modal of a digest's settings; the Home tab has it too."""

DIGEST_MUTE = "digest_mute"
DIGEST_ENTRY = "digest_entry"
"""The menu of an entry in a digest."""

DIGEST_MODAL = "digest_set"
DIGEST_SHORTCUT = "digest_shortcut"
"""The global shortcut that opens the same modal."""

EVENTS = ("app_home_opened", "app_mention", "message.im")
INSTALL_EVENTS = ("app_uninstalled", "tokens_revoked")
"""Of use only where workspaces install the app themselves."""

HISTORY_EVENTS = ("message.channels", "message.groups")
"""Needed for follow-ups without a mention only; they deliver every message of every channel that the bot is in."""

REACTION_EVENTS = ("reaction_added", "reaction_removed")
"""What people think of the entry that a message of a digest shows; they come for every message of those channels."""
