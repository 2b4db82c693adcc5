"""Answers as blocks: the same words as in the console, verbatim quotes, and never more than Slack takes."""

from __future__ import annotations

import html
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.clock import SystemClock
from bot.adapters.console.render import make_console, rendered
from bot.adapters.memory import MemoryConversations
from bot.adapters.plaintext import plain_text
from bot.adapters.slack.blocks import MAX_TEXT, Content, content_of, notice
from bot.adapters.slack.mrkdwn import cut, escaped, plain, safe_url, unlinked
from bot.adapters.slack.rich import quote_parts
from bot.answering import Answering
from bot.model import Answer, Correction, Quote, Verdict
from bot.present import byline
from bot.settings import packaged_seeds
from retrieval.engine import Engine
from retrieval.formats.abstract_list import read_folder
from retrieval.model import Entry, Span
from retrieval.semantic import load_word_vectors
from tests.fakes.slack.blocks import check_blocks, too_long
from tests.fakes.slack.mrkdwn import parse

DIALOGUES = (
    ("can the KV cache of a recommender be shared between users?", "more", "open 1", "why 1", "bib 1", "only NeurIPS"),
    ("how tall is Mount Everest?", "help", "hello"),
    ("how many papers mention diffusion?", "which venues do you cover?", "like 1"),
    ("What is PreDiff?", "compare 1 and 2", "cite"),
)


@pytest.fixture(scope="module")
def answers() -> list[Answer]:
    engine = Engine.of(read_folder(packaged_seeds()), load_word_vectors())
    answering = Answering(engine, MemoryConversations(), SystemClock(), max_chars=2_000)
    asked = [(f"talk {n}", message) for n, dialogue in enumerate(DIALOGUES) for message in dialogue]
    return [answering.answer(message, conversation_id=talk) for talk, message in asked]


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("text"), str):
            yield value["text"]
        else:
            yield from (text for part in value.values() for text in texts(part))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in texts(part))


def words(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text).split()


def test_slack_says_what_the_console_says(answers: list[Answer]) -> None:
    for answer in answers:
        file = io.StringIO()
        make_console(file, "never").print(rendered(answer), crop=False)
        said = [part for part in texts(content_of(answer, "k").blocks) if part not in _CHROME]
        console = words(file.getvalue())
        missing = [word for text in said for word in words(text) if word not in console]

        assert not missing, (answer.question, missing)


_CHROME = {"More", "Helpful", "Not helpful", *(f"{verb} {n}" for verb in ("Like", "Why") for n in range(1, 20))}


def composed() -> dict[str, Answer]:
    """Return answers of every kind, which no change of ranking changes."""
    text = "Wombats dig. Their burrows are up to 30 m long & <dry>. They sleep by day."
    wombats = Entry("w", "Burrows of wombats", text, venue="ICLR", year=2026, url="https://example.org/w?a=1&b=2")
    label = Entry("k", "Koala: a bear that is none", "It sleeps for 20 hours.", title_derived=True, year=2025)
    long = Quote(1, wombats, Span(13, 55), text[13:55], 2, 2, 3, (Span(19, 26), Span(43, 47)), 2.0)
    also = Quote(2, wombats, Span(56, 74), text[56:74], 3, 3, 3)
    koala = Quote(3, label, Span(0, 23), label.abstract, 1, 1, 1, (Span(3, 9),))
    read: dict[str, Any] = {"corrections": (Correction("wombts", "wombats"),), "filters": {"venue": "ICLR"}}
    read["conversation"] = "talk"
    related: dict[str, Any] = {
        "lead": "No abstract here mentions “kangaroos”. Closest:",
        "missing_terms": ("kangaroos",),
    }
    return {
        "answered": Answer("a1", "q", Verdict.ANSWERED, quotes=(long, also, koala), total=5, left=2, **read),
        "related": Answer("a2", "q", Verdict.RELATED, quotes=(koala,), total=1, **related),
        "nothing": Answer("a3", "q", Verdict.NOTHING, lead="Nothing answers that.", suggestions=("wombats",)),
        "list": Answer("a4", "q", Verdict.ANSWERED, lead="2 of 2 abstracts:", listing=(wombats, label), total=2),
        "copy": Answer("a5", "q", Verdict.REPLY, verbatim="@article{wombats,\n  title = {Burrows}\n}"),
        "reply": Answer("a6", "q", Verdict.REPLY, lead="Hello.\n- more: <!here> & there"),
    }


def test_each_kind_of_answer_reads_as_agreed_in_the_console_and_in_slack(request: pytest.FixtureRequest) -> None:
    """Delete the snapshot beside this file to have it written anew, and look at what changed."""
    path = request.path.with_name("slack_answers.snapshot.json")
    now = {}
    for name, answer in composed().items():
        file = io.StringIO()
        console = make_console(file, "never")
        console.width = 80
        console.print(rendered(answer), crop=False)
        slack = json.loads(content_of(answer, "key").to_json())
        now[name] = {"console": [line.rstrip() for line in file.getvalue().splitlines()], "slack": slack}
    if not path.exists():
        path.write_text(json.dumps(now, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        pytest.fail(f"{path.name} was written: look at it")

    assert now == json.loads(path.read_text(encoding="utf-8"))


def test_slack_takes_every_answer(answers: list[Answer]) -> None:
    for answer in answers:
        content = content_of(answer, "k")

        assert check_blocks(list(content.blocks)) == []
        assert not too_long(content.blocks)
        assert 0 < len(content.text) <= MAX_TEXT


def test_the_text_alone_is_the_whole_answer(answers: list[Answer]) -> None:
    for answer in answers:
        text = html.unescape(content_of(answer, "k").text).replace("\u200b", "")

        assert plain_text(answer).startswith(text.removesuffix(" …"))


def quote_of(text: str, highlights: tuple[Span, ...] = ()) -> Quote:
    entry = Entry("e", "Title", text, venue="ICLR", year=2026)
    return Quote(1, entry, Span(0, len(text)), text, 1, 1, 1, highlights)


@given(st.data())
def test_the_parts_of_a_quote_are_the_quote(data: st.DataObject) -> None:
    text = data.draw(st.text(min_size=1, max_size=60))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    spans = tuple(Span(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b)

    parts = quote_parts(quote_of(text, spans), most=1_000)

    assert "".join(str(part["text"]) for part in parts) == text
    assert all(part["text"] for part in parts)
    assert [part["text"] for part in parts if "style" in part] == [span.of(text) for span in spans]


def test_a_quote_that_is_too_long_is_cut_and_says_so() -> None:
    answer = Answer("a", "q", Verdict.ANSWERED, quotes=(quote_of("word " * 1_000),))

    shown = json.dumps(content_of(answer, "k").blocks)

    assert "cut: the sentence is longer than fits here" in shown


def test_the_context_line_says_number_venue_year_and_sentence() -> None:
    quote = quote_of("A sentence.")
    blocks: Any = content_of(Answer("a", "q", Verdict.ANSWERED, quotes=(quote,)), "k").blocks

    assert blocks[1]["elements"][0]["text"] == f"1 · {byline(quote)}" == "1 · ICLR 2026 · sentence 1 of 1"


def test_a_reply_has_no_buttons() -> None:
    blocks = content_of(Answer("a", "q", Verdict.REPLY, lead="Hello."), "k").blocks

    assert [block["type"] for block in blocks] == ["rich_text"]


@given(st.text(max_size=200))
def test_escaped_text_reads_the_same_and_holds_nothing_live(text: str) -> None:
    tokens = parse(escaped(unlinked(text)))

    assert {token.kind for token in tokens} <= {"text"}


@given(st.text(alphabet="ab&<>!@#|:/.hpts \n", max_size=80))
def test_what_people_type_survives_slacks_markup(text: str) -> None:
    typed = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()

    assert plain(escaped(text)) == typed


@given(st.text(alphabet="<&>a ", max_size=9_000))
def test_no_entity_is_cut_in_two(lead: str) -> None:
    text = content_of(Answer("a", "q", Verdict.REPLY, lead=lead), "k").text

    assert len(text) <= MAX_TEXT
    assert html.unescape(text).count("&") + html.unescape(text).count("<") <= len(text)
    assert escaped(html.unescape(text)) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<@U1> what is <https://a.example|this>?", "what is this?"),
        ("<@U1|pullquote> and <@U2> &amp; <#C1|papers>", "and & papers"),
        ("<!here> look", "look"),
        ("a &lt;b&gt; c", "a <b> c"),
    ],
)
def test_markup_becomes_what_was_typed(markup: str, text: str) -> None:
    assert plain(markup, bot_user_id="U1") == text


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a.example/x?y=1#z", True),
        ("http://a.example", True),
        ("javascript:alert(1)", False),
        ("https://a.example/\nx", False),
        ("https://", False),
        ("https://[", False),
        ("", False),
        (None, False),
    ],
)
def test_only_whole_web_addresses_become_links(url: str | None, *, safe: bool) -> None:
    assert (safe_url(url) is not None) is safe


@pytest.mark.parametrize(("most", "kept"), [(20, "one two three four"), (15, "one two three …"), (9, "one two …")])
def test_a_text_is_cut_between_words(most: int, kept: str) -> None:
    assert cut("one two three four", most) == kept


def test_a_content_comes_back_from_the_store() -> None:
    content = notice("That is <enough> & more.")

    assert Content.from_json(content.to_json()) == content
