"""Digests from the command line, as cron and people call them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., str]

_RECORDS = (
    '{"title": "Bandits that rest", "abstract": "Bandits tire. We propose RESTBAND, which lets each arm rest.",'
    ' "authors": ["Roe, Ann"], "year": 2026, "venue": "ICLR", "url": "https://example.org/rest"}\n'
    '{"title": "Whales that sing", "abstract": "Whales sing. We record the songs of whales in the north."}\n'
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    environment = {**os.environ, "PULLQUOTE_DATA_DIR": str(tmp_path / "data"), "PULLQUOTE_SEMANTIC": "off"}

    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "bot", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout or done.stderr

    return run


def test_what_is_new_is_previewed_and_printed_once(run: Run, tmp_path: Path) -> None:
    assert "nobody subscribes to anything" in run("digest", "list")
    assert run("digest", "subscribe", "bandits without survey", "--at", "00:00", "--days", "daily").strip() == (
        "every day, 00:00 UTC: bandits (not: survey)"
    )
    (tmp_path / "new.jsonl").write_text(_RECORDS, encoding="utf-8")
    run("import", "new.jsonl")

    shown = run("digest", "preview")
    assert "1 new for bandits (not: survey)" in shown
    assert "Bandits that rest\n   Ann Roe · ICLR 2026\n   https://example.org/rest\n" in shown
    assert "“We propose RESTBAND, which lets each arm rest.”" in shown
    assert "no digest was due yet" in run("digest", "list")
    (listed,) = map(json.loads, run("digest", "list", "--json").splitlines())
    assert (listed["channel"], listed["topics"], listed["runs"]) == ("console", ["bandits"], [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("subscribe", "bandits", "--at", "25:00"), "is no time of day"),
        (("subscribe", "bandits", "--zone", "Europe/Lodnon"), "is no time zone"),
        (("subscribe", "bandits", "--days", "someday"), "names no day"),
        (("subscribe", "bandits", "--channel", "C1"), "takes both --channel and --team"),
        (("preview",), "there is no digest here"),
        (("remove", "--name", "nobody"), "there is no digest here"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_wrong_usage(run: Run, arguments: tuple[str, ...], said: str) -> None:
    assert said in run("digest", *arguments, code=2)


def test_a_digest_can_be_paused_and_ended(run: Run) -> None:
    run("digest", "subscribe", "bandits", "--name", "mine")

    assert "paused" in run("digest", "pause", "--name", "mine")
    assert "paused" in run("digest", "list")
    assert "on again" in run("digest", "resume", "--name", "mine")
    assert "no more digests" in run("digest", "remove", "--name", "mine")


def test_the_feed_of_a_digest_has_a_file_that_ends_with_it(run: Run) -> None:
    assert "no digest there" in run("digest", "feed", "--name", "mine", code=2)
    run("digest", "subscribe", "bandits", "--name", "mine")
    feed = Path(run("digest", "feed", "--name", "mine").strip())
    feed.parent.mkdir(parents=True)
    feed.write_text("<feed/>", encoding="utf-8")
    run("digest", "remove", "--name", "mine")

    assert feed.suffix == ".atom"
    assert not feed.exists()


def test_the_console_takes_the_same_orders(run: Run, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        input="subscribe bandits at 9:00 daily\nsubscriptions\nwhat is CollectiveKV?\nwatch this\nwatches\n",
        capture_output=True,
        text=True,
        env={**os.environ, "PULLQUOTE_DATA_DIR": str(tmp_path / "data")},
        timeout=120,
        check=True,
    )

    assert "every day, 09:00 UTC: bandits." in done.stdout
    assert "Here: every day, 09:00 UTC: bandits. No digest was due yet." in done.stdout
    assert "I watch “what is CollectiveKV?”" in done.stdout
    assert "1. what is CollectiveKV?" in done.stdout
