"""The archive kept current by itself: what was read goes in, and nobody waits for it."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bough.archive.intake.archive_keeper import ENOUGH_BYTES, ArchiveKeeper
from bough.archive.intake.archive_run import finish_archive_runs
from bough.archive.intake.automatic_folder import remember_archive
from bough.archive.intake.take_in import take_in, take_in_changes
from bough.archive.storage.archive_catalog import (
    file_of,
    hold_lock,
    keep_newest,
    path_of,
    read_catalog,
)
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.config import archive_path
from bough.files.byte_source import FileStretch
from bough.ingest.live.follower import LiveFollower
from bough.ingest.live.tail import FileTail
from bough.library import change_setting
from bough.query.index.handle import open_index
from bough.query.live.stream import Stream, find_watch_scope
from bough.sample import session
from tests.conftest import Home

LINE = b'{"type":"user","sessionId":"s1","message":{"content":"hello"}}\n'
SECONDS = 20.0


@pytest.fixture
def archive(home: Home) -> ArchiveFolder:
    """Give the archive that the settings name."""
    return ArchiveFolder(archive_path([home.path]))


@pytest.fixture
def keeper(home: Home) -> Iterator[ArchiveKeeper]:
    """Give a keeper that is on and has seen what there is, and writes after a moment."""
    change_setting("archive", True)
    found = start_keeper(home)
    yield found
    found.close()


def start_keeper(home: Home, complaints: list[str] | None = None) -> ArchiveKeeper:
    say = complaints.append if complaints is not None else pytest.fail
    return ArchiveKeeper([home.path], say, longest_wait=0.1)


def kept(archive: ArchiveFolder) -> dict[str, bytes]:
    """Read everything that is kept, by the path it had."""
    if not archive.exists():
        return {}
    return {
        path_of(entry): ArchiveSource(path_of(entry), str(file_of(archive, entry))).at(0, 1 << 30)
        for entry in keep_newest(read_catalog(archive))
    }


def wait_for(is_there: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_there():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def append(file: Path, data: bytes, home: Home) -> None:
    with home.writing(), file.open("ab") as opened:
        opened.write(data)


def test_nothing_is_archived_until_somebody_answers(home: Home, archive: ArchiveFolder) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    for answer in (None, False):
        change_setting("archive", answer)
        keeper = start_keeper(home)
        keeper.note_changed([str(file)])
        open_index([home.path]).close()
        keeper.close()
        finish_archive_runs()

        assert not archive.path.exists()


def test_what_is_there_goes_in_when_somebody_says_yes(home: Home, archive: ArchiveFolder) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    keeper = start_keeper(home)

    change_setting("archive", True)

    wait_for(lambda: kept(archive) == {str(file): LINE})
    keeper.close()


def test_bytes_that_were_read_are_not_read_again(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper
) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    tail = FileTail(str(file))
    wait_for(archive.exists)
    keeper.close()
    first = tail.read(with_bytes=True).stretch
    append(file, LINE * 2, home)
    second = tail.read(with_bytes=True).stretch
    assert first is not None
    assert second is not None
    with home.writing():
        shutil.move(file, home.path / "away")  # so that nobody can read it any more

    take_in_changes(archive, [home.path], [str(file)], [first, second])

    assert kept(archive) == {str(file): LINE * 3}


def test_bytes_that_do_not_follow_what_is_kept_are_taken_from_the_file(
    home: Home, archive: ArchiveFolder
) -> None:
    file = home.add("-p/s1.jsonl", LINE * 4)
    late = FileStretch(str(file), len(LINE) * 3, LINE[-64:], LINE)

    take_in_changes(archive, [home.path], [str(file)], [late])
    assert kept(archive) == {str(file): LINE * 4}

    other = FileStretch(str(file), len(LINE) * 4, b"?" * 64, LINE)
    append(file, LINE, home)
    take_in_changes(archive, [home.path], [str(file)], [other])
    assert kept(archive) == {str(file): LINE * 5}


def test_a_file_that_is_written_anew_while_its_bytes_wait_keeps_both(
    home: Home, archive: ArchiveFolder
) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    take_in(archive, [home.path])
    tail = FileTail(str(file))
    tail.read()
    append(file, LINE, home)
    waiting = tail.read(with_bytes=True).stretch
    assert waiting is not None
    new = LINE.replace(b"hello", b"other") * 5
    with home.writing():
        file.write_bytes(new)

    take_in_changes(archive, [home.path], [str(file)], [waiting])

    found = {
        entry.generation: ArchiveSource(path_of(entry), str(file_of(archive, entry))).at(0, 1 << 20)
        for entry in read_catalog(archive)
    }
    assert found == {1: LINE * 2, 2: new}


def test_much_is_written_before_its_time(home: Home, archive: ArchiveFolder) -> None:
    change_setting("archive", True)
    file = home.add("-p/s1.jsonl", LINE)
    keeper = ArchiveKeeper([home.path], pytest.fail, longest_wait=3600)
    wait_for(lambda: kept(archive) == {str(file): LINE})
    tail = FileTail(str(file))
    tail.read()
    much = LINE * (ENOUGH_BYTES // len(LINE) + 1)
    append(file, much, home)
    stretch = tail.read(with_bytes=True).stretch
    assert stretch is not None

    keeper.add_stretch(stretch)

    wait_for(lambda: kept(archive) == {str(file): LINE + much})
    keeper.close()


def test_what_waits_is_written_at_the_end(home: Home, archive: ArchiveFolder) -> None:
    change_setting("archive", True)
    file = home.add("-p/s1.jsonl", LINE)
    keeper = ArchiveKeeper([home.path], pytest.fail, longest_wait=3600)
    wait_for(lambda: kept(archive) == {str(file): LINE})
    append(file, LINE, home)
    keeper.note_changed([str(file)])

    keeper.close()

    assert kept(archive) == {str(file): LINE * 2}


COMPANIONS = (
    "todos/s1-agent-s1.json",
    "tasks/s1/1.json",
    "file-history/s1/0123456789abcdef@v1",
    "image-cache/s1/1.png",
    "plans/calm-owl.md",
)


@pytest.mark.parametrize("name", COMPANIONS)
def test_a_companion_is_taken_when_it_appears(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper, name: str
) -> None:
    file = home.add("-p/s1.jsonl", LINE.replace(b'"type"', b'"slug":"calm-owl","type"'))
    keeper.note_changed([str(file)])
    wait_for(lambda: str(file) in kept(archive))
    place = home.path / name

    with home.writing():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"content")

    wait_for(lambda: kept(archive).get(str(place)) == b"content")


OF_ITS_OWN_FOLDER = (
    "tool-results/toolu_01.txt",
    "subagents/agent-a1.meta.json",
    "subagents/workflows/wf_1/journal.jsonl",
    "custom-title.json",
)


@pytest.fixture
def stream(home: Home) -> Iterator[Stream]:
    """Give a stream that watches everything, with a keeper that writes after a moment."""
    change_setting("archive", True)
    found = start_keeper(home)
    live = LiveFollower(
        [home.path], on_stretch=found.add_stretch, on_others=found.note_changed, polling=False
    )
    with Stream(live, find_watch_scope([home.path], ()), archive=found) as stream:
        yield stream


@pytest.mark.parametrize("name", OF_ITS_OWN_FOLDER)
def test_what_appears_in_a_sessions_own_folder_is_taken_though_its_transcript_rests(
    home: Home, archive: ArchiveFolder, stream: Stream, name: str
) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    stream.past()
    stream.next(0.1)
    wait_for(lambda: str(file) in kept(archive))
    place = file.with_suffix("") / name

    with home.writing():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"{}\n")

    def is_taken() -> bool:
        stream.next(0.1)
        return kept(archive).get(str(place)) == b"{}\n"

    wait_for(is_taken)


@pytest.mark.parametrize("name", ["-p/memory/notes.md", "-p/._s1.jsonl", "-p/readme.txt"])
def test_what_is_no_sessions_stays_out_when_it_appears(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper, name: str
) -> None:
    file = home.add("-p/s1.jsonl", LINE)

    keeper.note_changed([str(home.add(name, LINE)), str(file)])

    wait_for(lambda: bool(kept(archive)))
    keeper.close()
    assert kept(archive) == {str(file): LINE}


def test_everything_is_looked_at_again_after_a_while(home: Home, archive: ArchiveFolder) -> None:
    change_setting("archive", True)
    keeper = ArchiveKeeper([home.path], pytest.fail, everything_every=0.1)
    wait_for(lambda: keeper.is_settled)

    file = home.add("-p/s1.jsonl", LINE)  # nobody is told
    wait_for(lambda: kept(archive) == {str(file): LINE})
    with home.writing():
        os.utime(file, (0, 0))

    wait_for(lambda: any(entry.sealed_at for entry in read_catalog(archive)))
    keeper.close()


def test_a_torn_line_is_taken_once_it_rests(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper
) -> None:
    file = home.add("-p/s1.jsonl", LINE + b'{"type":')
    keeper.note_changed([str(file)])
    wait_for(lambda: kept(archive) == {str(file): LINE})

    with home.writing():
        os.utime(file, (time.time() - 61, time.time() - 61))

    wait_for(lambda: kept(archive) == {str(file): LINE + b'{"type":'})


def test_another_writer_is_no_trouble_and_what_it_left_comes_later(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper
) -> None:
    wait_for(archive.exists)
    wait_for(lambda: keeper.is_settled)
    with hold_lock(archive):
        file = home.add("-p/s1.jsonl", LINE)
        keeper.note_changed([str(file)])
        time.sleep(0.3)
        assert kept(archive) == {}

    wait_for(lambda: kept(archive) == {str(file): LINE})


@pytest.mark.skipif(os.name != "posix", reason="folders are closed by their mode")
def test_an_archive_that_cannot_be_written_is_said_once(
    home: Home, archive: ArchiveFolder, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    change_setting("archive_dir", str(blocked / "archive"))
    change_setting("archive", True)
    complaints: list[str] = []
    keeper = start_keeper(home, complaints)
    wait_for(lambda: bool(complaints))

    keeper.note_changed([str(home.add("-p/s1.jsonl", LINE))])
    keeper.close()

    assert len(complaints) == 1
    assert complaints[0].startswith("Cannot write the archive")


def test_an_archive_that_was_there_and_is_gone_is_not_begun_anew(
    home: Home, archive: ArchiveFolder
) -> None:
    home.add("-p/s1.jsonl", LINE)
    take_in(archive, [home.path])
    remember_archive(archive)
    shutil.rmtree(archive.path)
    change_setting("archive", True)
    complaints: list[str] = []

    keeper = start_keeper(home, complaints)
    wait_for(lambda: bool(complaints))
    keeper.close()
    open_index([home.path]).close()

    assert "is not there any more" in complaints[0]
    assert finish_archive_runs() == complaints
    assert not archive.path.exists()


def test_a_refresh_of_the_index_takes_in_what_it_read(home: Home, archive: ArchiveFolder) -> None:
    change_setting("archive", True)
    one = home.add("-p/one.jsonl", session("one").user("hello").bytes())
    other = home.add("-p/two.jsonl", session("two").user("hello").bytes())
    open_index([home.path]).close()
    assert finish_archive_runs() == []
    assert kept(archive) == {str(one): one.read_bytes(), str(other): other.read_bytes()}

    append(one, session("one").user("more").bytes(), home)
    open_index([home.path]).close()

    assert finish_archive_runs() == []
    assert kept(archive)[str(one)] == one.read_bytes()


def test_a_session_that_is_deleted_while_it_is_watched_is_noted_as_gone(
    home: Home, archive: ArchiveFolder, keeper: ArchiveKeeper
) -> None:
    file = home.add("-p/s1.jsonl", LINE)
    keeper.note_changed([str(file)])
    wait_for(lambda: kept(archive) == {str(file): LINE})

    with home.writing():
        file.unlink()
    keeper.note_changed([str(file)])

    wait_for(lambda: [entry.gone_at is None for entry in read_catalog(archive)] == [False])
    assert kept(archive) == {str(file): LINE}
