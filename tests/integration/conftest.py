"""What the tests of the Slack adapter share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import packaged_seeds
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry
from retrieval.semantic import load_word_vectors
from tests.fakes.slack import FakeSlack
from tests.fakes.slack.people import Person
from tests.integration.harness import Desk, make_slack


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The seeds, and ten entries that one question finds alike."""
    seeds = read_folder(packaged_seeds())
    return Engine.of([*seeds, *map(_wombat, range(10))], load_word_vectors())


def _wombat(number: int) -> Entry:
    text = f"Wombat burrows in region {number} are studied here. The wombat digs burrows of {number + 2} m."
    venue, url = ("ICLR", "NeurIPS")[number % 2], f"https://example.org/{number}"
    return Entry(f"w{number}", f"Wombat burrows in region {number}", text, venue=venue, year=2026, url=url)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    # The SDK sends loopback through a proxy too.
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with make_slack() as slack:
        yield slack


@pytest.fixture
def ada(slack: FakeSlack) -> Person:
    return slack.workspace.user("ada")


@pytest.fixture
def grace(slack: FakeSlack) -> Person:
    return slack.workspace.user("grace")


@pytest.fixture
def desk(slack: FakeSlack, tmp_path: Path, engine: Engine) -> Desk:
    return Desk(slack, tmp_path, engine)
