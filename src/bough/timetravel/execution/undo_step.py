"""Taking back one step.

It looks at what is there and not at what was intended, so it works in the middle of an
operation, after a crash, and twice. What somebody else wrote meanwhile is never touched.
"""

import hashlib
import os
from pathlib import Path

from bough.timetravel.disk import Disk
from bough.timetravel.execution.do_step import folder_of, write_beside
from bough.timetravel.execution.journal_steps import bytes_at, digest_of, is_done
from bough.timetravel.journal import Deed


class CannotTakeBack(Exception):
    """Carry the reason why a step cannot be taken back; the files are left alone."""


def take_back(deed: Deed, disk: Disk) -> None:
    """Undo what is to be seen of a step, as far as it is ours.

    Raises:
        CannotTakeBack: Somebody else has written to the file since.
        OSError: The system does not let us.
    """
    clear(deed, disk)
    _WAYS[deed.do](deed, disk)


def clear(deed: Deed, disk: Disk) -> None:
    """Remove what was written beside a file and is not needed any more."""
    if deed.temp is not None and os.path.lexists(deed.temp):
        disk.remove(deed.temp)


def _create(deed: Deed, disk: Disk) -> None:
    if digest_of(deed.path) == deed.sha256:
        disk.remove(deed.path)
        disk.sync_folder(folder_of(deed.path))


def _append(deed: Deed, disk: Disk) -> None:
    before = deed.before
    tail = bytes_at(deed.path, before.size) if before is not None else b""
    if before is None or not tail:
        return
    if not deed.data.startswith(tail):
        if _begins_with_ours(tail, deed.data):
            raise CannotTakeBack(f"something else was written to {deed.path} since")
        return  # all of it is somebody else's
    if hashlib.sha256(bytes_at(deed.path, 0, before.size)).hexdigest() != before.sha256:
        raise CannotTakeBack(f"{deed.path} was changed since")
    disk.cut(deed.path, before.size)
    disk.set_time(deed.path, before.mtime_ns)


def _begins_with_ours(tail: bytes, data: bytes) -> bool:
    """Tell whether what was added to a file begins with what we meant to add, or a part of it.

    Records begin alike, so a part of ours is one only where another record follows at once.
    """
    length = next((i for i, (a, b) in enumerate(zip(tail, data, strict=False)) if a != b), None)
    if length is None:
        return True
    return length > 0 and tail[length : length + 1] in (b"{", b"\n")


def _replace(deed: Deed, disk: Disk) -> None:
    if digest_of(deed.path) == deed.sha256:
        _put_back(deed, disk)


def _remove(deed: Deed, disk: Disk) -> None:
    if not os.path.lexists(deed.path):
        _put_back(deed, disk)


def _move(deed: Deed, disk: Disk) -> None:
    if is_done(deed):
        disk.move(deed.target or "", deed.path)
        disk.sync_folder(folder_of(deed.path))


def _make_folder(deed: Deed, disk: Disk) -> None:
    if Path(deed.path).is_dir() and not os.listdir(deed.path):  # noqa: PTH208 - the names alone
        disk.remove_folder(deed.path)


def _remove_folder(deed: Deed, disk: Disk) -> None:
    if not os.path.lexists(deed.path):
        disk.make_folder(deed.path)


def _put_back(deed: Deed, disk: Disk) -> None:
    """Give a file the content, mode and time it had."""
    before = deed.before
    if before is None:
        return
    try:
        data = Path(deed.backup or "").read_bytes()
    except OSError as error:
        raise CannotTakeBack(f"its backup {deed.backup} cannot be read") from error
    if hashlib.sha256(data).hexdigest() != before.sha256:
        raise CannotTakeBack(f"its backup {deed.backup} is damaged")
    temp = deed.temp or f"{deed.path}.bough"
    write_beside(disk, temp, data, before.mode)
    disk.set_time(temp, before.mtime_ns)
    disk.replace(temp, deed.path)
    disk.sync_folder(folder_of(deed.path))


_WAYS = {
    "create": _create,
    "append": _append,
    "replace": _replace,
    "remove": _remove,
    "move": _move,
    "make-folder": _make_folder,
    "remove-folder": _remove_folder,
}
