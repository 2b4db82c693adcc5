"""What must hold of an app whatever happened: laws that every test can check at its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from tests.fakes.slack.blocks import check_blocks, too_long
from tests.fakes.slack.laws import Allowed, Violation, shown
from tests.fakes.slack.model import Message
from tests.fakes.slack.mrkdwn import live_in
from tests.fakes.slack.questions import all_answered, answered_once
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import strings_in

__all__ = ["ORACLES", "Allowed", "Violation", "check", "violations"]

_LEAKS = (
    (re.compile(r"xox[a-z]-|xapp-\d"), "a token"),
    (re.compile(r"Traceback \(most recent call last\)|File \"[^\"]+\", line \d+"), "a traceback"),
    (re.compile(r"hooks\.slack\.com|/(commands|actions)/T0FAKE"), "a response_url"),
)
_REFUSALS = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_too_long",
        "no_text",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "markdown_text_conflict",
        "invalid_arguments",
    }
)


def _posts(slack: FakeSlack) -> Iterator[tuple[Store, Message]]:
    return ((store, message) for store in slack.stores.values() for message in store.written)


def _in_threads(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """A post in a channel stands in a thread, and is not broadcast."""
    for store, message in _posts(slack):
        channel = store.channels[message.channel_id]
        if channel.kind == "im" or message.via != "api" or message.visible_to is not None:
            continue
        if message.reply_broadcast or (message.thread_ts is None and not allowed.top_level(message)):
            yield Violation("no top-level post in a channel", shown(message))


def _nothing_live(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Nobody is mentioned, nobody called, and no link leads where it should not."""
    for store, message in _posts(slack):
        users = {user.name: user.id for user in store.users.values()}
        for live in live_in(message, users=users):
            if live.kind in ("link", "autolink"):
                parts = urlsplit(live.target)
                foreign = allowed.hosts is not None and parts.hostname not in allowed.hosts
                if parts.scheme not in ("http", "https") or foreign:
                    yield Violation("no foreign link", f"{live.target} in {shown(message)}")
            elif live.kind != "channel" and live.target not in allowed.mentions:
                yield Violation("no live mention", f"{live.kind} {live.target} ({live.where}) in {shown(message)}")


def _plain_and_quiet(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Every post has a text for notifications and screen readers, and both unfurl flags off."""
    for _, message in _posts(slack):
        if not message.text.strip():
            yield Violation("every post has a text", shown(message))
        flags = [message.arguments.get(name) for name in ("unfurl_links", "unfurl_media")]
        if message.via == "api" and message.visible_to is None and any(f not in (False, "0", "false") for f in flags):
            yield Violation("unfurling is off", f"{flags} in {shown(message)}")


def _no_leaks(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """No text that people see holds a token, a secret, a response_url or a traceback."""
    secrets = {slack.app_token, slack.signing_secret, *(store.bot_token for store in slack.stores.values())}
    seen = [(message.text, list(message.blocks), list(message.attachments)) for _, message in _posts(slack)]
    views = [v.body for s in slack.stores.values() for v in (*s.views.values(), *s.homes.values())]
    for text in strings_in([seen, views]):
        if any(secret in text for secret in secrets):
            yield Violation("no secret in a text", "a configured secret")
        yield from (
            Violation("no secret in a text", f"{what}: {text[:60]!r}") for leak, what in _LEAKS if leak.search(text)
        )


def _calls_allowed(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Every call is within the manifest's scopes, with arguments that exist and content that Slack takes."""
    for call in slack.calls:
        if call.error in ("missing_scope", "unknown_method") and call.error not in allowed.errors:
            yield Violation("calls stay within the scopes", f"{call.method}: {call.answer}")
        if call.unknown:
            yield Violation("arguments exist", f"{call.method}: {', '.join(call.unknown)}")
        if not call.struck and call.error in _REFUSALS and call.error not in allowed.errors:
            yield Violation("blocks are valid", f"{call.method}: {call.answer}")


def _blocks_valid(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """What stands in a channel is something that Slack takes, whichever way it came; acks too."""
    for _, message in _posts(slack):
        misfits = check_blocks(list(message.blocks))
        yield from (Violation("blocks are valid", f"{misfit} in {shown(message)}") for misfit in misfits)
        if too_long(message.blocks):
            yield Violation("blocks are valid", f"too long: {shown(message)}")
    yield from (Violation("blocks are valid", f"ack of {label}: {refusal}") for label, refusal in slack.courier.refused)


def _acked_in_time(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Everything delivered is acked within three seconds, once, and without a payload where none is taken."""
    courier = slack.courier
    for delivery in courier.deliveries:
        if not allowed.late and (delivery.late or delivery.state in ("pending", "lost")):
            failures = [attempt.failed for attempt in delivery.attempts]
            yield Violation("acks come in time", f"{delivery.label} {delivery.event_id}: {delivery.state} {failures}")
    yield from (Violation("acks name an envelope", key) for key in courier.strays)
    yield from (Violation("acks carry no payload here", label) for label in courier.surprises)


ORACLES: tuple[Callable[[FakeSlack, Allowed], Iterator[Violation]], ...] = (
    _in_threads,
    answered_once,
    all_answered,
    _nothing_live,
    _plain_and_quiet,
    _no_leaks,
    _calls_allowed,
    _blocks_valid,
    _acked_in_time,
)


def violations(slack: FakeSlack, allowed: Allowed | None = None) -> list[Violation]:
    """Return every law that was broken, in the order of `ORACLES`."""
    given = allowed or Allowed()
    return [violation for oracle in ORACLES for violation in oracle(slack, given)]


def check(slack: FakeSlack, allowed: Allowed | None = None) -> None:
    """Fail a test in which any law was broken.

    Raises:
        AssertionError: Naming every violation.
    """
    found = violations(slack, allowed)
    if found:
        raise AssertionError("\n".join(map(str, found)))
