"""Serves the transcript page and does what its forms ask for; prints the transcript on a terminal."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlencode

from aiohttp import web

from tests.fakes.slack.model import Message
from tests.fakes.slack.mrkdwn import parse
from tests.fakes.slack.page import Page, document
from tests.fakes.slack.people import NotPossibleError, Person
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.view_state import Values
from tests.fakes.slack.workspace import Workspace

__all__ = ["Transcript", "line"]


def line(message: Message, names: Mapping[str, str], channel: str) -> str:
    """Return a message as one line of a terminal's transcript; control characters become spaces."""
    who = names.get(message.user_id, message.user_id)
    tokens = parse(message.text)
    text = "".join(f"@{names.get(t.target, t.target)}" if t.kind == "user" else t.label for t in tokens)
    when = datetime.fromtimestamp(float(message.ts), UTC).strftime("%H:%M:%S")
    place = f"{channel}{' ↳' if message.thread_ts else ''}{' (only one sees it)' if message.visible_to else ''}"
    return f"{when} {place} {who}: {''.join(c if c.isprintable() else ' ' for c in text)}"


class Transcript:
    """The page's routes. Add them before the fake starts."""

    def __init__(self, slack: FakeSlack) -> None:
        self._slack = slack
        router = slack.web.router
        router.add_get("/", self._root)
        router.add_get("/w/{team}/{place}", self._show)
        router.add_get("/ui/changes", self._changes)
        router.add_post("/ui/{verb}", self._do)

    def _find(self, team: str, name: str) -> tuple[Workspace, Person]:
        workspace = next((w for w in self._slack.workspaces if w.team_id == team), None)
        if workspace is None or workspace.store.find_user(name) is None:
            raise web.HTTPNotFound(text="no such workspace or person")
        return workspace, workspace.user(name)

    async def _root(self, request: web.Request) -> web.StreamResponse:
        workspace = self._slack.workspace
        channel = workspace.channel("papers")
        person = next(user.name for user in workspace.store.users.values() if not user.is_bot)
        raise web.HTTPFound(f"/w/{workspace.team_id}/{channel.id}?{urlencode({'as': person})}")

    async def _show(self, request: web.Request) -> web.StreamResponse:
        workspace, person = self._find(request.match_info["team"], request.query.get("as", ""))
        place = request.match_info["place"]
        if place == "home" and person.home is None:
            person.opens_home()
        channel = None if place == "home" else workspace.store.find_channel(place)
        page = Page(workspace, person, channel, request.query.get("notice", ""))
        nonce = secrets.token_urlsafe(12)
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; connect-src 'self'"
        headers = {"Content-Security-Policy": f"{policy}; form-action 'self'; frame-ancestors 'none'"}
        return web.Response(
            text=document(workspace.store.name, page.html(), nonce=nonce), content_type="text/html", headers=headers
        )

    async def _changes(self, request: web.Request) -> web.StreamResponse:
        """Tell the page, as server-sent events, whenever something may have changed."""
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await answer.prepare(request)
        seen = int(request.query.get("since", "0"))
        with contextlib.suppress(ConnectionError):
            while not self._slack.closed:
                if self._slack.activity.count != seen:
                    seen = self._slack.activity.count
                    await answer.write(f"data: {seen}\n\n".encode())
                elif await self._slack.activity.pause(idle_s=15):
                    await answer.write(b": still here\n\n")
        return answer

    async def _do(self, request: web.Request) -> web.StreamResponse:
        """Do what a form asks for and go back to the page it stood on."""
        data = {key: [str(v) for v in (await request.post()).getall(key)] for key in await request.post()}
        given = {key: values[-1] for key, values in data.items()}
        workspace, person = self._find(given.get("team", ""), given.get("as", ""))
        back = {"as": given["as"]}
        try:
            self._act(request.match_info["verb"], person, given, data)
        except (NotPossibleError, LookupError) as why:
            back["notice"] = str(why)
        raise web.HTTPSeeOther(f"/w/{workspace.team_id}/{given.get('place', '')}?{urlencode(back)}")

    def _act(self, verb: str, person: Person, given: dict[str, str], data: dict[str, list[str]]) -> None:
        match verb:
            case "say":
                _say(person, given)
            case "click":
                person.clicks(_message(person, given), given.get("action"), value=given.get("value"))
            case "click-view":
                view = person.store.homes.get(person.id) or person.views[-1]
                person.clicks_in_view(view, given.get("action"), value=given.get("value"))
            case "shortcut":
                person.shortcut(given["callback"], on=_message(person, given) if "ts" in given else None)
            case "react":
                _react(person, given)
            case "submit":
                person.submits(person.store.views[given["view"]], _values(data))
            case "close":
                person.closes(person.store.views[given["view"]])
            case _:
                raise NotPossibleError(f"there is nothing like {verb}")


def _message(person: Person, given: dict[str, str]) -> Message:
    private = (m for m in person.ephemerals if m.ts == given.get("ts"))
    found = person.store.message(given.get("channel", ""), given.get("ts", "")) or next(private, None)
    if found is None:
        raise NotPossibleError("the message is gone")
    return found


def _react(person: Person, given: dict[str, str]) -> None:
    message, name = _message(person, given), given.get("name", "")
    person.reacts(message, name, added=person.id not in message.reactions.get(name, ()))


def _say(person: Person, given: dict[str, str]) -> None:
    text, place = given.get("text", "").strip(), given.get("place", "")
    command, _, rest = text.partition(" ")
    if not text:
        return
    if command.startswith("/") and "thread" not in given:
        person.slash(command, rest, channel=place)
        return
    root = person.store.message(place, given["thread"]) if "thread" in given else None
    person.says(place, text, thread=root)


def _values(data: dict[str, list[str]]) -> dict[str, Values]:
    values: dict[str, Values] = {}
    for key, entered in data.items():
        kind, _, name = key.partition(":")
        if kind == "value" and name.endswith("[]"):
            values[name.removesuffix("[]")] = entered
        elif kind == "value" and entered[-1]:
            values[name] = entered[-1]
    return values
