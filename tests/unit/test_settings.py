"""Where settings come from, which wins, and what is said of a wrong one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.errors import SettingsError
from bot.settings import load_settings, packaged_seeds


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATA_DIR", "SEEDS_DIR", "SEMANTIC", "MAX_QUESTION_CHARS", "LOG_LEVEL"):
        monkeypatch.delenv(f"PULLQUOTE_{name}", raising=False)


def _sources(dotenv: str = "", toml: str = "") -> None:
    Path(".env").write_text(dotenv, encoding="utf-8")
    Path("pullquote.toml").write_text(toml, encoding="utf-8")


def test_without_any_source_the_seeds_are_those_that_ship() -> None:
    settings = load_settings()

    assert settings.seeds_dir == packaged_seeds()
    assert sorted(path.name for path in settings.seeds_dir.glob("*.txt")) == ["iclr-2026.txt", "neurips-2026.txt"]
    assert settings.data_dir.is_absolute()


def test_reading_the_settings_makes_no_folder(tmp_path: Path) -> None:
    load_settings(data_dir=tmp_path / "data")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "environment", "dotenv", "expected"),
    [
        ({"max_question_chars": 11}, "12", "13", 11),
        ({}, "12", "13", 12),
        ({}, "", "13", 13),
        ({}, "", "", 14),
    ],
)
def test_arguments_beat_the_environment_that_beats_dotenv_that_beats_toml(
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, object],
    environment: str,
    dotenv: str,
    expected: int,
) -> None:
    if environment:
        monkeypatch.setenv("PULLQUOTE_MAX_QUESTION_CHARS", environment)
    _sources(f"PULLQUOTE_MAX_QUESTION_CHARS={dotenv}\n" if dotenv else "", "max_question_chars = 14\n")

    assert load_settings(**arguments).max_question_chars == expected


@pytest.mark.parametrize(("value", "on"), [("off", False), ("0", False), ("false", False), ("on", True), ("1", True)])
def test_the_word_vectors_are_switched_off_and_on(monkeypatch: pytest.MonkeyPatch, value: str, *, on: bool) -> None:
    monkeypatch.setenv("PULLQUOTE_SEMANTIC", value)

    assert load_settings().semantic is on


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("PULLQUOTE_MAX_QUESTION_CHARS", "9", "10"),
        ("PULLQUOTE_MAX_QUESTION_CHARS", "100001", "100000"),
        ("PULLQUOTE_MAX_QUESTION_CHARS", "many", "integer"),
        ("PULLQUOTE_SEMANTIC", "perhaps", "boolean"),
        ("PULLQUOTE_LOG_LEVEL", "loud", "'debug'"),
    ],
)
def test_a_wrong_value_gives_one_line_with_its_name_itself_and_what_is_accepted(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, accepted: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert all(part in message for part in (name, repr(value), accepted))
    assert "pydantic" not in message


def test_a_hostile_value_is_shown_cut_short_and_without_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLQUOTE_SEMANTIC", "\x1b[31m\n" + "x" * 1_000)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert len(str(caught.value)) < 300
    assert not re.search(r"[\x00-\x1f]", str(caught.value))


@pytest.mark.parametrize(
    ("file", "content"),
    [(".env", b"\xff\xfe"), ("pullquote.toml", b"\xff\xfe"), ("pullquote.toml", b"seeds_dir = [")],
)
def test_a_source_that_cannot_be_read_is_named(file: str, content: bytes) -> None:
    Path(file).write_bytes(content)

    with pytest.raises(SettingsError) as caught:
        load_settings()

    assert len(str(caught.value).splitlines()) == 1
    assert file in str(caught.value)


def test_settings_of_other_programs_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLQUOTE_NO_SUCH_SETTING", "x")
    _sources("OTHER=1\n", 'other = "x"\n')

    assert load_settings().max_question_chars == 2_000


def test_a_settings_error_never_shows_a_secret() -> None:
    error = SettingsError("SLACK_BOT_TOKEN", "", "expected a token that begins with xoxb-")

    assert str(error) == "SLACK_BOT_TOKEN: expected a token that begins with xoxb-"
