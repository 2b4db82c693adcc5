"""What must hold of an app whatever happened: laws that every test can check at its end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.fakes.slack.blocks import check_blocks, too_long
from tests.fakes.slack.model import Message
from tests.fakes.slack.mrkdwn import live_in
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.store import Prompt, Store
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


def _stated_question(message: Message) -> str | None:
    payload = (message.metadata or {}).get("event_payload")
    stated = payload.get("question_ts", payload.get("for")) if isinstance(payload, dict) else None
    return str(stated) if stated else None


@dataclass(frozen=True, slots=True)
class Violation:
    """A law that was broken, by what, and how."""

    law: str
    detail: str

    def __str__(self) -> str:
        return f"{self.law}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a test lets pass.

    Attributes:
        top_level: Which messages may stand at the top of a channel: a digest, say.
        hosts: Hosts that links may lead to; None for every http(s) address.
        mentions: User ids that may be mentioned.
        unanswered: Whether questions may stay open, as in a test that ends before the answer.
        errors: Slack errors that the test provokes.
        late: Whether acks may be late or missing.
        key: What question a message answers, when it says so; by default its metadata's "question_ts" or "for".
    """

    top_level: Callable[[Message], bool] = lambda _: False
    hosts: Collection[str] | None = None
    mentions: Collection[str] = ()
    unanswered: bool = False
    errors: Collection[str] = ()
    late: bool = False
    key: Callable[[Message], str | None] = field(default=_stated_question)


def _shown(message: Message) -> str:
    return f"{message.channel_id}/{message.ts} {message.text[:60]!r}"


def _posts(slack: FakeSlack) -> Iterator[tuple[Store, Message]]:
    return ((store, message) for store in slack.stores.values() for message in store.written)


def _in_threads(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """A post in a channel stands in a thread, and is not broadcast."""
    for store, message in _posts(slack):
        channel = store.channels[message.channel_id]
        if channel.kind == "im" or message.via != "api" or message.visible_to is not None:
            continue
        if message.reply_broadcast or (message.thread_ts is None and not allowed.top_level(message)):
            yield Violation("no top-level post in a channel", _shown(message))


def _own(store: Store, channel_id: str, root_ts: str) -> list[Message]:
    return [m for m in store.thread(channel_id, root_ts) if m.bot_id == store.bot.bot_id and m.ts != root_ts]


def _threads(store: Store) -> dict[tuple[str, str], list[Prompt]]:
    threads: dict[tuple[str, str], list[Prompt]] = {}
    for prompt in store.prompts:
        threads.setdefault((prompt.channel_id, prompt.root_ts), []).append(prompt)
    return threads


def _answered_once(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """No question is answered twice, and nothing is said in a thread that nobody asked for."""
    for store in slack.stores.values():
        for (channel_id, root_ts), prompts in _threads(store).items():
            posts = [post for post in _own(store, channel_id, root_ts) if post.ts > prompts[0].ts]
            stated = Counter(key for post in posts if (key := allowed.key(post)) is not None)
            yield from (Violation("one answer for a question", f"{n} for {key}") for key, n in stated.items() if n > 1)
            yield from _unasked(prompts, [post for post in posts if allowed.key(post) is None])


def _unasked(prompts: list[Prompt], posts: list[Message]) -> Iterator[Violation]:
    steps = sorted([(p.ts, None) for p in prompts] + [(m.ts, m) for m in posts], key=lambda step: step[0])
    open_prompts = 0
    for _, post in steps:
        open_prompts += 1 if post is None else -1
        if post is not None and open_prompts < 0:
            open_prompts = 0
            yield Violation("one answer for a question", f"unasked or again: {_shown(post)}")


def _all_answered(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Every question gets an answer or an error, unless it was declared dropped or deleted."""
    if allowed.unanswered:
        return
    for store in slack.stores.values():
        for (channel_id, root_ts), prompts in _threads(store).items():
            yield from _open(store, allowed, prompts, [m for m in store.written if _answers(m, channel_id, root_ts)])


def _answers(message: Message, channel_id: str, root_ts: str) -> bool:
    return message.channel_id == channel_id and message.root_ts == root_ts


def _open(store: Store, allowed: Allowed, prompts: list[Prompt], posts: list[Message]) -> Iterator[Violation]:
    stated = {allowed.key(post) for post in posts}
    spare = len({post.ts for post in posts if allowed.key(post) is None})
    for prompt in prompts:
        if not prompt.addressed or prompt.ts in stated or prompt.ts in store.dropped:
            continue
        gone = store.message(prompt.channel_id, prompt.ts) is None
        if spare > 0:
            spare -= 1
        elif not gone:
            yield Violation("every question is answered", f"{prompt.channel_id}/{prompt.ts} {prompt.text[:60]!r}")


def _nothing_live(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Nobody is mentioned, nobody called, and no link leads where it should not."""
    for store, message in _posts(slack):
        users = {user.name: user.id for user in store.users.values()}
        for live in live_in(message, users=users):
            if live.kind in ("link", "autolink"):
                parts = urlsplit(live.target)
                foreign = allowed.hosts is not None and parts.hostname not in allowed.hosts
                if parts.scheme not in ("http", "https") or foreign:
                    yield Violation("no foreign link", f"{live.target} in {_shown(message)}")
            elif live.kind != "channel" and live.target not in allowed.mentions:
                yield Violation("no live mention", f"{live.kind} {live.target} ({live.where}) in {_shown(message)}")


def _plain_and_quiet(slack: FakeSlack, allowed: Allowed) -> Iterator[Violation]:
    """Every post has a text for notifications and screen readers, and both unfurl flags off."""
    for _, message in _posts(slack):
        if not message.text.strip():
            yield Violation("every post has a text", _shown(message))
        flags = [message.arguments.get(name) for name in ("unfurl_links", "unfurl_media")]
        if message.via == "api" and message.visible_to is None and any(f not in (False, "0", "false") for f in flags):
            yield Violation("unfurling is off", f"{flags} in {_shown(message)}")


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
        yield from (Violation("blocks are valid", f"{misfit} in {_shown(message)}") for misfit in misfits)
        if too_long(message.blocks):
            yield Violation("blocks are valid", f"too long: {_shown(message)}")
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
    _answered_once,
    _all_answered,
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
