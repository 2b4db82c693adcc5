"""Which processes are alive: each holds a lock that the system lets go of when the process ends, however it ends."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from bot.errors import InboxError

__all__ = ["Presence"]


class Presence:
    """One process's sign of life in a folder that the processes share.

    Attributes:
        owner: The process's name.
    """

    def __init__(self, folder: Path) -> None:
        """Hold a lock in *folder* until the process ends or `close` is called.

        Raises:
            InboxError: If the folder cannot be written.
        """
        self._folder = folder
        self.owner = f"{os.getpid()}-{secrets.token_hex(4)}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(folder / self.owner, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except OSError as exc:
            raise InboxError(f"{folder}: {exc.strerror}") from exc

    def dead(self, owners: Iterable[str]) -> list[str]:
        """Return those of *owners* whose process is gone."""
        return [owner for owner in owners if owner != self.owner and not self._lives(owner)]

    def _lives(self, owner: str) -> bool:
        path = self._folder / Path(owner).name
        try:
            file = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            path.unlink(missing_ok=True)  # names are never used again
            return False
        finally:
            os.close(file)

    def close(self) -> None:
        """Let go of the lock and tidy up."""
        (self._folder / self.owner).unlink(missing_ok=True)
        os.close(self._file)
