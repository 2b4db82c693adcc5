"""An Atom feed of what was posted for a subscription, so that other readers can follow it. RFC 4287."""

from __future__ import annotations

import os
import re
import tempfile
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

from bot.subscription import Sent, Subscription
from bot.version import version

__all__ = ["MOST_IN_FEED", "feed_document", "write_feed"]

MOST_IN_FEED = 200

_ATOM = "http://www.w3.org/2005/Atom"
# What a name is made of is fixed for ever: a reader shows an entry again when its id changes.
_NAMESPACE = uuid.UUID("6f1d6c0e-3a0b-5c57-9a52-0b8f2f4d7a91")
_NO_TITLE = "(without a title)"
_NO_SUMMARY = "(no abstract)"
# XML 1.0, section 2.2: all other characters cannot be written at all, not even as references.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KEPT_IN_ADDRESSES = "%/:=&?~#+!$,;'@()*[]"  # what is not in RFC 3986 at all is escaped, and nothing escaped twice


def write_feed(path: Path, subscription: Subscription, sent: Sequence[Sent], *, updated: datetime) -> None:
    """Put a feed of *sent* at *path*, for its owner alone, in place of what is there.

    Whoever reads the file meanwhile has the old one or the new one whole. A reader that runs as somebody else is let
    in by the folder's owner: the mode of a file that is there is kept.

    Args:
        sent: In any order; the newest `MOST_IN_FEED` are written, each entry once, as it was posted last.
        updated: When the feed changed last, aware; earlier than its newest entry counts as that entry's time.

    Raises:
        OSError: If it cannot be written; what was there stays.
        ValueError: If a time is without zone.
    """
    document = feed_document(subscription, sent, updated=updated)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # made with mode 600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(document)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            Path(name).chmod(path.stat().st_mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def feed_document(subscription: Subscription, sent: Sequence[Sent], *, updated: datetime) -> bytes:
    """Return what `write_feed` writes: UTF-8, the same for the same arguments whatever the order of *sent*.

    Raises:
        ValueError: If a time is without zone.
    """
    latest = _latest(sent)
    feed = ET.Element("feed", {"xmlns": _ATOM})
    _add(feed, "id", _urn(subscription.subscription_id))
    _add(feed, "title", f"Pullquote: {subscription.wants}")
    _add(feed, "updated", _rfc3339(max([updated, *(one.at for one in latest)])))
    _add(feed, "generator", "Pullquote", version=version())
    # The feed's author stands for entries that name none (RFC 4287, section 4.2.1).
    _person(feed, "Pullquote")
    for one in latest:
        _entry(feed, subscription.subscription_id, one)
    ET.indent(feed)
    return b"<?xml version='1.0' encoding='utf-8'?>\n" + bytes(ET.tostring(feed, encoding="utf-8")) + b"\n"


def _latest(sent: Sequence[Sent]) -> list[Sent]:
    """Return the newest of *sent*, newest first, each entry once: ids must not repeat in a feed."""
    ordered = sorted(sorted(sent, key=lambda one: one.entry_id), key=lambda one: one.at, reverse=True)
    once: dict[str, Sent] = {}
    for one in ordered:
        once.setdefault(one.entry_id, one)
    return list(once.values())[:MOST_IN_FEED]


def _entry(feed: ET.Element, subscription_id: str, one: Sent) -> None:
    entry = ET.SubElement(feed, "entry")
    _add(entry, "id", _urn(subscription_id, one.entry_id))
    _add(entry, "title", one.title.strip() or _NO_TITLE)
    _add(entry, "updated", _rfc3339(one.at))
    for author in one.authors:
        if _text(author).strip():
            _person(entry, author.strip())
    if one.url is not None:
        # Section 4.1.2: an entry has a link or content; the one to read is the alternate.
        _add(entry, "link", rel="alternate", href=quote(_text(one.url), safe=_KEPT_IN_ADDRESSES))
    if one.venue.strip():
        _add(entry, "category", term=one.venue.strip())
    _add(entry, "summary", one.sentence.strip() or _NO_SUMMARY, type="text")
    _add(entry, "content", one.abstract.strip() or one.sentence.strip() or _NO_SUMMARY, type="text")


def _person(parent: ET.Element, name: str) -> None:
    _add(ET.SubElement(parent, "author"), "name", name)


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> None:
    element = ET.SubElement(parent, tag, {name: _text(value) for name, value in attributes.items()})
    element.text = None if text is None else _text(text)


def _text(text: str) -> str:
    """Return *text* with U+FFFD in place of what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _urn(*names: str) -> str:
    # Lengths keep ("ab", "c") and ("a", "bc") apart. A lone surrogate has bytes here too.
    said = "".join(f"{len(name)}:{name}" for name in names).encode("utf-8", "surrogatepass")
    return uuid.uuid5(_NAMESPACE, said.hex()).urn


def _rfc3339(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError(f"a feed needs times with their zone, got {at!r}")
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
