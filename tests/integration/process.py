"""The shipped command as a process of its own, to be killed at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.fakes.slack import FakeSlack

__all__ = ["BotProcess"]


@dataclass(slots=True)
class BotProcess:
    """`pullquote run` on a data folder, against the local Slack."""

    slack: FakeSlack
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None
    log: IO[bytes] | None = None

    async def start(self) -> None:
        """Start it and wait until it is connected."""
        quick = {"PULLQUOTE_SLACK_PACE_S": "0", "PULLQUOTE_SLACK_LOOK_AGAIN_S": "0", "PULLQUOTE_LOG_LEVEL": "warning"}
        own = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        own |= {**quick, **self.settings, **self.slack.environment, "PULLQUOTE_DATA_DIR": str(self.folder)}
        sockets = len(self.slack.sockets.connections)
        self.log = (self.folder / "log").open("ab")
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", stderr=self.log, env=own, cwd=Path(__file__).parents[2]
        )
        await self.slack.until(lambda: len(self.slack.sockets.connections) > sockets, timeout_s=60)

    async def kill(self) -> None:
        """End it as a power cut would."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to stop and return its exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        if self.process is None or self.log is None:
            return 0
        if self.process.returncode is None:
            self.process.send_signal(how)
        code = await asyncio.wait_for(self.process.wait(), 30)
        self.log.close()
        self.process = None
        return code
