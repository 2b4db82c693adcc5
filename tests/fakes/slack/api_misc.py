"""auth.*, apps.*, users.*, reactions.*, assistant.*, agents.*, oauth.*: the rest of what an app may call."""

from __future__ import annotations

from tests.fakes.slack.events import react
from tests.fakes.slack.methods import Call, method
from tests.fakes.slack.model import Message
from tests.fakes.slack.wire import JsonObject, RefusedError

__all__: list[str] = []


@method("api.test", token="none")
def _api_test(call: Call) -> JsonObject:
    return {"args": call.arguments}


@method("auth.test")
def _auth_test(call: Call) -> JsonObject:
    bot, store = call.store.bot, call.store
    where = {"url": f"https://{store.name}.slack.example/", "team": store.name, "team_id": store.team_id}
    who = {"user": bot.name, "user_id": bot.id, "bot_id": bot.bot_id, "app_id": call.hub.app_id}
    return {**where, **who, "is_enterprise_install": False}


@method("auth.revoke")
def _auth_revoke(call: Call) -> JsonObject:
    if not call.flag("test"):
        call.store.revoked = True
    return {"revoked": not call.flag("test")}


@method("oauth.v2.access", token="none")
def _oauth_access(call: Call) -> JsonObject:
    if (call.text("client_id", ""), call.text("client_secret", "")) != (call.hub.client_id, call.hub.client_secret):
        raise RefusedError(
            "bad_client_secret" if call.text("client_id", "") == call.hub.client_id else "invalid_client_id"
        )
    store = next((s for s in call.hub.stores.values() if f"code-{s.team_id}" == call.text("code", "")), None)
    if store is None:
        raise RefusedError("invalid_code")
    person = next((user.id for user in store.users.values() if not user.is_bot), store.bot.id)
    token = {"access_token": store.bot_token, "token_type": "bot", "scope": ",".join(sorted(store.scopes))}
    team = {"team": {"name": store.name, "id": store.team_id}, "enterprise": None, "is_enterprise_install": False}
    return {**token, **team, "bot_user_id": store.bot.id, "app_id": call.hub.app_id, "authed_user": {"id": person}}


@method("users.info", "users:read")
def _users_info(call: Call) -> JsonObject:
    return {"user": call.user().wire()}


@method("bots.info", "users:read")
def _bots_info(call: Call) -> JsonObject:
    bot = call.store.bot
    return {"bot": {"id": bot.bot_id, "app_id": call.hub.app_id, "name": bot.name, "user_id": bot.id, "deleted": False}}


@method("team.info", "team:read")
def _team_info(call: Call) -> JsonObject:
    return {"team": {"id": call.store.team_id, "name": call.store.name, "domain": call.store.name}}


def _reacted(call: Call) -> tuple[Message, str]:
    channel = call.channel()
    if not call.store.bot_in(channel):
        raise RefusedError("not_in_channel")
    return call.message(channel, "timestamp"), call.text("name").strip(":")


@method("reactions.add", "reactions:write")
def _react(call: Call) -> JsonObject:
    message, name = _reacted(call)
    if call.store.bot.id in message.reactions.get(name, ()):
        raise RefusedError("already_reacted")
    react(call.hub, call.store, message, name, call.store.bot.id, added=True)
    return {}


@method("reactions.remove", "reactions:write")
def _unreact(call: Call) -> JsonObject:
    message, name = _reacted(call)
    if call.store.bot.id not in message.reactions.get(name, ()):
        raise RefusedError("no_reaction")
    react(call.hub, call.store, message, name, call.store.bot.id, added=False)
    return {}


def _thread_key(call: Call) -> tuple[str, str]:
    channel = call.channel("channel_id")
    message = call.message(channel, "thread_ts", "invalid_thread_ts")
    return channel.id, message.root_ts


@method("assistant.threads.setStatus", "chat:write", "assistant:write")
def _set_status(call: Call) -> JsonObject:
    if len(call.arguments.get("loading_messages") or []) > 10:
        raise RefusedError("invalid_arguments")
    key = _thread_key(call)
    call.store.statuses[key] = str(call.arguments.get("status", ""))
    call.hub.clock.call_at(call.hub.clock.now() + 120, lambda: call.store.statuses.pop(key, None))
    return {}


@method("assistant.threads.setTitle", "assistant:write")
def _set_title(call: Call) -> JsonObject:
    call.store.titles[_thread_key(call)] = call.text("title")
    return {}


@method("assistant.threads.setSuggestedPrompts", "assistant:write")
def _set_prompts(call: Call) -> JsonObject:
    channel = call.channel("channel_id")
    prompts = call.arguments.get("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= 4:
        raise RefusedError("invalid_arguments")
    if not all(isinstance(p, dict) and p.get("title") and p.get("message") for p in prompts):
        raise RefusedError("invalid_arguments")
    # An agent's prompts belong to the Messages tab: with a thread_ts Slack says ok and shows nothing.
    if not (call.hub.manifest.agent and call.arguments.get("thread_ts")):
        call.store.suggested[channel.id] = prompts
    return {}


@method("agents.sessions.setStatus", "chat:write")
def _session_status(call: Call) -> JsonObject:
    if not call.hub.manifest.agent:
        raise RefusedError("feature_not_enabled")
    if call.text("status") not in ("processing", "active", "suspended", "closed"):
        raise RefusedError("invalid_arguments")
    call.channel("channel_id")
    return {}
