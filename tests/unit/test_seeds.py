"""The lists that ship with the distribution: unchanged, complete, and shown without a trace of markup."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry

SEEDS = Path(__file__).parents[2] / "seeds"


@pytest.fixture(scope="module")
def entries() -> tuple[Entry, ...]:
    return read_folder(SEEDS)


def test_files_have_the_checksums_that_the_readme_gives() -> None:
    rows = re.findall(r"\| `([\w.-]+)` \|.*\| `([0-9a-f]{64})` \|", (SEEDS / "README.md").read_text(encoding="utf-8"))

    found = {name: hashlib.sha256((SEEDS / name).read_bytes()).hexdigest() for name, _ in rows}

    assert found == dict(rows)
    assert set(found) == {"iclr-2026.txt", "neurips-2026.txt", "titles.jsonl"}


def test_all_abstracts_are_read_with_venue_year_and_published_title(entries: tuple[Entry, ...]) -> None:
    counts = {venue: sum(entry.venue == venue for entry in entries) for venue in ("ICLR", "NeurIPS")}

    assert counts == {"ICLR": 19, "NeurIPS": 19}
    assert all(entry.year == 2026 and entry.url and not entry.title_derived for entry in entries)
    assert len({entry.entry_id for entry in entries}) == 38


@pytest.mark.parametrize(
    "trace",
    [
        *(r"\\", r"[{}]", r"\$", r"\*", r"`", r"~", r"--", r"(?<!\w)_|_(?!\w)", r"</?[a-zA-Z]", r"&\w+;"),
        *(r"\btodo\b", r"\bbos\b", r"make more convincing", r"  ", r"\(\)", r" [,.;:)]", r"[a-z]\.[A-Z][a-z]+ "),
    ],
)
def test_no_abstract_shows_a_trace_of_markup(entries: tuple[Entry, ...], trace: str) -> None:
    shown = [found[0] for entry in entries if (found := re.search(f".{{0,30}}(?:{trace}).{{0,20}}", _readable(entry)))]

    assert shown == []


@pytest.mark.parametrize(
    ("entry_id", "words"),
    [
        ("neurips-2026:0", "PreDiff (Preference Diffusion), which performs"),
        ("neurips-2026:0", "achieves 8%–17% relative"),
        ("neurips-2026:1", "maps the BOS and NBOS contributions"),
        ("neurips-2026:3", "steady-state value Winf(z;0); a clipped"),
        ("neurips-2026:4", "Masked Neural Causal Models (NCMs), a"),
        ("neurips-2026:12", "a Bias Recommendation Benchmark (BiasRecBench) to"),
        ("neurips-2026:12", "(Gemini-{2.5,3}-pro, GPT-4o"),
        ("neurips-2026:16", "via dual Profiles), a training-free"),
        ("neurips-2026:16", "homophily H(ϕ_u,ϕ_i) consumed"),
        ("neurips-2026:16", "by 6.9%–24.0%, with family-wise Holm-corrected p<10^-9 on"),
        ("neurips-2026:18", "Top-K recommendation"),
        ("iclr-2026:4", "at https://anonymous.4open.science/r/HEDRA-8A2F."),
        ("iclr-2026:6", "by 48.7% compared to raw-history prompting"),
        ("iclr-2026:6", "over 100× lower"),
        ("iclr-2026:7", "to only 0.8% of its"),
        ("iclr-2026:8", "we introduce Neural Effect Search, a"),
        ("iclr-2026:13", "complex system. We prove that"),
        ("iclr-2026:13", "RL tasks - including pendulum control and robot table tennis - demonstrate"),
        ("iclr-2026:16", "CODEC (Contribution Decomposition), a"),
        ("iclr-2026:17", "FD‑DR‑Learner and FD‑R‑Learner. Both"),
        ("iclr-2026:17", "as slowly as n^(-1/4). Beyond"),
    ],
)
def test_known_places_read_as_meant(entries: tuple[Entry, ...], entry_id: str, words: str) -> None:
    (entry,) = (entry for entry in entries if entry.entry_id == entry_id)

    assert words in entry.abstract


def test_no_word_is_lost_from_an_abstract_without_markup(entries: tuple[Entry, ...]) -> None:
    plain = [entry for entry in entries if not re.search(r"[\\{}$*_~]|--", entry.raw_abstract)]

    assert len(plain) > 15
    assert all(entry.abstract == entry.raw_abstract for entry in plain)


def _readable(entry: Entry) -> str:
    """Return the abstract without its one literal pair of braces."""
    return entry.abstract.replace("Gemini-{2.5,3}-pro", "Gemini")
