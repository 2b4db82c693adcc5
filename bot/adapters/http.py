"""Fetch from outside: politely, again where that helps, never from inside the network, never more than can be held."""

from __future__ import annotations

import asyncio
import ipaddress
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Final, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from bot.errors import FetchError
from bot.ports import Clock, Fetched
from bot.version import version

__all__ = ["HttpClient", "HttpPolicy"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_CHUNK: Final = 1 << 16
_HOLDING_IPV4: Final = frozenset(int(ipaddress.IPv6Address(start)) >> 32 for start in ("::", "::ffff:0:0", "64:ff9b::"))
"""The first 96 bits of addresses that end in an IPv4 address: compatible, mapped, and translated by NAT64."""
_LOCAL_NAT64: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class HttpPolicy:
    """How outside services are treated.

    Attributes:
        timeout_s: For one attempt as a whole; `quiet_s` for each wait for its next bytes.
        attempts: How often one address is tried.
        backoff_s: The longest wait before the second attempt; it doubles with each. How long is drawn by lot.
        longest_wait_s: A service that asks for more patience than this is given up until the next time.
        max_bytes: Of a body, after decompression.
        intervals_s: The least time between two requests to a host; `interval_s` for those not named.
        allow_private: Whether addresses inside the own network may be asked.
    """

    timeout_s: float = 60
    quiet_s: float = 20
    attempts: int = 4
    backoff_s: float = 1
    longest_wait_s: float = 60
    max_bytes: int = 64_000_000
    max_redirects: int = 5
    interval_s: float = 0.2
    intervals_s: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType({"export.arxiv.org": 3, "arxiv.org": 3, "rss.arxiv.org": 3})
    )
    allow_private: bool = False


class _GuardedResolver(AbstractResolver):
    """Resolves names to public addresses only, at the moment of connecting, so that nothing can change in between."""

    def __init__(self, *, allow_private: bool) -> None:
        self._inner = aiohttp.ThreadedResolver()
        self._allow_private = allow_private

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        allowed = [one for one in found if self._allow_private or _is_public(one["host"])]
        if found and not allowed:
            raise _PrivateAddressError(host)
        return allowed

    async def close(self) -> None:
        await self._inner.close()


class _PrivateAddressError(OSError):
    """A name leads into the own network."""

    def __init__(self, host: str) -> None:
        super().__init__(f"{host} is an address inside the network; set PULLQUOTE_ALLOW_PRIVATE_ADDRESSES to allow it")


class _TryAgainError(Exception):
    """An attempt failed in a way that another may not."""

    def __init__(self, reason: str, *, after_s: float | None = None) -> None:
        super().__init__(reason)
        self.after_s = after_s


class HttpClient:
    """The one client for everything outside but Slack."""

    def __init__(
        self,
        clock: Clock,
        policy: HttpPolicy | None = None,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Follow *policy*; *sleep* is how it waits."""
        self._clock = clock
        self._policy = policy or HttpPolicy()
        self._sleep = sleep
        self._session: aiohttp.ClientSession | None = None
        self._turns: dict[str, asyncio.Lock] = {}
        self._last: dict[str, float] = {}

    async def __aenter__(self) -> Self:
        policy = self._policy
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=_GuardedResolver(allow_private=policy.allow_private), limit=8),
            timeout=aiohttp.ClientTimeout(
                total=policy.timeout_s, sock_read=policy.quiet_s, sock_connect=policy.quiet_s
            ),
            headers={"User-Agent": f"pullquote/{version()}"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def get(self, url: str, *, etag: str = "", last_modified: str = "") -> Fetched:
        """Return what *url* gives; where it did not change since, that and no body.

        Args:
            url: An http(s) address.
            etag: As last given by the address.
            last_modified: As last given by the address.

        Raises:
            FetchError: If it cannot be had: refused, broken, too long, too slow, moved too often, inside the network.
        """
        headers = {"If-None-Match": etag} if etag else {}
        if last_modified:
            headers["If-Modified-Since"] = last_modified
        for attempt in range(1, self._policy.attempts + 1):
            try:
                return await self._follow(url, headers)
            except (TimeoutError, _TryAgainError, aiohttp.ClientError) as exc:
                private = _private(exc)
                if private is not None:
                    raise FetchError(url, str(private)) from exc
                wait = self._wait(attempt, exc)
                if wait is None:
                    raise FetchError(url, _reason(exc)) from exc
                await self._sleep(wait)
        raise FetchError(url, "no attempt was allowed")

    def _wait(self, attempt: int, exc: Exception) -> float | None:
        """Return how long to wait before the next attempt, or None to give up."""
        if attempt >= self._policy.attempts:
            return None
        asked = exc.after_s if isinstance(exc, _TryAgainError) else None
        if asked is not None:
            return asked if asked <= self._policy.longest_wait_s else None
        longest = self._policy.backoff_s * 2 ** (attempt - 1)
        return float(min(self._policy.longest_wait_s, longest * (0.5 + random.random() / 2)))

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Fetched:
        if self._session is None:
            raise RuntimeError("the client is used before it was entered")
        at = _checked(url, url, allow_private=self._policy.allow_private)
        for _ in range(self._policy.max_redirects + 1):
            async with (
                self._turn(at.host or ""),
                self._session.get(at, headers=headers, allow_redirects=False) as response,
            ):
                if response.status not in _REDIRECTS:
                    return await self._read(response, url)
                target = response.headers.get("Location", "")
            at = _checked(target, url, allow_private=self._policy.allow_private, base=at)
        raise FetchError(url, f"was moved more than {self._policy.max_redirects} times")

    async def _read(self, response: aiohttp.ClientResponse, url: str) -> Fetched:
        if response.status in _RETRIED:
            after = _retry_after(response.headers.get("Retry-After", ""), self._clock.now())
            raise _TryAgainError(f"answers {response.status}", after_s=after)
        if response.status == 304:
            return Fetched(url=str(response.url), changed=False)
        if response.status != 200:
            raise FetchError(url, f"answers {response.status}")
        body = bytearray()
        async for chunk in response.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > self._policy.max_bytes:
                raise FetchError(url, f"gives more than {self._policy.max_bytes:,} bytes")
        return Fetched(
            url=str(response.url),
            body=bytes(body),
            etag=response.headers.get("ETag", ""),
            last_modified=response.headers.get("Last-Modified", ""),
        )

    @asynccontextmanager
    async def _turn(self, host: str) -> AsyncIterator[None]:
        """Wait until *host* may be asked again; one request to it at a time."""
        async with self._turns.setdefault(host, asyncio.Lock()):
            interval = self._policy.intervals_s.get(host, self._policy.interval_s)
            ready = self._last.get(host, float("-inf")) + interval
            if (early := ready - self._clock.monotonic_s()) > 0:
                await self._sleep(early)
            try:
                yield
            finally:
                self._last[host] = self._clock.monotonic_s()


def _checked(url: str, asked: str, *, allow_private: bool, base: URL | None = None) -> URL:
    """Return *url*, where *asked* leads, when it may be asked; it may be relative to *base*.

    Raises:
        FetchError: If it is no plain http(s) address, or one inside the network.
    """
    try:
        at = URL(url) if base is None or not url else base.join(URL(url))
        host = at.host
    except ValueError as exc:
        raise FetchError(asked, "leads to something that is no address") from exc
    if at.scheme not in {"http", "https"} or not host or at.user:
        raise FetchError(asked, "leads to something other than a plain http(s) address")
    if not allow_private and not _is_public(host):
        raise FetchError(asked, str(_PrivateAddressError(host)))
    return at


def _is_public(host: str) -> bool:
    """Tell whether *host* is a public address or a name, which is resolved when it is connected to."""
    try:
        address = ipaddress.ip_address(host.split("%", 1)[0])
    except ValueError:
        return host.rstrip(".").lower() != "localhost"
    return all(one.is_global and not one.is_multicast for one in _led_to(address)) and address not in _LOCAL_NAT64


def _led_to(address: _Address) -> tuple[_Address, ...]:
    """Return where *address* leads: to the IPv4 addresses inside it, where it stands for some, else to itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.teredo is not None:
        return address.teredo
    if int(address) >> 32 in _HOLDING_IPV4:
        return (ipaddress.IPv4Address(int(address) & 0xFFFFFFFF),)
    return (address.sixtofour or address,)


def _retry_after(value: str, now: datetime) -> float | None:
    value = value.strip()
    if value.isascii() and value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value).astimezone(UTC) - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


def _private(exc: BaseException | None) -> _PrivateAddressError | None:
    while exc is not None and not isinstance(exc, _PrivateAddressError):
        exc = exc.__cause__
    return exc


def _reason(exc: Exception) -> str:
    if isinstance(exc, TimeoutError):
        return "takes too long"
    if isinstance(exc, aiohttp.ClientPayloadError):
        return "the answer is cut off or damaged"
    return str(exc) or type(exc).__name__
