"""The check-up finds what is wrong with a setup."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.adapters.slack.app import SlackConfig
from bot.adapters.slack.doctor import examine
from tests.fakes.slack import FakeSlack
from tests.fakes.slack.faults import Error


def config(slack: FakeSlack, folder: Path, **other: str) -> SlackConfig:
    tokens = {"bot_token": slack.workspace.bot_token, "app_token": slack.app_token, **other}
    return SlackConfig(folder, api_url=slack.api_url, **tokens)  # type: ignore[arg-type]


async def test_all_is_well_with_a_right_setup(slack: FakeSlack, tmp_path: Path) -> None:
    findings = await examine(config(slack, tmp_path))

    assert all(finding.fine for finding in findings), findings
    said = [finding.what for finding in findings]
    assert said[-3:] == [
        "Slack takes the blocks of an answer",
        "Slack takes the blocks of a digest",
        "a socket can be opened",
    ]


async def test_blocks_that_slack_refuses_are_named(slack: FakeSlack, tmp_path: Path) -> None:
    slack.faults.api("blocks.validate", Error("invalid_blocks"), call=2)

    problems = [f.what for f in await examine(config(slack, tmp_path)) if not f.fine]

    assert [problem.strip() for problem in problems] == ["Slack refuses the blocks of a digest: invalid_blocks"]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"bot_token": "xoxb-wrong"}, "SLACK_BOT_TOKEN"), ({"app_token": "xapp-wrong"}, "SLACK_APP_TOKEN")],
)
async def test_a_wrong_token_is_named_and_not_shown(
    slack: FakeSlack, tmp_path: Path, wrong: dict[str, str], named: str
) -> None:
    problems = [f.what for f in await examine(config(slack, tmp_path, **wrong)) if not f.fine]

    assert [problem.startswith(named) for problem in problems] == [True]
    assert "wrong" not in problems[0]


async def test_a_missing_scope_is_named_with_what_it_costs(slack: FakeSlack, tmp_path: Path) -> None:
    slack.workspace.grant("app_mentions:read", "assistant:write", "chat:write", "commands", "im:history")

    problems = [f.what for f in await examine(config(slack, tmp_path)) if not f.fine]

    assert len(problems) == 3
    assert problems[0].startswith("scope channels:history is missing: in public channels no follow-ups")
