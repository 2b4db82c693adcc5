"""The manifest asks for what the code uses, and for nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.adapters.slack.manifest import METHODS, SCOPES, manifest
from bot.adapters.slack.names import COMMAND, DIGEST_SHORTCUT, FIND
from bot.cli import cli
from tests.fakes.slack.manifest import EVENT_SCOPES, Manifest

ROOT = Path(__file__).parents[2]
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "bot/adapters/slack").glob("*.py")))


@pytest.mark.parametrize(
    ("file", "options"),
    [("manifest.json", []), ("manifest-mentions.json", ["--no-channel-history"])],
)
def test_the_manifests_in_the_repository_are_what_the_command_prints(file: str, options: list[str]) -> None:
    printed = CliRunner().invoke(cli, ["slack", "manifest", *options])

    assert printed.exit_code == 0
    assert json.loads(printed.output) == json.loads((ROOT / "deploy/slack" / file).read_text(encoding="utf-8"))


def test_every_event_subscribed_to_has_a_listener_and_every_listener_an_event() -> None:
    listeners = set(re.findall(r'app\.event\("(\w+)"\)', CODE))
    subscribed = Manifest.parse(manifest(http_url="https://bot.example/slack/events", installs=True)).events

    assert listeners == {event.partition(".")[0] for event in subscribed}
    assert subscribed - Manifest.parse(manifest()).events == {"app_uninstalled", "tokens_revoked"}


def test_commands_and_shortcuts_are_those_that_are_listened_to() -> None:
    parsed = Manifest.parse(manifest())

    assert parsed.commands == {COMMAND}
    assert parsed.shortcuts == ((FIND, "message"), (DIGEST_SHORTCUT, "global"))


def test_every_method_called_is_listed_and_every_listed_one_is_called() -> None:
    named = re.compile(r'"((?:api|apps|assistant|auth|blocks|chat|conversations|users|views)\.[\w.]+)"')
    listed = set(METHODS)
    elsewhere = (ROOT / "bot/adapters/slack/manifest.py").read_text(encoding="utf-8")

    assert set(named.findall(CODE.replace(elsewhere, ""))) == listed


@pytest.mark.parametrize("history", [True, False])
def test_every_scope_is_needed_by_an_event_a_method_or_a_command(*, history: bool) -> None:
    parsed = Manifest.parse(manifest(history=history))
    by_methods = {scope for scopes in METHODS.values() for scope in scopes}
    by_events = {EVENT_SCOPES[event] for event in parsed.events if event in EVENT_SCOPES}

    assert parsed.scopes <= by_methods | by_events | {"commands"}
    assert by_events <= parsed.scopes


def test_the_smaller_manifest_hears_nothing_that_is_said_in_channels() -> None:
    smaller = Manifest.parse(manifest(history=False))

    assert smaller.events == {"app_home_opened", "app_mention", "message.im"}
    assert not {scope for scope in smaller.scopes if scope.endswith(":history")} - {"im:history"}


def test_over_http_every_address_is_given() -> None:
    settings = manifest(http_url="https://bot.example/slack/events")

    assert not settings["settings"]["socket_mode_enabled"]
    assert json.dumps(settings).count("https://bot.example/slack/events") == 3


def test_each_scope_says_what_is_lost_without_it() -> None:
    assert all(SCOPES.values())


def test_slack_takes_no_longer_names() -> None:
    features = manifest()["features"]

    assert len(features["agent_view"]["agent_description"]) <= 300
    assert all(len(shortcut["name"]) <= 24 for shortcut in features["shortcuts"])
