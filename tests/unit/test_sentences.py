"""Sentences of display text: where one ends, and what only looks like an end."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retrieval.text.sentences import sentences

SHARED = Path(__file__).parents[3] / "shared"
PIECES = (
    "a", "We", "e.g.", "i.e.", "et al.", "J.", "3.5", ".", "...", "?", "!", "。", " ", "  ", "(", ")", "[", "]", '"',
    "”", "1)", "(i)", "https://a.io/b.c", "iTransformer", "-", "\n", "\t", "vs.", "METHODS:", "é",
)  # fmt: skip
PROSE = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=120)


@pytest.mark.parametrize(
    "expected",
    [
        ("It works.", "It is fast."),
        ("We use tools, e.g. BERT, and others, i.e. Foo.", "They work."),
        ("Smith et al. (2020) found it.", "Others follow Smith et al.", "We do not."),
        ("As in Fig. 2 and Eq. (3), cf. Sec. A, it holds.", "Done."),
        ("Data are i.i.d. samples vs. non-i.i.d. ones w.r.t. time.", "Fine."),
        ("It was held in the U.S. Senate.", "Dr. Smith and J. K. Rowling spoke."),
        ("It costs 3.5 percent.", "10 patients died."),
        ("It took 100 ms.", "The advantage grows."),
        ("We wait ... and go on.", "Now... what?", "Stop!"),
        ("There are two: (i) one.", "(ii) other."),
        ("A pipeline that 1) makes data; 2) adds noise.", "It works."),
        ("We ask: 1. Is it so?", "2. Why is it?"),
        ("He said “stop.”", "She left.", "(It was late.)", "Done."),
        ("The rate (approx. 5%. Most die) is high.", "So."),
        ("Code is at https://a.io/b.c/d.", "Data are at www.x.org."),
        ("Why do they fail or succeed?", "This is hard."),
        ("These are problems.", "iTransformer solves them.", "p53 too."),
        ("It is done.", "we go on."),
        ("It is a system.", "We prove it."),
        ("BACKGROUND: It is hard.", "METHODS: We try.", "RESULTS: It works."),
        ("一句话。", "第二句！", "End."),
        ("One direction is class A.", "Experiments show it."),
        ("We study ED.", "Higher doses help."),
        ("No. 5 is alive.", "Is it? it is."),
        ("We use torch.Tensor and Node.js here.",),
    ],
)
def test_abstracts_are_split_where_a_reader_would(expected: tuple[str, ...]) -> None:
    text = " ".join(expected)

    assert tuple(span.of(text) for span in sentences(text)) == expected


def test_a_lost_blank_still_ends_a_sentence() -> None:
    text = "It is a complex system.We prove that it holds.However, not here."

    found = [span.of(text) for span in sentences(text)]

    assert found == ["It is a complex system.", "We prove that it holds.", "However, not here."]


def test_blank_text_has_no_sentences() -> None:
    assert sentences(" \n\t ") == ()


@settings(max_examples=300)
@given(PROSE)
@example("a. " * 50)
@example('" . ” ? (')
def test_sentences_are_ordered_trimmed_and_hold_every_character(text: str) -> None:
    spans = sentences(text)

    ends = [0, *(span.end for span in spans)]
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert all(span.start >= end for span, end in zip(spans, ends, strict=False))
    assert all(span.of(text) == span.of(text).strip() for span in spans)
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())


@pytest.mark.parametrize("unit", [". ", "a. ", "(a. ", "e.g. ", "J. ", "1. ", ".)", "。", "! ", "iv. ", "A.B"])
def test_hostile_text_takes_time_in_proportion_to_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        sentences(unit * (size // len(unit)))
        return time.process_time() - started

    short, long = min(seconds(20_000) for _ in range(2)), seconds(160_000)

    assert long < 24 * short + 0.2


def test_sentences_agree_with_those_of_biomedical_abstracts() -> None:
    corpus = SHARED / "eval" / "scifact" / "corpus.jsonl"
    if not corpus.is_file():
        pytest.skip(f"{corpus.name} of SciFact is not beside the project")
    both = only_ours = only_theirs = 0

    for line in corpus.read_text(encoding="utf-8").splitlines()[:1000]:
        document = json.loads(line)
        theirs = _ends(document["text"], document["sentences"])
        ours = {span.end for span in sentences(document["text"])} - {len(document["text"].rstrip())}
        both += len(ours & theirs)
        only_ours += len(ours - theirs)
        only_theirs += len(theirs - ours)

    assert 2 * both / (2 * both + only_ours + only_theirs) > 0.985


def _ends(text: str, given_sentences: list[str]) -> set[int]:
    """Return where the given sentences end, without the last."""
    ends, position = [], 0
    for sentence in given_sentences:
        position = text.index(sentence.strip(), position) + len(sentence.strip())
        ends.append(position)
    return set(ends) - {len(text.rstrip())}
