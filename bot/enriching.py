"""Use case: look up the titles of entries that came without one, and take only what is surely theirs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urlencode

from bot.errors import FetchError
from bot.ports import Clock, Fetcher
from retrieval.catalogue.merging import ENRICHED
from retrieval.catalogue.store import Catalogue
from retrieval.errors import SourceError
from retrieval.formats.registry import read_source
from retrieval.formats.source import SourceFile
from retrieval.matching import same_abstract
from retrieval.model import Entry
from retrieval.records import Record

__all__ = ["EnrichReport", "Enriching", "Lookups"]

_OPENING_WORDS: Final = 14
_WORD: Final = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_FAILURES: Final = 3
"""A service that failed so often in a row is not asked again this time."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """Where papers can be looked up by words of their abstract, in the order in which they are asked."""

    openalex: str = "https://api.openalex.org/works"
    crossref: str = "https://api.crossref.org/works"
    semanticscholar: str = "https://api.semanticscholar.org/graph/v1/paper/search"
    arxiv: str = "https://export.arxiv.org/api/query"

    def addresses(self, opening: str) -> Iterator[tuple[str, str]]:
        """Yield each service's name and the address that asks it for an abstract with these opening words."""
        yield "openalex", f"{self.openalex}?{urlencode({'filter': f'abstract.search:{opening}', 'per-page': 5})}"
        yield "crossref", f"{self.crossref}?{urlencode({'query.bibliographic': opening, 'rows': 5})}"
        wanted = "title,abstract,year,venue,externalIds,authors,url"
        asked = {"query": opening, "limit": 5, "fields": wanted}
        yield "semanticscholar", f"{self.semanticscholar}?{urlencode(asked)}"
        phrase = f'abs:"{opening}"'
        yield "arxiv", f"{self.arxiv}?{urlencode({'search_query': phrase, 'max_results': 5})}"


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

    async def run(self, *, limit: int = 100) -> EnrichReport:
        """Look up at most *limit* entries whose titles are derived, the oldest first."""
        report = EnrichReport()
        for entry in [one for one in self._catalogue.entries() if one.title_derived and one.abstract][:limit]:
            found = await self._look_up(entry, report)
            if found is None:
                report.unknown.append(entry.entry_id)
                continue
            service, record = found
            await asyncio.to_thread(self._keep, record, service)
            report.found[entry.entry_id] = (record.title, service)
        return report

    async def _look_up(self, entry: Entry, report: EnrichReport) -> tuple[str, Record] | None:
        opening = " ".join(_WORD.findall(entry.abstract)[:_OPENING_WORDS])
        for service, url in self._lookups.addresses(opening):
            if self._failed.get(service, 0) >= _FAILURES:
                continue
            try:
                candidates = _records((await self._fetcher.get(url)).body, service)
            except (FetchError, SourceError) as exc:
                self._failed[service] = self._failed.get(service, 0) + 1
                report.failures[service] = str(exc)
                continue
            self._failed[service] = 0
            agreeing = [one for one in candidates if one.title and same_abstract(one.abstract, entry.raw_abstract)]
            if agreeing:
                return service, replace(agreeing[0], format=ENRICHED)
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
