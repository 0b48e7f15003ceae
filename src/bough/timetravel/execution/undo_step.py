"""Taking back one step.

It looks at what is there and not at what was intended, so it works in the middle of an
operation, after a crash, and twice. A file is never cut or removed under somebody: another is
put in its place, the old one is held, and what came to it late is carried over by who calls.
Where a file is neither what it was nor what was planned, it is left alone and the backup named.
"""

import errno
import os
from itertools import accumulate
from pathlib import Path

import msgspec

from bough.timetravel.disk import Disk
from bough.timetravel.errors import AlreadyThere
from bough.timetravel.execution.do_step import (
    folder_of,
    move_path,
    name_new_file,
    write_new_file,
)
from bough.timetravel.execution.held_files import hold_file, list_held, release_same
from bough.timetravel.execution.journal_steps import (
    find_own_bytes,
    is_applied,
    is_as_before,
    is_same_file,
    is_there,
    read_bytes_at,
)
from bough.timetravel.journal import JournalStep
from bough.timetravel.session_file import begins_with

_FULL = {errno.ENOSPC, errno.EDQUOT}


class CannotRevert(Exception):
    """Carry the reason why a step cannot be taken back; the files are left alone."""


def revert_step(step: JournalStep, disk: Disk) -> None:
    """Undo what is to be seen of a step, as far as it is ours.

    Raises:
        CannotRevert: Somebody else has written to the file since.
        OSError: The system does not let us.
    """
    remove_temp_file(step, disk)
    _REVERTERS[step.do](step, disk)
    release_same(step, disk)


def remove_temp_file(step: JournalStep, disk: Disk) -> None:
    """Remove what was written beside a file and is not needed any more."""
    if step.temp is not None and is_there(step.temp):
        disk.remove(step.temp)


def has_own_part(step: JournalStep) -> bool:
    """Tell whether anything of an append stands in its file, or may do so."""
    try:
        return _find_own_part(step, read_bytes_at(step.path, 0))[1] > 0
    except CannotRevert:
        return True


def bring_back_removed(step: JournalStep, disk: Disk) -> None:
    """Give a file of ours its name again to which a client wrote when it was taken back."""
    _bring_back_held(step, disk)
    release_same(step, disk)
    raise _leave_alone(step, "was written to since, so it stays")


def _revert_create(step: JournalStep, disk: Disk) -> None:
    if not is_applied(step):
        return
    held = hold_file(step, disk, step.size)
    if os.lstat(held or step.path).st_size != step.size:
        release_same(step, disk)
        raise _leave_alone(step, "was written to since, so it stays")
    disk.remove(step.path)
    disk.sync_folder(folder_of(step.path))


def _revert_append(step: JournalStep, disk: Disk) -> None:
    before, data = step.before, read_bytes_at(step.path, 0)
    if before is None or len(data) <= before.size:
        return
    start, length = _find_own_part(step, data)
    if not length:
        return  # all of it is somebody else's
    if not begins_with(data, before.size, before.sha256):
        raise _leave_alone(step, "was changed since")
    since = data[start + length :]
    glued = since and start > before.size and data[start - 1 : start] != b"\n"
    if glued or any(uuid in since for uuid in step.list_uuids()):
        raise _leave_alone(step, "has lines that need what was added")
    rest = data[:start] + since
    _write_beside(step, disk, rest)
    if len(rest) == before.size:
        disk.set_time(_temp_of(step), before.mtime_ns)
    _put_in_place(step, disk, len(data))


def _find_own_part(step: JournalStep, data: bytes) -> tuple[int, int]:
    """Find what of an append stands in a file: where, and how many bytes of it."""
    whole = find_own_bytes(step, data)
    if whole is not None:
        return whole, len(step.data)
    first = step.before.size if step.before else 0
    for start in accumulate(map(len, data[first:].splitlines(keepends=True)), initial=first):
        part = data[start : start + len(step.data)]
        if part and step.data.startswith(part):
            return start, len(part)
        if length := _count_glued(step, data[start:]):
            return start, length
    return first, 0


def _count_glued(step: JournalStep, rest: bytes) -> int:
    """Count the bytes of ours in front of another record that was glued to them.

    Records begin alike, so what begins like ours is a part of it only where it is no record.
    """
    own, line = step.data.lstrip(b"\n"), rest.partition(b"\n")[0]
    if not line or (_is_record(line) and line not in own.split(b"\n")):
        return 0
    same = _count_same(rest, own)
    for length in range(same, 0, -1):
        if _is_record(rest[length:].partition(b"\n")[0]):
            return length
    if same:
        raise _leave_alone(step, "was written to since, behind a part of what was added")
    return 0


def _is_record(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=dict)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


def _count_same(one: bytes, other: bytes) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _revert_replace(step: JournalStep, disk: Disk) -> None:
    if is_applied(step):
        _write_old_file(step, disk)
        _put_in_place(step, disk, step.size)
    elif not is_as_before(step):
        raise _leave_alone(step, "is neither what it was nor what was planned")


def _revert_remove(step: JournalStep, disk: Disk) -> None:
    if not is_there(step.path):
        if not _bring_back_held(step, disk):
            _write_old_file(step, disk)
            name_new_file(disk, _temp_of(step), step.path)
    elif not is_as_before(step):
        raise _leave_alone(step, "was made anew since")


def _revert_move(step: JournalStep, disk: Disk) -> None:
    target = step.target or ""
    if is_applied(step):
        try:
            move_path(disk, target, step.path)
        except AlreadyThere as error:
            raise CannotRevert(
                f"{step.path} was made anew since; the old one is {target}"
            ) from error
    elif step.inode and is_same_file(step.path, target):
        disk.remove(target)


def _revert_make_folder(step: JournalStep, disk: Disk) -> None:
    if Path(step.path).is_dir() and not os.listdir(step.path):  # noqa: PTH208 - the names alone
        disk.remove_folder(step.path)


def _revert_remove_folder(step: JournalStep, disk: Disk) -> None:
    if not is_there(step.path):
        disk.make_folder(step.path)


def _write_old_file(step: JournalStep, disk: Disk) -> None:
    """Put what a file was beside it: the old file itself where it is held, else a copy.

    The old file has the right mode and time, and what a client wrote to it late.
    """
    before = step.before
    if before is None:
        return
    for held in list_held(step):
        if os.lstat(held.path).st_ino == before.inode:
            data = read_bytes_at(held.path, 0)
            if begins_with(data, before.size, before.sha256):
                disk.link(held.path, _temp_of(step))
                return
    _write_beside(step, disk, _read_backup(step))
    disk.set_time(_temp_of(step), before.mtime_ns)


def _write_beside(step: JournalStep, disk: Disk, data: bytes) -> None:
    mode = step.before.mode if step.before is not None else 0o600
    try:
        write_new_file(disk, _temp_of(step), data, mode)
    except OSError as error:
        if error.errno not in _FULL or data != _read_backup(step):
            raise
        # There is no room for a copy, but the backup is one already.
        remove_temp_file(step, disk)
        disk.link(step.backup or "", _temp_of(step))
        disk.set_mode(_temp_of(step), mode)


def _put_in_place(step: JournalStep, disk: Disk, size: int) -> None:
    """Put what lies beside in the place of a file that was read up to a size."""
    hold_file(step, disk, size)
    disk.replace(_temp_of(step), step.path)
    disk.sync_folder(folder_of(step.path))


def _bring_back_held(step: JournalStep, disk: Disk) -> bool:
    """Give a file that was removed its name again."""
    inode = step.before.inode if step.before is not None else None
    for held in list_held(step):
        if inode is None or os.lstat(held.path).st_ino == inode:
            try:
                disk.link(held.path, step.path)
            except FileExistsError as error:
                raise _leave_alone(step, "was made anew since") from error
            disk.sync_folder(folder_of(step.path))
            return True
    return False


def _read_backup(step: JournalStep) -> bytes:
    before = step.before
    try:
        data = Path(step.backup or "").read_bytes()
    except OSError as error:
        raise CannotRevert(f"its backup {step.backup} cannot be read") from error
    if before is None or not begins_with(data, before.size, before.sha256):
        raise CannotRevert(f"its backup {step.backup} is damaged")
    return data[: before.size]


def _temp_of(step: JournalStep) -> str:
    return step.temp or f"{step.path}.bough"


def _leave_alone(step: JournalStep, why: str) -> CannotRevert:
    kept = f"; what it was is kept in {step.backup}" if step.backup else ""
    return CannotRevert(f"{step.path} {why}{kept}")


_REVERTERS = {
    "create": _revert_create,
    "append": _revert_append,
    "replace": _revert_replace,
    "remove": _revert_remove,
    "move": _revert_move,
    "make-folder": _revert_make_folder,
    "remove-folder": _revert_remove_folder,
}
