"""Use case: follow feeds, so that what is new comes by itself and downtime loses nothing."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import quote, urlencode

from bot.errors import BotError, FeedError
from bot.importing import ImportReport, import_files, take_source
from bot.ports import Clock, Fetched, Fetcher
from retrieval.catalogue.ingest import Outcome
from retrieval.catalogue.store import Catalogue
from retrieval.errors import CatalogueError, RetrievalError
from retrieval.formats.source import SourceFile
from retrieval.identifiers import http_url
from retrieval.records import Record

__all__ = ["Feed", "FeedKind", "Feeds", "Polled", "Services", "followed"]

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_NAME: Final = re.compile(r"[\w.:/?=&+-]{1,100}")
_CATEGORY: Final = re.compile(
    r"[a-z-]{2,20}\.[A-Za-z-]{2,20}|(?:hep-(?:th|ph|ex|lat)|nucl-(?:th|ex)|quant-ph|math-ph|gr-qc)"
)
_FIELD: Final = re.compile(r"(?:^|[\s(])(?:all|ti|au|abs|co|jr|cat|rn|id|submittedDate|lastUpdatedDate):\S")
_QUERY_WORD: Final = re.compile(r"\"[^\"]*\"|[^\s\"()]+")
_OPERATORS: Final = frozenset({"AND", "OR", "ANDNOT"})
_TOTAL: Final = re.compile(rb"<opensearch:totalResults[^<>]*>\s*(\d{1,9})\s*<")
_VENUE: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+")
_OVERLAP: Final = timedelta(days=3)
"""How far behind the watermark a poll looks again: services list things late."""
_PUBLICATION_OVERLAP: Final = timedelta(days=60)
"""The same where days are those of publication, which may be long past when a paper is listed."""
_FIRST_LOOK_BACK: Final = timedelta(days=14)
_STALE_AFTER: Final = timedelta(days=14)
_NO_QUERY: Final = "is no query; give a category such as cs.IR, or words to search for"
_MAX_PAGES: Final = 200
_PAGE: Final = 100


class FeedKind(StrEnum):
    """Where a feed comes from."""

    ARXIV = "arxiv"
    RSS = "rss"
    OPENREVIEW = "openreview"
    OPENALEX = "openalex"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Services:
    """Where the services are asked."""

    arxiv: str = "https://export.arxiv.org/api/query"
    openreview: str = "https://api2.openreview.net/notes"
    openalex: str = "https://api.openalex.org/works"


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed and how it fared.

    Attributes:
        target: A query or category, an address, a venue's id, or a folder, as `kind` has it.
        watermark: The last day of which everything that was listed was taken in, YYYY-MM-DD; empty before the first
            whole poll.
        polled_at: When it was last tried; `succeeded_at`, when that last worked; `changed_at`, when it last had news.
        error: Why the last try failed; empty when it worked.
    """

    name: str
    kind: FeedKind
    target: str
    added_at: str
    etag: str = ""
    last_modified: str = ""
    watermark: str = ""
    polled_at: str = ""
    succeeded_at: str = ""
    changed_at: str = ""
    error: str = ""

    def is_stale(self, now: datetime) -> bool:
        """Tell whether the feed works and yet had no news for so long that something may be wrong with it."""
        since = self.changed_at or self.added_at
        return bool(self.succeeded_at) and now - datetime.fromisoformat(since) > _STALE_AFTER

    def was_polled_within(self, seconds: float, now: datetime) -> bool:
        """Tell whether the last poll is less than *seconds* ago; one in the future is due to a clock that was wrong."""
        return bool(self.polled_at) and 0 <= (now - datetime.fromisoformat(self.polled_at)).total_seconds() < seconds


@dataclass(slots=True)
class Polled:
    """What one poll of a feed gave; `report` counts what came before an error too."""

    feed: Feed
    report: ImportReport = field(default_factory=ImportReport)


class Feeds:
    """The feeds that are followed; each on its own, so that one that fails holds up none."""

    def __init__(
        self, catalogue: Catalogue, fetcher: Fetcher, clock: Clock, *, services: Services | None = None
    ) -> None:
        """Keep feeds and what they give in *catalogue*."""
        self._catalogue = catalogue
        self._fetcher = fetcher
        self._clock = clock
        self._services = services or Services()
        self._writing = asyncio.Lock()

    def add(self, kind: FeedKind, target: str, *, name: str | None = None) -> Feed:
        """Follow *target* from now on, under *name* or one made of it.

        Raises:
            FeedError: If the target is none of its kind, or the name is taken or no name.
        """
        target = target.strip()
        if (problem := _problem(kind, target)) is not None:
            raise FeedError(f'"{target[:80]}" {problem}')
        name = name or re.sub(r"[^\w.:/?=&+-]+", "-", f"{kind}:{target}")[:100]
        if not _NAME.fullmatch(name):
            raise FeedError(f'"{name[:80]}" is no name for a feed; use letters, digits and . : / - without blanks')
        if name in self._catalogue.feeds():
            raise FeedError(f'there is a feed "{name}" already; remove it or give this one another name with --name')
        feed = Feed(name, kind, str(Path(target).resolve()) if kind is FeedKind.FOLDER else target, self._now())
        self._catalogue.put_feed(feed.name, _text(feed))
        return feed

    def all(self) -> tuple[Feed, ...]:
        """Return the feeds by name."""
        return followed(self._catalogue)

    def due(self, every_s: float) -> tuple[str, ...]:
        """Return the names of the feeds whose last poll is at least *every_s* seconds ago, or never was."""
        return tuple(feed.name for feed in self.all() if not feed.was_polled_within(every_s, self._clock.now()))

    def remove(self, name: str) -> None:
        """Follow a feed no longer; what it gave stays.

        Raises:
            FeedError: If there is none of that name.
        """
        self._named(name)
        self._catalogue.remove_feed(name)

    async def poll(self, names: Sequence[str] = ()) -> tuple[Polled, ...]:
        """Take in what is new in the feeds of these names, or in all; in the order of the names.

        Raises:
            FeedError: If there is none of a name.
        """
        chosen = [self._named(name) for name in names] or [text for _, text in sorted(self._catalogue.feeds().items())]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._poll(kept)) for kept in chosen]
        return tuple(task.result() for task in tasks)

    async def _poll(self, kept: str) -> Polled:
        before = _loaded(kept)
        polled = Polled(before)
        try:
            feed = await (self._folder(polled) if before.kind is FeedKind.FOLDER else self._remote(polled))
            feed = dataclasses.replace(feed, succeeded_at=self._now(), error="")
        except (BotError, RetrievalError) as exc:
            feed = dataclasses.replace(before, error=_said(exc))
        except Exception as exc:  # the other feeds go on without it
            log.exception("feed failed", extra={"feed": before.name})
            error = f"failed in a way that was not foreseen ({type(exc).__name__}); the log has the details"
            feed = dataclasses.replace(before, error=error)
        report = polled.report
        news = report.kept > report.outcomes[Outcome.UNCHANGED]
        polled.feed = dataclasses.replace(
            feed, polled_at=self._now(), changed_at=self._now() if news else before.changed_at
        )
        try:
            await self._write(self._catalogue.update_feed, before.name, _text(polled.feed), before=kept)
        except CatalogueError as exc:
            polled.feed = dataclasses.replace(polled.feed, error=_said(exc))
        return polled

    async def _write(self, write: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Write to the catalogue; one transaction at a time, and none is left behind when the poll is called off."""
        async with self._writing:
            writing = asyncio.ensure_future(asyncio.to_thread(write, *args, **options))
            try:
                return await asyncio.shield(writing)
            except asyncio.CancelledError:
                await asyncio.wait([writing])
                raise

    async def _folder(self, polled: Polled) -> Feed:
        folder = Path(polled.feed.target)
        polled.report = await self._write(import_files, [folder], self._catalogue, now=self._clock.now())
        if polled.report.nothing_readable:
            raise FeedError(str(polled.report.faults[0]))
        return polled.feed

    async def _remote(self, polled: Polled) -> Feed:
        feed = polled.feed
        began = self._clock.now().date().isoformat()
        newest = feed.watermark if _sorted_by_day(feed.kind) else began
        async for fetched, data in self._pages(feed):
            if not fetched.changed:
                break
            records = await self._take(polled, data, fetched)
            days = [record.updated for record in records if record.updated]
            newest = max([newest, *days])
            feed = dataclasses.replace(feed, etag=fetched.etag, last_modified=fetched.last_modified)
            if not records or (days and _sorted_by_day(feed.kind) and max(days) < self._since(feed)):
                break
        return dataclasses.replace(feed, watermark=min(newest, began) or began)

    async def _take(self, polled: Polled, data: bytes, fetched: Fetched) -> list[Record]:
        """Take in one page; an answer of which nothing can be read is an error of the feed."""
        source = SourceFile.of(data, polled.feed.name)
        before, refused = len(polled.report.records), polled.report.refused
        await self._write(take_source, source, self._catalogue, polled.report, now=self._clock.now())
        whole_file = [one.fault for one in polled.report.faults if one.fault.record is None and one.fault.refused]
        if whole_file:
            raise FeedError(f"{fetched.url[:200]}: {whole_file[-1].reason}")
        records = polled.report.records[before:]
        if not records and polled.report.refused > refused:
            raise FeedError(f"{fetched.url[:200]}: {polled.report.faults[-1].fault.reason}")
        return records

    async def _pages(self, feed: Feed) -> AsyncIterator[tuple[Fetched, bytes]]:
        """Yield the pages of a feed, the newest first where the service can; the caller stops when it has enough."""
        if feed.kind is FeedKind.RSS:
            fetched = await self._fetcher.get(feed.target, etag=feed.etag, last_modified=feed.last_modified)
            yield fetched, fetched.body
            return
        cursor = "*"
        for page in range(_MAX_PAGES):
            fetched = await self._fetcher.get(self._url(feed, page * _PAGE, cursor))
            if feed.kind is FeedKind.ARXIV and (left := _left_out(fetched.body, page * _PAGE)):
                raise FeedError(f"{feed.name}: {left} papers are left, and the service gave an empty page")
            yield dataclasses.replace(fetched, etag="", last_modified=""), fetched.body
            if feed.kind is FeedKind.OPENALEX:
                cursor = _next_cursor(fetched.body)
                if not cursor:
                    return
        raise FeedError(f"{feed.name}: has more than {_MAX_PAGES * _PAGE:,} papers at once; ask for less")

    def _url(self, feed: Feed, start: int, cursor: str) -> str:
        match feed.kind:
            case FeedKind.ARXIV:
                asked = {
                    "search_query": _arxiv_query(feed.target),
                    "sortBy": "lastUpdatedDate",
                    "sortOrder": "descending",
                }
                return f"{self._services.arxiv}?{urlencode(asked)}&start={start}&max_results={_PAGE}"
            case FeedKind.OPENREVIEW:
                asked = {"content.venueid": feed.target, "sort": "tmdate:desc"}
                return f"{self._services.openreview}?{urlencode(asked)}&limit={_PAGE}&offset={start}"
            case _:
                asked = {"search": feed.target, "filter": f"from_publication_date:{self._since(feed)}"}
                return f"{self._services.openalex}?{urlencode(asked)}&per-page={_PAGE}&cursor={quote(cursor)}"

    def _since(self, feed: Feed) -> str:
        """Return the day from which everything is wanted; empty where that is whatever there is."""
        if feed.kind is FeedKind.OPENALEX:
            day = feed.watermark or feed.added_at[:10]
            return (date.fromisoformat(day) - _PUBLICATION_OVERLAP).isoformat()
        if feed.watermark:
            return (date.fromisoformat(feed.watermark) - _OVERLAP).isoformat()
        if feed.kind is FeedKind.OPENREVIEW:
            return ""  # a venue has an end, and its papers may have rested for months
        return (datetime.fromisoformat(feed.added_at).date() - _FIRST_LOOK_BACK).isoformat()

    def _named(self, name: str) -> str:
        """Return what is kept of the feed of that name."""
        kept = self._catalogue.feeds()
        if name not in kept:
            raise FeedError(f'there is no feed "{name[:80]}"; there are: {", ".join(sorted(kept)) or "none"}')
        return kept[name]

    def _now(self) -> str:
        return self._clock.now().isoformat()


def followed(catalogue: Catalogue) -> tuple[Feed, ...]:
    """Return the feeds that *catalogue* keeps, by name."""
    return tuple(_loaded(text) for _, text in sorted(catalogue.feeds().items()))


def _problem(kind: FeedKind, target: str) -> str | None:
    match kind:
        case FeedKind.RSS if http_url(target) is None:
            return "is no http(s) address"
        case FeedKind.OPENREVIEW if not _VENUE.fullmatch(target):
            return "is no venue of OpenReview; one looks like ICLR.cc/2026/Conference"
        case FeedKind.FOLDER if not Path(target).is_dir():
            return "is no folder"
        case FeedKind.ARXIV if not _arxiv_query(target):
            return _NO_QUERY
        case _ if not target or len(target) > 1_000:
            return _NO_QUERY
    return None


def _sorted_by_day(kind: FeedKind) -> bool:
    return kind in {FeedKind.ARXIV, FeedKind.OPENREVIEW}


def _arxiv_query(target: str) -> str:
    """Return what arXiv is asked: its own language as it is, a category, or every word; empty when there are none."""
    if _CATEGORY.fullmatch(target):
        return f"cat:{target}"
    if _FIELD.search(target):
        return target
    query, operator = "", "AND"
    for word in _QUERY_WORD.findall(target):
        if word in _OPERATORS:
            operator = word
        elif plain := word.strip('":;,').strip():
            query += f'{f" {operator} " if query else ""}all:"{plain}"'
            operator = "AND"
    return query


def _left_out(page: bytes, start: int) -> str:
    """Return how many of how many papers an empty page of arXiv left out; empty when it is as it should be."""
    total = int(found[1]) if (found := _TOTAL.search(page)) else 0
    return f"{total - start:,} of {total:,}" if total > start and b"<entry" not in page else ""


def _next_cursor(body: bytes) -> str:
    try:
        found: Any = json.loads(body)
        meta: Mapping[str, Any] = found["meta"]
        return str(meta["next_cursor"] or "")
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def _said(exc: Exception) -> str:
    return " ".join(str(exc).split())[:300]


def _text(feed: Feed) -> str:
    return json.dumps(dataclasses.asdict(feed), ensure_ascii=False)


def _loaded(text: str) -> Feed:
    kept: dict[str, Any] = json.loads(text)
    return Feed(**{**kept, "kind": FeedKind(kept["kind"])})
