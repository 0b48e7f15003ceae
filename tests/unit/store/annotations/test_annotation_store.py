"""Annotations: changed one by one, merged so that every machine ends up with the same."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.errors import Misuse
from bough.store.annotations.annotation import AnnotationEntry, gather_annotations
from bough.store.annotations.annotation_store import (
    AnnotationChange,
    AnnotationStore,
    MergeReport,
)

SESSION = "3f9c2f7e-0000-4000-8000-000000000001"
OLD, NEW = "2026-01-01T00:00:00.000000Z", "2026-02-01T00:00:00.000000Z"


@pytest.fixture
def store(tmp_path: Path) -> AnnotationStore:
    return AnnotationStore(tmp_path / "annotations.sqlite")


def test_a_change_leaves_the_other_fields(store: AnnotationStore) -> None:
    store.change("session", SESSION, AnnotationChange(note=" first try \n"))
    changed = store.change("session", SESSION, AnnotationChange(starred=True))

    assert (changed.starred, changed.note) == (True, "first try")
    assert store.load().find("session", SESSION) == changed


def test_what_is_taken_away_is_no_longer_listed(store: AnnotationStore) -> None:
    store.change("session", SESSION, AnnotationChange(starred=True))
    store.change("session", SESSION, AnnotationChange(starred=False))

    assert store.load().list_all() == []
    assert [entry.value for entry in store.list_entries()] == [""]


def test_a_message_is_found_by_any_of_its_records(store: AnnotationStore) -> None:
    store.change("message", "u2", AnnotationChange(note="here"), SESSION)
    found = store.load().find_message(["u1", "u2"])

    assert found is not None
    assert (found.note, found.session) == ("here", SESSION)
    assert store.load().find_message(["u1"]) is None


def test_what_another_process_wrote_is_read(store: AnnotationStore) -> None:
    store.change("session", SESSION, AnnotationChange(starred=True))
    before = store.load()
    AnnotationStore(store.path).change("session", SESSION, AnnotationChange(note="later"))

    assert before.find("session", SESSION).note == ""
    assert store.load().find("session", SESSION).note == "later"


def test_a_file_that_did_not_change_is_not_read_again(store: AnnotationStore) -> None:
    store.change("session", SESSION, AnnotationChange(starred=True))

    assert store.load() is store.load()


def test_a_change_is_newer_than_an_import_from_the_future(store: AnnotationStore) -> None:
    store.merge(
        [AnnotationEntry("session", SESSION, "note", "then", "2099-01-01T00:00:00.000000Z")]
    )
    store.change("session", SESSION, AnnotationChange(note="now"))

    assert store.load().find("session", SESSION).note == "now"


def test_a_note_that_is_too_long_is_refused(store: AnnotationStore) -> None:
    with pytest.raises(Misuse, match="2,000 characters at most; this one has 2,001"):
        store.change("session", SESSION, AnnotationChange(note="x" * 2_001))
    assert not store.path.exists()


def test_a_merge_keeps_the_newer_and_says_what_it_did(store: AnnotationStore) -> None:
    def entry(name: str, value: str, moment: str) -> AnnotationEntry:
        return AnnotationEntry("session", name, "note", value, moment)

    store.merge([entry("a", "ours", OLD), entry("b", "ours", NEW), entry("c", "both", OLD)])
    report = store.merge(
        [
            entry("a", "theirs", NEW),
            entry("b", "theirs", OLD),
            entry("c", "both", NEW),
            entry("d", "theirs", OLD),
        ]
    )

    assert report == MergeReport(added=1, changed=1, older=1, same=1)
    assert {one.id: one.note for one in store.load().list_all()} == {
        "a": "theirs",
        "b": "ours",
        "c": "both",
        "d": "theirs",
    }


ENTRIES = st.lists(
    st.builds(
        AnnotationEntry,
        kind=st.just("session"),
        id=st.sampled_from(["a", "b"]),
        field=st.just("note"),
        value=st.sampled_from(["", "x", "y"]),
        changed_at=st.sampled_from([OLD, NEW]),
    ),
    max_size=6,
)


@settings(max_examples=20, deadline=None)
@given(ENTRIES, ENTRIES)
def test_two_machines_that_merge_each_other_have_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    ours: list[AnnotationEntry],
    theirs: list[AnnotationEntry],
) -> None:
    folder = tmp_path_factory.mktemp("merged")
    one, other = (AnnotationStore(folder / name) for name in ("one.sqlite", "other.sqlite"))
    one.merge(ours)
    other.merge(theirs)
    one.merge(other.list_entries())
    other.merge(one.list_entries())

    assert [(e.id, e.value) for e in one.list_entries()] == [
        (e.id, e.value) for e in other.list_entries()
    ]
    assert gather_annotations(one.list_entries()).list_all() == one.load().list_all()
