"""A check-up of a setup: each finding is one line, and what is wrong says what it costs and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from bot.adapters.slack.app import SlackConfig
from bot.adapters.slack.blocks import Content, content_of
from bot.adapters.slack.boot import TOKEN_REFUSED, granted_scopes, missing_scopes
from bot.adapters.slack.digest_blocks import digest_parts
from bot.adapters.slack.manifest import SCOPES, lost_without
from bot.adapters.slack.web import RefusedError, Web
from bot.errors import PlatformError
from bot.model import Answer, Quote, Verdict
from bot.subscription import Digest, DigestEntry, DigestNote, Part, Place, Section, Subscription
from retrieval.model import Entry, Span

__all__ = ["Finding", "examine"]

_MOST_SKEW_S = 60


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    fine: bool
    what: str


async def examine(config: SlackConfig) -> list[Finding]:
    """Look at everything that can be looked at from here. Never raises for what Slack answers."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
        web = Web(session, api_url=config.api_url, proxy=config.proxy)
        findings = []
        if config.bot_token is not None:
            findings += await _bot(web, config.bot_token)
        if config.transport == "socket":
            findings.append(await _socket(web, config.app_token or ""))
        return findings


async def _bot(web: Web, token: str) -> list[Finding]:
    try:
        answer = await web.call("auth.test", token)
    except PlatformError as exc:
        return [Finding(fine=False, what=_refusal("SLACK_BOT_TOKEN", exc))]
    who = Finding(fine=True, what=f"token of {answer.get('user')} in {answer.get('team')} ({answer.get('team_id')})")
    return [who, *_scopes(granted_scopes(answer)), *_clock(answer["headers"]), *await _blocks(web, token)]


def _scopes(granted: frozenset[str]) -> list[Finding]:
    if not granted:
        return [Finding(fine=False, what="Slack does not say which scopes the token has")]
    missing = missing_scopes(granted)
    more = sorted(granted - set(SCOPES))
    findings = [Finding(fine=False, what=f"scope {scope} is missing: {lost_without(scope)}") for scope in missing]
    findings += [Finding(fine=True, what=f"scopes granted and not needed: {', '.join(more)}")] if more else []
    return findings or [Finding(fine=True, what=f"all {len(SCOPES)} scopes are granted")]


def _clock(headers: Mapping[str, str]) -> list[Finding]:
    dates = [str(value) for name, value in headers.items() if str(name).lower() == "date"]
    try:
        theirs = parsedate_to_datetime("".join(dates))
    except ValueError:
        return []
    skew_s = abs((datetime.now(UTC) - theirs).total_seconds())
    said = f"the clock differs from Slack's by {skew_s:.0f} s"
    return [Finding(fine=skew_s <= _MOST_SKEW_S, what=said if skew_s <= _MOST_SKEW_S else f"{said}: set it right")]


async def _blocks(web: Web, token: str) -> list[Finding]:
    quote = _quote()
    answer = Answer("sample", "sample?", Verdict.ANSWERED, quotes=(quote,), total=2, left=1)
    samples = {"an answer": content_of(answer, "doctor"), "a digest": Content.from_json(_digest(quote).content)}
    return [await _taken(web, token, what, sample) for what, sample in samples.items()]


async def _taken(web: Web, token: str, what: str, sample: Content) -> Finding:
    try:
        await web.call("blocks.validate", token, blocks=list(sample.blocks))
    except RefusedError as exc:
        if exc.error in {"unknown_method", "method_deprecated", "not_allowed_token_type", "missing_scope"}:
            return Finding(fine=True, what=f"the blocks of {what} were not checked: {exc.error}")
        return Finding(fine=False, what=f"Slack refuses the blocks of {what}: {exc.error} {' '.join(exc.details)}")
    except PlatformError as exc:
        return Finding(fine=False, what=f"the blocks of {what} could not be checked: {exc}")
    return Finding(fine=True, what=f"Slack takes the blocks of {what}")


async def _socket(web: Web, token: str) -> Finding:
    try:
        await web.call("apps.connections.open", token)
    except PlatformError as exc:
        return Finding(fine=False, what=_refusal("SLACK_APP_TOKEN", exc))
    return Finding(fine=True, what="a socket can be opened")


def _refusal(setting: str, exc: PlatformError) -> str:
    known: Any = TOKEN_REFUSED.get(exc.error) if isinstance(exc, RefusedError) else None
    return f"{setting}: {known or 'no answer'} ({exc})"


def _quote() -> Quote:
    text = "A sentence to check that quotes are taken as they are: x_1 < p*q & more."
    entry = Entry("sample", "A sample entry", text, venue="Sample", year=2026, url="https://example.org/sample")
    return Quote(1, entry, Span(0, len(text)), text, 1, 1, 1, highlights=(Span(2, 10),))


def _digest(quote: Quote) -> Part:
    now = datetime.now(UTC)
    subscription = Subscription("sample", Place("T0", "C0"), "U0", now, topics=("samples",))
    sections = (Section("samples", (DigestEntry(1, quote.entry, quote, why=("sample",)),)),)
    notes = (DigestNote("before", "An earlier entry", quote.entry.url, "accepted at Sample 2026"),)
    return digest_parts(Digest(subscription, now.date(), sections=sections, notes=notes, total=2))[0]
