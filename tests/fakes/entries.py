"""Small collections to ask, and the seeds; the word vectors are the real ones, loaded once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from bot.answering import Answering
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry
from retrieval.semantic import WordVectors, load_word_vectors
from tests.fakes.clock import StandingClock
from tests.fakes.conversations import MemoryConversations

__all__ = ["SEEDS", "THREE", "answering_on", "engine_on", "entry", "seed_engine", "word_vectors"]

SEEDS = Path(__file__).parents[2] / "seeds"


def entry(
    entry_id: str,
    title: str,
    abstract: str,
    *,
    authors: Sequence[str] = (),
    venue: str = "",
    year: int | None = None,
    url: str | None = None,
    title_derived: bool = False,
    keywords: Sequence[str] = (),
    name: str | None = None,
) -> Entry:
    """Return an entry with what a test says of it."""
    return Entry(
        entry_id,
        title,
        abstract,
        title_derived=title_derived,
        authors=tuple(authors),
        venue=venue,
        year=year,
        url=url,
        keywords=tuple(keywords),
        name=name,
    )


THREE = (
    entry(
        "a",
        "Budgeted Bandits",
        "Bandits choose arms. We propose BUDGE, a causal bandit that spends its budget slowly. It has low regret.",
        venue="ICLR",
        year=2026,
        authors=("Ada Smith", "Bo Chen"),
        name="BUDGE",
    ),
    entry(
        "b",
        "Masks for Recommenders",
        "Recommenders forget users. We introduce MASKREC, which masks old clicks. It is tested on four datasets.",
        venue="NeurIPS",
        year=2025,
        url="https://example.org/b",
        name="MASKREC",
    ),
    entry("c", "Glaciers from Above", "Glaciers melt in summer. Satellites see the ice. We map each glacier by radar."),
)
"""Three entries with nothing in common."""


@cache
def word_vectors() -> WordVectors:
    """Return the real word vectors."""
    return load_word_vectors()


def engine_on(entries: Sequence[Entry], *, semantic: bool = True) -> Engine:
    """Return an engine on *entries*, with the real word vectors unless *semantic* is false."""
    return Engine.of(entries, word_vectors() if semantic else None)


@cache
def seed_engine() -> Engine:
    """Return the one engine on the lists that ship with the distribution; nothing asked changes it."""
    return engine_on(read_folder(SEEDS))


def answering_on(engine: Engine, *, max_chars: int = 2_000) -> Answering:
    """Return what answers from *engine*, with conversations of its own."""
    return Answering(engine, MemoryConversations(), StandingClock(), max_chars=max_chars)
