"""Taking back one step.

It looks at what is there and not at what was intended, so it works in the middle of an
operation, after a crash, and twice. What somebody else wrote meanwhile is never touched.
"""

import hashlib
import os
from pathlib import Path

from bough.timetravel.disk import Disk
from bough.timetravel.execution.do_step import folder_of, write_new_file
from bough.timetravel.execution.journal_steps import digest_file, is_applied, read_bytes_at
from bough.timetravel.journal import JournalStep


class CannotRevert(Exception):
    """Carry the reason why a step cannot be taken back; the files are left alone."""


def revert_step(step: JournalStep, disk: Disk) -> None:
    """Undo what is to be seen of a step, as far as it is ours.

    Raises:
        CannotTakeBack: Somebody else has written to the file since.
        OSError: The system does not let us.
    """
    remove_temp_file(step, disk)
    _REVERTERS[step.do](step, disk)


def remove_temp_file(step: JournalStep, disk: Disk) -> None:
    """Remove what was written beside a file and is not needed any more."""
    if step.temp is not None and os.path.lexists(step.temp):
        disk.remove(step.temp)


def _revert_create(step: JournalStep, disk: Disk) -> None:
    if digest_file(step.path) == step.sha256:
        disk.remove(step.path)
        disk.sync_folder(folder_of(step.path))


def _revert_append(step: JournalStep, disk: Disk) -> None:
    before = step.before
    tail = read_bytes_at(step.path, before.size) if before is not None else b""
    if before is None or not tail:
        return
    if not step.data.startswith(tail):
        if _has_our_prefix(tail, step.data):
            raise CannotRevert(f"something else was written to {step.path} since")
        return  # all of it is somebody else's
    if hashlib.sha256(read_bytes_at(step.path, 0, before.size)).hexdigest() != before.sha256:
        raise CannotRevert(f"{step.path} was changed since")
    disk.truncate(step.path, before.size)
    disk.set_time(step.path, before.mtime_ns)


def _has_our_prefix(tail: bytes, data: bytes) -> bool:
    """Tell whether what was added to a file begins with what we meant to add, or a part of it.

    Records begin alike, so a part of ours is one only where another record follows at once.
    """
    length = next((i for i, (a, b) in enumerate(zip(tail, data, strict=False)) if a != b), None)
    if length is None:
        return True
    return length > 0 and tail[length : length + 1] in (b"{", b"\n")


def _revert_replace(step: JournalStep, disk: Disk) -> None:
    if digest_file(step.path) == step.sha256:
        _restore_backup(step, disk)


def _revert_remove(step: JournalStep, disk: Disk) -> None:
    if not os.path.lexists(step.path):
        _restore_backup(step, disk)


def _revert_move(step: JournalStep, disk: Disk) -> None:
    if is_applied(step):
        disk.move(step.target or "", step.path)
        disk.sync_folder(folder_of(step.path))


def _revert_make_folder(step: JournalStep, disk: Disk) -> None:
    if Path(step.path).is_dir() and not os.listdir(step.path):  # noqa: PTH208 - the names alone
        disk.remove_folder(step.path)


def _revert_remove_folder(step: JournalStep, disk: Disk) -> None:
    if not os.path.lexists(step.path):
        disk.make_folder(step.path)


def _restore_backup(step: JournalStep, disk: Disk) -> None:
    """Give a file the content, mode and time it had."""
    before = step.before
    if before is None:
        return
    try:
        data = Path(step.backup or "").read_bytes()
    except OSError as error:
        raise CannotRevert(f"its backup {step.backup} cannot be read") from error
    if hashlib.sha256(data).hexdigest() != before.sha256:
        raise CannotRevert(f"its backup {step.backup} is damaged")
    temp = step.temp or f"{step.path}.bough"
    write_new_file(disk, temp, data, before.mode)
    disk.set_time(temp, before.mtime_ns)
    disk.replace(temp, step.path)
    disk.sync_folder(folder_of(step.path))


_REVERTERS = {
    "create": _revert_create,
    "append": _revert_append,
    "replace": _revert_replace,
    "remove": _revert_remove,
    "move": _revert_move,
    "make-folder": _revert_make_folder,
    "remove-folder": _revert_remove_folder,
}
