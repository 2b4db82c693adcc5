"""Names that authors give what they propose, and labels for entries without a title."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.text.cleaning import display_text
from retrieval.text.labels import MAX_LABEL_CHARS, UNTITLED, derived_label, system_name

SEEDS = Path(__file__).parents[2] / "seeds"
WORDS = (
    "We propose",
    "Foo",
    "FooNet",
    "(FN)",
    "a",
    "method",
    "that",
    "which",
    "called",
    ",",
    ".",
    ":",
    "—",
    "x" * 100,
    "(",
    ")",
    "é",
)
ABSTRACTS = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=200)


@pytest.mark.parametrize(
    ("abstract", "name"),
    [
        ("We propose PreDiff (Preference Diffusion), which works.", "PreDiff"),
        ("It is hard. We introduce MARS, a memory that writes. MARS wins.", "MARS"),
        ("We propose a Low-pass Subgraph Federated recommender (LPSFed). It works.", "LPSFed"),
        ("To do so, we introduce the StruBI algorithm. It works.", "StruBI"),
        ("We introduce Neural Effect Search, a novel procedure.", "Neural Effect Search"),
        ("We introduce Masked Neural Causal Models (NCMs), a framework.", "Masked Neural Causal Models"),
        ("We present Polaris, an intelligent framework.", "Polaris"),
        ("We propose a new method called nnU-Net. It works.", "nnU-Net"),
        ("We instantiate them as HARP (Homophily-aware Agentic Recommendation via Profiles), an addition.", "HARP"),
        ("We close this gap with two learners: FD-DR-Learner and FD-R-Learner.", "FD-DR-Learner"),
        ("We propose a general framework for causal Imitation Learning (IL) with confounders.", None),
        ("We propose LLM-based agents for recommendation.", None),
        ("Large language models (LLMs) are large.", None),
        ("", None),
    ],
)
def test_a_system_is_named_as_its_authors_name_it(abstract: str, name: str | None) -> None:
    assert system_name(abstract) == name


def test_names_of_the_seeds_are_found() -> None:
    found = wrong = missed = 0

    for record, abstract in _seeds():
        name, expected = system_name(abstract), record["name"]
        right = name is not None and expected is not None and _folded(name) in _folded(expected)
        found += right
        wrong += name is not None and not right
        missed += expected is not None and not right

    assert (found, wrong, missed) == (24, 0, 2)


@pytest.mark.parametrize(
    ("abstract", "label"),
    [
        ("We propose PreDiff (Preference Diffusion), which works.", "PreDiff: Preference Diffusion, which works"),
        ("It is hard. We propose MARS, a multi-resolution user memory.", "MARS: multi-resolution user memory"),
        ("To tell which nodes are biased in a graph, we introduce the StruBI algorithm.",
         "StruBI: To tell which nodes are biased in a graph"),
        ("We propose a general framework for imitation with hidden confounders.",
         "General framework for imitation with hidden confounders"),
        ("Existing work is limited. We show that no method can satisfy all desiderata.",
         "No method can satisfy all desiderata"),
        ("Causal effects matter.", "Causal effects matter"),
        ("", UNTITLED),
        (" \n", UNTITLED),
    ],
)  # fmt: skip
def test_a_label_says_what_is_proposed_in_the_authors_words(abstract: str, label: str) -> None:
    assert derived_label(abstract) == label


def test_a_long_label_is_cut_between_two_words() -> None:
    abstract = "We study " + "very " * 40 + "long sentences."

    label = derived_label(abstract)

    assert len(label) <= MAX_LABEL_CHARS
    assert re.fullmatch(r"Very( very)+…", label)


@given(ABSTRACTS)
def test_a_label_is_never_empty_and_never_too_long(text: str) -> None:
    label = derived_label(display_text(text))

    assert 0 < len(label) <= MAX_LABEL_CHARS
    assert label == label.strip()


def test_labels_of_the_seeds_use_their_own_words() -> None:
    for _, abstract in _seeds():
        words = set(re.findall(r"\w+", abstract.casefold()))

        label = derived_label(abstract)

        assert len(label) >= 25
        assert set(re.findall(r"\w+", label.casefold())) <= words


def _seeds() -> list[tuple[dict[str, str | None], str]]:
    lines = (SEEDS / "titles.jsonl").read_text(encoding="utf-8").splitlines()
    abstracts = {path.name: path.read_text(encoding="utf-8").split("\n\n")[1:] for path in SEEDS.glob("*.txt")}
    records = [json.loads(line) for line in lines]
    return [(record, display_text(abstracts[record["file"]][record["ordinal"]])) for record in records]


def _folded(name: str) -> str:
    return name.replace("‑", "-").casefold()
