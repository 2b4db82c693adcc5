"""What is on the disk is the old index or the new one, and whatever else is found there is made anew, with one line."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.current import CurrentEngine
from retrieval.engine import Engine
from retrieval.errors import IndexDamagedError
from retrieval.index.arrayfile import ArrayFile, writing
from retrieval.index.store import IndexStore
from retrieval.index.strings import Strings
from retrieval.semantic import WordVectors
from tests.fakes.entries import THREE, entry, word_vectors
from tests.fakes.supply import FakeSupply

_MORE = entry("d", "Later Things", "Volcanoes erupt. A tall mountain (TM) burns.")


def _open(folder: Path, supply: FakeSupply, vectors: WordVectors | None = None) -> Engine:
    return CurrentEngine(supply, vectors, IndexStore(folder, vectors)).latest()


def _scores(engine: Engine) -> list[float]:
    asked = engine.understand("volcanoes and causal bandits")
    return [
        *engine.index.scores([term.term for term in asked.terms]).tolist(),
        *(h.score for h in engine.search(asked, k=9).hits),
    ]


@pytest.mark.parametrize("semantic", [True, False])
def test_what_was_kept_answers_as_before_without_a_text_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, semantic: bool
) -> None:
    vectors = word_vectors() if semantic else None
    supply = FakeSupply(THREE)
    expected = _scores(_open(tmp_path, supply, vectors))
    monkeypatch.setattr("retrieval.index.building.read_corpus", _never)

    engine = _open(tmp_path, supply, vectors)

    assert _scores(engine) == expected
    assert list(engine.collection) == list(THREE)


def _never(*_: object) -> None:
    raise AssertionError("a text is taken apart")


def test_what_came_since_is_kept_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    supply = FakeSupply(THREE)
    _open(tmp_path, supply)
    supply.put(_MORE)
    supply.withdraw("b")
    expected = _scores(_open(tmp_path, supply))
    monkeypatch.setattr("retrieval.index.building.read_corpus", _never)

    engine = _open(tmp_path, supply)

    assert _scores(engine) == expected
    assert [e.entry_id for e in engine.collection] == ["a", "c", "d"]


def _cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _cut_a_little(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[0] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("harm", [_cut, _cut_a_little, _empty, _flip])
@pytest.mark.parametrize("name", ["collection.index", "recent.index"])
def test_a_damaged_file_is_made_anew_with_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, harm: Callable[[Path], None], name: str
) -> None:
    supply = FakeSupply(THREE)
    _open(tmp_path, supply)
    supply.put(_MORE)
    expected = _scores(_open(tmp_path, supply))
    path = tmp_path / name
    fresh = path.with_suffix(".copy")
    fresh.write_bytes(path.read_bytes())
    path.unlink()
    fresh.rename(path)
    harm(path)

    with caplog.at_level(logging.WARNING):
        engine = _open(tmp_path, supply)

    assert _scores(engine) == expected
    assert len([r for r in caplog.records if r.getMessage().startswith("index: ")]) == 1
    assert not isinstance(IndexStore(tmp_path, None).open(), str)


def test_another_setting_or_version_is_made_anew_with_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    supply = FakeSupply(THREE)
    _open(tmp_path, supply)

    with caplog.at_level(logging.WARNING):
        _open(tmp_path, supply, word_vectors())
        monkeypatch.setattr("retrieval.index.store.analysis", lambda: "other")
        _open(tmp_path, supply, word_vectors())

    first, second = (record.getMessage() for record in caplog.records)
    assert "PULLQUOTE_SEMANTIC" in first
    assert "version" in second


def test_a_folder_that_cannot_be_written_to_is_no_obstacle(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")

    engine = _open(tmp_path / "file" / "index", FakeSupply(THREE))

    assert len(engine.collection) == 3
    assert "in memory" in caplog.text


def test_an_index_that_is_open_stays_as_it_was_when_another_takes_its_place(tmp_path: Path) -> None:
    supply = FakeSupply(THREE)
    first = _open(tmp_path, supply)
    other = FakeSupply([_MORE])

    IndexStore(tmp_path, None).write(IndexStore(tmp_path, None).compile(other.now.values()), "else")

    assert list(first.collection) == list(THREE)
    assert first.search(first.understand("bandits"), k=1).hits[0].entry_id == "a"


def test_the_index_is_its_owners_alone(tmp_path: Path) -> None:
    _open(tmp_path, FakeSupply(THREE))

    assert (tmp_path / "collection.index").stat().st_mode & 0o777 == 0o600


def test_what_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    left = tmp_path / "collection.index.1-dead.tmp"
    left.write_bytes(b"half")

    _open(tmp_path, FakeSupply(THREE))

    assert [path.name for path in tmp_path.iterdir()] == ["collection.index"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.index"
    with writing(path) as writer:
        writer.add("x", np.arange(3))
        writer.finish({"n": 1})

    with pytest.raises(TypeError), writing(path) as writer:
        writer.add_blocks("x", [np.arange(9), None], dtype=np.int64)  # type: ignore[list-item]

    assert ArrayFile(path).arrays()["x"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system does not tell what is in memory")
def test_memory_that_was_given_back_reads_as_before(tmp_path: Path) -> None:
    path = tmp_path / "x.index"
    with writing(path) as writer:
        writer.add("small", np.arange(3))
        writer.add("x", np.arange(1 << 19))
        writer.add("y", np.arange(1 << 19, 0, -1))
        writer.finish({})
    file = ArrayFile(path)
    arrays = file.arrays()
    sums = {name: int(array.sum()) for name, array in arrays.items()}
    before = _resident_kb(path)

    file.release(["x", "not there"])

    assert _resident_kb(path) < 0.6 * before
    assert {name: int(array.sum()) for name, array in arrays.items()} == sums


def _resident_kb(path: Path) -> int:
    """Return how much of the file is in this process' memory."""
    lines = iter(Path("/proc/self/smaps").read_text().splitlines())
    return next(int(line.split()[1]) for at in lines if at.endswith(str(path)) for line in lines if "Rss:" in line)


def test_any_byte_that_changes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.index"
    with writing(path) as writer:
        writer.add("x", np.arange(40, dtype=np.int32))
        writer.add("y", np.array(["ab", "c"], "S2").view(np.uint8))
        writer.finish({"n": 1})
    data = path.read_bytes()
    parts = ArrayFile(path).sizes()

    unnoticed = 0
    for at in range(len(data)):
        other = path.with_suffix(".other")
        other.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        try:
            ArrayFile(other).check()
        except IndexDamagedError:
            continue
        unnoticed += 1

    assert unnoticed <= 64 * len(parts)  # what fills up to where the next array begins


@given(
    texts=st.lists(st.text(st.characters(), max_size=4), max_size=12, unique=True)
    | st.lists(st.text("abc", max_size=5), min_size=30, max_size=100, unique=True),
    wanted=st.text(max_size=3) | st.text("abcd", max_size=5),
)
def test_a_string_is_found_where_it_stands(texts: list[str], wanted: str) -> None:
    ordered = sorted(texts)
    strings = Strings.of(ordered)

    assert list(strings) == ordered
    assert strings.find(wanted) == (ordered.index(wanted) if wanted in ordered else -1)
    assert [strings[n] for n in strings.starting_with(wanted)] == [t for t in ordered if t.startswith(wanted)]
    assert strings.has_starting_with(wanted) == any(t.startswith(wanted) for t in ordered)
    assert strings.listed(range(len(ordered))) == ordered


@given(
    names=st.lists(st.lists(st.sampled_from(["a", "ab", "b", "é"]), min_size=1).map(" ".join), unique=True),
    wanted=st.lists(st.sampled_from(["a", "ab", "b"]), min_size=1, max_size=2).map(" ".join),
)
def test_a_phrase_is_found_with_whether_a_longer_one_begins_so(names: list[str], wanted: str) -> None:
    ordered = sorted(names)

    place, longer = Strings.of(ordered).find_phrase(wanted)

    assert place == (ordered.index(wanted) if wanted in ordered else -1)
    assert longer == any(name.startswith(f"{wanted} ") for name in ordered)
