"""Journal steps: what each step of a plan does to the disk, as the journal keeps it.

A journal step says enough to tell later whether it was done and to take it back, without the
plan. A file is known by its beginning, because a client may have gone on in it.
"""

import hashlib
import os
from pathlib import Path

from bough.timetravel.journal import JournalStep
from bough.timetravel.plan import Append, Create, Move, Remove, Replace, Step
from bough.timetravel.session_file import begins_with


def make_journal_step(step: Step, temp: str, backup: str, *, holds: bool = True) -> JournalStep:
    """Note a step for the journal; `temp` and `backup` are used where it needs them.

    Where it `holds`, lines that a client writes late to a file that was replaced are carried
    over; settings are one document, to which no line can be added.
    """
    data = step.data if isinstance(step, Create | Append | Replace) else b""
    before = step.before if isinstance(step, Append | Replace | Remove) else None
    appends = isinstance(step, Append)
    of_file = isinstance(step, Create | Append | Replace | Remove)
    return JournalStep(
        do=str(step.__struct_config__.tag),
        path=step.path,
        target=step.target if isinstance(step, Move) else None,
        before=before,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        data=data if appends else b"",
        backup=backup if before is not None else None,
        temp=temp if of_file else None,
        held=backup if of_file and holds else None,
        names=step.names if isinstance(step, Move) else (),
        inode=os.lstat(step.path).st_ino if isinstance(step, Move) else 0,
    )


def is_applied(step: JournalStep) -> bool:
    """Tell whether what a step does is to be seen on the disk."""
    return _CHECKS[step.do](step)


def find_own_bytes(step: JournalStep, data: bytes) -> int | None:
    """Find where the bytes of an append stand in a file, wherever in what came behind the rest.

    A client may have written a line before them, between our look at the file and our write.
    """
    start = data.find(step.data, step.before.size if step.before else 0) if step.data else -1
    return start if start >= 0 else None


def is_as_before(step: JournalStep) -> bool:
    """Tell whether a file begins with what it held before a step, and the step is not done."""
    before = step.before
    if before is None or is_applied(step):
        return False
    return begins_with(read_bytes_at(step.path, 0), before.size, before.sha256)


def _is_created(step: JournalStep) -> bool:
    data = read_bytes_at(step.path, 0)
    return is_there(step.path) and begins_with(data, step.size, step.sha256)


def _is_appended(step: JournalStep) -> bool:
    data = read_bytes_at(step.path, 0)
    start = find_own_bytes(step, data)
    if start is None:
        return False
    # Glued to half a line they are there, but nobody can read them.
    after_line = start == 0 or data[start - 1 : start] == b"\n" or step.data.startswith(b"\n")
    return after_line or (step.before is not None and start == step.before.size)


def _is_replaced(step: JournalStep) -> bool:
    data, before = read_bytes_at(step.path, 0), step.before
    if not is_there(step.path) or not begins_with(data, step.size, step.sha256):
        return False
    # Where the one is the beginning of the other, the longer one tells.
    longer = before is not None and before.size > step.size
    return not (longer and before and begins_with(data, before.size, before.sha256))


def _is_removed(step: JournalStep) -> bool:
    # A client may have made a new file by that name since.
    before, data = step.before, read_bytes_at(step.path, 0)
    gone = before is not None and not begins_with(data, before.size, before.sha256)
    return gone or not is_there(step.path)


def _is_moved(step: JournalStep) -> bool:
    if step.inode:
        # Somebody may have made the old name anew since.
        there, here = _find_inode(step.target or ""), _find_inode(step.path)
        return there is not None and there[0] == step.inode and here != there
    return is_there(step.target or "") and not is_there(step.path)


def _is_folder(step: JournalStep) -> bool:
    return Path(step.path).is_dir()


def _is_always_applied(step: JournalStep) -> bool:
    """Say yes: a folder that is not empty stays, and that is no failure."""
    return bool(step)


_CHECKS = {
    "create": _is_created,
    "append": _is_appended,
    "replace": _is_replaced,
    "remove": _is_removed,
    "move": _is_moved,
    "make-folder": _is_folder,
    "remove-folder": _is_always_applied,
}


def is_there(path: str) -> bool:
    """Tell whether there is anything by a name; what cannot be looked at is an error, not a no."""
    return _find_inode(path) is not None


def is_same_file(one: str, other: str) -> bool:
    """Tell whether two names are of one file."""
    found = _find_inode(one)
    return found is not None and found == _find_inode(other)


def read_bytes_at(path: str, start: int) -> bytes:
    """Read a file from a place on; nothing where there is none."""
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return b""


def _find_inode(path: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_ino, status.st_dev
