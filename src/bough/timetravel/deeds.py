"""Doing one step to one file, telling whether it is done, and taking it back.

Each step has one moment at which it happens (a link, a rename, one append), so a stop leaves
the file as before or as planned. Taking back looks at what is there and not at what was
intended: it works in the middle of an operation, after a crash, and twice.
"""

import errno
import hashlib
import os
from pathlib import Path

from bough.timetravel.disk import Disk
from bough.timetravel.journal import Deed
from bough.timetravel.plan import (
    PRIVATE,
    Append,
    Create,
    MakeFolder,
    Move,
    Remove,
    RemoveFolder,
    Replace,
    Step,
)
from bough.timetravel.refusals import AlreadyThere, Changed
from bough.timetravel.source import FileState

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


class CannotTakeBack(Exception):  # noqa: N818 - it never leaves time travel
    """Carry the reason why a step cannot be taken back; the files are left alone."""


def deed_of(step: Step, temp: str, backup: str) -> Deed:
    """Note a step for the journal; `temp` and `backup` are used where it needs them."""
    match step:
        case Create():
            digest = hashlib.sha256(step.data).hexdigest()
            return Deed(do="create", path=step.path, sha256=digest, size=len(step.data), temp=temp)
        case Append():
            return Deed(
                do="append", path=step.path, before=step.before, data=step.data, backup=backup
            )
        case Replace():
            digest = hashlib.sha256(step.data).hexdigest()
            return Deed(
                do="replace",
                path=step.path,
                before=step.before,
                sha256=digest,
                size=len(step.data),
                temp=temp,
                backup=backup,
            )
        case Remove():
            return Deed(do="remove", path=step.path, before=step.before, backup=backup, temp=temp)
        case Move():
            return Deed(do="move", path=step.path, target=step.target, names=step.names)
        case MakeFolder():
            return Deed(do="make-folder", path=step.path)
        case RemoveFolder():
            return Deed(do="remove-folder", path=step.path)


# -- doing ------------------------------------------------------------------------------------


def do(step: Step, deed: Deed, disk: Disk) -> None:
    """Carry out one step."""
    match step:
        case Create():
            _put_new(disk, step.data, step.path, deed.temp or "", step.mode, step.mtime_ns)
        case Append():
            _append(disk, step)
        case Replace():
            _write_beside(disk, deed.temp or "", step.data, step.before.mode)
            if step.mtime_ns is not None:
                disk.set_time(deed.temp or "", step.mtime_ns)
            _require_same(step.path, step.before)
            disk.replace(deed.temp or "", step.path)
            disk.sync_folder(_folder(step.path))
        case Remove():
            _require_same(step.path, step.before)
            disk.unlink(step.path)
            disk.sync_folder(_folder(step.path))
        case Move():
            _require_free(step.target)
            disk.rename(step.path, step.target)
            disk.sync_folder(_folder(step.target))
        case MakeFolder():
            disk.make_folder(step.path)
        case RemoveFolder():
            if not os.listdir(step.path):  # noqa: PTH208 - the names alone
                disk.remove_folder(step.path)


def back_up(deed: Deed, disk: Disk) -> None:
    """Keep a copy of a file outside the Claude folder before it changes."""
    if deed.backup is None or deed.before is None:
        return
    data = Path(deed.path).read_bytes()
    if hashlib.sha256(data).hexdigest() != deed.before.sha256:
        raise Changed(deed.path, "its content is another")
    _write_beside(disk, deed.backup, data, PRIVATE)
    disk.sync_folder(_folder(deed.backup))


def _put_new(
    disk: Disk, data: bytes, path: str, temp: str, mode: int, mtime_ns: int | None
) -> None:
    """Write beside, then give it its name; never onto something that is there."""
    _write_beside(disk, temp, data, mode)
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
        disk.rename(temp, path)
    else:
        disk.unlink(temp)
    disk.sync_folder(_folder(path))


def _write_beside(disk: Disk, path: str, data: bytes, mode: int) -> None:
    descriptor = disk.create(path, PRIVATE)
    try:
        written = 0
        while written < len(data):
            written += disk.write(descriptor, data[written:], path)
        disk.sync(descriptor, path)
    finally:
        os.close(descriptor)
    if mode != PRIVATE:
        disk.set_mode(path, mode)


def _append(disk: Disk, step: Append) -> None:
    descriptor = disk.open_end(step.path)
    try:
        status = os.fstat(descriptor)
        here = (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)
        if here != step.before.place:
            raise Changed(step.path, "it was written to just now")
        if disk.write(descriptor, step.data, step.path) != len(step.data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), step.path)
        disk.sync(descriptor, step.path)
    finally:
        os.close(descriptor)
    if step.keeps_time:
        disk.set_time(step.path, step.before.mtime_ns)


def _require_same(path: str, before: FileState) -> None:
    status = os.lstat(path)  # noqa: PTH116
    if (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev) != before.place:
        raise Changed(path, "it was written to just now")


def _require_free(path: str) -> None:
    if os.path.lexists(path):
        raise AlreadyThere(f"{path} is there already, and nothing is written over.")


# -- is it done? --------------------------------------------------------------------------------


def is_done(deed: Deed) -> bool:
    """Tell whether what a step does is to be seen on the disk."""
    match deed.do:
        case "create" | "replace":
            return _digest(deed.path) == deed.sha256
        case "append":
            start = deed.before.size if deed.before else 0
            return _bytes_at(deed.path, start, len(deed.data)) == deed.data
        case "remove":
            return not os.path.lexists(deed.path)
        case "move":
            return os.path.lexists(deed.target or "") and not os.path.lexists(deed.path)
        case "make-folder":
            return Path(deed.path).is_dir()
        case _:
            return True


def _digest(path: str) -> str | None:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def _bytes_at(path: str, start: int, count: int = -1) -> bytes:
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            return file.read(count)
    except OSError:
        return b""


# -- taking back --------------------------------------------------------------------------------


def take_back(deed: Deed, disk: Disk) -> None:
    """Undo what is to be seen of a step, as far as it is ours.

    Raises:
        CannotTakeBack: Somebody else has written to the file since.
        OSError: The system does not let us.
    """
    if deed.temp is not None and os.path.lexists(deed.temp):
        disk.unlink(deed.temp)
    match deed.do:
        case "create":
            if _digest(deed.path) == deed.sha256:
                disk.unlink(deed.path)
                disk.sync_folder(_folder(deed.path))
        case "append":
            _take_back_append(deed, disk)
        case "replace":
            if deed.before is not None and _digest(deed.path) == deed.sha256:
                _put_back(deed, deed.before, disk)
        case "remove":
            if deed.before is not None and not os.path.lexists(deed.path):
                _put_back(deed, deed.before, disk)
        case "move":
            if is_done(deed):
                disk.rename(deed.target or "", deed.path)
                disk.sync_folder(_folder(deed.path))
        case "make-folder":
            if Path(deed.path).is_dir() and not os.listdir(deed.path):  # noqa: PTH208
                disk.remove_folder(deed.path)
        case "remove-folder":
            if not os.path.lexists(deed.path):
                disk.make_folder(deed.path)


def _take_back_append(deed: Deed, disk: Disk) -> None:
    before = deed.before
    if before is None:
        return
    tail = _bytes_at(deed.path, before.size)
    if not tail:
        return
    if not deed.data.startswith(tail):
        raise CannotTakeBack(f"something else was written to {deed.path} since")
    if hashlib.sha256(_bytes_at(deed.path, 0, before.size)).hexdigest() != before.sha256:
        raise CannotTakeBack(f"{deed.path} was changed since")
    disk.cut(deed.path, before.size)
    disk.set_time(deed.path, before.mtime_ns)


def _put_back(deed: Deed, before: FileState, disk: Disk) -> None:
    """Give a file the content, mode and time it had."""
    try:
        data = Path(deed.backup or "").read_bytes()
    except OSError as error:
        raise CannotTakeBack(f"its backup {deed.backup} cannot be read") from error
    if hashlib.sha256(data).hexdigest() != before.sha256:
        raise CannotTakeBack(f"its backup {deed.backup} is damaged")
    temp = deed.temp or f"{deed.path}.bough"
    _write_beside(disk, temp, data, before.mode)
    disk.set_time(temp, before.mtime_ns)
    disk.replace(temp, deed.path)
    disk.sync_folder(_folder(deed.path))


def _folder(path: str) -> str:
    return str(Path(path).parent)
