"""HTML made safely: text is escaped unless it already is markup."""

from __future__ import annotations

import html
from collections.abc import Iterable

__all__ = ["Markup", "form", "join", "link", "tag"]


_VOID = ("input", "br", "hr")


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def _safe(part: object) -> str:
    return part if isinstance(part, Markup) else html.escape(str(part))


def join(parts: Iterable[object]) -> Markup:
    """Put parts one after the other, escaping what is not markup."""
    return Markup("".join(_safe(part) for part in parts))


def tag(name: str, /, *parts: object, **attributes: object) -> Markup:
    """Return an element. An attribute that is None or False is left out; a final "_" in its name too."""
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    shown = "".join(f' {key}="{html.escape(str(value))}"' for key, value in given if value not in (None, False))
    end = "" if name in _VOID else f"</{name}>"
    return Markup(f"<{name}{shown}>{join(parts)}{end}")


def link(url: str, label: str) -> Markup:
    """Return a link to an http(s) address, and plain text for anything else."""
    if not url.startswith(("http://", "https://")):
        return tag("span", label)
    return tag("a", label, href=url, rel="noreferrer noopener", target="_blank")


def form(
    action: str, hidden: Iterable[tuple[str, object]], *parts: object, class_: str = "", id_: str | None = None
) -> Markup:
    """Return a form that posts *hidden* fields beside what its parts hold."""
    fields = [tag("input", type="hidden", name=name, value=value) for name, value in hidden]
    return tag("form", *fields, *parts, method="post", action=action, class_=class_ or None, id_=id_)
