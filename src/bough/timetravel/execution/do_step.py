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
from bough.timetravel.execution.held_files import NO_LINKS, hold_file
from bough.timetravel.execution.journal_steps import is_there
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


def execute_step(step: Step, journal_step: JournalStep, disk: Disk) -> None:
    """Carry out one step."""
    match step:
        case Create():
            temp = _write_beside(disk, journal_step, step, step.mode)
            name_new_file(disk, temp, step.path)
        case Append():
            _append_bytes(disk, step)
        case Replace():
            temp = _write_beside(disk, journal_step, step, step.before.mode)
            _hold_unchanged(step.before, journal_step, disk)
            disk.replace(temp, step.path)
            disk.sync_folder(folder_of(step.path))
        case Remove():
            _hold_unchanged(step.before, journal_step, disk)
            disk.remove(step.path)
            disk.sync_folder(folder_of(step.path))
        case Move():
            move_path(disk, step.path, step.target)
        case MakeFolder():
            disk.make_folder(step.path)
        case RemoveFolder():
            _remove_empty_folder(disk, step.path)


def back_up_file(step: JournalStep, disk: Disk) -> None:
    """Keep a copy of a file outside the Claude folder before it changes."""
    if step.backup is None or step.before is None:
        return
    data = Path(step.path).read_bytes()
    if hashlib.sha256(data).hexdigest() != step.before.sha256:
        raise FileChanged(step.path, "its content is another")
    write_new_file(disk, step.backup, data, PRIVATE_MODE)
    disk.sync_folder(folder_of(step.backup))


def _write_beside(disk: Disk, journal_step: JournalStep, step: Create | Replace, mode: int) -> str:
    temp = journal_step.temp or ""
    write_new_file(disk, temp, step.data, mode)
    if step.mtime_ns is not None:
        disk.set_time(temp, step.mtime_ns)
    return temp


def name_new_file(disk: Disk, temp: str, path: str) -> None:
    """Give a file that was written beside its name; never onto something that is there."""
    try:
        disk.link(temp, path)
    except FileExistsError as error:
        raise AlreadyThere(f"{path} is there already, and nothing is written over.") from error
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _require_free(path)  # a file system without links
        disk.move(temp, path)
    else:
        disk.remove(temp)
    disk.sync_folder(folder_of(path))


def move_path(disk: Disk, path: str, target: str) -> None:
    """Give a file or folder another name; a file never onto one that just came there."""
    _require_free(target)
    if Path(path).is_dir():
        disk.move(path, target)  # refused by the system where the other is a folder with content
        disk.sync_folder(folder_of(target))
    else:
        name_new_file(disk, path, target)


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
        alone = os.fstat(descriptor).st_size == step.before.size + len(step.data)
    finally:
        os.close(descriptor)
    if step.keeps_time and alone:
        disk.set_time(step.path, step.before.mtime_ns)


def _remove_empty_folder(disk: Disk, path: str) -> None:
    if os.listdir(path):  # noqa: PTH208 - the names alone
        return
    try:
        disk.remove_folder(path)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise  # else something came into it just now


def _hold_unchanged(before: FileSnapshot, step: JournalStep, disk: Disk) -> None:
    """Give a file its second name, and look at it once more by that name."""
    held = hold_file(step, disk, before.size)
    status = os.lstat(held or step.path)
    if (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev) != before.stat_key:
        raise FileChanged(step.path, "it was written to just now")


def _require_free(path: str) -> None:
    if is_there(path):
        raise AlreadyThere(f"{path} is there already, and nothing is written over.")


def folder_of(path: str) -> str:
    """Name the folder a file lies in."""
    return str(Path(path).parent)
