"""Deeds: what each step of a plan does to the disk, as the journal keeps it.

A deed says enough to tell later whether it was done and to take it back, without the plan.
"""

import hashlib
import os
from pathlib import Path

from bough.timetravel.journal import JournalStep
from bough.timetravel.plan import Append, Create, Move, Remove, Replace, Step


def make_journal_step(step: Step, temp: str, backup: str) -> JournalStep:
    """Note a step for the journal; `temp` and `backup` are used where it needs them."""
    data = step.data if isinstance(step, Create | Append | Replace) else b""
    before = step.before if isinstance(step, Append | Replace | Remove) else None
    appends = isinstance(step, Append)
    return JournalStep(
        do=str(step.__struct_config__.tag),
        path=step.path,
        target=step.target if isinstance(step, Move) else None,
        before=before,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        data=data if appends else b"",
        backup=backup if before is not None else None,
        temp=temp if isinstance(step, Create | Replace | Remove) else None,
        names=step.names if isinstance(step, Move) else (),
    )


def is_applied(step: JournalStep) -> bool:
    """Tell whether what a step does is to be seen on the disk."""
    return _CHECKS[step.do](step)


def _is_created(step: JournalStep) -> bool:
    # Its beginning is enough: a client may have gone on in it already.
    start = read_bytes_at(step.path, 0, step.size)
    return Path(step.path).is_file() and hashlib.sha256(start).hexdigest() == step.sha256


def _is_appended(step: JournalStep) -> bool:
    start = step.before.size if step.before else 0
    return read_bytes_at(step.path, start, len(step.data)) == step.data


def _is_replaced(step: JournalStep) -> bool:
    return digest_file(step.path) == step.sha256


def _is_removed(step: JournalStep) -> bool:
    return not os.path.lexists(step.path)


def _is_moved(step: JournalStep) -> bool:
    return os.path.lexists(step.target or "") and not os.path.lexists(step.path)


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


def digest_file(path: str) -> str | None:
    """Name the content of a file; None where there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def read_bytes_at(path: str, start: int, count: int = -1) -> bytes:
    """Read a part of a file; nothing where there is none."""
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            return file.read(count)
    except OSError:
        return b""
