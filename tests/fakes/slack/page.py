"""The transcript page: channels, threads, ephemeral messages, modals, the Home tab, and a box to type in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.fakes.slack.block_html import blocks_html, text_html
from tests.fakes.slack.controls import clickable, field
from tests.fakes.slack.markup import Markup, form, join, tag
from tests.fakes.slack.model import Channel, Message, View
from tests.fakes.slack.page_style import SCRIPT, STYLE
from tests.fakes.slack.people import Person
from tests.fakes.slack.wire import JsonObject
from tests.fakes.slack.workspace import Workspace

__all__ = ["Page", "document"]

_REACTIONS = ("thumbsup", "thumbsdown", "bookmark")


def document(title: str, body: Markup, *, nonce: str) -> str:
    """Return a whole HTML document."""
    head = [Markup('<meta charset="utf-8">'), tag("title", title), tag("style", Markup(STYLE))]
    script = tag("script", Markup(SCRIPT), nonce=nonce)
    return f"<!doctype html>{tag('html', tag('head', *head), tag('body', body, script), lang='en')}"


@dataclass(frozen=True, slots=True)
class Page:
    """One channel, or the Home tab, as one person sees it.

    Attributes:
        channel: What is shown; None for the Home tab.
        notice: Something to tell the person once.
    """

    workspace: Workspace
    person: Person
    channel: Channel | None
    notice: str = ""

    @property
    def _names(self) -> Mapping[str, str]:
        store = self.workspace.store
        places = {channel.id: channel.name for channel in store.channels.values()}
        return places | {user.id: user.name for user in store.users.values()}

    @property
    def _who(self) -> str:
        return self.person.user.name

    @property
    def _where(self) -> list[tuple[str, object]]:
        place = self.channel.id if self.channel else "home"
        return [("team", self.workspace.team_id), ("as", self._who), ("place", place)]

    def html(self) -> Markup:
        """Return the body of the page."""
        notice = [tag("div", self.notice, class_="notice")] if self.notice else []
        shown = self._home() if self.channel is None else self._messages(self.channel)
        main = tag(
            "main",
            tag("header", *self._title()),
            tag("div", *notice, shown, id="log", data_seen=self.workspace.hub.activity.count),
            self._box(),
        )
        return join([self._side(), main, self._front()])

    def _title(self) -> list[object]:
        if self.channel is None:
            return ["Home tab"]
        name = self._label(self.channel)
        status = [text for (place, _), text in self.workspace.store.statuses.items() if place == self.channel.id]
        return [name, tag("small", f"{self.workspace.bot.name} {status[-1]}" if status and status[-1] else "")]

    def _label(self, channel: Channel) -> str:
        return f"@ {self.workspace.bot.name}" if channel.kind == "im" else f"# {channel.name}"

    def _side(self) -> Markup:
        store, dm = self.workspace.store, self.person.dm_channel
        rooms = [c for c in store.channels.values() if c.kind != "im" and (c.kind == "public" or self._sees(c))]
        people = [user.name for user in store.users.values() if not user.is_bot and not user.deleted]
        parts: list[object] = [tag("h1", f"{store.name} · as {self._who}"), tag("h2", "Channels")]
        parts += [self._to(channel.id, self._label(channel), self._who) for channel in rooms]
        parts += [tag("h2", "App"), self._to(dm.id, self._label(dm), self._who), self._to("home", "Home", self._who)]
        here = self.channel.id if self.channel and self.channel.kind != "im" else "general"
        parts += [tag("h2", "Look as"), *(self._to(here, name, name, mark=False) for name in people)]
        return tag("nav", *parts)

    def _sees(self, channel: Channel) -> bool:
        return self.person.id in channel.members

    def _to(self, place: str, label: str, who: str, *, mark: bool = True) -> Markup:
        here = mark and place == (self.channel.id if self.channel else "home")
        return tag("a", label, href=f"/w/{self.workspace.team_id}/{place}?as={who}", class_="here" if here else None)

    def _messages(self, channel: Channel) -> Markup:
        store = self.workspace.store
        private = [m for m in self.person.ephemerals if m.channel_id == channel.id]
        everything = sorted([*store.messages(channel.id), *private], key=lambda m: m.ts)
        roots = [m for m in everything if m.thread_ts is None]
        return join(self._thread(root, [m for m in everything if m.thread_ts == root.ts]) for root in roots)

    def _thread(self, root: Message, replies: list[Message]) -> Markup:
        box = tag("input", type="text", name="text", id=f"reply-{root.ts}", placeholder="Reply in thread…")
        hidden = [*self._where, ("thread", root.ts)]
        answer = [] if root.visible_to else [form("/ui/say", hidden, box, tag("button", "Reply"), class_="reply")]
        return join([self._message(root), tag("div", *map(self._message, replies), *answer, class_="replies")])

    def _message(self, message: Message) -> Markup:
        own = message.bot_id is not None
        body = self._body(message) if own and message.blocks else text_html(message.text, self._names)
        reactions = [f":{name}: {len(users)}" for name, users in message.reactions.items()]
        shortcuts = [] if own else [self._shortcut(message, name) for name in self._message_shortcuts()]
        offered = (
            [self._reaction(message, name) for name in _REACTIONS] if own and not message.visible_to else shortcuts
        )
        foot = [tag("small", text, " ") for text in reactions]
        tools = [tag("div", *offered, class_="tools")] if offered else []
        kind = "message private" if message.visible_to else "message"
        return tag("div", tag("div", *self._byline(message)), body, *foot, *tools, class_=kind)

    def _byline(self, message: Message) -> list[object]:
        when = datetime.fromtimestamp(float(message.ts), UTC).strftime("%H:%M:%S")
        line: list[object] = [tag("span", self._names.get(message.user_id, message.user_id), class_="who"), " "]
        line += [tag("span", "APP", class_="app"), " "] if message.bot_id else []
        line += [tag("span", when + (" (edited)" if message.edited_ts else ""), class_="time"), " "]
        return line + ([tag("span", "only you can see this", class_="note")] if message.visible_to else [])

    def _body(self, message: Message) -> Markup:
        where = [*self._where, ("channel", message.channel_id), ("ts", message.ts)]
        return blocks_html(message.blocks, self._names, lambda element: clickable(element, "/ui/click", where))

    def _message_shortcuts(self) -> list[str]:
        return [callback for callback, kind in self.workspace.hub.manifest.shortcuts if kind == "message"]

    def _shortcut(self, message: Message, callback: str) -> Markup:
        hidden = [*self._where, ("callback", callback), ("channel", message.channel_id), ("ts", message.ts)]
        return form("/ui/shortcut", hidden, tag("button", f"⋯ {callback}"))

    def _reaction(self, message: Message, name: str) -> Markup:
        there = self.person.id in message.reactions.get(name, ())
        hidden = [*self._where, ("channel", message.channel_id), ("ts", message.ts), ("name", name)]
        return form("/ui/react", hidden, tag("button", f"{'✓' if there else '+'} :{name}:"))

    def _home(self) -> Markup:
        view = self.person.home
        if view is None:
            return tag("p", "The app has published nothing here yet.", class_="note")
        where = [*self._where, ("view", view.id)]
        blocks = view.body["blocks"]
        return blocks_html(blocks, self._names, lambda element: clickable(element, "/ui/click-view", where))

    def _box(self) -> Markup:
        if self.channel is None:
            return tag("div", class_="compose")
        prompts = self.workspace.store.suggested.get(self.channel.id, [])
        offers = [form("/ui/say", [*self._where, ("text", p["message"])], tag("button", p["title"])) for p in prompts]
        commands = " ".join(sorted(self.workspace.hub.manifest.commands))
        hint = (
            f"Message {self._label(self.channel)} — @{self.workspace.bot.name} mentions the app, {commands} works too"
        )
        box = tag("input", name="text", placeholder=hint, autofocus="", autocomplete="off", aria_label="Message")
        callbacks = [c for c, kind in self.workspace.hub.manifest.shortcuts if kind == "global"]
        extra = [form("/ui/shortcut", [*self._where, ("callback", c)], tag("button", f"⚡ {c}")) for c in callbacks]
        typed = form("/ui/say", self._where, box, tag("button", "Send", class_="primary"), class_="compose")
        return tag("div", typed, tag("div", *offers, *extra, class_="compose"))

    def _front(self) -> Markup:
        views = self.person.views
        shown = self._modal(views[-1]) if views else ""
        key = f"{views[-1].id} {views[-1].hash} {self.person.errors}" if views else "none"
        return tag("div", shown, id="front", data_shown=key)

    def _modal(self, view: View) -> Markup:
        body = view.body
        places = [(c.id, self._label(c)) for c in self.workspace.store.channels.values()]
        errors = [tag("p", f"{block}: {text}", class_="error") for block, text in self.person.errors.items()]
        fields = blocks_html(body["blocks"], self._names, lambda element: self._field(element, places))
        submit = tag("button", (body.get("submit") or {"text": "OK"})["text"], class_="primary", form="modal")
        hidden = [*self._where, ("view", view.id)]
        close = form("/ui/close", hidden, tag("button", (body.get("close") or {"text": "Close"})["text"]))
        inside = form("/ui/submit", hidden, *errors, fields, id_="modal")
        buttons = tag("div", close, *([submit] if body.get("submit") else []), class_="buttons")
        return tag("div", tag("div", tag("h3", body["title"]["text"]), inside, buttons, class_="modal"), class_="shade")

    def _field(self, element: JsonObject, places: list[tuple[str, str]]) -> Markup:
        if element.get("type") == "button":
            return tag("span", element["text"]["text"], class_="note")
        return field(element, places)
