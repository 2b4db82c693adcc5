"""Who is answered, and where: rules from a file that is read again whenever it changes. Pure but for that reading."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.adapters.slack.events import Question
from bot.commands import Verb, parse_command
from bot.subscription import Subscription

__all__ = [
    "FollowUp",
    "Rules",
    "RulesFile",
    "Usage",
    "ignores",
    "may_change",
    "may_change_there",
    "over_quota",
    "shuts_out",
    "wants_follow_up",
]

log = logging.getLogger(__name__)

FollowUp: TypeAlias = Literal["mention_only", "joined_threads"]

_ASKING = frozenset(
    "what which who whom whose when where why how is are was were do does did can could should would will has have"
    " any show list find compare open only".split()
)


class Rules(BaseModel):
    """What the person who runs it decides, in `slack.toml` in the data folder.

    Attributes:
        answers: The kill switch: while it is off nothing is answered and nothing is taken in.
        follow_up: Whether threads that the bot has answered in are followed without a mention.
        channels: The same for single channels, by id.
        allow_channels: Where to answer, by id; everywhere when empty. Direct messages are not meant.
        deny_channels: Where not to.
        deny_users: Whom not to answer, by id.
        guests: Whether people of other organisations are answered in shared channels.
        user_quota: Answers to one person in `quota_minutes`.
        channel_quota: Answers in one channel in the same time.
        digest_changes: Who may change and end a channel's digest; those of `digest_admins` always may.
        digest_admins: Whom, by id.
        thread_fuse: Answers in one thread in `fuse_minutes`; two bots in a loop end there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    answers: bool = True
    follow_up: FollowUp = "mention_only"
    channels: Mapping[str, FollowUp] = Field(default_factory=dict)
    allow_channels: frozenset[str] = frozenset()
    deny_channels: frozenset[str] = frozenset()
    deny_users: frozenset[str] = frozenset()
    guests: bool = True
    user_quota: int = Field(default=20, ge=1)
    channel_quota: int = Field(default=60, ge=1)
    quota_minutes: float = Field(default=10, gt=0)
    digest_changes: Literal["anyone", "creator", "admins"] = "anyone"
    digest_admins: frozenset[str] = frozenset()
    thread_fuse: int = Field(default=10, ge=1)
    fuse_minutes: float = Field(default=5, gt=0)


@dataclass(frozen=True, slots=True)
class Usage:
    """How many answers there were lately.

    Attributes:
        warned: Whether the person has been told lately that it is enough.
    """

    by_user: int
    in_channel: int
    in_thread: int
    warned: bool


@dataclass(slots=True)
class RulesFile:
    """The rules as the file has them now. A file that cannot be read leaves in force what was read before."""

    path: Path
    _seen: tuple[int, int] | None = None
    _rules: Rules = field(default_factory=Rules)

    def current(self) -> Rules:
        """Return the rules in force, reading the file if it has changed."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self._seen, self._rules = None, Rules()
            return self._rules
        except OSError as exc:
            log.error("rules not readable", extra={"path": str(self.path), "reason": str(exc)})  # noqa: TRY400
            return self._rules
        if self._seen != (status.st_mtime_ns, status.st_size):
            self._seen = (status.st_mtime_ns, status.st_size)
            self._read()
        return self._rules

    def _read(self) -> None:
        try:
            read: dict[str, Any] = tomllib.loads(self.path.read_text(encoding="utf-8"))
            self._rules = Rules.model_validate(read)
        except ValidationError as exc:
            fault = exc.errors()[0]
            place = ".".join(map(str, fault["loc"]))
            log.error("rules refused", extra={"path": str(self.path), "at": place, "reason": fault["msg"]})  # noqa: TRY400
        except (OSError, ValueError) as exc:
            log.error("rules refused", extra={"path": str(self.path), "reason": str(exc)})  # noqa: TRY400
        else:
            log.info("rules read", extra={"path": str(self.path)})


def ignores(rules: Rules, question: Question) -> str | None:
    """Return why *question* is passed over without a word; None when it is not."""
    if not rules.answers:
        return "switched off"
    if question.user in rules.deny_users:
        return "person denied"
    if question.channel in rules.deny_channels:
        return "channel denied"
    allowed = rules.allow_channels
    if allowed and question.channel not in allowed and question.kind != "direct":
        return "channel not allowed"
    if question.external and not rules.guests:
        return "guest"
    return None


def wants_follow_up(rules: Rules, question: Question, *, joined: bool, answered_last: bool) -> bool:
    """Tell whether a message without a mention in a thread is meant for the bot.

    Args:
        rules: In force.
        question: The message.
        joined: Whether the bot has answered in the thread.
        answered_last: Whether its last answer there was to the same person.
    """
    if rules.channels.get(question.channel, rules.follow_up) != "joined_threads" or not joined or question.others:
        return False
    command = parse_command(question.text)
    if command is not None:
        return answered_last and command.verb not in {Verb.GREETING, Verb.THANKS, Verb.QUIT}
    return _looks_like_a_question(question.text) or answered_last


def may_change(rules: Rules, subscription: Subscription | None, user: str) -> str | None:
    """Return why *user* may not change a channel's digest, or make one; None when they may."""
    if user in rules.deny_users:
        return "You cannot change digests here."
    if user in rules.digest_admins or rules.digest_changes == "anyone":
        return None
    if rules.digest_changes == "creator":
        is_theirs = subscription is None or subscription.created_by == user
        return None if is_theirs else "Only whoever made this digest may change it."
    return "Only those who run me may change digests."


def may_change_there(rules: Rules, channel: str, subscription: Subscription | None, user: str) -> str | None:
    """Return why *user* may not change the digest of *channel*, which may be one where nothing is answered at all."""
    return shuts_out(rules, channel, user) or may_change(rules, subscription, user)


def shuts_out(rules: Rules, channel: str, user: str) -> str | None:
    """Return why nothing is done for *user* in *channel*, which may not be known; None when something is."""
    if not rules.answers:
        return "I am switched off."
    if user in rules.deny_users:
        return "I may do nothing for you."
    not_allowed = rules.allow_channels and channel not in rules.allow_channels and not channel.startswith("D")
    if channel and (channel in rules.deny_channels or not_allowed):
        return "I may not write in that channel."
    return None


def _looks_like_a_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？")) or text.casefold().partition(" ")[0] in _ASKING


def over_quota(rules: Rules, usage: Usage) -> str | None:
    """Return what to say when it is enough for now, "" to say nothing any more; None when it is not enough."""
    if usage.in_thread >= rules.thread_fuse:
        said = "That is many answers in one thread. I go on here in a few minutes."
    elif usage.by_user >= rules.user_quota or usage.in_channel >= rules.channel_quota:
        said = f"That is many questions at once. Please ask again in {rules.quota_minutes:g} minutes."
    else:
        return None
    return "" if usage.warned else said
