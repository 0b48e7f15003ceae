"""Deeds: what each step of a plan does to the disk, as the journal keeps it.

A deed says enough to tell later whether it was done and to take it back, without the plan.
"""

import hashlib
import os
from pathlib import Path

from bough.timetravel.journal import Deed
from bough.timetravel.plan import Append, Create, Move, Remove, Replace, Step


def deed_of(step: Step, temp: str, backup: str) -> Deed:
    """Note a step for the journal; `temp` and `backup` are used where it needs them."""
    data = step.data if isinstance(step, Create | Append | Replace) else b""
    before = step.before if isinstance(step, Append | Replace | Remove) else None
    appends = isinstance(step, Append)
    return Deed(
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


def is_done(deed: Deed) -> bool:
    """Tell whether what a step does is to be seen on the disk."""
    match deed.do:
        case "create" | "replace":
            return digest_of(deed.path) == deed.sha256
        case "append":
            start = deed.before.size if deed.before else 0
            return bytes_at(deed.path, start, len(deed.data)) == deed.data
        case "remove":
            return not os.path.lexists(deed.path)
        case "move":
            return os.path.lexists(deed.target or "") and not os.path.lexists(deed.path)
        case "make-folder":
            return Path(deed.path).is_dir()
        case _:
            return True


def digest_of(path: str) -> str | None:
    """Name the content of a file; None where there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


def bytes_at(path: str, start: int, count: int = -1) -> bytes:
    """Read a part of a file; nothing where there is none."""
    try:
        with Path(path).open("rb") as file:
            file.seek(start)
            return file.read(count)
    except OSError:
        return b""
