"""The file with the annotations: made private, copied before it is written, never taken over."""

import multiprocessing
import sqlite3
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bough.errors import AnnotationTrouble
from bough.store.annotations import annotation_file
from bough.store.annotations.annotation_file import APPLICATION_ID, list_copies
from bough.store.annotations.annotation_store import AnnotationChange, AnnotationStore

SESSION = "3f9c2f7e-0000-4000-8000-000000000001"
STAR = AnnotationChange(starred=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "annotations.sqlite"


def start_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what this process copied, as a new one would."""
    monkeypatch.setattr(annotation_file, "_copied", set())


def test_the_file_is_for_its_owner_alone_and_says_whose_it_is(path: Path) -> None:
    AnnotationStore(path).change("session", SESSION, STAR)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID
    assert [one.name for one in path.parent.iterdir()] == ["annotations.sqlite"]


def test_reading_makes_no_file(path: Path) -> None:
    assert AnnotationStore(path).load().list_all() == []
    assert not path.parent.exists()


def test_a_process_copies_the_file_once_before_it_writes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    AnnotationStore(path).change("session", SESSION, STAR)
    start_process(monkeypatch)
    AnnotationStore(path).change("session", SESSION, AnnotationChange(starred=False))
    AnnotationStore(path).change("session", SESSION, AnnotationChange(note="later"))

    (copy,) = list_copies(path)

    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert AnnotationStore(copy).load().find("session", SESSION).starred


def test_the_last_copies_stay_and_the_last_of_each_day(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    AnnotationStore(path).change("session", SESSION, STAR)
    folder = annotation_file.copies_folder(path)
    folder.mkdir()
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    moments = [begun + timedelta(days=day, hours=hour) for day in range(40) for hour in range(3)]
    for moment in moments:
        (folder / f"annotations-{moment:%Y%m%dT%H%M%S%f}-1.sqlite").touch()
    start_process(monkeypatch)
    AnnotationStore(path).change("session", SESSION, AnnotationChange(note="now"))

    days = {copy.name[12:20] for copy in list_copies(path)}

    assert len(list_copies(path)) == 26
    assert len(days) == 14
    assert max(days) == f"{datetime.now(UTC):%Y%m%d}"


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"not a database at all" * 9, "are damaged"), (b"SQLite format 3\0" + bytes(200), "another")],
)
def test_what_is_no_file_of_ours_is_left_as_it_is(path: Path, content: bytes, words: str) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(AnnotationTrouble, match=words):
        AnnotationStore(path).change("session", SESSION, STAR)
    with pytest.raises(AnnotationTrouble, match=words):
        AnnotationStore(path).load()
    assert path.read_bytes() == content


def test_a_file_of_a_newer_bough_is_left_as_it_is(path: Path) -> None:
    AnnotationStore(path).change("session", SESSION, STAR)
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 2")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(AnnotationTrouble, match="newer bough"):
        AnnotationStore(path).change("session", SESSION, AnnotationChange(starred=False))
    assert path.read_bytes() == before


def test_a_damaged_file_names_its_newest_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    AnnotationStore(path).change("session", SESSION, STAR)
    start_process(monkeypatch)
    AnnotationStore(path).change("session", SESSION, AnnotationChange(note="x"))
    path.write_bytes(b"spoilt" * 100)

    with pytest.raises(AnnotationTrouble, match=list_copies(path)[0].name):
        AnnotationStore(path).load()


def test_stars_of_the_terminal_app_are_taken_over_once(path: Path) -> None:
    path.parent.mkdir()
    earlier = path.with_name("tui.json")
    earlier.write_text(f'{{"stars": ["{SESSION}", "-home-dev-shop"], "theme": "dark"}}')
    found = AnnotationStore(path).load()

    AnnotationStore(path).change("session", SESSION, AnnotationChange(starred=False))
    later = AnnotationStore(path).load()

    assert found.find("session", SESSION).starred
    assert found.find("project", "-home-dev-shop").starred
    assert not later.find("session", SESSION).starred
    assert "stars" in earlier.read_text()


def write_many(path: str, number: int) -> None:
    store = AnnotationStore(Path(path))
    for at in range(20):
        store.change("message", f"{number}-{at}", STAR, SESSION)


def test_many_processes_write_at_once_and_nothing_is_lost(path: Path) -> None:
    begin = multiprocessing.get_context("spawn")
    workers = [begin.Process(target=write_many, args=(str(path), n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)

    assert [worker.exitcode for worker in workers] == [0] * 4
    assert len(AnnotationStore(path).load().list_all()) == 80
    assert all(copy.stat().st_size for copy in list_copies(path))
