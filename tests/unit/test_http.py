"""The HTTP client against a server that misbehaves."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.http import HttpClient, HttpPolicy, _is_public
from bot.errors import FetchError
from tests.fakes.clock import StandingClock
from tests.fakes.web import Play, WebStage, answer, cut_off, endless, moved, silent, web_stage, wrongly_packed


class Waits(list[float]):
    """Remembers how long was waited, without waiting."""

    def __init__(self, clock: StandingClock) -> None:
        self._clock = clock

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)
        self._clock.advance(seconds)


@pytest.fixture
async def stage() -> AsyncIterator[WebStage]:
    async with web_stage() as found:
        yield found


def client(waits: Waits, clock: StandingClock, **policy: float) -> HttpClient:
    given = {"interval_s": 0.0, "timeout_s": 0.3, "max_bytes": 1_000_000, **policy}
    return HttpClient(clock, HttpPolicy(allow_private=True, **given), sleep=waits)  # type: ignore[arg-type]  # numbers


async def get(stage: WebStage, *plays: Play, **policy: float) -> tuple[bytes, list[float]]:
    clock = StandingClock()
    waits = Waits(clock)
    async with client(waits, clock, **policy) as http:
        fetched = await http.get(stage.plays("/x", *plays))
    return fetched.body, waits


async def test_a_body_is_fetched_with_what_tells_whether_it_changed(stage: WebStage) -> None:
    url = stage.plays("/x", answer("A", ETag='"1"', Last_Modified="Mon, 30 Nov 2026 09:00:00 GMT"))
    clock = StandingClock()

    async with client(Waits(clock), clock) as http:
        first = await http.get(url)
        second = await http.get(url, etag=first.etag, last_modified=first.last_modified)

    assert (first.body, first.changed) == (b"A", True)
    assert (second.body, second.changed) == (b"", False)
    assert stage.asked[1].headers["If-Modified-Since"] == "Mon, 30 Nov 2026 09:00:00 GMT"


@pytest.mark.parametrize("fault", [answer(status=500), answer(status=429), cut_off("half"), silent(), wrongly_packed()])
async def test_what_may_pass_is_tried_again(stage: WebStage, fault: Play) -> None:
    body, waits = await get(stage, fault, fault, answer("whole"))

    assert body == b"whole"
    assert len(waits) == 2
    assert 0.5 <= waits[0] <= 1 <= waits[1] <= 2


async def test_a_service_that_says_when_to_come_back_is_obeyed(stage: WebStage) -> None:
    _, waits = await get(
        stage,
        answer(status=429, Retry_After="7"),
        answer(status=503, Retry_After="Mon, 30 Nov 2026 09:01:00 GMT"),
        answer("x"),
    )

    assert waits == [7.0, 53.0]


@pytest.mark.parametrize("asked", ["²", "soon", "", "Mon, 30 Nov 99999999 09:01:00 GMT"])
async def test_a_wait_that_is_none_is_left_out_of_account(stage: WebStage, asked: str) -> None:
    body, waits = await get(stage, answer(status=429, Retry_After=asked), answer("x"))

    assert (body, len(waits)) == (b"x", 1)


async def test_a_service_that_asks_for_too_much_patience_is_given_up(stage: WebStage) -> None:
    with pytest.raises(FetchError, match="429"):
        await get(stage, answer(status=429, Retry_After="86400"))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (answer(status=404), "404"),
        (answer(status=500), "500"),
        (silent(), "too long"),
        (cut_off("half"), "cut off"),
        (endless(), "more than 1,000,000 bytes"),
        (moved("/x"), "moved more than"),
        (moved("ftp://example.org/"), "plain http"),
        (moved("file:///etc/passwd"), "plain http"),
        (moved("http://user:secret@example.org/"), "plain http"),
        (moved(""), "plain http"),
        (moved("http://[::1"), "no address"),
        (moved("http://example.org:99999/"), "no address"),
        (moved("http://2130706433/"), "2130706433"),
    ],
)
async def test_what_does_not_pass_is_an_error_that_says_what(stage: WebStage, fault: Play, reason: str) -> None:
    with pytest.raises(FetchError, match=reason):
        await get(stage, fault, timeout_s=0.3)


async def test_moves_are_followed(stage: WebStage) -> None:
    stage.plays("/y", answer("there"))

    body, _ = await get(stage, moved("/y"))

    assert body == b"there"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/",
        "http://localhost:1/",
        "http://[::1]:1/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://192.168.1.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::127.0.0.1]/",
        "http://[::a00:1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::808:808]/",
        "http://[2002:c0a8:101::1]/",
        "http://[2001:0:808:808::f5ff:fffe]/",
        "http://[2001:0:a00:1::f7f7:f7f7]/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://localhost.:1/",
    ],
)
async def test_addresses_inside_the_network_are_refused(url: str) -> None:
    clock = StandingClock()

    async with HttpClient(clock, HttpPolicy(timeout_s=5), sleep=Waits(clock)) as http:
        with pytest.raises(FetchError, match="inside the network"):
            await http.get(url)


@pytest.mark.parametrize(
    "host",
    [
        "8.8.8.8",
        "2606:4700::1",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:0:808:808::f7f7:f7f7",
        "example.org",
    ],
)
def test_addresses_outside_the_network_are_not_refused(host: str) -> None:
    assert _is_public(host)


async def test_a_move_into_the_network_is_refused(stage: WebStage, monkeypatch: pytest.MonkeyPatch) -> None:
    url = stage.plays("/x", moved("http://10.0.0.1/"))
    clock = StandingClock()
    monkeypatch.setattr("bot.adapters.http._is_public", lambda host: not host.startswith("10."))

    async with HttpClient(clock, HttpPolicy(), sleep=Waits(clock)) as http:
        with pytest.raises(FetchError, match="inside the network"):
            await http.get(url)


async def test_a_host_is_asked_no_faster_than_it_wants(stage: WebStage) -> None:
    url = stage.plays("/x", answer("A"))
    clock = StandingClock()
    waits = Waits(clock)

    async with client(waits, clock, interval_s=3.0) as http:
        for _ in range(3):
            await http.get(url)

    assert waits == [3.0, 3.0]
