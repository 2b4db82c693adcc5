"""Log lines hold facts, and no secrets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot.logs import redacted, set_up_logs


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


@pytest.mark.parametrize(
    "secret",
    [
        "xoxb-12-34-abc",
        "xapp-1-A0-12-ff",
        "https://hooks.slack.com/commands/T1/2/abc",
        "http://127.0.0.1:1/actions/T1/2/abc",
        "wss://wss.slack.com/link/?ticket=abc",
    ],
)
def test_secrets_are_taken_out(secret: str) -> None:
    assert redacted(f"failed with {secret} today") == "failed with [secret] today"


def test_a_line_of_text_has_its_facts() -> None:
    file = io.StringIO()
    set_up_logs("info", "text", file)

    logging.getLogger("some").info("answered", extra={"hits": 3, "token": "xoxb-1"})

    assert file.getvalue().rstrip().endswith("info    some: answered hits=3 token=[secret]")


def test_a_json_line_is_one_object_with_the_trace() -> None:
    file = io.StringIO()
    set_up_logs("info", "json", file)

    try:
        int("xapp-1-secret")
    except ValueError:
        logging.getLogger("some").exception("failed", extra={"incident": "E1"})

    line = json.loads(file.getvalue())
    assert (line["message"], line["incident"], "ValueError" in line["trace"]) == ("failed", "E1", True)
    assert "xapp" not in file.getvalue()
