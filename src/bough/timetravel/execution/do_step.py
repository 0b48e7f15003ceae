"""Doing one step to one file.

Each step has one moment at which it happens (a link, a rename, one append), so a stop leaves
the file as before or as planned.
"""

import errno
import hashlib
import os
from pathlib import Path

from bough.timetravel.disk import Disk
from bough.timetravel.errors import AlreadyThere, FileChanged
from bough.timetravel.journal import JournalStep
from bough.timetravel.plan import (
    PRIVATE_MODE,
    Append,
    Create,
    MakeFolder,
    Move,
    Remove,
    RemoveFolder,
    Replace,
    Step,
)
from bough.timetravel.session_file import FileSnapshot

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


def execute_step(step: Step, journal_step: JournalStep, disk: Disk) -> None:
    """Carry out one step."""
    match step:
        case Create():
            _create_file(
                disk, step.data, step.path, journal_step.temp or "", step.mode, step.mtime_ns
            )
        case Append():
            _append_bytes(disk, step)
        case Replace():
            write_new_file(disk, journal_step.temp or "", step.data, step.before.mode)
            if step.mtime_ns is not None:
                disk.set_time(journal_step.temp or "", step.mtime_ns)
            _require_same(step.path, step.before)
            disk.replace(journal_step.temp or "", step.path)
            disk.sync_folder(folder_of(step.path))
        case Remove():
            _require_same(step.path, step.before)
            disk.remove(step.path)
            disk.sync_folder(folder_of(step.path))
        case Move():
            _require_free(step.target)
            disk.move(step.path, step.target)
            disk.sync_folder(folder_of(step.target))
        case MakeFolder():
            disk.make_folder(step.path)
        case RemoveFolder():
            if not os.listdir(step.path):  # noqa: PTH208 - the names alone
                disk.remove_folder(step.path)


def back_up_file(step: JournalStep, disk: Disk) -> None:
    """Keep a copy of a file outside the Claude folder before it changes."""
    if step.backup is None or step.before is None:
        return
    data = Path(step.path).read_bytes()
    if hashlib.sha256(data).hexdigest() != step.before.sha256:
        raise FileChanged(step.path, "its content is another")
    write_new_file(disk, step.backup, data, PRIVATE_MODE)
    disk.sync_folder(folder_of(step.backup))


def _create_file(
    disk: Disk, data: bytes, path: str, temp: str, mode: int, mtime_ns: int | None
) -> None:
    """Write beside, then give it its name; never onto something that is there."""
    write_new_file(disk, temp, data, mode)
    if mtime_ns is not None:
        disk.set_time(temp, mtime_ns)
    try:
        disk.link(temp, path)
    except FileExistsError as error:
        raise AlreadyThere(f"{path} is there already, and nothing is written over.") from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _require_free(path)  # a file system without links
        disk.move(temp, path)
    else:
        disk.remove(temp)
    disk.sync_folder(folder_of(path))


def write_new_file(disk: Disk, path: str, data: bytes, mode: int) -> None:
    """Write a new file whole, and wait until it is on the disk."""
    descriptor = disk.create(path, PRIVATE_MODE)
    try:
        written = 0
        while written < len(data):
            written += disk.write(descriptor, data[written:], path)
        disk.sync(descriptor, path)
    finally:
        os.close(descriptor)
    if mode != PRIVATE_MODE:
        disk.set_mode(path, mode)


def _append_bytes(disk: Disk, step: Append) -> None:
    descriptor = disk.open_for_append(step.path)
    try:
        status = os.fstat(descriptor)
        here = (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)
        if here != step.before.stat_key:
            raise FileChanged(step.path, "it was written to just now")
        if disk.write(descriptor, step.data, step.path) != len(step.data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), step.path)
        disk.sync(descriptor, step.path)
    finally:
        os.close(descriptor)
    if step.keeps_time:
        disk.set_time(step.path, step.before.mtime_ns)


def _require_same(path: str, before: FileSnapshot) -> None:
    status = os.lstat(path)
    if (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev) != before.stat_key:
        raise FileChanged(path, "it was written to just now")


def _require_free(path: str) -> None:
    if os.path.lexists(path):
        raise AlreadyThere(f"{path} is there already, and nothing is written over.")


def folder_of(path: str) -> str:
    """Name the folder a file lies in."""
    return str(Path(path).parent)
