"""The catalogue over the life of a paper, and its laws."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.catalogue.ingest import Outcome
from retrieval.catalogue.joining import Joined
from retrieval.catalogue.schema import MIGRATIONS
from retrieval.catalogue.store import Catalogue
from retrieval.errors import CatalogueError, EntryNotFoundError
from retrieval.model import Entry
from retrieval.records import Record
from tests.reading import record

_NOW = datetime(2026, 7, 1, 9, tzinfo=UTC)
_TEXT = "We show that birds build small nests in tall trees because cold wind and rain would harm their eggs."
_NEW_TEXT = "We now prove that birds build small nests in tall trees because cold wind and rain would harm their eggs."


def take(catalogue: Catalogue, records: Iterable[Record], *, days: int = 0) -> list[Outcome]:
    with catalogue.importing(_NOW + timedelta(days=days)) as batches:
        return [batches.add(one, file="x") for one in records]


def preprint(version: int = 1, *, abstract: str = _TEXT, withdrawn: bool = False) -> Record:
    return record(
        "A study of nests",
        abstract=abstract,
        authors=("Roe, Ann",),
        year=2025,
        venue="arXiv",
        kind="feed",
        version=version,
        withdrawn=withdrawn,
        arxiv="2501.00001",
    )


def test_a_paper_from_three_places_is_one_entry_under_its_first_id() -> None:
    published = record("A study of nests", authors=("Roe, A.",), year=2026, venue="ICLR", doi="10.1000/x", kind="ris")
    submitted = replace(
        published, format="openreview", ids={"openreview": "abcdef"}, venue="ICLR 2026 Conference Submission"
    )

    with Catalogue(None) as catalogue:
        outcomes = take(catalogue, [preprint(), submitted, published])
        (entry,) = catalogue.entries()

    assert outcomes == [Outcome.NEW, Outcome.MERGED, Outcome.MERGED]
    assert (entry.entry_id, entry.abstract, entry.authors) == ("arxiv:2501.00001", _TEXT, ("Ann Roe",))
    assert (entry.year, dict(entry.ids)) == (
        2026,
        {"arxiv": "2501.00001", "openreview": "abcdef", "doi": "10.1000/x"},
    )


def test_a_new_version_replaces_the_text_and_the_old_one_is_remembered() -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, [preprint()])
        outcomes = take(catalogue, [preprint(2, abstract=_NEW_TEXT)], days=1)
        history = catalogue.history("arxiv:2501.00001")

    assert outcomes == [Outcome.UPDATED]
    assert history.entry.abstract == _NEW_TEXT
    assert [version.abstract for version in history.versions] == [_TEXT, _NEW_TEXT]
    assert [source.current for source in history.sources] == [False, True]


def test_an_older_version_that_comes_late_changes_nothing_that_is_shown() -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, [preprint(2, abstract=_NEW_TEXT)])
        outcomes = take(catalogue, [preprint(1)], days=1)

        assert outcomes == [Outcome.UNCHANGED]
        assert [entry.abstract for entry in catalogue.entries()] == [_NEW_TEXT]


def test_what_is_corrected_without_a_version_counts_as_new_by_the_day_it_came() -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, [record("A study of nests", abstract=_TEXT, authors=("Roe, Ann",))])
        outcomes = take(catalogue, [record("A study of nests", abstract=_NEW_TEXT, authors=("Roe, Ann",))], days=1)

        assert outcomes == [Outcome.UPDATED]
        assert [entry.abstract for entry in catalogue.entries()] == [_NEW_TEXT]


def test_what_is_withdrawn_leaves_the_entries_and_is_remembered() -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, [preprint()])
        take(catalogue, [preprint(2, abstract="This paper has been withdrawn.", withdrawn=True)], days=1)

        assert list(catalogue.entries()) == []
        assert catalogue.history("arxiv:2501.00001").withdrawn
        assert catalogue.history("arxiv:2501.00001").versions[0].abstract == _TEXT


def test_what_was_merged_can_be_split_and_stays_so() -> None:
    published = record("A study of nests", authors=("Roe, Ann",), year=2026, doi="10.1000/x", kind="ris")

    with Catalogue(None) as catalogue:
        take(catalogue, [preprint(), published])
        ids = catalogue.split("arxiv:2501.00001", _NOW)
        take(catalogue, [preprint(), published, replace(published, venue="ICLR")], days=1)

        assert ids == ("arxiv:2501.00001", "doi:10.1000/x")
        assert [entry.entry_id for entry in catalogue.entries()] == list(ids)
        assert [entry.abstract for entry in catalogue.entries()] == [_TEXT, ""]
        assert catalogue.history("doi:10.1000/x").entry.venue == "ICLR"


def test_one_source_can_be_split_from_the_others() -> None:
    records = [
        preprint(),
        record("A study of nests", authors=("Roe, Ann",), kind="ris"),
        replace(preprint(), format="csv"),
    ]

    with Catalogue(None) as catalogue:
        take(catalogue, records)
        wrong = catalogue.history("arxiv:2501.00001").sources[1].number
        catalogue.split("arxiv:2501.00001", _NOW, source=wrong)

        assert [len(catalogue.history(entry.entry_id).sources) for entry in catalogue.entries()] == [2, 1]


def test_an_entry_of_one_source_cannot_be_split() -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, [preprint()])

        with pytest.raises(CatalogueError, match="nothing to split"):
            catalogue.split("arxiv:2501.00001", _NOW)


def test_an_id_that_an_entry_lost_by_merging_leads_to_it() -> None:
    first = record("A study of nests", abstract=_TEXT, authors=("Roe, Ann",), arxiv="2501.00001")
    second = record("Nests, studied", authors=("Roe, Ann",), doi="10.1000/x")
    bridge = record("A study of nests", authors=("Roe, Ann",), arxiv="2501.00001", doi="10.1000/x", kind="json")

    with Catalogue(None) as catalogue:
        outcomes = take(catalogue, [first, second, bridge])

        assert outcomes == [Outcome.NEW, Outcome.NEW, Outcome.MERGED]
        assert catalogue.history("doi:10.1000/x").entry.entry_id == "arxiv:2501.00001"
        assert catalogue.history("arxiv:2501.00001").former_ids == ("doi:10.1000/x",)


def test_an_unknown_id_is_named() -> None:
    with Catalogue(None) as catalogue, pytest.raises(EntryNotFoundError, match="nothing:1"):
        catalogue.history("nothing:1")


_NESTS = record("A study of nests", abstract=_TEXT, authors=("Roe, Ann",), year=2026)
_WINTER = record("A study of nests in winter", authors=("Roe, Ann",), year=2026, kind="ris", doi="10.1000/winter")


def read_whole(
    catalogue: Catalogue, records: Iterable[Record], *, days: int, file: str = "x", folder: str = ""
) -> Counter[Outcome]:
    """Take in a whole file and return the outcomes, as they are in the end."""
    with catalogue.importing(_NOW + timedelta(days=days)) as batches:
        outcomes = Counter(batches.add(one, file=file, folder=folder) for one in records)
        for was, _ in batches.take_back():
            outcomes[was] -= 1
            outcomes[Outcome.UPDATED] += 1
    return +outcomes


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (replace(_NESTS, ids={"doi": "10.1000/wrong"}), replace(_NESTS, ids={"doi": "10.1000/right"})),
        (replace(_NESTS, ids={"doi": "10.1000/wrong"}), _NESTS),
        (replace(_NESTS, ids={"arxiv": "2501.00001"}), replace(_NESTS, ids={"arxiv": "2501.00002"})),
        (replace(_NESTS, title="A study of nsets"), _NESTS),
        (
            replace(_NESTS, title="A study of nsets", ids={"doi": "10.1000/x"}),
            replace(_NESTS, ids={"doi": "10.1000/x"}),
        ),
        (replace(_NESTS, abstract=""), replace(_NESTS, abstract="", ids={"doi": "10.1000/right"})),
        (
            replace(_NESTS, title="Something else", ids={"doi": "10.1000/wrong"}),
            replace(_NESTS, ids={"pubmed": "12345"}),
        ),
    ],
)
def test_what_a_file_corrects_replaces_what_it_said(wrong: Record, right: Record) -> None:
    with Catalogue(None) as catalogue:
        read_whole(catalogue, [wrong, _WINTER], days=0)
        (before, _) = catalogue.entries()
        outcomes = read_whole(catalogue, [_WINTER, right], days=1)
        (after, _) = catalogue.entries()
        again = read_whole(catalogue, [right, _WINTER], days=2)

    assert (after.title, dict(after.ids)) == (right.title, dict(right.ids))
    assert after.entry_id == before.entry_id
    assert outcomes == {Outcome.UPDATED: 1, Outcome.UNCHANGED: 1}
    assert again == {Outcome.UNCHANGED: 2}


def test_what_a_file_takes_back_again_is_as_it_was() -> None:
    right, wrong = (replace(_NESTS, title=title, ids={"doi": "10.1000/x"}) for title in ("A study of nests", "Nests?"))

    with Catalogue(None) as catalogue:
        outcomes = [read_whole(catalogue, [one], days=day) for day, one in enumerate((right, wrong, right, right))]
        (entry,) = catalogue.entries()

    assert entry.title == "A study of nests"
    assert outcomes == [{Outcome.NEW: 1}, {Outcome.UPDATED: 1}, {Outcome.UPDATED: 1}, {Outcome.UNCHANGED: 1}]


def test_a_file_that_says_otherwise_than_another_takes_nothing_of_it_back() -> None:
    mine, yours = replace(_NESTS, ids={"doi": "10.1000/x"}), replace(_NESTS, ids={"doi": "10.1000/y"})

    with Catalogue(None) as catalogue:
        read_whole(catalogue, [mine], days=0, file="mine.bib")
        outcomes = read_whole(catalogue, [yours], days=1, file="yours.bib")

        assert outcomes == {Outcome.NEW: 1}
        assert {entry.ids["doi"] for entry in catalogue.entries()} == {"10.1000/x", "10.1000/y"}


def test_files_of_one_name_in_two_folders_take_nothing_of_each_other_back() -> None:
    mine, yours = replace(_NESTS, ids={"doi": "10.1000/x"}), replace(_NESTS, ids={"doi": "10.1000/y"})

    with Catalogue(None) as catalogue:
        for one, folder in ((mine, "a"), (yours, "b")):
            read_whole(catalogue, [one], days=0, file="refs.bib", folder=folder)
        outcomes = read_whole(catalogue, [mine], days=1, file="refs.bib", folder="a")

        assert outcomes == {Outcome.UNCHANGED: 1}
        assert {entry.ids["doi"] for entry in catalogue.entries()} == {"10.1000/x", "10.1000/y"}


@pytest.mark.parametrize(
    "added",
    [
        replace(_NESTS, venue="Journal of Nests", ids={"doi": "10.1000/y"}),
        replace(_NESTS, year=2027, ids={"doi": "10.1000/y"}),
        replace(_NESTS, authors=("Poe, Al",), ids={"doi": "10.1000/y"}),
        replace(_NESTS, title="A study of tall trees", abstract="Trees grow. " * 9, ids={"doi": "10.1000/y"}),
        replace(_NESTS, title="A study of nests, part two", abstract="", ids={"doi": "10.1000/y"}),
    ],
)
def test_another_paper_in_the_place_of_one_that_left_the_file_replaces_nothing(added: Record) -> None:
    with Catalogue(None) as catalogue:
        read_whole(catalogue, [replace(_NESTS, venue="ICLR", ids={"doi": "10.1000/x"})], days=0)
        outcomes = read_whole(catalogue, [added], days=1)

        assert outcomes == {Outcome.NEW: 1}
        assert {entry.ids["doi"] for entry in catalogue.entries()} == {"10.1000/x", "10.1000/y"}


def test_papers_of_which_little_is_said_replace_none_of_the_same_name() -> None:
    preface = record("Preface to the volume", year=2026, venue="Journal of Nests")

    with Catalogue(None) as catalogue:
        read_whole(catalogue, [replace(preface, ids={"doi": "10.1000/1"})], days=0)
        read_whole(catalogue, [replace(preface, ids={"doi": "10.1000/2"})], days=1)

        assert len(list(catalogue.entries())) == 2


def test_what_the_file_still_says_is_not_taken_back_by_what_is_like_it() -> None:
    preprinted, published = (replace(_NESTS, ids={"doi": f"10.1000/{name}"}) for name in ("early", "final"))

    with Catalogue(None) as catalogue:
        read_whole(catalogue, [preprinted], days=0)
        read_whole(catalogue, [published, preprinted], days=1)

        assert {entry.ids["doi"] for entry in catalogue.entries()} == {"10.1000/early", "10.1000/final"}


def test_what_was_split_off_by_hand_stays_so_when_its_file_corrects_it() -> None:
    with Catalogue(None) as catalogue:
        read_whole(catalogue, [replace(_NESTS, ids={"doi": "10.1000/wrong"})], days=0, file="x.bib")
        take(catalogue, [replace(_NESTS, format="ris", ids={})])
        ids = catalogue.split("doi:10.1000/wrong", _NOW)
        read_whole(catalogue, [replace(_NESTS, ids={"doi": "10.1000/right"})], days=2, file="x.bib")

        assert [entry.entry_id for entry in catalogue.entries()] == list(ids)
        assert [dict(entry.ids) for entry in catalogue.entries()] == [{"doi": "10.1000/right"}, {}]


@pytest.mark.parametrize("kept", [0, 1])
def test_what_was_split_by_hand_is_not_put_together_when_one_of_it_leaves_the_file(kept: int) -> None:
    both = [replace(_NESTS, ids={"doi": "10.1000/x"}), replace(_NESTS, venue="ICLR", ids={"doi": "10.1000/x"})]

    with Catalogue(None) as catalogue:
        read_whole(catalogue, both, days=0)
        ids = catalogue.split("doi:10.1000/x", _NOW, source=1)
        outcomes = read_whole(catalogue, [both[kept]], days=1)

        assert outcomes == {Outcome.UNCHANGED: 1}
        assert sorted(entry.entry_id for entry in catalogue.entries()) == sorted(ids)


def test_papers_that_only_a_wrong_id_joined_part_again_under_their_own_ids() -> None:
    wrong = replace(_NESTS, ids={"arxiv": "2501.00001", "doi": "10.1000/winter"})

    with Catalogue(None) as catalogue:
        take(catalogue, [_WINTER])
        take(catalogue, [wrong], days=1)
        joined = [entry.entry_id for entry in catalogue.entries()]
        take(catalogue, [replace(wrong, ids={"arxiv": "2501.00001"})], days=2)

        assert joined == ["doi:10.1000/winter"]
        found = {entry.entry_id: (entry.title, dict(entry.ids)) for entry in catalogue.entries()}
        assert found == {
            "doi:10.1000/winter": ("A study of nests in winter", {"doi": "10.1000/winter"}),
            "arxiv:2501.00001": ("A study of nests", {"arxiv": "2501.00001"}),
        }


@pytest.mark.parametrize("first", ["nests", "winter"])
def test_an_id_names_the_same_paper_after_what_was_joined_has_parted(first: str) -> None:
    right = replace(_NESTS, ids={"arxiv": "2501.00001"})
    bridge = replace(_NESTS, format="csv", ids={"arxiv": "2501.00001", "doi": "10.1000/winter"})

    with Catalogue(None) as catalogue:
        take(catalogue, [right, _WINTER] if first == "nests" else [_WINTER, right])
        take(catalogue, [bridge], days=1)
        joined = len(list(catalogue.entries()))
        take(catalogue, [replace(bridge, ids={"arxiv": "2501.00001"})], days=2)

        assert joined == 1
        assert {entry.entry_id: entry.title for entry in catalogue.entries()} == {
            "arxiv:2501.00001": "A study of nests",
            "doi:10.1000/winter": "A study of nests in winter",
        }
        assert catalogue.history("doi:10.1000/winter").former_ids == ()


def test_what_parts_again_under_the_id_that_it_had_is_no_arrival() -> None:
    right = replace(_NESTS, ids={"arxiv": "2501.00001"})
    bridge = replace(_NESTS, format="csv", ids={"arxiv": "2501.00001", "doi": "10.1000/winter"})

    with Catalogue(None) as catalogue:
        take(catalogue, [right, _WINTER])
        take(catalogue, [bridge], days=1)
        before = catalogue.last_change()
        take(catalogue, [replace(bridge, ids={"arxiv": "2501.00001"})], days=2)

        assert catalogue.arrived(after=before, upto=catalogue.last_change()) == ()
        assert {entry.arrived_at for entry in catalogue.entries()} == {_NOW}


def test_of_sources_that_are_equally_good_the_one_that_came_last_names_the_entry() -> None:
    for day in range(8):
        with Catalogue(None) as catalogue:
            take(catalogue, [replace(_NESTS, title=f"A study of {day} nsets", ids={"doi": "10.1000/x"})])
            take(catalogue, [replace(_NESTS, format="ris", ids={"doi": "10.1000/x"})], days=1)

            assert [entry.title for entry in catalogue.entries()] == ["A study of nests"]


def test_a_copy_to_try_things_out_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "c #1.sqlite3"
    with Catalogue(path) as catalogue:
        take(catalogue, [preprint()])
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 4")
    db.execute("DROP INDEX source_by_file")
    db.execute("ALTER TABLE source DROP COLUMN folder")
    db.close()
    before = path.read_bytes()

    with Catalogue(path, scratch=True) as scratch:
        outcomes = take(scratch, [preprint(), preprint(2, abstract=_NEW_TEXT)], days=1)
        shown = [entry.abstract for entry in scratch.entries()]

    assert (outcomes, shown) == ([Outcome.UNCHANGED, Outcome.UPDATED], [_NEW_TEXT])
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {path.name: before}


def test_a_copy_of_what_is_not_there_is_empty_and_makes_no_file(tmp_path: Path) -> None:
    with Catalogue(tmp_path / "data" / "c.sqlite3", scratch=True) as scratch:
        outcomes = take(scratch, [preprint()])

    assert (outcomes, list(tmp_path.iterdir())) == ([Outcome.NEW], [])


def test_an_import_that_fails_keeps_the_batches_that_were_reported(tmp_path: Path) -> None:
    reported = []

    def fail_after_five() -> None:
        with Catalogue(tmp_path / "c.sqlite3") as catalogue, catalogue.importing(_NOW, batch=2) as batches:
            for number in range(5):
                batches.add(record(f"Paper of number {number}", arxiv=f"2501.{number:05}"), file="x")
                reported.append(batches.kept)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_after_five()

    with Catalogue(tmp_path / "c.sqlite3") as catalogue:
        assert len(list(catalogue.entries())) == reported[-1] == 4


def test_an_import_that_finds_another_one_running_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"

    with Catalogue(path) as one, Catalogue(path, wait_s=0) as other, one.importing(_NOW) as batches:
        batches.add(preprint(), file="x")
        with pytest.raises(CatalogueError, match="another import is running; try again"):
            take(other, [preprint(2)])
        with pytest.raises(CatalogueError, match="another import is running"):
            other.put_feed("x", "{}")
        assert list(other.entries()) == []


def test_an_import_that_is_overtaken_between_two_batches_keeps_what_was_reported_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"

    with Catalogue(path, wait_s=0) as one, sqlite3.connect(path, isolation_level=None) as other:

        def overtaken() -> None:
            with one.importing(_NOW, batch=1) as batches:
                batches.add(preprint(), file="x")
                one._db.execute("COMMIT")
                other.execute("BEGIN IMMEDIATE")
                one._db.execute("BEGIN IMMEDIATE")

        with pytest.raises(CatalogueError, match="another import is running"):
            overtaken()

        assert len(list(one.entries())) == 1
    other.close()


def test_a_catalogue_that_several_open_at_once_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"

    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(lambda _: Catalogue(path), range(8)))

    assert [list(one.entries()) for one in opened] == [[]] * 8
    for one in opened:
        one.close()


def test_a_catalogue_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"
    sqlite3.connect(path).close()

    Catalogue(path).close()
    db = sqlite3.connect(path)

    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


def test_a_catalogue_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 999")
    db.close()

    with pytest.raises(CatalogueError, match="later release"):
        Catalogue(path)


def test_what_is_no_catalogue_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite3"
    path.write_text("something else entirely, and long enough to be looked at" * 100)

    with pytest.raises(CatalogueError):
        Catalogue(path)


def test_imported_entries_join_the_seeds_except_those_that_are_seeds() -> None:
    seeds = [Entry("iclr-2026:0", "A study of nests", _TEXT, authors=("Ann Roe",), venue="ICLR", year=2026)]

    with Catalogue(None) as catalogue:
        take(catalogue, [preprint(), record("On whales and songs", doi="10.1000/y")])
        joined = [entry.entry_id for entry in Joined(seeds).entries(catalogue.entries())]

    assert joined == ["iclr-2026:0", "doi:10.1000/y"]


def shape(catalogue: Catalogue) -> set[tuple[object, ...]]:
    """Return what the catalogue holds, apart from ids and the order in which it came."""
    found = [catalogue.history(entry.entry_id) for entry in catalogue.entries()]
    return {
        (
            one.entry.title,
            one.entry.abstract,
            one.entry.authors,
            one.entry.venue,
            one.entry.year,
            tuple(sorted(one.entry.ids.items())),
            len(one.sources),
        )
        for one in found
    }


_RECORDS = st.builds(
    lambda base, kind, ids: replace(base, format=kind, ids=ids),
    st.builds(
        record,
        st.sampled_from(["A study of nests", "a study of NESTS", "On whales and songs", ""]),
        abstract=st.sampled_from(["", _TEXT, _NEW_TEXT, "Whales sing. " * 9]),
        authors=st.sampled_from([(), ("Roe, Ann",), ("Poe, Al",)]),
        year=st.sampled_from([None, 2020, 2026]),
        venue=st.sampled_from(["", "arXiv", "ICLR"]),
    ),
    st.sampled_from(["ris", "bibtex"]),
    st.dictionaries(
        st.sampled_from(["arxiv", "doi"]), st.sampled_from(["10.1000/x", "10.1000/y", "2501.00001"]), max_size=2
    ),
).filter(lambda one: bool(one.title or one.abstract))
_LAWS = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@_LAWS
@given(st.lists(_RECORDS, max_size=6))
def test_importing_twice_is_importing_once(records: Sequence[Record]) -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, records)
        once = shape(catalogue)
        outcomes = take(catalogue, records, days=1)

        assert set(outcomes) <= {Outcome.UNCHANGED}
        assert shape(catalogue) == once


@_LAWS
@given(st.lists(_RECORDS, max_size=6), st.data())
def test_the_order_of_an_import_does_not_matter(records: list[Record], data: st.DataObject) -> None:
    with Catalogue(None) as one, Catalogue(None) as other:
        take(one, records)
        take(other, data.draw(st.permutations(records)))

        assert shape(one) == shape(other)


@_LAWS
@given(st.lists(st.tuples(st.sampled_from("ab"), st.lists(_RECORDS, max_size=4)), max_size=5))
def test_after_every_import_of_files_they_are_said_to_be_unchanged(imports: list[tuple[str, list[Record]]]) -> None:
    with Catalogue(None) as catalogue:
        for day, (file, records) in enumerate(imports):
            read_whole(catalogue, records, days=day, file=file)
            once = shape(catalogue)

            assert set(read_whole(catalogue, records, days=day, file=file)) <= {Outcome.UNCHANGED}
            assert shape(catalogue) == once


@_LAWS
@given(st.lists(_RECORDS, max_size=6))
def test_every_source_belongs_to_an_entry_that_can_be_shown(records: list[Record]) -> None:
    with Catalogue(None) as catalogue:
        take(catalogue, records)
        shown = [catalogue.history(entry.entry_id) for entry in catalogue.entries()]

        assert sum(len(one.sources) for one in shown) == len({one.digest() for one in records})
