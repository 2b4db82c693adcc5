"""`pullquote slack`: run Slack alone, print the manifest, check a setup."""

from __future__ import annotations

import asyncio
import json
import sys

import click

from bot.cli.exits import ExitCode
from bot.settings import load_settings

__all__ = ["command"]


@click.group("slack")
def command() -> None:
    """Answer in Slack; print the app's manifest; check a setup."""


@command.command("run")
def run() -> None:
    """Answer in Slack until interrupted."""
    from bot.cli.run import run_everything

    run_everything(load_settings())


@command.command("manifest")
@click.option(
    "--no-channel-history",
    "mentions_only",
    is_flag=True,
    help="The smaller one, that does not hear what is said in channels: mentions only, no follow-ups without one.",
)
@click.option("--http", "http_url", metavar="URL", help="Deliver over signed HTTP to this address, not over a socket.")
@click.option("--installable", is_flag=True, help="Let workspaces install the app themselves; needs --http.")
def manifest(*, mentions_only: bool, http_url: str | None, installable: bool) -> None:
    """Print the manifest from which Slack makes the app."""
    from bot.adapters.slack.manifest import manifest as build_manifest

    if http_url is not None and not http_url.startswith("https://"):
        raise click.UsageError(f'--http is "{http_url}"; Slack delivers to https:// addresses only.')
    if installable and http_url is None:
        raise click.UsageError("--installable needs --http: installing comes back to a web address.")
    built = build_manifest(history=not mentions_only, http_url=http_url, installs=installable)
    click.echo(json.dumps(built, indent=2, ensure_ascii=False))


@command.command("doctor")
def doctor() -> None:
    """Check tokens, scopes, the socket and the clock, and say what is lost where something is missing."""
    from bot.adapters.slack.doctor import examine
    from bot.bootstrap import slack_config

    findings = asyncio.run(examine(slack_config(load_settings())))
    for finding in findings:
        click.echo(f"{'ok     ' if finding.fine else 'PROBLEM'}  {finding.what}")
    sys.exit(ExitCode.OK if all(finding.fine for finding in findings) else ExitCode.SERVICE_FAILED)
