"""What the last listing saw, kept so that the next look needs no listing where nothing changed.

Listing opens every folder and reads its names. A folder whose times are as they were has the
names that it had, so a look at each folder and one at each file say the same: appended lines
change a file, a new or a deleted file changes its folder. What is gone from disk and kept in the
archive is as it was while the archive is.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from os import stat
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.storage.archive_finder import ArchiveStamp, stamp_archive
from bough.files.discover import NOT_COMPANIONS, ProjectFiles
from bough.memory import pause_collector
from bough.store.rows import FileStamp

_COARSEST: Final = 2_000_000_000
"""No file system counts time in longer steps than these, in ns. A folder that changed twice
within one step looks like one that changed once, so a younger one is not relied on."""
_BELOW_SESSION: Final = frozenset({"subagents", "workflows"})


class FolderSnapshot(Struct, frozen=True, array_like=True, gc=False):
    """A folder that was listed, and what the index knows of the files in it.

    `files` are transcripts with their sizes and times, `sidecars` what lies beside them with its
    time.
    """

    path: str
    mtime_ns: int
    ctime_ns: int
    inode: int
    files: Sequence[tuple[str, int, int]]
    sidecars: Sequence[tuple[str, int]]


class HistorySnapshot(Struct, frozen=True, array_like=True):
    """All folders of a listing, those first in which something was written last."""

    archive: ArchiveStamp
    folders: Sequence[FolderSnapshot]


class _UnreliableListing(Exception):
    """Says that this listing cannot be told by the times of its folders."""


_decode = msgspec.msgpack.Decoder(HistorySnapshot).decode


def take_snapshot(
    claude_folders: Sequence[Path],
    projects: Sequence[ProjectFiles],
    stamps: Mapping[str, FileStamp],
    listed_at: int,
) -> bytes | None:
    """Pack what a listing saw that agrees with the index; None where times cannot tell it.

    That is where there are links, and where a folder was changed just before `listed_at`, in ns,
    or since.
    """
    archive = stamp_archive()
    files, sidecars = _group_known(projects, stamps)
    found: list[FolderSnapshot] = []
    try:
        for folder in claude_folders:
            for path, names in _walk_folders(str(folder / "projects"), 0):
                own = [one for one in files.pop(path, ()) if one[0] in names]
                beside = [one for one in sidecars.pop(path, ()) if one[0] in names]
                found.append(_take_folder(path, own, beside, listed_at))
    except (OSError, _UnreliableListing):
        return None
    # What is left lay in folders that only the archive has, or nobody knows where.
    if any(map(os.path.lexists, {**files, **sidecars})) or archive != stamp_archive():
        return None
    found.sort(key=lambda one: max((file[2] for file in one.files), default=0), reverse=True)
    try:
        return msgspec.msgpack.encode(HistorySnapshot(archive, found))
    except OverflowError:  # an inode of 128 bits
        return None


def is_snapshot_current(kept: bytes) -> bool:
    """Tell whether a listing would find everything as it was.

    Fast path: any command on 17,700 files, 90 ms instead of the 250 ms of a listing.
    """
    try:
        with pause_collector():
            snapshot = _decode(kept)
            return snapshot.archive == stamp_archive() and all(
                map(_is_folder_unchanged, snapshot.folders)
            )
    except (msgspec.MsgspecError, OSError, ValueError):
        return False


def _is_folder_unchanged(folder: FolderSnapshot) -> bool:
    path = folder.path
    found = stat(path)  # noqa: PTH116 - ten thousand of them: a Path costs more than the call
    if (found.st_mtime_ns, found.st_ctime_ns, found.st_ino) != (
        folder.mtime_ns,
        folder.ctime_ns,
        folder.inode,
    ):
        return False
    path += os.sep
    for name, size, time in folder.files:
        found = stat(path + name)  # noqa: PTH116 - as above
        if found.st_size != size or found.st_mtime_ns != time:
            return False
    return all(
        stat(path + name).st_mtime_ns == time  # noqa: PTH116 - as above
        for name, time in folder.sidecars
    )


def _group_known(
    projects: Sequence[ProjectFiles], stamps: Mapping[str, FileStamp]
) -> tuple[dict[str, list[tuple[str, int, int]]], dict[str, list[tuple[str, int]]]]:
    """Group files and what lies beside them by folder, as the index knows them."""
    files: dict[str, list[tuple[str, int, int]]] = {}
    sidecars: dict[str, list[tuple[str, int]]] = {}
    for path, beside in _list_files(projects):
        size, time, meta_time, title_time, _ = stamps[path]
        folder, _, name = path.rpartition(os.sep)
        files.setdefault(folder, []).append((name, size, time))
        if beside is not None:
            folder, _, name = str(beside).rpartition(os.sep)
            sidecars.setdefault(folder, []).append((name, meta_time or title_time))
    return files, sidecars


def _list_files(projects: Sequence[ProjectFiles]) -> Iterator[tuple[str, Path | None]]:
    for project in projects:
        for session in project.sessions:
            if session.file is not None:
                yield session.file, session.custom_title
            for agent in session.agents:
                yield agent.file, agent.meta
        for agent in project.loose_agents:
            yield agent.file, agent.meta


def _walk_folders(folder: str, depth: int) -> Iterator[tuple[str, set[str]]]:
    """Give the folders that a listing of projects opens, with the names in them.

    Raises where it meets a link: what that leads to may change and the folder does not show it.
    """
    names: set[str] = set()
    below: list[str] = []
    with os.scandir(folder) as listing:
        for entry in listing:
            if entry.is_symlink():
                raise _UnreliableListing
            names.add(entry.name)
            if entry.is_dir() and _is_listed(entry.name, folder, depth):
                below.append(entry.path)
    yield folder, names
    for path in below:
        yield from _walk_folders(path, depth + 1)


def _is_listed(name: str, folder: str, depth: int) -> bool:
    """Tell whether a listing opens this folder: `files.discover` and `files.companions` do so."""
    match depth:
        case 1:  # in a project
            return name not in NOT_COMPANIONS
        case 2:  # in a session
            return name in _BELOW_SESSION
        case 3:  # in what a session has
            return folder.rpartition(os.sep)[2] != "workflows"
        case _:
            return True


def _take_folder(
    path: str,
    files: Sequence[tuple[str, int, int]],
    sidecars: Sequence[tuple[str, int]],
    listed_at: int,
) -> FolderSnapshot:
    found = stat(path)  # noqa: PTH116 - ten thousand of them: a Path costs more than the call
    if max(found.st_mtime_ns, found.st_ctime_ns) > listed_at - _COARSEST:
        raise _UnreliableListing
    return FolderSnapshot(path, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, files, sidecars)
