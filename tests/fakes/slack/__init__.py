"""A Slack workspace on this machine: Web API, Socket Mode, signed HTTP, people, faults and oracles.

async with FakeSlack() as slack:
...  # start the app with slack.environment
ada = slack.workspace.user("ada")
question = ada.says("#papers", "@pullquote what is attention?")
answer = await slack.reply_to(question)
await slack.quiet()
check(slack)
"""

from __future__ import annotations

from tests.fakes.slack.activity import StillWaitingError
from tests.fakes.slack.clock import ManualClock, RealClock
from tests.fakes.slack.courier import Delivery
from tests.fakes.slack.faults import DropAfter, DropBefore, Error, HttpStatus, RateLimited, RefuseBlocks, Slow
from tests.fakes.slack.interactions import Interaction
from tests.fakes.slack.manifest import DEFAULT_MANIFEST, Manifest
from tests.fakes.slack.model import Channel, Message, User, View
from tests.fakes.slack.oracles import Allowed, Violation, check, violations
from tests.fakes.slack.people import NotPossibleError, Person
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.workspace import Workspace

__all__ = [
    "DEFAULT_MANIFEST",
    "Allowed",
    "Channel",
    "Delivery",
    "DropAfter",
    "DropBefore",
    "Error",
    "FakeSlack",
    "HttpStatus",
    "Interaction",
    "Manifest",
    "ManualClock",
    "Message",
    "NotPossibleError",
    "Person",
    "RateLimited",
    "RealClock",
    "RefuseBlocks",
    "Slow",
    "StillWaitingError",
    "User",
    "View",
    "Violation",
    "Workspace",
    "check",
    "violations",
]
