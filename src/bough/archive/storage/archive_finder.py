"""Finds in the archive what is gone from disk: bytes by their path, and what folders held.

Nothing is loaded and nothing asked but whether there is an archive, until something is missing.
What bough itself removed or moved is not found: an undone fork is nothing that was lost.
"""

import os
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.config import journal_path, named_archive_path
from bough.errors import BoughError
from bough.files.byte_source import DISK, FinderChain, SourceFinder
from bough.files.directory import NOTHING_KEPT, KeptEntry, KeptFolders
from bough.model.interpret.kept_places import KeptPlace

if TYPE_CHECKING:
    from bough.archive.storage.archive_catalog import CatalogEntry
    from bough.archive.storage.frame_source import ArchiveSource

_Stamp = tuple[int, int, int]
_NO_FILE: Final[_Stamp] = (0, 0, 0)
ArchiveStamp = tuple[str, tuple[_Stamp, ...]]
"""Where the archive is, and what tells whether something in it has changed."""
_VARIABLES: Final = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA")
"""What of the environment says where bough's own things are."""


class _Places(Struct, frozen=True):
    """Where the archive and the journal of time travel are; empty where nobody can tell."""

    archive: str
    journal: str


class ListedArchive(Struct, frozen=True):
    """What an archive has of this machine: files of the archive by path, and names by folder.

    `roots` are the Claude folders, as they are written there.
    """

    files: Mapping[str, str]
    folders: KeptFolders
    roots: tuple[str, ...]


class ArchiveFinder(Struct, frozen=True):
    """Finds what the archive keeps; `folder` is where it is, else where the settings say."""

    folder: str | None = None

    def find(self, path: str) -> "ArchiveSource | None":
        """Find the newest generation of what the client wrote to a path."""
        listing = self._load_listing()
        if listing is None:
            return None
        file = listing.files.get(path)
        if file is None and not path.startswith(listing.roots):
            file = listing.files.get(_resolve(path))  # somebody came to it by a link
        if file is None:
            return None
        from bough.archive.storage.frame_source import ArchiveSource  # noqa: PLC0415 - rarely is one missing

        return ArchiveSource(path, file)

    def find_entries(self, paths: Iterable[str]) -> Mapping[str, KeptEntry]:
        """Find how much is kept of what the client wrote to some paths, and its time."""
        found: dict[str, KeptEntry] = {}
        listing = self._load_listing()
        if listing is None:
            return found
        for path in paths:
            real = path if path.startswith(listing.roots) else _resolve(path)
            folder, _, name = real.rpartition(os.sep)
            if (entry := listing.folders.get(folder, {}).get(name)) is not None:
                found[path] = entry
        return found

    def list_kept(self, folder: str) -> KeptFolders:
        """List what is kept of all folders, written as `folder` is."""
        listing = self._load_listing()
        if listing is None:
            return NOTHING_KEPT
        real = os.path.realpath(folder)
        if real == folder:
            return listing.folders
        return _rename_folders(listing.folders, real, folder)

    def _load_listing(self) -> ListedArchive | None:
        folder, stamps = stamp_archive(self.folder)
        return _read_listing(folder, stamps) if stamps else None


def stamp_archive(folder: str | None = None) -> ArchiveStamp:
    """Tell which state of the archive answers; no stamps where there is none."""
    places = _find_places(tuple(map(os.environ.get, _VARIABLES)), int(time.monotonic()))
    folder = folder or places.archive
    files = _stamp_of(f"{folder}{os.sep}v1")
    if not folder or files == _NO_FILE:
        return folder, ()
    catalog = _stamp_of(f"{folder}{os.sep}catalog.sqlite")
    files = files if catalog == _NO_FILE else _NO_FILE
    return folder, (catalog, files, _stamp_of(places.journal))


DISK_THEN_ARCHIVE: Final[SourceFinder] = FinderChain((DISK, ArchiveFinder()))


def find_kept_place(path: str | Path, sources: SourceFinder = DISK_THEN_ARCHIVE) -> KeptPlace:
    """Tell whether a session's file is there, or only what the archive or the index has of it."""
    if DISK.find(str(path)) is not None:
        return KeptPlace.FILE
    return KeptPlace.INDEX if sources.find(str(path)) is None else KeptPlace.ARCHIVE


def find_kept_entries(paths: Iterable[str]) -> Mapping[str, KeptEntry]:
    """Tell how much the archive keeps of what the client wrote to some paths, by path."""
    return ArchiveFinder().find_entries(paths)


# Fast path: sidecars that are not there are asked for in thousands, 40 us each without it. What a
# person writes into the settings counts a second later.
@lru_cache(maxsize=2)
def _find_places(_variables: tuple[str | None, ...], _second: int) -> _Places:
    try:
        return _Places(str(named_archive_path()), str(journal_path()))
    except BoughError:
        return _Places("", "")  # who writes says what is wrong with the settings


# A catalog that is as it was is not read again.
@lru_cache(maxsize=4)
def _read_listing(folder: str, _stamps: tuple[_Stamp, ...]) -> ListedArchive | None:
    from bough.archive.storage.archive_catalog import (  # noqa: PLC0415 - as above
        file_of,
        keep_newest,
        path_of,
        read_catalog,
    )
    from bough.archive.storage.archive_folder import ArchiveFolder, machine_id  # noqa: PLC0415
    from bough.files.removed_files import list_vacated_paths  # noqa: PLC0415

    archive = ArchiveFolder(Path(folder))
    try:
        entries = read_catalog(archive)
    except BoughError:
        return None
    machine = machine_id()
    own = [one for one in keep_newest(entries) if one.header.machine == machine]
    vacated = {*list_vacated_paths(), *_list_moved(own)}
    found = {
        path: entry
        for entry in own
        if entry.header.role != "prompts" and not _is_vacated(path := path_of(entry), vacated)
    }
    return ListedArchive(
        {path: str(file_of(archive, entry)) for path, entry in found.items()},
        _list_folders(found),
        tuple({f"{entry.header.folder}{os.sep}" for entry in own}),
    )


def _list_moved(entries: Iterable["CatalogEntry"]) -> set[str]:
    """List the sessions that are gone where they were and there elsewhere, with their folders."""
    from bough.archive.storage.archive_catalog import path_of  # noqa: PLC0415 - as above

    sessions = [entry for entry in entries if entry.header.role == "session"]
    there = {entry.header.session for entry in sessions if entry.gone_at is None}
    moved = [
        path_of(entry)
        for entry in sessions
        if entry.gone_at is not None and entry.header.session in there
    ]
    return {*moved, *(path.removesuffix(".jsonl") for path in moved)}


def _is_vacated(path: str, vacated: set[str]) -> bool:
    return bool(vacated) and (
        path in vacated or any(str(parent) in vacated for parent in Path(path).parents)
    )


def _list_folders(found: Mapping[str, "CatalogEntry"]) -> KeptFolders:
    folders: dict[str, dict[str, KeptEntry]] = {}
    for path, entry in found.items():
        above, _, name = path.rpartition(os.sep)
        kept = KeptEntry(name, path, entry.size, entry.source_mtime_ns)
        folders.setdefault(above, {})[name] = kept
        while above != entry.header.folder and above:
            place = above
            above, _, name = place.rpartition(os.sep)
            names = folders.setdefault(above, {})
            if name in names:
                break
            names[name] = KeptEntry(name, place, holds_files=True)
    return folders


def _rename_folders(folders: KeptFolders, real: str, folder: str) -> KeptFolders:
    """Write folders as somebody does who came to them by a link."""
    below = f"{real}{os.sep}"
    return {
        folder + place[len(real) :]: {
            name: KeptEntry(
                name,
                folder + entry.path[len(real) :],
                entry.size,
                entry.mtime_ns,
                entry.holds_files,
            )
            for name, entry in names.items()
        }
        for place, names in folders.items()
        if place == real or place.startswith(below)
    }


def _resolve(path: str) -> str:
    folder, _, name = path.rpartition(os.sep)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - the file is gone


def _stamp_of(path: str | Path) -> _Stamp:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked for very often
    except (OSError, ValueError):
        return _NO_FILE
    return status.st_mtime_ns, status.st_size, status.st_ino
