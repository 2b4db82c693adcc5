"""Modals and Home tabs: what is open in front of whom."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.slack.blocks import with_ids
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import View
from tests.fakes.slack.posting import refused_blocks
from tests.fakes.slack.store import Store
from tests.fakes.slack.view_check import check_view
from tests.fakes.slack.wire import JsonObject

__all__ = ["checked_view", "show_update", "view_from"]


def checked_view(hub: Hub, body: JsonObject) -> JsonObject:
    """Return a view's body with the ids that Slack fills in.

    Raises:
        RefusedError: `invalid_arguments` with JSON pointers, when Slack would not take it.
    """
    misfits = check_view(body)
    if misfits:
        raise refused_blocks("invalid_arguments", misfits)
    return {**body, "blocks": [with_ids(block, hub.ids) for block in body["blocks"]]}


def view_from(hub: Hub, store: Store, body: JsonObject, user_id: str) -> View:
    """Return a new view in front of a user; it stands on its own until stacked."""
    view_id = hub.ids.next("V")
    return View(view_id, user_id, store.team_id, f"{hub.ids.number()}.h", checked_view(hub, body), view_id)


def show_update(hub: Hub, store: Store, view: View, body: JsonObject) -> View:
    """Replace what an open view shows."""
    updated = replace(view, body=checked_view(hub, body), hash=f"{hub.ids.number()}.h")
    if store.homes.get(view.user_id, view).id == view.id and body.get("type") == "home":
        store.homes[view.user_id] = updated
    else:
        store.views[view.id] = updated
    hub.activity.note()
    return updated
