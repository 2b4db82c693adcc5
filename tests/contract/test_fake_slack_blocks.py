"""The fake judges blocks and views as Slack does, and never milder than the SDK's own classes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextActionsBlock,
    ContextBlock,
    FeedbackButtonObject,
    FeedbackButtonsElement,
    HeaderBlock,
    MarkdownBlock,
    MarkdownTextObject,
    RichTextBlock,
    RichTextElementParts,
    RichTextListElement,
    RichTextPreformattedElement,
    RichTextQuoteElement,
    RichTextSectionElement,
    SectionBlock,
)
from slack_sdk.models.views import View

from tests.fakes.slack.blocks import block_cost, check_blocks, interactive_elements, too_long
from tests.fakes.slack.view_check import check_view

P = RichTextElementParts


def plain(length: int) -> dict[str, Any]:
    return {"type": "plain_text", "text": "x" * length}


def mrkdwn(length: int) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": "x" * length}


def button(**more: Any) -> dict[str, Any]:
    return {"type": "button", "text": plain(1), "action_id": "a", **more}


def sdk_refuses(block: dict[str, Any]) -> bool:
    parsed = Block.parse(block)
    assert parsed is not None
    try:
        parsed.to_dict()
    except SlackObjectFormationError:
        return True
    return False


def actions(count: int) -> dict[str, Any]:
    return {"type": "actions", "elements": [button(action_id=f"a{n}") for n in range(count)]}


def context(count: int) -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn(1)] * count}


def fields(count: int) -> dict[str, Any]:
    return {"type": "section", "fields": [mrkdwn(1)] * count}


def section(length: int) -> dict[str, Any]:
    return {"type": "section", "text": mrkdwn(length)}


def rich_text(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": list(elements)}


def input_block(**element: Any) -> dict[str, Any]:
    return {"type": "input", "label": plain(1), "element": {"type": "plain_text_input", **element}}


LIMITS = [
    ({"type": "section", "text": mrkdwn(3000)}, {"type": "section", "text": mrkdwn(3001)}),
    ({"type": "section", "text": plain(1)}, {"type": "section"}),
    (fields(10), fields(11)),
    ({"type": "header", "text": plain(150)}, {"type": "header", "text": plain(151)}),
    ({"type": "divider", "block_id": "i" * 255}, {"type": "divider", "block_id": "i" * 256}),
    (context(10), context(11)),
    (actions(25), actions(26)),
    ({"type": "markdown", "text": "x" * 12_000}, {"type": "markdown", "text": "x" * 12_001}),
    (
        {"type": "image", "image_url": "https://x.org/a.png", "alt_text": "x" * 2000},
        {"type": "image", "image_url": "https://x.org/a.png", "alt_text": "x" * 2001},
    ),
]


@pytest.mark.parametrize(("fits", "breaks"), LIMITS, ids=lambda block: str(block["type"]))
def test_block_limits_are_those_of_the_sdk(fits: dict[str, Any], breaks: dict[str, Any]) -> None:
    verdicts = [(sdk_refuses(block), bool(check_blocks([block]))) for block in (fits, breaks)]

    assert verdicts == [(False, False), (True, True)]


ELEMENT_LIMITS = [
    (button(text=plain(75)), button(text=plain(76))),
    (button(value="v" * 2000), button(value="v" * 2001)),
    (button(url="https://x.org/" + "u" * 2986), button(url="https://x.org/" + "u" * 2987)),
    (button(style="primary"), button(style="loud")),
    (button(accessibility_label="l" * 75), button(accessibility_label="l" * 76)),
    (button(action_id="a" * 255), button(action_id="a" * 256)),
]


@pytest.mark.parametrize(("fits", "breaks"), ELEMENT_LIMITS)
def test_element_limits_are_those_of_the_sdk(fits: dict[str, Any], breaks: dict[str, Any]) -> None:
    blocks = [{"type": "actions", "elements": [element]} for element in (fits, breaks)]

    assert [(sdk_refuses(block), bool(check_blocks([block]))) for block in blocks] == [(False, False), (True, True)]


def option(length: int = 1, **more: Any) -> dict[str, Any]:
    return {"text": plain(length), "value": "v", **more}


def menu(kind: str, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": kind, "action_id": "a", "options": list(options), **more}


PLACES = {"type": "conversations_select", "action_id": "a"}

CHOOSING = [
    (menu("overflow", *[option()] * 5), menu("overflow", *[option()] * 6)),
    (menu("overflow", option(75)), menu("overflow", option(76))),
    (menu("overflow", option(value="v" * 150)), menu("overflow", option(value="v" * 151))),
    (menu("overflow", option()), menu("overflow", option(text=mrkdwn(1)))),
    (menu("checkboxes", option(text=mrkdwn(1))), menu("checkboxes")),
    (menu("checkboxes", *[option()] * 10), menu("checkboxes", *[option()] * 11)),
    (menu("checkboxes", option(), initial_options=[option()]), menu("checkboxes", option(), initial_options=[])),
    (
        menu("checkboxes", option(), initial_options=[option()]),
        menu("checkboxes", option(), initial_options=[option(value="other")]),
    ),
    (
        menu("static_select", option(), initial_option=option()),
        menu("static_select", option(), initial_option=option(2)),
    ),
    ({"type": "timepicker", "action_id": "a", "initial_time": "09:00"}, {"type": "timepicker", "initial_time": "9:00"}),
    ({**PLACES, "filter": {"include": ["im"]}}, {**PLACES, "filter": {}}),
    ({**PLACES, "default_to_current_conversation": True}, {**PLACES, "filter": {"include": ["dm"]}}),
]


@pytest.mark.parametrize(("fits", "breaks"), CHOOSING)
def test_what_can_be_chosen_has_the_limits_of_the_reference_pages(fits: dict[str, Any], breaks: dict[str, Any]) -> None:
    blocks = [{"type": "section", "text": plain(1), "accessory": element} for element in (fits, breaks)]

    assert [bool(check_blocks([block])) for block in blocks] == [False, True]


@given(
    text=st.integers(2900, 3100),
    count=st.integers(1, 30),
    header=st.integers(1, 160),
    value=st.integers(1900, 2100),
)
def test_what_the_sdk_refuses_the_fake_refuses_too(text: int, count: int, header: int, value: int) -> None:
    blocks = [
        {"type": "section", "text": mrkdwn(text)},
        actions(count),
        context(count),
        {"type": "header", "text": plain(header)},
        {"type": "actions", "elements": [button(value="v" * value)]},
    ]

    for block in blocks:
        assert bool(check_blocks([block])) == sdk_refuses(block)


WORDS = st.sampled_from(
    "type text elements element section actions button rich_text fields mrkdwn input rich_text_section blocks modal "
    "title options block_id action_id static_select table rows".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_whatever_is_sent_gets_a_verdict(payload: object) -> None:
    for misfit in [*check_blocks(payload), *check_view(payload), *check_view({"type": "modal", "blocks": payload})]:
        assert misfit.pointer.startswith("/")


def test_what_the_sdk_builds_is_taken() -> None:
    blocks = [
        HeaderBlock(text="Three answers"),
        SectionBlock(text=MarkdownTextObject(text="*bold*"), accessory=ButtonElement(text="Go", action_id="go")),
        ContextBlock(elements=[MarkdownTextObject(text="ICLR 2026")]),
        ActionsBlock(elements=[ButtonElement(text="More", action_id="more", value="1", style="primary")]),
        MarkdownBlock(text="**hello**"),
        ContextActionsBlock(
            elements=[
                FeedbackButtonsElement(
                    action_id="feedback",
                    positive_button=FeedbackButtonObject(text="Good", value="good"),
                    negative_button=FeedbackButtonObject(text="Bad", value="bad"),
                )
            ]
        ),
        RichTextBlock(
            elements=[
                RichTextSectionElement(
                    elements=[
                        P.Link(url="https://x.org", text="title", style=P.TextStyle(bold=True)),
                        P.User(user_id="U1"),
                    ]
                ),
                RichTextQuoteElement(elements=[P.Text(text="quoted"), P.Emoji(name="tada"), P.Broadcast(range="here")]),
                RichTextPreformattedElement(elements=[P.Text(text="code")]),
                RichTextListElement(
                    style="bullet", indent=0, elements=[RichTextSectionElement(elements=[P.Text(text="one")])]
                ),
            ]
        ),
    ]

    assert check_blocks([block.to_dict() for block in blocks]) == []


@pytest.mark.parametrize(
    ("blocks", "reason"),
    [
        (
            [{"type": "section", "text": mrkdwn(3001)}],
            "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
        ),
        ([section(0)], "must be more than 0 characters [json-pointer:/blocks/0/text/text]"),
        ([actions(26)], "no more than 25 items allowed [json-pointer:/blocks/0/elements]"),
        ([{"type": "divider"}] * 51, "no more than 50 items allowed [json-pointer:/blocks]"),
        ([{"type": "header", "text": mrkdwn(1)}], "unsupported type: mrkdwn [json-pointer:/blocks/0/text/type]"),
        ([{"type": "sektion"}], "unsupported type: sektion [json-pointer:/blocks/0/type]"),
        ([{"text": "no type"}], "missing required field: type [json-pointer:/blocks/0]"),
        ([{"type": "header"}], "missing required field: text [json-pointer:/blocks/0]"),
        ([{"type": "divider", "colour": "red"}], "invalid additional property: colour [json-pointer:/blocks/0]"),
        ([{"type": "section"}], "must define either `text` or `fields` [json-pointer:/blocks/0]"),
        (
            [{"type": "divider", "block_id": "same"}] * 2,
            '"block_id" same already exists [json-pointer:/blocks/1/block_id]',
        ),
        (
            [{"type": "actions", "elements": [button(), button()]}],
            '"action_id" a already exists [json-pointer:/blocks/0/elements/1/action_id]',
        ),
        (
            [
                {
                    "type": "rich_text",
                    "elements": [{"type": "rich_text_quote", "elements": [{"type": "text", "text": ""}]}],
                }
            ],
            "must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]",
        ),
        (
            [rich_text({"type": "rich_text_section", "elements": []})],
            "no fewer than 1 items allowed [json-pointer:/blocks/0/elements/0/elements]",
        ),
        (
            [{"type": "actions", "elements": [button(url="javascript:x")]}],
            "invalid url [json-pointer:/blocks/0/elements/0/url]",
        ),
        ([input_block()], "unsupported type: input [json-pointer:/blocks/0/type]"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_where(blocks: list[dict[str, Any]], reason: str) -> None:
    assert reason in [str(misfit) for misfit in check_blocks(blocks)]


def test_blocks_are_too_long_where_others_have_measured_it() -> None:
    whole = [{"type": "markdown", "text": "x" * 12_000}]
    two = [{"type": "section", "text": mrkdwn(2900)}] * 4 + [{"type": "section", "text": mrkdwn(1190)}]

    assert not too_long(whole)
    assert not too_long(two)
    assert too_long([*two, {"type": "divider"}])


def test_pieces_of_rich_text_cost_more_than_their_letters() -> None:
    def quote(pieces: int) -> dict[str, Any]:
        parts = [{"type": "text", "text": "x" * (1000 // pieces)} for _ in range(pieces)]
        return {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": parts}]}

    assert block_cost([quote(100)]) > block_cost([quote(1)])


def test_the_elements_that_a_person_can_use_are_found_in_order() -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "section", "block_id": "s", "text": mrkdwn(1), "accessory": button(action_id="open")},
        {"type": "actions", "block_id": "a", "elements": [button(action_id="more"), button(action_id="less")]},
        {
            "type": "input",
            "block_id": "i",
            "label": plain(1),
            "element": {"type": "plain_text_input", "action_id": "t"},
        },
    ]

    found = [(block_id, element["action_id"]) for block_id, element in interactive_elements(blocks)]

    assert found == [("s", "open"), ("a", "more"), ("a", "less"), ("i", "t")]


def modal(**more: Any) -> dict[str, Any]:
    body = {"type": "modal", "title": plain(24), "submit": plain(24), "close": plain(24), "callback_id": "c"}
    return {**body, "blocks": [input_block()], **more}


@pytest.mark.parametrize(
    "change",
    [
        {"title": plain(25)},
        {"submit": plain(25)},
        {"close": plain(25)},
        {"private_metadata": "m" * 3001},
        {"callback_id": "c" * 256},
        {"blocks": [{"type": "divider"}] * 101},
    ],
)
def test_view_limits_are_those_of_the_sdk(change: dict[str, Any]) -> None:
    View(**modal()).to_dict()
    assert check_view(modal()) == []

    with pytest.raises(SlackObjectFormationError):
        View(**modal(**change)).to_dict()
    assert check_view(modal(**change))


def test_a_modal_with_inputs_needs_a_submit_button() -> None:
    without = modal()
    del without["submit"]

    assert "`submit` is required" in str(check_view(without)[0])


def test_a_home_tab_has_neither_submit_nor_close() -> None:
    home = {"type": "home", "blocks": [{"type": "divider"}]}

    assert check_view(home) == []
    assert check_view({**home, "submit": plain(1)})
