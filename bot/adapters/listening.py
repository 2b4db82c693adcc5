"""A port that answers HTTP."""

from __future__ import annotations

from aiohttp import web

from bot.errors import PlatformError

__all__ = ["listen"]


async def listen(app: web.Application, *, host: str, port: int) -> tuple[web.AppRunner, int]:
    """Serve *app*; return what stops it, by `cleanup`, and the port, which for 0 is any free one.

    Raises:
        PlatformError: If the port is not to be had.
    """
    runner = web.AppRunner(app, handle_signals=False, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as exc:
        await runner.cleanup()
        raise PlatformError(f"cannot listen on {host}:{port}: {exc.strerror}") from exc
    return runner, int(runner.addresses[0][1])
