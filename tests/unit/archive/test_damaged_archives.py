"""Damaged, full, locked and foreign: a sentence, and everything that can be read stays readable."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from bough.archive.archive_catalog import (
    file_of,
    path_of,
    read_catalog,
)
from bough.archive.archive_folder import ArchiveFolder
from bough.archive.frame_source import ArchiveSource
from bough.archive.frames import FORM, pack_header
from bough.archive.take_in import take_in
from bough.archive.verification import verify_archive
from bough.errors import ArchiveTrouble
from bough.sample import session

DAY = 24 * 3600 * 10**9
MEMORY_MORE = 64 << 20
MEASURED = """
import resource, sys, time
from pathlib import Path
from bough.archive.archive_folder import ArchiveFolder
from bough.archive.take_in import take_in
from bough.archive.verification import verify_archive
claude, archive = Path(sys.argv[1]), ArchiveFolder(Path(sys.argv[2]))
assert take_in(archive, [claude]).problems == []
later = time.time_ns() + 25 * 3600 * 10**9
assert take_in(archive, [claude], now=lambda: later).sealed
assert verify_archive(archive, deep=True).is_sound
archive.catalog.unlink()
take_in(archive, [claude], now=lambda: later)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


class Kept:
    """Some sessions, one with several frames and two generations, and their archive."""

    def __init__(self, folder: Path) -> None:
        self.claude = folder / "claude"
        self.archive = ArchiveFolder(folder / "archive")
        self.files = []
        for name in ("s1", "s2", "s3"):
            file = session(name).user(f"The first words of {name}").write(self.claude)
            self.files.append(file)
        self.take()
        self.files[0].write_bytes(session("s1").user("Written anew").bytes())
        self.take()
        self.grow()
        self.take()

    def grow(self) -> None:
        for file in self.files:
            with file.open("ab") as opened:
                opened.write(session(file.stem).user("More words").assistant("An answer").bytes())

    def take(self) -> list[str]:
        return [one.reason for one in take_in(self.archive, [self.claude]).problems]

    def read(self) -> dict[tuple[str, int], bytes]:
        """Read every generation that the catalog, or else the files, name."""
        found = {}
        for entry in read_catalog(self.archive):
            source = ArchiveSource(path_of(entry), str(file_of(self.archive, entry)))
            found[path_of(entry), entry.generation] = source.at(0, 1 << 30)
        return found


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_a_flipped_bit_in_a_header_costs_no_byte_and_is_named(kept: Kept) -> None:
    before = kept.read()
    entry = next(one for one in read_catalog(kept.archive) if one.generation == 1)
    file = file_of(kept.archive, entry)
    good = file.read_bytes()
    for place in range(len(pack_header(entry.header))):
        bad = bytearray(good)
        bad[place] ^= 0x04
        file.write_bytes(bad)

        assert kept.read() == before, place
        (damage,) = verify_archive(kept.archive).damage
        assert (damage.file, damage.reason) == (
            str(file),
            "its header is damaged, and its bytes can be read",
        ), place


def test_a_flipped_bit_anywhere_in_the_catalog_costs_time_and_nothing_else(kept: Kept) -> None:
    before = kept.read()
    good = kept.archive.catalog.read_bytes()
    named = 0
    for place in range(0, len(good), 97):
        bad = bytearray(good)
        bad[place] ^= 0x10
        kept.archive.catalog.write_bytes(bad)

        assert kept.read() == before, place
        report = verify_archive(kept.archive)
        named += not report.is_sound
        assert {one.file for one in report.damage} <= {str(kept.archive.catalog)}
        assert kept.archive.catalog.read_bytes() == bad
        if not report.is_sound and named % 5 == 0:
            assert verify_archive(kept.archive, repair=True).is_sound
            assert verify_archive(kept.archive, deep=True).damage == []
            assert kept.read() == before
    assert named > 5


def test_rows_that_are_lost_without_a_word_of_the_database_are_missed(kept: Kept) -> None:
    before = kept.read()
    with sqlite3.connect(kept.archive.catalog) as connection:
        connection.execute("delete from entry where generation = 2")
    connection.close()

    assert kept.read() == before
    assert not verify_archive(kept.archive).is_sound


def test_a_catalog_of_a_newer_bough_is_left_alone_and_the_files_are_read(kept: Kept) -> None:
    before = kept.read()
    with sqlite3.connect(kept.archive.catalog) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    newer = kept.archive.catalog.read_bytes()
    kept.grow()

    with pytest.raises(ArchiveTrouble, match="A newer bough wrote the archive"):
        kept.take()
    assert kept.archive.catalog.read_bytes() == newer
    assert kept.read() == before


def test_a_copy_of_a_newer_form_is_named_and_not_repaired(kept: Kept) -> None:
    entry = next(one for one in read_catalog(kept.archive) if path_of(one) == str(kept.files[1]))
    file = file_of(kept.archive, entry)
    newer = pack_header(msgspec.structs.replace(entry.header, form=FORM + 1)) + b"whatever"
    file.write_bytes(newer)

    report = verify_archive(kept.archive, repair=True)

    (damage,) = report.damage
    assert (damage.path, damage.is_repaired) == (str(kept.files[1]), False)
    assert damage.reason == "a newer bough wrote its archived copy"
    kept.grow()
    assert [words for words in kept.take() if "a newer bough wrote" in words]
    assert file.read_bytes() == newer


@pytest.mark.skipif(os.name != "posix", reason="pipes and links are those of POSIX")
def test_foreign_things_in_the_folder_are_left_alone_and_stop_nobody(kept: Kept) -> None:
    shelf = file_of(kept.archive, read_catalog(kept.archive)[0]).parent
    foreign = [shelf / "notes.part", shelf / "notes.txt", kept.archive.path / "readme"]
    for file in foreign:
        file.write_text("mine")
    (shelf / f"{'a' * 32}.zst").mkdir()
    os.mkfifo(shelf / f"{'b' * 32}.zst")
    (shelf / f"{'c' * 32}.zst").symlink_to("nowhere")
    (kept.archive.path / "v1" / "notes").mkdir()
    kept.archive.catalog.unlink()
    before = kept.read()
    kept.grow()

    assert kept.take() == []

    assert before.keys() == kept.read().keys()
    assert [file.read_text() for file in foreign] == ["mine"] * 3
    damaged = {Path(one.file).name[0] for one in verify_archive(kept.archive).damage}
    assert damaged == {"a", "b", "c"}


def test_a_lock_that_is_no_database_is_a_sentence(kept: Kept) -> None:
    kept.archive.lock.write_bytes(b"words that are no database " * 50)

    with pytest.raises(ArchiveTrouble, match="Cannot write the archive"):
        kept.take()


def run_mount(*words: str) -> bool:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[[Path, str], None]]:
    """Mount a small disk in memory; where nobody may, the test has to do without."""
    made: list[Path] = []

    def mount_at(folder: Path, options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        if not run_mount("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)):
            pytest.skip("only root may mount a disk")
        made.append(folder)

    yield mount_at
    for folder in made:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_gets_full_is_a_sentence_and_costs_nothing_that_was_kept(
    tmp_path: Path, mount: Callable[[Path, str], None]
) -> None:
    mount(tmp_path / "archive", "size=256k")
    kept = Kept(tmp_path)
    before = kept.read()
    larges = [
        session(f"large{number}").user(os.urandom(20_000).hex()).write(kept.claude)
        for number in range(40)
    ]
    with pytest.raises(ArchiveTrouble, match=r"(?i)no space|full"):
        kept.take()

    assert before.items() <= kept.read().items()
    assert verify_archive(kept.archive).is_sound
    kept.grow()
    with pytest.raises(ArchiveTrouble):
        kept.take()
    assert before.keys() <= kept.read().keys()
    for file in larges:
        file.unlink()
    assert run_mount("mount", "-o", "remount,size=1m", str(kept.archive.path))
    assert kept.take() == []
    found = kept.read()
    newest = [found[str(file), number] for file, number in zip(kept.files, (2, 1, 1), strict=True)]
    assert newest == [file.read_bytes() for file in kept.files]


def test_an_archive_that_is_read_only_is_read_and_says_that_it_cannot_be_written(
    tmp_path: Path, mount: Callable[[Path, str], None]
) -> None:
    mount(tmp_path / "archive", "size=4m")
    kept = Kept(tmp_path)
    before = kept.read()
    assert run_mount("mount", "-o", "remount,ro", str(tmp_path / "archive"))
    kept.grow()

    with pytest.raises(ArchiveTrouble, match="Cannot write the archive"):
        kept.take()
    with pytest.raises(ArchiveTrouble, match="Cannot write the archive"):
        verify_archive(kept.archive, repair=True)
    assert kept.read() == before
    assert verify_archive(kept.archive, deep=True).is_sound


@pytest.mark.slow
@pytest.mark.parametrize("length", [32 << 20, pytest.param(100 << 20, marks=pytest.mark.whole)])
def test_a_line_of_100_megabytes_takes_hardly_more_memory_than_any_other(
    tmp_path: Path, length: int
) -> None:
    def measure(name: str, words: bytes, times: int) -> int:
        file = session("s1").user("hello").write(tmp_path / name)
        with file.open("ab") as opened:
            opened.write(b'{"type":"user","text":"')
            for _ in range(times):
                opened.write(words)
            opened.write(b'"}\n{"type":"last"}\n')
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, tmp_path / name, tmp_path / f"{name}-archive"],
            check=True,
            capture_output=True,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")},
        )
        (copy,) = ArchiveFolder(tmp_path / f"{name}-archive").list_files()
        assert file.stat().st_size == ArchiveSource("s1", str(copy)).state().size
        return int(done.stdout)

    words = os.urandom(1 << 19).hex().encode()
    small = measure("small", words[:1000], 1)
    large = measure("large", words, length // len(words))

    assert large - small <= MEMORY_MORE, (small, large)


@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs the zstd of the system")
def test_the_zstd_of_the_system_reads_every_sealed_file(kept: Kept) -> None:
    with kept.files[2].open("ab") as opened:
        opened.write(b'{"without":"its en')
    now = max(file.stat().st_mtime_ns for file in kept.files)
    take_in(kept.archive, [kept.claude], now=lambda: now + DAY // 2)
    with kept.files[2].open("ab") as opened:
        opened.write(b'd"}\n')
    take_in(kept.archive, [kept.claude], now=lambda: now + 2 * DAY)

    entries = read_catalog(kept.archive)
    assert all(entry.sealed_at for entry in entries)
    for entry in entries:
        file = file_of(kept.archive, entry)
        done = subprocess.run(["zstd", "-dc", file], check=True, capture_output=True)
        assert done.stdout == kept.read()[path_of(entry), entry.generation]
