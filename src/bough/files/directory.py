"""Folders and files by path: what one holds, and which file a path really leads to.

Files come and go while we look, links lead nowhere, folders are closed to us. Each such
thing becomes a `Problem`, and the listing goes on.
"""

import os
from operator import attrgetter
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TypeAlias

from msgspec import Struct

from bough.errors import reason_of

Identity = tuple[int, int]
NOTHING: Identity = (-1, -1)
"""What a path leads to where there is nothing."""


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """Tell files and folders apart by what the system counts them by."""
    try:
        return identity_in(os.stat(path))  # noqa: PTH116 - a Path costs more than the call
    except (OSError, ValueError):
        return NOTHING


def identity_in(status: os.stat_result) -> Identity:
    """Take the identity from what the system said of a file."""
    return status.st_dev, status.st_ino


Entries: TypeAlias = dict[str, os.DirEntry[str]]

_name = attrgetter("name")


class Problem(Struct, frozen=True):
    """Something that could not be listed, with a sentence that says why."""

    path: Path
    reason: str


def list_entries(folder: str, problems: list[Problem]) -> Entries:
    """List a folder by name; as much of it as the system gives."""
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as listing:
            found.extend(listing)
    except OSError as error:
        place = Path(folder)
        problems.append(Problem(place, f"Cannot read {place.name}: {reason_of(error)}."))
    found.sort(key=_name)
    return {entry.name: entry for entry in found}


def status_of(entry: os.DirEntry[str], problems: list[Problem]) -> os.stat_result | None:
    """Look at what an entry leads to."""
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


def file_status(entry: os.DirEntry[str], problems: list[Problem]) -> os.stat_result | None:
    """Look at what should be a file, and turn anything else down."""
    status = status_of(entry, problems)
    if status is None or S_ISREG(status.st_mode):
        return status
    kind = "a folder" if S_ISDIR(status.st_mode) else "no ordinary file"
    problems.append(Problem(Path(entry.path), f"{entry.name} is {kind}, so it holds no lines."))
    return None


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False
