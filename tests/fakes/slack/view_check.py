"""Modals and Home tabs: what Slack takes, and its words for what it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.fakes.slack.blocks import Surface, check_blocks
from tests.fakes.slack.elements import plain
from tests.fakes.slack.shapes import Check, Misfit, Shape, anything, boolean, string, typed
from tests.fakes.slack.wire import strings_in

__all__ = ["check_view"]

_VIEW = {
    "callback_id": string(most=255, least=0),
    "private_metadata": string(most=3000, least=0),
    "external_id": string(most=255, least=0),
    "blocks": anything,
}


def check_view(view: object, *, at: str = "/view") -> list[Misfit]:
    """Return everything that Slack would refuse in a view, in reading order; empty when it takes it."""
    flags = dict.fromkeys(("clear_on_close", "notify_on_close", "submit_disabled"), boolean)
    titles: Mapping[str, Check] = {"submit": plain(24), "close": plain(24)}
    shapes = {
        "modal": Shape({"title": plain(24), "blocks": anything}, {**_VIEW, **flags, **titles}),
        "home": Shape({"blocks": anything}, {**_VIEW, "title": plain(24)}),
    }
    found = list(typed(shapes)(view, at))
    if isinstance(view, Mapping) and view.get("type") in tuple(shapes):
        surface: Surface = "modal" if view["type"] == "modal" else "home"
        found += check_blocks(view.get("blocks"), surface=surface, at=f"{at}/blocks")
        found += _needs_submit(view, at)
    if len("".join(strings_in(view))) > 250_000:
        found.append(Misfit("view is larger than 250 kB", at))
    return found


def _needs_submit(view: Mapping[str, object], at: str) -> Iterator[Misfit]:
    blocks = view.get("blocks")
    inputs = isinstance(blocks, list) and any(isinstance(b, Mapping) and b.get("type") == "input" for b in blocks)
    if view.get("type") == "modal" and inputs and not view.get("submit"):
        yield Misfit("`submit` is required when an input block is within blocks", at)
