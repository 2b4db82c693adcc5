"""The modal in which somebody says what was wrong with an answer, and the line that offers it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.adapters.slack.names import REASON, REASON_MODAL
from bot.adapters.slack.rich import Block

__all__ = ["offer", "reason_in", "reason_modal"]

_FIELD = "reason"


def offer(key: str) -> dict[str, Any]:
    """Return what only the person sees who did not find an answer helpful: thanks, and a button."""
    text = "Thank you, that is noted."
    button = {
        "type": "button",
        "action_id": REASON,
        "text": _plain("Say what was wrong"),
        "value": key,
        "accessibility_label": "Open a form to say what was wrong with the answer",
    }
    section = {"type": "section", "text": _plain(text), "accessory": button}
    return {"response_type": "ephemeral", "replace_original": False, "text": text, "blocks": [section]}


def reason_modal(key: str) -> Block:
    """Return the modal for the answer named *key*."""
    field = {"type": "plain_text_input", "action_id": _FIELD, "multiline": True, "max_length": 1000}
    label = _plain("What was wrong, or what did you expect?")
    return {
        "type": "modal",
        "callback_id": REASON_MODAL,
        "private_metadata": key,
        "title": _plain("About this answer"),
        "submit": _plain("Send"),
        "close": _plain("Cancel"),
        "blocks": [{"type": "input", "block_id": _FIELD, "label": label, "element": field}],
    }


def reason_in(view: Mapping[str, Any]) -> tuple[str, str]:
    """Return the key of the answer and what was said of it, from a submitted modal."""
    values = (view.get("state") or {}).get("values") or {}
    said = ((values.get(_FIELD) or {}).get(_FIELD) or {}).get("value")
    return str(view.get("private_metadata") or ""), str(said or "").strip()


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text, "emoji": False}
