"""The writer of the archive: what it took in is there for good, whatever the source does."""

import os
import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bough.archive.intake.take_in import open_writer
from bough.archive.storage.archive_catalog import ArchiveBusy, hold_lock, read_catalog, scan_files
from bough.archive.storage.archive_writer import TakenKind
from bough.archive.storage.frames import FORM, pack_header
from bough.errors import ArchiveTrouble, Unreadable
from bough.files.byte_source import DiskSource
from tests.unit.archive.keeping import AT, MINUTE, START, Keeper


def test_only_new_bytes_are_written(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    assert keeper.take().kind is TakenKind.NEW
    before = keeper.newest_file().read_bytes()

    keeper.write(b"one\ntwo\n")
    taken = keeper.take()

    assert (taken.kind, taken.bytes) == (TakenKind.GROWN, 4)
    assert keeper.newest_file().read_bytes().startswith(before)
    assert keeper.take().kind is TakenKind.NOTHING


def test_a_line_without_newline_waits_a_minute_and_is_then_kept_and_replaced_when_it_ends(
    tmp_path: Path,
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\ntw")
    keeper.take()
    assert keeper.kept() == [b"one\n"]

    keeper.now += MINUTE
    assert keeper.take().kind is TakenKind.GROWN
    assert keeper.kept() == [b"one\ntw"]

    keeper.write(b"one\ntwo\nthree\n")
    keeper.take()
    assert keeper.kept() == [b"one\ntwo\nthree\n"]
    assert len(keeper.entries()) == 1


def test_a_companion_without_newline_is_taken_at_once(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, kind="file")
    keeper.write(b"\x89PNG no line")
    keeper.take()

    assert keeper.kept() == [b"\x89PNG no line"]


@pytest.mark.parametrize(
    "second", [b"", b"one\n", b"other\nlines\n", b"one\nTWO\n", b"0ne\ntwo\nthree\n"]
)
def test_a_source_that_shrank_or_was_rewritten_begins_a_generation(
    tmp_path: Path, second: bytes
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\ntwo\n")
    keeper.take()
    keeper.write(second)

    assert keeper.take().kind is TakenKind.GENERATION
    assert keeper.kept() == [b"one\ntwo\n", second]


def test_a_source_that_was_only_touched_begins_none(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()
    keeper.write(b"one\n")

    assert keeper.take().kind is TakenKind.NOTHING
    assert len(keeper.entries()) == 1
    assert keeper.entries()[0].source_mtime_ns == keeper.now


def test_sealing_finds_what_was_changed_in_the_middle_and_keeps_both(tmp_path: Path) -> None:
    filler = b"x" * 5000 + b"\n"
    keeper = Keeper(tmp_path)
    keeper.write(filler + b"then\n" + filler)
    keeper.take()
    keeper.write(filler + b"now!\n" + filler + b"more\n")
    assert keeper.take().kind is TakenKind.GROWN

    keeper.seal()

    first, second = keeper.kept()
    assert b"then" in first
    assert second == filler + b"now!\n" + filler + b"more\n"


def test_a_sealed_file_is_smaller_is_read_by_zstd_and_has_its_digest(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    content = b""
    for number in range(40):
        content += b'{"type":"user","number":%d,"text":"some words that are said again"}\n' % number
        keeper.write(content)
        keeper.take()
    loose = keeper.newest_file().stat().st_size

    assert keeper.seal() == [True]

    (entry,) = keeper.entries()
    assert keeper.kept() == [content]
    assert entry.frames == 1
    assert entry.sealed_at == AT
    assert keeper.newest_file().stat().st_size < loose / 3
    if (program := shutil.which("zstd")) is not None:
        done = subprocess.run(
            [program, "-dc", keeper.newest_file()], check=True, capture_output=True
        )
        assert done.stdout == content


def test_a_source_that_rested_for_a_day_is_sealed_when_it_is_taken_in(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.now += 25 * 60 * MINUTE
    keeper.take()

    assert keeper.entries()[0].sealed_at == AT


def test_the_catalog_is_made_again_from_the_files_alone(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    for content in (b'{"slug":"calm-owl"}\n', b"another\n"):
        keeper.write(content)
        keeper.take()
    before = [(entry.id, entry.header, entry.size, entry.names) for entry in keeper.entries()]
    keeper.archive.catalog.write_bytes(b"no database at all")

    keeper.take()

    after = [(entry.id, entry.header, entry.size, entry.names) for entry in keeper.entries()]
    assert after == before
    assert after[0][3] == ("plans/calm-owl.md",)


def test_a_catalog_of_the_form_before_is_read_and_written_on_with_all_that_it_says(
    tmp_path: Path,
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b'{"slug":"calm-owl"}\n')
    keeper.take()
    keeper.seal()
    with closing(sqlite3.connect(keeper.archive.catalog)) as catalog:
        (made,) = catalog.execute("select sql from sqlite_schema where name = 'entry'").fetchone()
        rows = catalog.execute("select * from entry").fetchall()
        catalog.execute("drop table entry")
        catalog.execute(made.replace("names text", "names text not null default ''"))
        places = ", ".join("?" for _ in rows[0])
        catalog.executemany(f"insert into entry values ({places})", rows)
        catalog.execute("pragma user_version = 2")
        catalog.commit()
    before = keeper.entries()
    assert before[0].sealed_at == AT
    assert before[0].names == ("plans/calm-owl.md",)

    with open_writer(keeper.archive, lambda: keeper.now) as (_, catalog_now):
        assert catalog_now.entries() == before
        catalog_now.put(msgspec.structs.replace(before[0], names=None))

    assert [(entry.sealed_at, entry.names) for entry in keeper.entries()] == [(AT, None)]


def test_a_reader_does_without_a_catalog_and_makes_none(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()
    keeper.archive.catalog.unlink()

    assert [entry.header.path for entry in read_catalog(keeper.archive)] == ["projects/-p/s.jsonl"]
    assert not keeper.archive.catalog.exists()


def test_foreign_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()
    shelf = keeper.newest_file().parent
    (shelf / "notes.txt").write_text("mine")
    (shelf / f"{'0' * 32}.jsonl.zst").write_bytes(b"looks like one of ours")
    (keeper.archive.path / "v1" / "stray").write_text("a file among the folders")
    keeper.archive.catalog.unlink()

    keeper.write(b"one\ntwo\n")
    keeper.take()

    assert keeper.kept() == [b"one\ntwo\n"]
    assert (shelf / "notes.txt").read_text() == "mine"
    assert (shelf / f"{'0' * 32}.jsonl.zst").exists()


def test_a_writer_that_was_stopped_leaves_a_tail_that_the_next_one_cuts(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()
    file = keeper.newest_file()
    whole = file.read_bytes()
    keeper.write(b"one\ntwo\n")
    keeper.take()
    grown = file.read_bytes()

    for end in range(len(whole), len(grown), 11):
        file.write_bytes(grown[:end])
        keeper.archive.catalog.unlink()
        assert keeper.kept() == [b"one\n"]
        keeper.take()
        assert keeper.kept() == [b"one\ntwo\n"]
        assert file.read_bytes() == grown


def test_a_generation_whose_row_was_never_written_is_not_written_over(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"first\n")
    keeper.take()
    catalog = keeper.archive.catalog.read_bytes()
    keeper.write(b"second\n")
    keeper.take()
    keeper.archive.catalog.write_bytes(catalog)
    keeper.write(b"third\n")
    keeper.take()

    assert [entry.size for entry in scan_files(keeper.archive)] == [7, 6, 6]


def test_sealing_writes_over_no_generation_whose_row_was_never_written(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"first\n")
    keeper.take()
    catalog = keeper.archive.catalog.read_bytes()
    keeper.write(b"second\n")
    keeper.take()
    keeper.archive.catalog.write_bytes(catalog)
    keeper.write(b"third\n")

    keeper.seal()
    keeper.take()

    assert keeper.kept() == [b"first\n", b"second\n", b"third\n"]


def test_one_writes_at_a_time(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()

    with hold_lock(keeper.archive), pytest.raises(ArchiveBusy):
        keeper.take()


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_nobody_else_may_read_the_archive(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        keeper = Keeper(tmp_path)
        keeper.write(b"one\n")
        keeper.take()
    finally:
        os.umask(old)

    modes = {
        stat.S_IMODE(path.stat().st_mode): path.is_dir()
        for path in (keeper.archive.path, *keeper.archive.path.rglob("*"))
    }
    assert modes == {0o700: True, 0o600: False}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_a_sentence_and_what_was_kept_stays(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()
    file = keeper.newest_file()
    kept = file.read_bytes()
    keeper.write(b"other\n")
    part = file.with_name(f"{file.name.partition('.')[0]}.2.jsonl.zst.part")
    with open_writer(keeper.archive, lambda: keeper.now) as (writer, _):
        part.symlink_to("/dev/full")
        with pytest.raises(ArchiveTrouble, match=r"Cannot write the archive .*space"):
            writer.take(keeper.header, DiskSource(str(keeper.file)), AT)

    assert file.read_bytes() == kept
    assert keeper.kept() == [b"one\n"]
    keeper.take()
    assert keeper.kept() == [b"one\n", b"other\n"]


def test_a_place_where_no_folder_can_be_is_a_sentence(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.archive.path.write_text("a file is here")

    with pytest.raises(ArchiveTrouble, match="Cannot write the archive"):
        keeper.take()


def test_a_copy_of_a_newer_form_is_left_alone(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    file = keeper.archive.name_file(keeper.archive.name_entry(keeper.header), "jsonl", 1)
    file.parent.mkdir(parents=True)
    newer = pack_header(msgspec.structs.replace(keeper.header, form=FORM + 1))
    file.write_bytes(newer)
    keeper.write(b"one\n")

    with pytest.raises(Unreadable, match="a newer bough"):
        keeper.take()
    assert file.read_bytes() == newer


def test_times_start_where_the_clock_is_set(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b"one\n")
    keeper.take()

    assert keeper.entries()[0].header.mtime_ns == START + 10**9
