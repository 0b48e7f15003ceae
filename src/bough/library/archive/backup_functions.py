"""All of bough's own data in one file, and back.

    library.back_up("bough.tar.zst")
    library.restore_backup("bough.tar.zst")

That are settings, annotations, the archive, and the journal of time travel with its backups. The
index is not among them: it is made again from the files and the archive.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.automatic_folder import is_archive_missing
from bough.archive.storage.archive_catalog import hold_lock as hold_archive
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.transfer.data_backup import (
    BackupContents,
    BackupEntry,
    list_own_files,
    put_in_place,
    read_backup,
    remove_folder,
    unpack_backup,
    write_backup,
)
from bough.config import (
    archive_path,
    claude_folder_around,
    data_dir,
    index_path,
    settings_path,
)
from bough.errors import Misuse
from bough.library.parameters import ClaudeDir, Folder, as_dirs
from bough.model.text.times import format_timestamp
from bough.store.annotations.annotation_file import annotations_path, read_copy
from bough.timetravel.disk import Disk
from bough.timetravel.execution.lock import hold_lock

_ARCHIVE: Final = "archive"
_DATA: Final = "data"
_CONFIG: Final = "config.toml"
_NOT_CARRIED: Final = ("timetravel.lock", "crash.txt")
_OF_ARCHIVE: Final = ("catalog.sqlite", "catalog.sqlite-journal", "writer")


class WrittenBackup(BackupContents, frozen=True, kw_only=True):
    """A backup that was written; `notes` say in sentences what should be in it and is not."""

    notes: tuple[str, ...] = ()


class BackupRestore(Struct, frozen=True, kw_only=True):
    """What was brought back, and where what was there lies now; `notes` are sentences."""

    files: int
    bytes: int
    at: str
    aside: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def back_up(file: Folder, *, claude_dir: ClaudeDir = None) -> WrittenBackup:
    """Write all of bough's own data to one file, for nobody else to read.

    It is read back before it takes the place of an older backup. Where the archive is not there
    any more, the rest is written, and its `notes` say so.

    Raises:
        Misuse: The place is not one for a backup, or something else is there.
        BackupTrouble: It cannot be written.
    """
    from bough import __version__  # noqa: PLC0415 - this is a part of it

    target = Path(file).expanduser().absolute()
    _require_place(target, claude_dir)
    archive = ArchiveFolder(archive_path())
    notes = []
    if is_archive_missing(archive):
        notes.append(
            f"The archive {archive.path} is not there, so it is not in the backup; its disk may be "
            "missing."
        )
    with _holding_still():
        done = write_backup(
            target, _list_members(), format_timestamp(datetime.now(UTC)), __version__
        )
    return WrittenBackup(**msgspec.structs.asdict(done), notes=tuple(notes))


def restore_backup(file: Folder, *, replace: bool = False) -> BackupRestore:
    """Bring back what `back_up` wrote. All of it is read before anything is changed.

    Args:
        file: The backup.
        replace: Put what is there aside; else there must be nothing.

    Raises:
        Unreadable: It is no backup, or not whole.
        Misuse: Data is there already.
    """
    source, folder, config = Path(file).expanduser(), data_dir(), settings_path()
    contents = read_backup(source)
    names = {one.name for one in contents.files}
    has_data = bool(_list_members())
    if has_data and not replace:
        raise Misuse(
            f"bough has data in {folder} or settings in {config} already. --replace puts "
            "them aside and brings the backup back."
        )
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    new = folder.with_name(f"{folder.name}.restore-{stamp}-{os.getpid()}")
    aside: list[str] = []
    try:
        unpack_backup(source, new)
        # Windows renames no folder with open files in it, and locks are such.
        with _holding_still() if os.name == "posix" else nullcontext():
            for inside, place in ((_DATA, folder), (_CONFIG, config)):
                if not any(name == inside or name.startswith(f"{inside}/") for name in names):
                    continue
                beside = place.with_name(f"{place.name}.before-{stamp}")
                if put_in_place(new / inside, place, beside):
                    aside.append(str(beside))
    finally:
        remove_folder(new)
    return BackupRestore(
        files=len(contents.files),
        bytes=contents.bytes,
        at=contents.at,
        aside=tuple(aside),
        notes=tuple(_list_notes(folder)),
    )


def _list_notes(folder: Path) -> Iterator[str]:
    kept = folder / _ARCHIVE
    if kept.is_dir() and archive_path() != kept.resolve():
        yield f"The settings name the archive {archive_path()}; that of the backup is in {kept}."
    yield "The index was not in it: the next command, or bough index, makes it again."


def _list_members() -> list[BackupEntry]:
    """List all of bough's own data, by the names in a backup."""
    folder, annotations = data_dir(), annotations_path()
    index = index_path()
    found = [
        BackupEntry(f"{_DATA}/{one.name}", one.place)
        for one in list_own_files(folder, lambda name: _is_left_out(folder / name, index))
        if one.place != annotations
    ]
    if annotations.is_file():
        data = read_copy(annotations)
        found.append(BackupEntry(f"{_DATA}/{annotations.name}", data=data))
    archive = archive_path()
    found += [
        BackupEntry(f"{_DATA}/{_ARCHIVE}/{one.name}", one.place)
        for one in list_own_files(archive, lambda name: _is_machinery(Path(name)))
    ]
    if settings_path().is_file():
        found.append(BackupEntry(_CONFIG, settings_path()))
    return found


def _is_left_out(place: Path, index: Path) -> bool:
    is_index = place.name.startswith((index.name, "index.sqlite"))
    return (
        is_index
        or place.resolve() == archive_path()
        or place == data_dir() / _ARCHIVE
        or place.name in _NOT_CARRIED
        or _is_machinery(place)
    )


def _is_machinery(place: Path) -> bool:
    """Tell what is made anew, or was never finished."""
    return place.name in _OF_ARCHIVE or place.name.endswith((".part", "-wal", "-shm"))


def _require_place(target: Path, claude_dir: ClaudeDir) -> None:
    if around := claude_folder_around(target, [Path(one) for one in as_dirs(claude_dir)]):
        raise Misuse(f"{target} lies inside the Claude folder {around}, where bough never writes.")
    for own in (data_dir(), archive_path()):
        if target.resolve().is_relative_to(own.resolve()):
            raise Misuse(f"{target} lies inside bough's own data. Name another place.")
    if target.is_dir() or not target.parent.is_dir():
        raise Misuse(f"{target} cannot be a file. Name a file in a folder that exists.")


@contextmanager
def _holding_still() -> Iterator[None]:
    """Keep other boughs from changing sessions and the archive meanwhile."""
    archive = ArchiveFolder(archive_path())
    with ExitStack() as locks:
        if data_dir().is_dir():
            locks.enter_context(hold_lock(data_dir(), Disk()))
        if archive.exists():
            locks.enter_context(hold_archive(archive))
        yield
