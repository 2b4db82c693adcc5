"""What every store of conversations promises; and what the one on disk does when the disk does not."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.adapters.sqlite import SqliteConversations
from bot.conversation import Conversation
from bot.errors import BotError
from bot.ports import ConversationStore
from tests.fakes.clock import StandingClock
from tests.fakes.conversations import MemoryConversations

Make = Callable[[int], tuple[ConversationStore, StandingClock]]


@pytest.fixture(params=["memory", "sqlite"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Return what makes a store that keeps so many conversations, with its clock."""

    def store(keep: int) -> tuple[ConversationStore, StandingClock]:
        clock = StandingClock()
        if request.param == "memory":
            return MemoryConversations(keep=keep), clock
        return SqliteConversations(tmp_path / "data" / "kept.sqlite3", clock, keep=keep), clock

    return store


def _talk(conversation_id: str, *asked: str) -> Conversation:
    talk = Conversation(conversation_id, question="causal «discovery» 图", focus="b").show(("a", "b"))
    for question in asked:
        talk = talk.asked(question)
    return talk


def test_an_unknown_conversation_is_empty(make: Make) -> None:
    store, _ = make(10)

    assert store.load("nobody") == Conversation("nobody")


def test_what_was_saved_is_loaded(make: Make) -> None:
    store, _ = make(10)

    store.save(_talk("one", "first"))

    assert store.load("one") == _talk("one", "first")


def test_the_last_save_wins_and_others_are_untouched(make: Make) -> None:
    store, _ = make(10)
    store.save(_talk("one", "first"))
    store.save(_talk("other"))

    store.save(_talk("one", "first", "second"))

    assert (store.load("one"), store.load("other")) == (_talk("one", "first", "second"), _talk("other"))


@pytest.mark.parametrize("conversation_id", ["", "a b", "'; DROP TABLE conversation; --", "图", "x" * 5_000, "a\0b"])
def test_any_id_names_a_conversation(make: Make, conversation_id: str) -> None:
    store, _ = make(10)

    store.save(_talk(conversation_id))

    assert store.load(conversation_id) == _talk(conversation_id)


def test_those_longest_without_a_turn_make_room(make: Make) -> None:
    store, clock = make(3)
    for conversation_id in ("one", "two", "three", "one", "four"):
        clock.advance(1)
        store.save(_talk(conversation_id))

    kept = [i for i in ("one", "two", "three", "four") if store.load(i) != Conversation(i)]

    assert kept == ["one", "three", "four"]


def test_half_of_a_surrogate_pair_in_a_question_is_kept_or_refused_in_words(make: Make) -> None:
    store, _ = make(10)

    try:
        store.save(_talk("one", "\ud800"))
    except BotError:
        return
    assert store.load("one").questions


# --- On disk ------------------------------------------------------------------------------------------------------


def _store(path: Path) -> SqliteConversations:
    return SqliteConversations(path, StandingClock())


def test_reading_leaves_no_file(tmp_path: Path) -> None:
    _store(tmp_path / "data" / "kept.sqlite3").load("one")

    assert list(tmp_path.iterdir()) == []


def test_a_conversation_survives_a_restart(tmp_path: Path) -> None:
    _store(tmp_path / "kept.sqlite3").save(_talk("one"))

    assert _store(tmp_path / "kept.sqlite3").load("one") == _talk("one")


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("content", [b"not a database, not at all, and longer than a header is", b"\0" * 5_000])
def test_a_damaged_file_is_named_with_the_way_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "kept.sqlite3"
    path.write_bytes(content)

    with pytest.raises(BotError, match=r"kept\.sqlite3.*PULLQUOTE_DATA_DIR") as caught:
        _store(path).save(_talk("one"))

    assert len(str(caught.value).splitlines()) == 1


def test_a_folder_that_cannot_be_made_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    with pytest.raises(BotError, match="PULLQUOTE_DATA_DIR"):
        _store(tmp_path / "file" / "kept.sqlite3").save(_talk("one"))


def test_several_threads_share_a_store(tmp_path: Path) -> None:
    store = _store(tmp_path / "kept.sqlite3")
    threads = [threading.Thread(target=_save_many, args=(store, f"t{n}")) for n in range(4)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert [store.load(f"t{n}:{m}") for n in range(4) for m in range(10)] == [
        _talk(f"t{n}:{m}") for n in range(4) for m in range(10)
    ]


def test_several_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_save_from_process, args=(path, f"p{n}")) for n in range(2)]

    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=60)

    assert [process.exitcode for process in processes] == [0, 0]
    assert all(_store(path).load(f"p{n}:{m}") == _talk(f"p{n}:{m}") for n in range(2) for m in range(10))


def _save_many(store: ConversationStore, prefix: str) -> None:
    for number in range(10):
        store.save(_talk(f"{prefix}:{number}"))


def _save_from_process(path: Path, prefix: str) -> None:
    _save_many(_store(path), prefix)
