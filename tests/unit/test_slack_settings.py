"""Settings of Slack go by Slack's own names, come from files too, and are never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bootstrap import slack_config
from bot.errors import SettingsError
from bot.settings import load_settings

NAMES = ("BOT_TOKEN", "APP_TOKEN", "SIGNING_SECRET", "CLIENT_ID", "CLIENT_SECRET", "API_URL")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        monkeypatch.delenv(f"SLACK_{name}", raising=False)
        monkeypatch.delenv(f"SLACK_{name}_FILE", raising=False)


def test_tokens_come_from_slacks_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-1")
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:9/api/")

    config = slack_config(load_settings())

    assert (config.bot_token, config.app_token, config.api_url) == ("xoxb-1", "xapp-1", "http://127.0.0.1:9/api/")
    assert "xoxb" not in repr(config)


def test_tokens_come_from_files_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("xoxb-1\n", encoding="utf-8")
    monkeypatch.setenv("SLACK_BOT_TOKEN_FILE", str(tmp_path / "token"))

    token = load_settings().slack_bot_token

    assert token is not None
    assert token.get_secret_value() == "xoxb-1"


@pytest.mark.parametrize(
    ("name", "value"),
    [("SLACK_BOT_TOKEN", "xapp-secret"), ("SLACK_APP_TOKEN", "xoxb-secret"), ("SLACK_BOT_TOKEN_FILE", "nowhere")],
)
def test_what_cannot_be_used_is_named_and_a_token_is_never_shown(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsError, match=name) as refused:
        load_settings()

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "SLACK_BOT_TOKEN"),
        ({"slack_bot_token": "xoxb-1"}, "SLACK_APP_TOKEN"),
        ({"slack_bot_token": "xoxb-1", "slack_transport": "http"}, "SLACK_SIGNING_SECRET"),
    ],
)
def test_what_is_missing_is_named(given: dict[str, str], missing: str) -> None:
    with pytest.raises(SettingsError, match=missing):
        slack_config(load_settings(**given))


def test_the_apps_own_credentials_stand_in_for_a_token() -> None:
    given = {"slack_client_id": "1.2", "slack_client_secret": "s", "slack_app_token": "xapp-1"}

    config = slack_config(load_settings(**given))

    assert config.installing is not None
    assert config.bot_token is None
