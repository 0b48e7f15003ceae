"""Folders and files by path: what one holds, and which file a path really leads to.

Files come and go while we look, links lead nowhere, folders are closed to us. Each such
thing becomes a `Problem`, and the listing goes on.
"""

import os
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from stat import S_IFDIR, S_IFREG, S_ISDIR, S_ISREG
from typing import Final, TypeAlias
from zlib import crc32

from msgspec import Struct

from bough.errors import reason_of

Identity = tuple[int, int]
NO_DEVICE: Final = -1
"""The device of what is gone from disk, where something keeps the bytes. No system counts so."""
NOTHING: Identity = (-1, -1)
"""What a path leads to where there is nothing."""


def is_of_machine(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path names a machine first, `//laptop/home/...`, as a team's store has them.

    Such a path leads nowhere on this machine's disk, whatever it is called.
    """
    return os.fspath(path).startswith("//")


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """Tell files and folders apart by what the system counts them by."""
    try:
        return identity_in(os.stat(path))  # noqa: PTH116 - a Path costs more than the call
    except (OSError, ValueError):
        return NOTHING


def identity_in(status: os.stat_result) -> Identity:
    """Take the identity from what the system said of a file."""
    return status.st_dev, status.st_ino


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Wait until the names in a folder are on the disk, where a system can do that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class KeptEntry(Struct, frozen=True):
    """A name that is gone from disk, where something keeps the bytes: what a listing says of it."""

    name: str
    path: str
    size: int = 0
    mtime_ns: int = 0
    holds_files: bool = False

    def is_dir(self) -> bool:
        """Tell whether it is a folder."""
        return self.holds_files

    def is_symlink(self) -> bool:
        """Tell that it is no link: none is kept."""
        return False

    @property
    def status(self) -> os.stat_result:
        """Say of it what the system said."""
        mode = (S_IFDIR if self.holds_files else S_IFREG) | 0o600
        seconds = self.mtime_ns // 10**9
        # No file has its number: the path alone tells two of them apart.
        number = crc32(self.path.encode("utf-8", "surrogatepass"))
        fields = (mode, number, NO_DEVICE, 1, 0, 0, self.size, seconds, seconds, seconds)
        return os.stat_result(fields, {"st_mtime_ns": self.mtime_ns})


FolderEntry: TypeAlias = os.DirEntry[str] | KeptEntry
Entries: TypeAlias = dict[str, FolderEntry]
KeptFolders: TypeAlias = Mapping[str, Mapping[str, KeptEntry]]
"""What is kept of folders, by their paths and the names in them."""
NOTHING_KEPT: Final[KeptFolders] = {}

_name = attrgetter("name")


class Problem(Struct, frozen=True):
    """Something that could not be listed, with a sentence that says why."""

    path: Path
    reason: str


def list_entries(folder: str, problems: list[Problem], kept: KeptFolders = NOTHING_KEPT) -> Entries:
    """List a folder by name; as much of it as the system gives, and what is kept of the rest."""
    found: list[FolderEntry] = []
    gone = kept.get(folder, {}) if kept else {}
    try:
        if not is_of_machine(folder):
            with os.scandir(folder) as listing:
                found.extend(listing)
    except OSError as error:
        place = Path(folder)
        if not gone or not isinstance(error, FileNotFoundError):
            problems.append(Problem(place, f"Cannot read {place.name}: {reason_of(error)}."))
    if gone:
        names = {entry.name for entry in found}
        found.extend(entry for name, entry in gone.items() if name not in names)
    found.sort(key=_name)
    return {entry.name: entry for entry in found}


def status_of(entry: FolderEntry, problems: list[Problem]) -> os.stat_result | None:
    """Look at what an entry leads to."""
    if isinstance(entry, KeptEntry):
        return entry.status
    try:
        # Not entry.stat(): on Windows that is the folder's copy, and lags behind a live file.
        return os.stat(entry.path)  # noqa: PTH116 - ten thousand files: a Path costs more than the call
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            reason = f"Cannot read {entry.name}: {reason_of(error)}."
        elif entry.is_symlink():
            reason = f"{entry.name} is a link to something that is not there."
        else:
            reason = f"{entry.name} vanished while its folder was listed."
        problems.append(Problem(Path(entry.path), reason))
        return None


def file_status(entry: FolderEntry, problems: list[Problem]) -> os.stat_result | None:
    """Look at what should be a file, and turn anything else down."""
    status = status_of(entry, problems)
    if status is None or S_ISREG(status.st_mode):
        return status
    kind = "a folder" if S_ISDIR(status.st_mode) else "no ordinary file"
    problems.append(Problem(Path(entry.path), f"{entry.name} is {kind}, so it holds no lines."))
    return None


def is_folder(entry: FolderEntry) -> bool:
    """Tell whether an entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False
