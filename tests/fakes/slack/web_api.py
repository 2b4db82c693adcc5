"""The Web API over HTTP: arguments from everywhere, tokens, scopes, limits, faults, and a record of every call."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.slack import api_chat, api_conversations, api_misc, api_streams, api_views
from tests.fakes.slack.faults import ApiFault, DropAfter, DropBefore, Error, HttpStatus, RateLimited, RefuseBlocks, Slow
from tests.fakes.slack.hub import ApiCall, Hub
from tests.fakes.slack.methods import METHODS, Call, Method, known_arguments
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import JsonObject, RefusedError

if TYPE_CHECKING:
    from tests.fakes.slack.socket_mode import Sockets

__all__ = ["WebApi"]

_REGISTERED = (api_chat, api_conversations, api_misc, api_streams, api_views)
_JSON_INSIDE = ("blocks", "attachments", "metadata", "view", "prompts", "loading_messages", "chunks", "message")


class WebApi:
    """Answers `/api/{method}`."""

    def __init__(self, hub: Hub, sockets: Sockets) -> None:
        self._hub, self._sockets = hub, sockets

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        self._hub.in_flight += 1
        try:
            return await self._answer(request, request.match_info["method"])
        finally:
            self._hub.in_flight -= 1
            self._hub.activity.note()

    async def _answer(self, request: web.Request, name: str) -> web.StreamResponse:
        try:
            arguments, token = await _arguments(request)
        except RefusedError as refusal:
            return web.json_response(refusal.answer())
        fault = self._hub.faults.take(name, with_blocks=bool(arguments.get("blocks")))
        store = next((s for s in self._hub.stores.values() if s.bot_token == token), None)
        status, answer = self._struck_before(fault) or self._run(name, arguments, token, store)
        if isinstance(fault, Error) and fault.applied:
            answer = {"ok": False, "error": fault.error}
        self._record(name, arguments, store, 0 if _cuts(fault) else status, answer, struck=fault is not None)
        if isinstance(fault, Slow):
            await self._wait(fault.seconds)
        if _cuts(fault) and request.transport is not None:
            request.transport.abort()
        if isinstance(fault, HttpStatus) and fault.html:
            return web.Response(status=status, text="<html><h1>Bad Gateway</h1></html>", content_type="text/html")
        return web.json_response(answer, status=status, headers=_headers(name, store, status, answer))

    def _struck_before(self, fault: ApiFault | None) -> tuple[int, JsonObject] | None:
        """Return what a fault answers in place of doing anything."""
        match fault:
            case RateLimited(seconds):
                return 429, {"ok": False, "error": "ratelimited", "retry_after": seconds}
            case HttpStatus(status):
                return status, {"ok": False, "error": "internal_error"}
            case Error(error, applied=False):
                return 200, {"ok": False, "error": error}
            case RefuseBlocks():
                reason = "invalid additional property: elements [json-pointer:/blocks/0]"
                messages = {"messages": [f"[ERROR] {reason}"]}
                return 200, {"ok": False, "error": "invalid_blocks", "errors": [reason], "response_metadata": messages}
            case DropBefore():
                return 200, {"ok": False, "error": "connection_cut"}
            case _:
                return None

    def _run(self, name: str, arguments: JsonObject, token: str | None, store: Store | None) -> tuple[int, JsonObject]:
        try:
            method = self._allowed(name, token, store)
            wait = self._rate(name, arguments, store)
            if wait is not None:
                return 429, {"ok": False, "error": "ratelimited", "retry_after": wait}
            if method is None:
                return 200, {"ok": True, "url": self._sockets.new_url()}
            owner = store or next(iter(self._hub.stores.values()))
            return 200, {"ok": True, **method.handler(Call(self._hub, owner, arguments))}
        except RefusedError as refusal:
            return 200, refusal.answer()

    def _allowed(self, name: str, token: str | None, store: Store | None) -> Method | None:
        """Return the method, if the token may call it; None for the one that takes the app's token."""
        if name == "apps.connections.open":
            self._check_app_token(token)
            return None
        if name not in METHODS:
            raise RefusedError("unknown_method")
        method = METHODS[name]
        if method.token != "none":
            self._check_bot_token(method, token, store)
        return method

    def _check_app_token(self, token: str | None) -> None:
        if token is None:
            raise RefusedError("not_authed")
        if token.startswith("xoxb-"):
            raise RefusedError("not_allowed_token_type")
        if token != self._hub.app_token:
            raise RefusedError("invalid_auth")
        if not self._hub.manifest.socket_mode:
            raise RefusedError("access_denied")

    def _check_bot_token(self, method: Method, token: str | None, store: Store | None) -> None:
        if token is None:
            raise RefusedError("not_authed")
        if token.startswith("xapp-"):
            raise RefusedError("not_allowed_token_type")
        if store is None:
            raise RefusedError("invalid_auth")
        if store.revoked:
            raise RefusedError("token_revoked")
        if method.scopes:
            Call(self._hub, store, {}).needs(*method.scopes)

    def _rate(self, name: str, arguments: JsonObject, store: Store | None) -> int | None:
        team = store.team_id if store else self._hub.app_id
        channel = arguments.get("channel")
        return self._hub.rates.wait_s(
            name, team=team, channel=None if channel is None else str(channel), now=self._hub.clock.now()
        )

    def _record(
        self, name: str, arguments: JsonObject, store: Store | None, status: int, answer: JsonObject, *, struck: bool
    ) -> None:
        known = known_arguments(name)
        unknown = () if known is None else tuple(sorted(set(arguments) - known))
        number, team = self._hub.count_of(name) + 1, store.team_id if store else ""
        now = self._hub.clock.now()
        call = ApiCall(name, number, team, arguments, now, status, answer, unknown, struck)
        self._hub.calls.append(call)

    async def _wait(self, seconds: float) -> None:
        passed = asyncio.Event()
        self._hub.clock.call_at(self._hub.clock.now() + seconds, passed.set)
        self._hub.activity.note()
        await passed.wait()


def _cuts(fault: ApiFault | None) -> bool:
    return isinstance(fault, DropBefore | DropAfter)


def _headers(name: str, store: Store | None, status: int, answer: JsonObject) -> Mapping[str, str]:
    headers = {"X-Slack-Req-Id": f"req-{name}"}
    if store is not None:
        headers["X-OAuth-Scopes"] = ",".join(sorted(store.scopes))
    method = METHODS.get(name)
    if method is not None and method.scopes:
        headers["X-Accepted-OAuth-Scopes"] = ",".join(method.scopes)
    if status == 429:
        headers["Retry-After"] = str(answer.get("retry_after", 1))
    return headers


async def _arguments(request: web.Request) -> tuple[JsonObject, str | None]:
    """Return the arguments of a call, later sources winning, and its token, that of the header first."""
    arguments: JsonObject = dict(request.query)
    if request.content_type == "application/json":
        arguments |= _body(await request.text())
    else:
        arguments |= {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    for name in _JSON_INSIDE:
        if isinstance(arguments.get(name), str):
            arguments[name] = _decoded(arguments[name])
    given = arguments.pop("token", None)
    kind, _, bearer = request.headers.get("Authorization", "").partition(" ")
    arguments |= _basic(request) if kind == "Basic" else {}
    return arguments, bearer if kind == "Bearer" and bearer else given


def _body(text: str) -> JsonObject:
    try:
        body = json.loads(text or "{}")
    except ValueError:
        raise RefusedError("invalid_json") from None
    if not isinstance(body, dict):
        raise RefusedError("json_not_object")
    return body


def _basic(request: web.Request) -> JsonObject:
    encoded = request.headers["Authorization"].partition(" ")[2]
    client_id, _, secret = base64.b64decode(encoded).decode().partition(":")
    return {"client_id": client_id, "client_secret": secret}


def _decoded(value: str) -> object:
    try:
        return json.loads(value)
    except ValueError:
        return value
