"""Verifying: a flipped bit anywhere is found and named, and repaired where the source is good."""

import os
from pathlib import Path

import pytest

from bough.archive.intake.take_in import take_in
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import file_of, keep_newest, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id
from bough.archive.storage.frame_source import ArchiveSource
from bough.sample import session


@pytest.fixture
def kept(tmp_path: Path) -> tuple[ArchiveFolder, Path]:
    """A session that was taken in three times, so that its copy has several frames."""
    claude, archive = tmp_path / "claude", ArchiveFolder(tmp_path / "archive")
    builder = session("s1")
    file = builder.write(claude)
    for number in range(3):
        builder.user(f"Question {number}").assistant(f"Answer {number}")
        file = builder.write(claude)
        take_in(archive, [claude])
    return archive, file


def only_file(archive: ArchiveFolder) -> Path:
    (file,) = archive.list_files()
    return file


def test_a_sound_archive_has_nothing_to_say(kept: tuple[ArchiveFolder, Path]) -> None:
    archive, source = kept

    report = verify_archive(archive, deep=True)

    assert report.is_sound
    assert (report.files, report.compared) == (1, 1)
    assert report.bytes == source.stat().st_size


def test_a_flipped_bit_in_every_region_is_found_changes_nothing_and_is_repaired_from_the_source(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    file = only_file(archive)
    good = file.read_bytes()
    harmless = 0
    for place in range(0, len(good), 23):
        bad = bytearray(good)
        bad[place] ^= 0x01
        file.write_bytes(bad)

        report = verify_archive(archive)

        assert file.read_bytes() == bad
        if report.is_sound:  # some few bits of packed bytes mean nothing
            assert ArchiveSource("s1", str(file)).at(0, 1 << 30) == source.read_bytes(), place
            harmless += 1
            continue
        repaired = verify_archive(archive, repair=True)
        assert repaired.is_sound, (place, repaired)
        assert repaired.damage
        assert ArchiveSource("s1", str(file)).at(0, 1 << 30) == source.read_bytes()
        assert verify_archive(archive, deep=True).is_sound
        file.write_bytes(good)
    assert harmless <= 2


def test_what_is_not_damaged_stays_readable_and_the_damage_is_named_by_offset(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    file = only_file(archive)
    with_first_frame_spoilt = bytearray(file.read_bytes())
    start = with_first_frame_spoilt.index(b"\x28\xb5\x2f\xfd") + 40
    with_first_frame_spoilt[start] ^= 1
    file.write_bytes(with_first_frame_spoilt)
    whole = source.read_bytes()
    source.unlink()

    report = verify_archive(archive, repair=True)

    (damage,) = report.damage
    assert not damage.is_repaired
    assert (damage.path, damage.session, damage.offset) == (str(source), source.stem, 0)
    rest = ArchiveSource("s1", str(file)).at(damage.length, 1 << 30)
    assert rest == whole[damage.length :]
    assert rest


def test_a_source_that_is_another_now_repairs_nothing(kept: tuple[ArchiveFolder, Path]) -> None:
    archive, source = kept
    file = only_file(archive)
    bad = bytearray(file.read_bytes())
    bad[bad.index(b"\x28\xb5\x2f\xfd") + 40] ^= 1
    file.write_bytes(bad)
    source.write_bytes(b"x" * 100_000)

    assert not verify_archive(archive, repair=True).is_sound
    assert file.read_bytes() == bad


def test_a_copy_without_its_header_is_not_replaced_by_a_source_that_grew_otherwise(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    file = only_file(archive)
    bad = bytearray(file.read_bytes())
    bad[20] ^= 1
    file.write_bytes(bad)
    source.write_bytes(b"x" * 100_000)

    report = verify_archive(archive, repair=True)

    assert not report.is_sound
    assert file.read_bytes() == bad


def test_a_source_that_grows_beside_a_damaged_copy_is_taken_in_whole(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    file = only_file(archive)
    bad = bytearray(file.read_bytes())
    bad[bad.index(b"\x28\xb5\x2f\xfd") + 40] ^= 1
    file.write_bytes(bad)
    source.write_bytes(source.read_bytes() + b'{"type":"more"}\n')

    take_in(archive, [source.parents[2]])

    newest = keep_newest(read_catalog(archive))[0]
    assert newest.generation == 2
    found = ArchiveSource("s", str(file_of(archive, newest))).at(0, 1 << 30)
    assert found == source.read_bytes()
    assert file.read_bytes() == bad


def test_a_copy_that_is_missing_is_named_and_written_anew_from_its_source(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    file = only_file(archive)
    file.unlink()

    assert [one.reason for one in verify_archive(archive).damage] == ["no such file"]
    assert verify_archive(archive, repair=True).is_sound
    assert ArchiveSource("s1", str(file)).at(0, 1 << 30) == source.read_bytes()


def test_a_deep_look_finds_a_source_that_was_changed_behind_its_time(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    status = source.stat()
    data = source.read_bytes()
    source.write_bytes(data.replace(b"Question 1", b"Question 8"))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert verify_archive(archive).is_sound
    assert [one.path for one in verify_archive(archive, deep=True).differences] == [str(source)]


def test_where_nothing_was_archived_there_is_nothing_to_verify_and_nothing_is_made(
    tmp_path: Path,
) -> None:
    archive = ArchiveFolder(tmp_path / "archive")

    assert verify_archive(archive, deep=True, repair=True).files == 0
    assert not archive.path.exists()
    assert read_catalog(archive) == []
    assert machine_id() == machine_id()


def test_a_source_that_was_changed_behind_its_time_is_taken_in_by_a_repair(
    kept: tuple[ArchiveFolder, Path],
) -> None:
    archive, source = kept
    before, times = source.read_bytes(), source.stat()
    source.write_bytes(before.replace(b"Question 1", b"Question 9"))
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert not verify_archive(archive, deep=True).is_sound
    assert [o.is_repaired for o in verify_archive(archive, deep=True, repair=True).differences] == [
        True
    ]
    assert verify_archive(archive, deep=True).is_sound
    entries = sorted(read_catalog(archive), key=lambda one: one.generation)
    copies = [ArchiveSource("s1", str(file_of(archive, one))).at(0, 1 << 30) for one in entries]
    assert copies == [before, source.read_bytes()]
