"""Small things a face remembers between runs, each in a file of its own.

They are conveniences: what cannot be read is as if it had never been kept, and what cannot be
written is forgotten. A half-written file never takes the place of a whole one.
"""

import contextlib
import os
from pathlib import Path
from typing import TypeVar

import msgspec

Kept = TypeVar("Kept")


def load_state(path: Path, kind: type[Kept]) -> Kept:
    """Read what was kept; an empty one of its kind where there is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return kind()


def save_state(path: Path, value: object) -> None:
    """Keep a value for the next run, where it can be kept."""
    with contextlib.suppress(OSError):
        write_state(path, value)


def write_state(path: Path, value: object) -> None:
    """Keep a value for the next run; say so where it cannot be kept."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=1))
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
