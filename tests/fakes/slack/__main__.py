"""`python -m tests.fakes.slack`: a workspace to chat in by hand, with the shipped bot or any other app.

Prints the settings that make an app talk to it and the address of a page to chat on, then the transcript.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from tests.fakes.slack.clock import RealClock
from tests.fakes.slack.manifest import DEFAULT_MANIFEST, Manifest
from tests.fakes.slack.model import Message
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.transcript import Transcript, line

__all__ = ["main"]


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.slack", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port to listen on; a free one when omitted")
    parser.add_argument("--manifest", type=Path, help="the app's manifest in JSON; Pullquote's usual one when omitted")
    parser.add_argument("--http", metavar="URL", help="deliver signed HTTP to this address instead of over sockets")
    parser.add_argument("--user", action="append", help="somebody in the workspace; may be given again")
    return parser.parse_args(arguments)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _everything(slack: FakeSlack) -> list[Message]:
    stores = slack.stores.values()
    said = [message for store in stores for channel in store.channels for message in store.messages(channel)]
    private = [message for store in stores for message in store.written if message.visible_to]
    return sorted([*said, *private], key=lambda message: message.ts)


async def _follow(slack: FakeSlack) -> None:
    """Print each message once, as it comes."""
    told: set[tuple[str, str]] = set()
    while True:
        await slack.activity.pause(idle_s=3600)
        for message in _everything(slack):
            if (message.channel_id, message.ts) not in told:
                told.add((message.channel_id, message.ts))
                store = next(s for s in slack.stores.values() if message.channel_id in s.channels)
                channel = store.channels[message.channel_id]
                _print(line(message, {user.id: user.name for user in store.users.values()}, channel.name))


async def _serve(options: argparse.Namespace) -> None:
    manifest = Manifest.read(options.manifest) if options.manifest else Manifest.parse(DEFAULT_MANIFEST)
    slack = FakeSlack(manifest, clock=RealClock(), port=options.port)
    for name in options.user or ["ada", "grace", "linus"]:
        slack.workspace.user(name)
    Transcript(slack)
    async with slack, asyncio.TaskGroup() as tasks:
        if options.http:
            slack.deliver_to(options.http)
        for name, value in slack.environment.items():
            _print(f"{name}={value}")
        _print(f"# chat at {slack.base_url}/ — stop with Ctrl-C")
        following = tasks.create_task(_follow(slack))
        for stop in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(stop, following.cancel)


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; return the exit code."""
    try:
        asyncio.run(_serve(_options(sys.argv[1:] if arguments is None else arguments)))
    except (OSError, ValueError) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
