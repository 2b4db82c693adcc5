"""Delivery over signed HTTP: events, commands and clicks posted to the app's request URL."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import aiohttp

from tests.fakes.slack.courier import Attempt, Delivery
from tests.fakes.slack.hub import Hub
from tests.fakes.slack.wire import JsonObject, compact

__all__ = ["HttpDelivery", "signature"]

_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return Slack's v0 signature of a request: HMAC-SHA256 over "v0:timestamp:body"."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


class HttpDelivery:
    """Posts deliveries to the app.

    Attributes:
        request_url: Where the app listens.
        secret: What requests are signed with; a test may set another to send a forged one.
        wall_clock: Gives the timestamp that is signed. Real time, since the app compares it with its own.
    """

    def __init__(self, hub: Hub, request_url: str, *, wall_clock: Callable[[], float] = time.time) -> None:
        self._hub = hub
        self.request_url, self.wall_clock, self.secret = request_url, wall_clock, hub.signing_secret
        self._session: aiohttp.ClientSession | None = None
        self._posts: dict[str, asyncio.Task[None]] = {}

    def _headers(self, body: bytes, content_type: str, attempt: Attempt | None) -> Mapping[str, str]:
        timestamp = str(int(self.wall_clock()))
        headers = {"Content-Type": content_type, "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)"}
        headers |= {"X-Slack-Request-Timestamp": timestamp}
        headers |= {"X-Slack-Signature": signature(self.secret, timestamp, body)}
        if attempt is not None and attempt.number:
            headers |= {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": attempt.reason}
        return headers

    async def _post(self, body: bytes, content_type: str, attempt: Attempt | None) -> tuple[int, str, bool]:
        if self._session is None:
            self._session = aiohttp.ClientSession()
        headers = self._headers(body, content_type, attempt)
        async with self._session.post(self.request_url, data=body, headers=headers) as answer:
            return answer.status, await answer.text(), answer.headers.get("X-Slack-No-Retry") == "1"

    async def verify_url(self) -> bool:
        """Send the url_verification challenge; tell whether the app gave it back."""
        body = compact({"token": "legacy", "challenge": "3eZbrw1aB", "type": "url_verification"}).encode()
        status, text, _ = await self._post(body, _JSON, None)
        return status == 200 and "3eZbrw1aB" in text

    async def send(self, delivery: Delivery, attempt: Attempt) -> str | None:
        """Start posting; the answer acks, or fails, the attempt."""
        if delivery.kind == "events_api":
            body, kind = compact(delivery.payload).encode(), _JSON
        elif delivery.kind == "slash_commands":
            body, kind = urlencode(delivery.payload).encode(), _FORM
        else:
            body, kind = urlencode({"payload": compact(delivery.payload)}).encode(), _FORM
        self._posts[attempt.key] = asyncio.create_task(self._deliver(body, kind, attempt))
        return None

    async def _deliver(self, body: bytes, kind: str, attempt: Attempt) -> None:
        try:
            status, text, final = await self._post(body, kind, attempt)
        except aiohttp.ClientError:
            self._hub.courier.failed(attempt.key, "connection_failed")
            return
        if 200 <= status < 300:
            self._hub.courier.acked(attempt.key, _payload(text))
        else:
            self._hub.courier.failed(attempt.key, "http_error", again=not final)

    def cut(self, attempt: Attempt) -> None:
        """Break off the request, as when the network goes before the answer."""
        self._posts[attempt.key].cancel()

    async def close(self) -> None:
        """Break off what is under way."""
        for task in self._posts.values():
            task.cancel()
        await asyncio.gather(*self._posts.values(), return_exceptions=True)
        if self._session is not None:
            await self._session.close()


def _payload(text: str) -> JsonObject | None:
    if not text.strip():
        return None
    try:
        body = json.loads(text)
    except ValueError:
        return {"text": text}
    return body if isinstance(body, dict) else None
