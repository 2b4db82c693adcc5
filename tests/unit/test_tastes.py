"""Opinions on entries: noted, used for a personal order, told and forgotten."""

from __future__ import annotations

import dataclasses

import pytest

from bot.errors import SubscriptionError
from bot.orders import From
from tests.fakes.arrivals import HERE, Office, paper
from tests.reading import record


@pytest.fixture
def office() -> Office:
    office = Office()
    office.arrive([paper(1, "glaciers"), paper(2, "whales"), paper(3, "robots")])
    return office


def _said(office: Office, text: str, person: str = "U1") -> str:
    answer = office.orders.reply(text, From(HERE, person))
    assert answer is not None
    return answer.lead or answer.verbatim


async def test_a_personal_digest_begins_with_what_is_liked_and_says_why(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    subscription = office.subscribing.of(HERE)
    assert subscription is not None
    office.subscriptions.save(dataclasses.replace(subscription, personal=True))
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)
    office.tastes.opine(HERE, "U2", "arxiv:2611.00001", liked=False)
    office.arrive([paper(11, "glaciers"), paper(12, "robots"), paper(13, "whales")])
    await office.after(hours=1)

    assert office.posted() == ["arxiv:2611.00013", "arxiv:2611.00012", "arxiv:2611.00011"]
    assert "+whales" in office.wall.posts[-1].text
    assert "−glaciers" in office.wall.posts[-1].text


async def test_without_leave_opinions_change_no_order(office: Office) -> None:
    office.subscribe("everything at 9:30 daily")
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)
    office.arrive([paper(11, "glaciers"), paper(13, "whales")])
    await office.after(hours=1)

    assert office.posted() == ["arxiv:2611.00011", "arxiv:2611.00013"]
    assert "+whales" not in office.wall.posts[-1].text


def test_what_is_liked_here_is_told_in_words(office: Office) -> None:
    assert "know nothing yet" in _said(office, "likes")
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)
    office.tastes.opine(HERE, "U1", "arxiv:2611.00001", liked=False)
    said = _said(office, "what do we like?")

    assert said.splitlines()[0].startswith("Liked: ")
    assert "whales" in said.splitlines()[0]
    assert "glaciers" in said.splitlines()[1]


def test_an_opinion_can_be_taken_back(office: Office) -> None:
    assert office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True).startswith("Noted: more like “The")
    assert office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=None).startswith("Taken back: The")
    assert "know nothing yet" in _said(office, "likes")


def test_what_is_saved_is_listed_and_cited(office: Office) -> None:
    assert "Nothing is saved" in _said(office, "saved")
    assert office.tastes.save("T1", "U1", "arxiv:2611.00002").startswith("Saved: The")
    assert office.tastes.save("T1", "U1", "arxiv:2611.00002").startswith("Saved already: The")

    assert "of whales" in _said(office, "saved")
    assert _said(office, "saved bib").startswith("@")
    assert "Nothing is saved" in _said(office, "saved", person="U2")


def test_a_person_can_have_themselves_forgotten(office: Office) -> None:
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)
    office.tastes.save("T1", "U1", "arxiv:2611.00001")

    assert _said(office, "forget me") == "Forgotten: 2 things that you liked, disliked or saved."
    assert "know nothing yet" in _said(office, "likes")
    assert _said(office, "forget me") == "Forgotten: 0 things that you liked, disliked or saved."


def test_an_entry_that_is_gone_is_said_to_be(office: Office) -> None:
    with pytest.raises(SubscriptionError, match="no longer in the collection"):
        office.tastes.save("T1", "U1", "nothing")


def test_an_opinion_of_an_entry_that_is_gone_can_be_taken_back(office: Office) -> None:
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)
    office.arrive([paper(2, "whales", withdrawn=True)])

    assert office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=None) == "Taken back."
    assert "know nothing yet" in _said(office, "likes")


def test_what_becomes_part_of_another_entry_stays_on_the_list_once(office: Office) -> None:
    printed = record("The quiet whales", abstract="Whales sing.", authors=("Roe, Ann",), doi="10.1000/2", kind="ris")
    office.arrive([printed])
    for name in ("doi:10.1000/2", "arxiv:2611.00002"):
        office.tastes.save("T1", "U1", name)
    office.arrive([paper(2, "whales", doi="10.1000/2")])
    (former,) = office.catalogue.todays_ids(["doi:10.1000/2", "arxiv:2611.00002"])

    assert _said(office, "saved").startswith("1. ")
    assert "\n" not in _said(office, "saved")
    assert office.tastes.opine(HERE, "U1", former, liked=True).startswith("Noted: more like")


def test_only_the_latest_opinions_are_learned_from(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.tastes._MOST_LEARNED", 1)
    office.tastes.opine(HERE, "U1", "arxiv:2611.00001", liked=True)
    office.clock.advance(60)
    office.tastes.opine(HERE, "U1", "arxiv:2611.00002", liked=True)

    assert "whales" in _said(office, "likes")
    assert "glaciers" not in _said(office, "likes")
