"""Somebody's place in a workspace: who they are and what they see."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.fakes.slack.hub import Hub
from tests.fakes.slack.model import Channel, Message, User, View
from tests.fakes.slack.store import Store

__all__ = ["NotPossibleError", "Seat"]


class NotPossibleError(AssertionError):
    """A person cannot do that in Slack: there is no such button, channel or modal in front of them."""


@dataclass(slots=True)
class Seat:
    """Who somebody is, and what is in front of them.

    Attributes:
        errors: Field errors that the last submission was answered with, by block id.
    """

    hub: Hub
    store: Store
    id: str
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def user(self) -> User:
        """The person's record."""
        return self.store.users[self.id]

    @property
    def mention(self) -> str:
        """How the person is mentioned in a message's text."""
        return f"<@{self.id}>"

    @property
    def dm_channel(self) -> Channel:
        """The direct-message channel between the person and the app."""
        return self.store.dm(self.id)

    @property
    def views(self) -> list[View]:
        """The modals open in front of the person, the topmost last."""
        return [view for view in self.store.views.values() if view.user_id == self.id]

    @property
    def home(self) -> View | None:
        """The Home tab as published for the person."""
        return self.store.homes.get(self.id)

    @property
    def ephemerals(self) -> list[Message]:
        """What only this person sees, in order."""
        return [message for message in self.store.ephemerals(self.id) if message.rendered]

    def channel(self, name: str) -> Channel:
        channel = self.store.find_channel(name)
        if channel is None or (channel.kind != "public" and self.id not in channel.members):
            raise NotPossibleError(f"{self.user.name} sees no channel {name}")
        if channel.archived:
            raise NotPossibleError(f"{name} is archived")
        return channel
