"""views.*: opening and changing modals, publishing the Home tab; blocks.validate."""

from __future__ import annotations

from dataclasses import replace

from tests.fakes.slack.blocks import check_blocks
from tests.fakes.slack.hub import TriggerId
from tests.fakes.slack.methods import Call, method
from tests.fakes.slack.model import View
from tests.fakes.slack.view_check import check_view
from tests.fakes.slack.views import show_update, view_from
from tests.fakes.slack.wire import JsonObject, RefusedError, as_object

__all__: list[str] = []


def _trigger(call: Call) -> TriggerId:
    trigger = call.hub.triggers.get(call.text("trigger_id"))
    if trigger is None or trigger.store is not call.store:
        raise RefusedError("invalid_trigger_id")
    if trigger.used:
        raise RefusedError("exchanged_trigger_id")
    if call.hub.clock.now() > trigger.expires_at:
        raise RefusedError("expired_trigger_id")
    return trigger


def _body(call: Call, kind: str) -> JsonObject:
    body = as_object(call.arguments.get("view"))
    if body.get("type") != kind:
        reason = f"must be of type {kind} [json-pointer:/view/type]"
        raise RefusedError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {reason}"]})
    return body


def _shown(call: Call, view: View) -> JsonObject:
    return {"view": view.wire(app_id=call.hub.app_id, bot_id=str(call.store.bot.bot_id))}


@method("views.open")
def _open(call: Call) -> JsonObject:
    trigger = _trigger(call)
    view = view_from(call.hub, call.store, _body(call, "modal"), trigger.user_id)
    trigger.used = True
    call.store.views[view.id] = view
    return _shown(call, view)


@method("views.push")
def _push(call: Call) -> JsonObject:
    trigger = _trigger(call)
    stack = [view for view in call.store.views.values() if view.user_id == trigger.user_id]
    if not stack:
        raise RefusedError("not_found")
    if len(stack) >= 3:
        raise RefusedError("push_limit_reached")
    view = view_from(call.hub, call.store, _body(call, "modal"), trigger.user_id)
    trigger.used = True
    view = replace(view, root_id=stack[-1].root_id, previous_id=stack[-1].id)
    call.store.views[view.id] = view
    return _shown(call, view)


@method("views.update")
def _update(call: Call) -> JsonObject:
    wanted, external = call.arguments.get("view_id"), call.arguments.get("external_id")
    known = [*call.store.views.values(), *call.store.homes.values()]
    found = [v for v in known if v.id == wanted or (external and v.body.get("external_id") == external)]
    if not found:
        raise RefusedError("not_found")
    if call.text("hash", found[0].hash) != found[0].hash:
        raise RefusedError("hash_conflict")
    body = as_object(call.arguments.get("view"))
    return _shown(call, show_update(call.hub, call.store, found[0], body))


@method("views.publish")
def _publish(call: Call) -> JsonObject:
    user = call.user("user_id")
    view = view_from(call.hub, call.store, _body(call, "home"), user.id)
    before = call.store.homes.get(user.id)
    if before is not None and call.text("hash", before.hash) != before.hash:
        raise RefusedError("hash_conflict")
    call.store.homes[user.id] = view
    return _shown(call, view)


@method("blocks.validate")
def _validate(call: Call) -> JsonObject:
    message, view = as_object(call.arguments.get("message")), call.arguments.get("view")
    if view is not None:
        misfits = check_view(view, at="")
    else:
        misfits = check_blocks(call.arguments.get("blocks", message.get("blocks")), at="")
    if misfits:
        errors = [{"pointer": m.pointer, "code": "failed_constraint", "message": m.reason} for m in misfits]
        raise RefusedError("invalid_blocks", errors=errors)
    return {}
