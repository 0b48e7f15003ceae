"""What the catalog lists is on the disk, whenever the power goes, and what is forgotten is not."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from bough.archive.intake.take_in import forget
from bough.archive.storage.archive_catalog import ArchiveCatalog, file_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.files.directory import sync_folder
from tests.unit.archive.keeping import Keeper

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere names cannot be waited for")


class Disk:
    """Notes what was waited for: the names in folders, and how long files were then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: set[Path] = set()
        self._lengths: dict[int, int] = {}
        fsync, commit = os.fsync, ArchiveCatalog.commit

        def note_bytes(number: int) -> None:
            fsync(number)
            status = os.fstat(number)
            self._lengths[status.st_ino] = status.st_size

        def note_names(folder: Path) -> None:
            sync_folder(folder)
            self.names = {path for path in self.names if path.parent != folder}
            self.names |= set(folder.iterdir())

        def check_rows(catalog: ArchiveCatalog) -> None:
            commit(catalog)
            self.check(catalog._folder)

        monkeypatch.setattr(os, "fsync", note_bytes)
        monkeypatch.setattr("bough.archive.storage.archive_folder.sync_folder", note_names)
        monkeypatch.setattr(ArchiveCatalog, "commit", check_rows)

    def check(self, archive: ArchiveFolder) -> None:
        for entry in read_catalog(archive):
            file = file_of(archive, entry)
            assert {file, *list(file.parents)[:3]} <= self.names
            assert self._lengths[file.stat().st_ino] >= entry.packed


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def be_killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_new_archive_below_folders_that_were_missing(tmp_path: Path, disk: Disk) -> None:
    keeper = Keeper(tmp_path)
    keeper.archive = ArchiveFolder(tmp_path / "new" / "data" / "archive")
    keeper.write(b'{"a":1}\n')

    keeper.take()

    assert len(read_catalog(keeper.archive)) == 1
    assert {tmp_path / "new", tmp_path / "new" / "data"} <= disk.names


def test_sources_that_come_grow_and_are_sealed(tmp_path: Path, disk: Disk) -> None:
    keeper = Keeper(tmp_path)
    for line in (b'{"a":1}\n', b'{"b":1}\n' * 900, b'{"c":1}\n'):
        keeper.write(line)
        keeper.take()
    keeper.write(keeper.file.read_bytes() * 2)
    keeper.take()

    assert keeper.seal() == [True, True, True]

    assert len(keeper.entries()) == 3
    disk.check(keeper.archive)


def test_a_generation_that_a_killed_writer_left_without_its_row(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b'{"a":1}\n')
    keeper.take()
    keeper.write(b'{"b":1}\n')
    with monkeypatch.context() as killing:
        killing.setattr(ArchiveFolder, "sync_names", be_killed)
        with pytest.raises(KeyboardInterrupt):
            keeper.take()
    assert len(list(keeper.archive.list_files())) > len(keeper.entries()) == 1

    keeper.take()

    assert keeper.kept() == [b'{"a":1}\n', b'{"b":1}\n']
    disk.check(keeper.archive)


def test_bytes_that_a_killed_writer_appended_and_did_not_wait_for(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b'{"a":1}\n')
    keeper.take()
    keeper.write(b'{"a":1}\n{"b":1}\n')

    def write_and_be_killed(_: object, file: Path, end: int, pieces: Iterable[bytes]) -> None:
        with file.open("ab") as opened:
            assert opened.tell() == end
            opened.writelines(pieces)
        raise KeyboardInterrupt

    with monkeypatch.context() as killing:
        killing.setattr(ArchiveFolder, "append", write_and_be_killed)
        with pytest.raises(KeyboardInterrupt):
            keeper.take()

    keeper.take()

    assert keeper.kept() == [b'{"a":1}\n{"b":1}\n']
    disk.check(keeper.archive)


def test_what_is_forgotten_is_gone_from_the_disk(tmp_path: Path, disk: Disk) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b'{"a":1}\n')
    keeper.take()
    file = keeper.newest_file()
    assert file in disk.names

    assert forget(keeper.archive, "s").files == 1

    assert file not in disk.names
    assert keeper.archive.path / "forgotten" in disk.names


def test_a_catalog_that_is_made_again(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path)
    keeper.write(b'{"a":1}\n')
    keeper.take()
    keeper.archive.catalog.unlink()
    disk.names = {path for path in disk.names if path.is_dir()}

    keeper.take()

    assert len(keeper.entries()) == 1
    disk.check(keeper.archive)
