"""Use case: look up the titles of entries that came without one, and take only what is surely theirs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from bot.errors import FetchError
from bot.ports import Clock, Fetcher
from retrieval.catalogue.merging import ENRICHED
from retrieval.catalogue.store import Catalogue
from retrieval.errors import SourceError
from retrieval.formats.registry import read_source
from retrieval.formats.source import SourceFile
from retrieval.matching import Described, clusters, same_abstract
from retrieval.model import Entry
from retrieval.people import family_first
from retrieval.records import Record
from retrieval.text.cleaning import display_text

__all__ = ["EnrichReport", "Enriching", "Lookups"]

_OPENING_WORDS: Final = 14
_WORD: Final = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_AGAIN_AFTER: Final = timedelta(days=30)
_FAILURES: Final = 3
"""A service that failed so often in a row is not asked again this time."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """Where papers can be looked up by words of their abstract, in the order in which they are asked."""

    openalex: str = "https://api.openalex.org/works"
    crossref: str = "https://api.crossref.org/works"
    semanticscholar: str = "https://api.semanticscholar.org/graph/v1/paper/search"
    arxiv: str = "https://export.arxiv.org/api/query"

    def addresses(self, wanted: Record) -> Iterator[tuple[str, str]]:
        """Yield each service's name and the address that asks it for *wanted*, by an id that it knows or by opening."""
        opening = " ".join(_WORD.findall(display_text(wanted.abstract))[:_OPENING_WORDS])
        doi, arxiv = wanted.ids.get("doi"), wanted.ids.get("arxiv")
        by = f"doi:{doi}" if doi else f"abstract.search:{opening}"
        yield "openalex", f"{self.openalex}?{urlencode({'filter': by, 'per-page': 5})}"
        asked = {"filter": f"doi:{doi}"} if doi else {"query.bibliographic": opening}
        yield "crossref", f"{self.crossref}?{urlencode({**asked, 'rows': 5})}"
        asked = {"query": opening, "limit": "5", "fields": "title,abstract,year,venue,externalIds,authors,url"}
        yield "semanticscholar", f"{self.semanticscholar}?{urlencode(asked)}"
        asked = {"id_list": arxiv} if arxiv else {"search_query": f'abs:"{opening}"'}
        yield "arxiv", f"{self.arxiv}?{urlencode({**asked, 'max_results': 5})}"


@dataclass(slots=True)
class EnrichReport:
    """What looking up gave.

    Attributes:
        found: The title that each entry has now and the service that knew it, by the entry's id.
        unknown: The entries that no service knew for sure.
        failures: Why a service could not be asked, by its name.
    """

    found: dict[str, tuple[str, str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)


class Enriching:
    """Looks titles up. What is found stands beside what the entry's sources say and wins over none of it."""

    def __init__(self, catalogue: Catalogue, fetcher: Fetcher, clock: Clock, *, lookups: Lookups | None = None) -> None:
        """Look up the entries of *catalogue*."""
        self._catalogue = catalogue
        self._fetcher = fetcher
        self._clock = clock
        self._lookups = lookups or Lookups()
        self._failed: dict[str, int] = {}

    async def run(self, *, limit: int = 100, again: bool = False) -> EnrichReport:
        """Look up at most *limit* entries whose titles are derived.

        Those that were never looked up come first, the oldest of them first; then those whose last try is longest ago.

        Args:
            limit: How many at most.
            again: Look up also what was looked up in vain a short while ago.
        """
        report = EnrichReport()
        for entry in await asyncio.to_thread(self._waiting, limit, again=again):
            answered: list[str] = []
            found = await self._look_up(entry, report, answered)
            if found is not None:
                service, record = found
                await asyncio.to_thread(self._keep, record, service)
                report.found[entry.entry_id] = (record.title, service)
                continue
            report.unknown.append(entry.entry_id)
            if answered:
                await asyncio.to_thread(self._catalogue.put_lookup, entry.entry_id, self._clock.now())
        return report

    def _waiting(self, limit: int, *, again: bool) -> list[Entry]:
        tried, now = self._catalogue.lookups(), self._clock.now()
        waiting = [
            entry
            for entry in self._catalogue.entries()
            if entry.title_derived
            and entry.abstract
            and (again or entry.entry_id not in tried or now - tried[entry.entry_id] > _AGAIN_AFTER)
        ]
        never = datetime.min.replace(tzinfo=UTC)
        return sorted(waiting, key=lambda entry: tried.get(entry.entry_id, never))[:limit]

    async def _look_up(self, entry: Entry, report: EnrichReport, answered: list[str]) -> tuple[str, Record] | None:
        """Return the service that knows the entry, and what it says with the entry's own words, year and ids.

        Args:
            answered: Gets the names of the services that answer.
        """
        authors = tuple(family_first(name) for name in entry.authors)
        wanted = Record(ENRICHED, 1, abstract=entry.raw_abstract, authors=authors, year=entry.year, ids=entry.ids)
        for service, url in self._lookups.addresses(wanted):
            if self._failed.get(service, 0) >= _FAILURES:
                continue
            try:
                candidates = _records((await self._fetcher.get(url)).body, service)
            except (FetchError, SourceError) as exc:
                self._failed[service] = self._failed.get(service, 0) + 1
                report.failures[service] = str(exc)
                continue
            self._failed[service] = 0
            answered.append(service)
            for one in candidates:
                if one.title and same_abstract(one.abstract, wanted.abstract):
                    known = replace(one, format=ENRICHED, abstract=wanted.abstract, year=wanted.year or one.year)
                    if len(clusters([Described(wanted), Described(known)])) == 1:
                        return service, replace(known, ids={**known.ids, **wanted.ids})
        return None

    def _keep(self, record: Record, service: str) -> None:
        with self._catalogue.importing(self._clock.now()) as batches:
            batches.add(record, file=service)


def _records(body: bytes, service: str) -> Sequence[Record]:
    """Return the papers of an answer.

    Raises:
        SourceError: If it is cut off.
    """
    return [item for item in read_source(SourceFile.of(body, service)) if isinstance(item, Record)]
