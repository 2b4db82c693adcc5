"""Looking titles up: only what is surely the entry's own, and never over a title that it has."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from bot.adapters.http import HttpClient, HttpPolicy
from bot.enriching import Enriching, Lookups
from retrieval.catalogue.store import Catalogue
from retrieval.matching import same_abstract
from retrieval.records import Record
from tests.fakes.clock import StandingClock
from tests.fakes.web import Play, WebStage, answer, web_stage
from tests.reading import record

_TEXT = "We show that birds build small nests in tall trees because cold wind and rain would harm their eggs."
_OTHER = "We show that birds build small nests in tall trees, and then tell of something else entirely, at length."
_NONE = answer('{"results": []}')


@dataclass(frozen=True, slots=True)
class Desk:
    """A catalogue with one untitled entry, and services that can be made to answer."""

    stage: WebStage
    clock: StandingClock
    catalogue: Catalogue
    enriching: Enriching

    def add(self, *records: Record) -> None:
        with self.catalogue.importing(self.clock.now()) as batches:
            for one in records:
                batches.add(one, file="more.txt")

    def title(self) -> tuple[str, bool]:
        (entry,) = self.catalogue.entries()
        return entry.title, entry.title_derived


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    clock = StandingClock()
    policy = HttpPolicy(allow_private=True, interval_s=0, attempts=1)
    async with web_stage() as stage, HttpClient(clock, policy, sleep=lambda _: asyncio.sleep(0)) as client:
        lookups = Lookups(*(stage.plays(f"/{name}", _NONE) for name in ("openalex", "crossref", "s2", "arxiv")))
        with Catalogue(None) as catalogue:
            with catalogue.importing(datetime(2026, 7, 1, tzinfo=UTC)) as batches:
                batches.add(record(abstract=_TEXT, kind="abstracts", year=2026), file="list.txt")
            yield Desk(stage, clock, catalogue, Enriching(catalogue, client, clock, lookups=lookups))


def crossref(title: str, abstract: str) -> Play:
    item = {"DOI": "10.1000/x", "title": [title], "abstract": f"<jats:p>{abstract}</jats:p>"}
    return answer(json.dumps({"message": {"items": [item]}}))


async def test_a_title_is_found_where_the_abstract_agrees_and_its_source_is_kept(desk: Desk) -> None:
    desk.stage.plays("/crossref", crossref("On nests", _TEXT.replace("birds", "<i>birds</i>")))

    report = await desk.enriching.run()
    (entry,) = desk.catalogue.entries()

    assert (entry.title, entry.title_derived, entry.ids["doi"]) == ("On nests", False, "10.1000/x")
    assert list(report.found.values()) == [("On nests", "crossref")]
    assert [source.file for source in desk.catalogue.history(entry.entry_id).sources] == ["list.txt", "crossref"]
    assert "We show that birds build" in desk.stage.asked_at("/crossref")[0].query["query.bibliographic"]


async def test_a_paper_that_only_begins_alike_is_not_taken(desk: Desk) -> None:
    desk.stage.plays("/crossref", crossref("Something else", _OTHER))

    report = await desk.enriching.run()

    assert desk.title()[1]
    assert len(report.unknown) == 1


async def test_a_title_that_is_given_later_wins_over_one_that_was_found(desk: Desk) -> None:
    desk.stage.plays("/crossref", crossref("On nests", _TEXT))
    await desk.enriching.run()

    with desk.catalogue.importing(datetime(2026, 7, 2, tzinfo=UTC)) as batches:
        batches.add(record("Nests, by their builders", abstract=_TEXT, kind="csv", year=2026), file="mine.csv")

    assert desk.title() == ("Nests, by their builders", False)


async def test_what_has_a_title_is_not_looked_up(desk: Desk) -> None:
    desk.stage.plays("/crossref", crossref("On nests", _TEXT))
    await desk.enriching.run()
    asked = len(desk.stage.asked)

    await desk.enriching.run()

    assert len(desk.stage.asked) == asked


async def test_a_service_that_fails_is_named_and_the_next_is_asked(desk: Desk) -> None:
    desk.stage.plays("/openalex", answer(status=500))
    desk.stage.plays("/crossref", crossref("On nests", _TEXT))

    report = await desk.enriching.run()

    assert "answers 500" in report.failures["openalex"]
    assert desk.title() == ("On nests", False)


async def test_what_is_found_becomes_the_entrys_though_its_text_and_year_differ(desk: Desk) -> None:
    desk.add(record(abstract="Whales sing " * 3 + _OTHER, kind="csv", year=2026, arxiv="2607.00001"))
    item = {
        "DOI": "10.1000/y",
        "title": ["On whales"],
        "abstract": "Whales sing " * 3 + _OTHER.replace("small", "tiny"),
        "issued": {"date-parts": [[2022]]},
    }
    desk.stage.plays("/crossref", answer(json.dumps({"message": {"items": [item]}})))

    await desk.enriching.run()

    entry = desk.catalogue.history("arxiv:2607.00001").entry
    assert (entry.title, entry.year) == ("On whales", 2026)
    assert dict(entry.ids) == {"arxiv": "2607.00001", "doi": "10.1000/y"}
    assert len(list(desk.catalogue.entries())) == 2


async def test_a_paper_of_another_id_is_not_taken(desk: Desk) -> None:
    desk.add(record(abstract=_OTHER, kind="csv", doi="10.1000/mine"))
    desk.stage.plays("/crossref", crossref("On nests, again", _OTHER))

    await desk.enriching.run()

    assert desk.catalogue.history("doi:10.1000/mine").entry.title_derived


async def test_a_paper_of_other_people_is_not_taken(desk: Desk) -> None:
    desk.add(record(abstract=_OTHER, authors=("Roe, Ann",), kind="csv", arxiv="2607.00001"))
    item = {"DOI": "10.1000/x", "title": ["Mine"], "author": [{"family": "Poe", "given": "Al"}], "abstract": _OTHER}
    desk.stage.plays("/crossref", answer(json.dumps({"message": {"items": [item]}})))

    await desk.enriching.run()

    assert desk.catalogue.history("arxiv:2607.00001").entry.title_derived
    assert len(list(desk.catalogue.entries())) == 2


async def test_an_entry_is_asked_for_by_its_ids(desk: Desk) -> None:
    desk.add(record(abstract=_OTHER, kind="csv", doi="10.1000/mine", arxiv="2607.00001"))

    await desk.enriching.run()

    assert [request.query.get("filter") for request in desk.stage.asked_at("/openalex")][1] == "doi:10.1000/mine"
    assert [request.query.get("filter") for request in desk.stage.asked_at("/crossref")][1] == "doi:10.1000/mine"
    assert [request.query.get("id_list") for request in desk.stage.asked_at("/arxiv")][1] == "2607.00001"


async def test_what_no_service_knows_holds_up_nothing_and_is_asked_for_again_after_a_month(desk: Desk) -> None:
    desk.add(record(abstract="Whales sing long songs in deep water all winter, and nobody knows why they do so."))

    first = await desk.enriching.run(limit=1)
    desk.clock.advance(60)
    second = await desk.enriching.run(limit=1)
    third = await desk.enriching.run(limit=1)
    desk.clock.advance(60)
    again = await desk.enriching.run(limit=1, again=True)
    desk.clock.advance(31 * 86_400)
    later = await desk.enriching.run()

    assert [len(one.unknown) for one in (first, second, third, again, later)] == [1, 1, 0, 1, 2]
    assert first.unknown == again.unknown != second.unknown
    assert later.unknown == [*second.unknown, *first.unknown]


async def test_what_no_service_could_be_asked_about_is_asked_for_the_next_time(desk: Desk) -> None:
    for name in ("/openalex", "/crossref", "/s2", "/arxiv"):
        desk.stage.plays(name, answer(status=500))
    await desk.enriching.run()
    desk.stage.plays("/crossref", crossref("On nests", _TEXT))

    await desk.enriching.run()

    assert desk.title() == ("On nests", False)


@pytest.mark.parametrize(("other", "same"), [(_TEXT.upper(), True), (_TEXT[:60], False), (_OTHER, False), ("", False)])
def test_abstracts_are_the_same_but_for_typesetting(other: str, same: bool) -> None:
    assert same_abstract(_TEXT, other) is same
