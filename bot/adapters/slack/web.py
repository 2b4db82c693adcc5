"""The Web API: one client for every workspace, and every failure sorted by what can be done about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.errors import PlatformError

__all__ = ["AmbiguousError", "LimitedError", "RefusedError", "UnreachableError", "Web"]

# "Some aspect of the operation may have succeeded", says Slack of these.
_AMBIGUOUS = frozenset({"fatal_error", "internal_error", "service_unavailable", "request_timeout", "team_added_to_org"})


class LimitedError(PlatformError):
    """Slack asks to wait.

    Attributes:
        wait_s: For how many seconds.
    """

    def __init__(self, method: str, wait_s: float) -> None:
        super().__init__(f"{method}: Slack asks to wait {wait_s:g} s")
        self.wait_s = wait_s


class RefusedError(PlatformError):
    """Slack did not do it and will not; the scope that it *needed*, if it was that, is in the text.

    Attributes:
        error: Slack's word for why.
        details: What it adds to that, such as JSON pointers into blocks.
    """

    def __init__(self, method: str, error: str, details: tuple[str, ...] = (), needed: str = "") -> None:
        super().__init__(f"{method}: {error}{f' ({needed})' if needed else ''}")
        self.error = error
        self.details = details


class AmbiguousError(PlatformError):
    """Whether Slack did it is not known: the answer never came, or says so itself."""


class UnreachableError(PlatformError):
    """No connection came about, so Slack certainly did not do it."""


class Web:
    """Calls Slack's Web API."""

    def __init__(self, session: aiohttp.ClientSession, *, api_url: str, proxy: str | None = None) -> None:
        """Call through *session*, at *api_url*."""
        self._session = session
        self.api_url = api_url
        # Nothing is tried again by the SDK: a post whose answer was lost would stand there twice.
        self.client = AsyncWebClient(base_url=api_url, session=session, proxy=proxy, retry_handlers=[])

    async def call(self, method: str, token: str, **arguments: Any) -> Mapping[str, Any]:
        """Call *method* and return what Slack answers, its response headers under "headers".

        Raises:
            LimitedError: If Slack asks to wait.
            RefusedError: If it does not do it.
            AmbiguousError: If it may have done it or not.
            UnreachableError: If there is no connection.
        """
        headers = {"Authorization": f"Bearer {token}"}
        try:
            answer = await self.client.api_call(method, json=arguments, headers=headers)
        except SlackApiError as exc:
            raise _sorted(method, exc) from exc
        except aiohttp.ClientConnectorError as exc:
            raise UnreachableError(f"{method}: {type(exc).__name__}") from exc
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as exc:
            raise AmbiguousError(f"{method}: {type(exc).__name__}") from exc
        data = answer.data if isinstance(answer.data, dict) else {}
        return {**data, "headers": dict(answer.headers)}

    async def respond(self, response_url: str, body: Mapping[str, Any]) -> None:
        """Answer an interaction at its *response_url*.

        Raises:
            LimitedError: If Slack asks to wait.
            RefusedError: If the address is used up, or the content is refused.
            AmbiguousError: If it may have been taken or not.
        """
        try:
            async with self._session.post(response_url, json=body, proxy=self.client.proxy) as answer:
                text, status = await answer.text(), answer.status
                retry_after = answer.headers.get("Retry-After", "1")
        except aiohttp.ClientConnectorError as exc:
            raise UnreachableError(f"response_url: {type(exc).__name__}") from exc
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as exc:
            raise AmbiguousError(f"response_url: {type(exc).__name__}") from exc
        if status == 429:
            raise LimitedError("response_url", _seconds(retry_after))
        if status >= 500:
            raise AmbiguousError(f"response_url: HTTP {status}")
        if status != 200:
            raise RefusedError("response_url", text[:80])


def _sorted(method: str, exc: SlackApiError) -> PlatformError:
    answer = exc.response
    if not isinstance(answer, AsyncSlackResponse):  # a body that is not JSON comes with the bare HTTP response
        return AmbiguousError(f"{method}: unreadable answer")
    status, headers = answer.status_code, answer.headers
    data: Mapping[str, Any] = answer.data if isinstance(answer.data, dict) else {}
    error = str(data.get("error") or f"HTTP {status}")
    if status == 429 or error in {"ratelimited", "rate_limited"}:
        return LimitedError(method, _seconds(headers.get("Retry-After", "1")))
    if status >= 500 or error in _AMBIGUOUS or "error" not in data:
        return AmbiguousError(f"{method}: {error}")
    details = (data.get("response_metadata") or {}).get("messages") or data.get("errors") or []
    return RefusedError(method, error, tuple(map(str, details)), str(data.get("needed") or ""))


def _seconds(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 600.0)
    except ValueError:
        return 1.0
