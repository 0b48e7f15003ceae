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


def is_applied(deed: JournalStep) -> bool:
    """Tell whether what a step does is to be seen on the disk."""
    return _CHECKS[deed.do](deed)


def _is_created(deed: JournalStep) -> bool:
    # Its beginning is enough: a client may have gone on in it already.
    start = read_bytes_at(deed.path, 0, deed.size)
    return Path(deed.path).is_file() and hashlib.sha256(start).hexdigest() == deed.sha256


def _is_appended(deed: JournalStep) -> bool:
    start = deed.before.size if deed.before else 0
    return read_bytes_at(deed.path, start, len(deed.data)) == deed.data


def _is_replaced(deed: JournalStep) -> bool:
    return digest_file(deed.path) == deed.sha256


def _is_removed(deed: JournalStep) -> bool:
    return not os.path.lexists(deed.path)


def _is_moved(deed: JournalStep) -> bool:
    return os.path.lexists(deed.target or "") and not os.path.lexists(deed.path)


def _is_folder(deed: JournalStep) -> bool:
    return Path(deed.path).is_dir()


def _is_always_applied(deed: JournalStep) -> bool:
    """Say yes: a folder that is not empty stays, and that is no failure."""
    return bool(deed)


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
