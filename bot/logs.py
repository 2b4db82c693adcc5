"""Log lines for people or for machines, without secrets and without what people typed."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Literal, TextIO

__all__ = ["redacted", "set_up_logs"]

_SECRET = re.compile(
    r"xox[a-z]-[\w.-]+|xoxe\.[\w.-]+|xapp-[\w-]+|https?://hooks\.slack\.com/\S+"
    r"|https?://\S+/(?:commands|actions)/\S+|wss?://\S+|(?<=ticket=)[^&\s]+"
)
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
# What these say below a warning is of use to their own developers, and at DEBUG they print whole payloads.
_CHATTY = ("slack_bolt", "slack_sdk", "aiohttp", "asyncio")


def redacted(text: str) -> str:
    """Return *text* without tokens, response_urls and socket addresses."""
    return _SECRET.sub("[secret]", text)


class _Text(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        facts = " ".join(f"{key}={value}" for key, value in _facts(record).items())
        line = f"{when} {record.levelname.lower():7} {record.name}: {record.getMessage()} {facts}".rstrip()
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return redacted(f"{line}{trace}")


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts = {"at": when, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        facts |= {key: str(value) for key, value in _facts(record).items()}
        if record.exc_info:
            facts["trace"] = self.formatException(record.exc_info)
        return redacted(json.dumps(facts, ensure_ascii=False))


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}


def set_up_logs(level: str, form: Literal["text", "json"], file: TextIO | None = None) -> None:
    """Write log lines to *file*, standard error unless given. For a program's start: replaces what was set before.

    Args:
        level: The least important level that is written.
        form: One line of text for each record, or one JSON object.
        file: Where to.
    """
    handler = logging.StreamHandler(file or sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    # Bolt warns of tokens in the environment that it does not use; they are not meant for it.
    logging.getLogger("slack_bolt").setLevel(logging.ERROR)
