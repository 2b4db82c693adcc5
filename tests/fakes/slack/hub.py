"""What every part of the fake shares: the app's identity, the clock, the workspaces, the way to the app."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from tests.fakes.slack.activity import Activity
from tests.fakes.slack.clock import Clock
from tests.fakes.slack.courier import Courier, Delivery
from tests.fakes.slack.faults import Faults
from tests.fakes.slack.manifest import EVENT_SCOPES, Manifest
from tests.fakes.slack.model import Channel
from tests.fakes.slack.rates import Rates
from tests.fakes.slack.store import Store
from tests.fakes.slack.wire import Ids, JsonObject

__all__ = ["ApiCall", "Hub", "ResponseUrl", "TriggerId"]


@dataclass(frozen=True, slots=True)
class ApiCall:
    """One call of the Web API.

    Attributes:
        number: Which call of this method it is, from 1.
        status: The HTTP status answered; 0 when the connection was cut.
        answer: The body answered, or what it would have been.
        unknown: Names of arguments that the method does not have.
        struck: Whether a fault decided the answer.
    """

    method: str
    number: int
    team_id: str
    arguments: JsonObject
    at: float
    status: int
    answer: JsonObject
    unknown: tuple[str, ...] = ()
    struck: bool = False

    @property
    def error(self) -> str | None:
        """Slack's word for what was wrong; None for a call that went well."""
        return None if self.answer.get("ok") else str(self.answer.get("error"))


@dataclass(slots=True)
class TriggerId:
    """Leave to open one modal, for three seconds."""

    store: Store
    user_id: str
    expires_at: float
    used: bool = False


@dataclass(slots=True)
class ResponseUrl:
    """Leave to answer an interaction, five times in half an hour."""

    store: Store
    user_id: str
    channel: Channel
    expires_at: float
    message_ts: str | None = None
    left: int = 5


class Hub:
    """The shared parts. `FakeSlack` is the one to use; this is what it hands to its parts."""

    def __init__(self, manifest: Manifest, clock: Clock, *, signing_secret: str) -> None:
        self.manifest, self.clock, self.signing_secret = manifest, clock, signing_secret
        self.ids, self.activity, self.faults, self.rates = Ids(), Activity(), Faults(), Rates()
        self.courier = Courier(clock=clock, ids=self.ids, faults=self.faults, activity=self.activity, spawn=self.spawn)
        self.app_id = self.ids.next("A")
        self.app_token = f"xapp-1-{self.app_id}-fake"
        self.client_id, self.client_secret = "1.2", "fake-client-secret"
        self.base_url = ""
        self.stores: dict[str, Store] = {}
        self.calls: list[ApiCall] = []
        self.triggers: dict[str, TriggerId] = {}
        self.response_urls: dict[str, ResponseUrl] = {}
        self.in_flight = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run *work* on the loop, owned by the fake."""
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.activity.note()

    @property
    def busy(self) -> bool:
        """Whether something of the fake's own is under way."""
        return bool(self._tasks) or self.in_flight > 0

    @property
    def closed(self) -> bool:
        """Whether the fake has been stopped."""
        return self._closed

    async def end_tasks(self) -> None:
        """Cancel what is under way and take nothing more."""
        self._closed = True
        self.activity.note()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def count_of(self, method: str) -> int:
        """Return how often *method* has been called."""
        return sum(call.method == method for call in self.calls)

    def new_trigger(self, store: Store, user_id: str) -> str:
        """Return a trigger id for an interaction that happens now."""
        trigger = f"{self.ids.number()}.{store.team_id}.{self.ids.uuid()}"
        self.triggers[trigger] = TriggerId(store, user_id, self.clock.now() + 3)
        return trigger

    def new_response_url(self, store: Store, user_id: str, channel: Channel, *, ts: str | None, kind: str) -> str:
        """Return an address at which an interaction that happens now can be answered."""
        path = f"/{kind}/{store.team_id}/{self.ids.number()}/{self.ids.uuid()}"
        self.response_urls[path] = ResponseUrl(store, user_id, channel, self.clock.now() + 1800, ts)
        return f"{self.base_url}{path}"

    def publish(self, store: Store, subscription: str, event: JsonObject, *, channel: Channel | None = None) -> None:
        """Deliver an event, if the app subscribes to it and its token has the scope."""
        scope = EVENT_SCOPES.get(subscription)
        if subscription not in self.manifest.events or (scope and scope not in store.scopes) or store.revoked:
            return
        event_id = self.ids.next("Ev")
        authorization: JsonObject = {"enterprise_id": None, "team_id": store.team_id, "user_id": store.bot.id}
        authorization |= {"is_bot": True, "is_enterprise_install": False}
        payload: JsonObject = {
            "token": "legacy-verification-token",
            "team_id": store.team_id,
            "context_team_id": store.team_id,
            "context_enterprise_id": None,
            "api_app_id": self.app_id,
            "event": event,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": int(self.clock.now()),
            "authorizations": [authorization],
            "is_ext_shared_channel": channel is not None and channel.shared,
            "event_context": f"4-{event_id}",
        }
        self.courier.post(Delivery("events_api", subscription, payload, store.team_id, event_id))
