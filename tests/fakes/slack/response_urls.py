"""response_url: answering an interaction without a token, five times in half an hour."""

from __future__ import annotations

import json

from aiohttp import web

from tests.fakes.slack.faults import RefuseBlocks
from tests.fakes.slack.hub import ApiCall, Hub
from tests.fakes.slack.posting import answer_privately
from tests.fakes.slack.wire import JsonObject, RefusedError, as_object

__all__ = ["ResponseUrls"]


class ResponseUrls:
    """Answers posts to the addresses that interactions carry."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one post."""
        self._hub.in_flight += 1
        try:
            return await self._answer(request)
        finally:
            self._hub.in_flight -= 1
            self._hub.activity.note()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = as_object(json.loads(await request.text()))
        fault = self._hub.faults.take("response_url", with_blocks=bool(body.get("blocks")))
        if isinstance(fault, RefuseBlocks):
            return web.Response(status=400, text="invalid_blocks")
        if fault is not None:
            return web.json_response({"ok": False, "error": "internal_error"}, status=500)
        try:
            self._apply(request.path, body)
        except RefusedError as refusal:
            self._record(body, 404 if refusal.error.endswith("_url") else 400, refusal.answer())
            if refusal.error.endswith("_url"):
                return web.json_response(refusal.answer(), status=404)
            return web.Response(status=400, text=refusal.error)
        self._record(body, 200, {"ok": True})
        return web.Response(text="ok")

    def _apply(self, path: str, body: JsonObject) -> None:
        url = self._hub.response_urls.get(path)
        if url is None or self._hub.clock.now() > url.expires_at:
            raise RefusedError("expired_url")
        if url.left == 0:
            raise RefusedError("used_url")
        if not any(body.get(key) for key in ("text", "blocks", "attachments", "delete_original")):
            raise RefusedError("no_text")
        answer_privately(self._hub, url.store, url.user_id, url.channel, body, via="response_url", ts=url.message_ts)
        url.left -= 1

    def _record(self, body: JsonObject, status: int, answer: JsonObject) -> None:
        number = self._hub.count_of("response_url") + 1
        self._hub.calls.append(ApiCall("response_url", number, "", body, self._hub.clock.now(), status, answer))
