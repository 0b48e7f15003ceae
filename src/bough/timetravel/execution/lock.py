"""One bough at a time: a lock that ends with the process that holds it."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bough.timetravel.disk import Disk
from bough.timetravel.errors import Busy

_NAME = "timetravel.lock"
_PATIENCE = 2.0
_PAUSE = 0.05


@contextmanager
def hold_lock(folder: Path, disk: Disk, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the lock of a data folder, or raise Busy where another bough keeps it."""
    path = str(folder / _NAME)
    descriptor = disk.open_or_create(path)
    try:
        until = time.monotonic() + patience
        while not _try_lock(descriptor):
            if time.monotonic() >= until:
                raise Busy(_read_holder(path))
            time.sleep(_PAUSE)
        # Our process id, for whoever has to wait.
        disk.truncate(path, 0)
        disk.write(descriptor, str(os.getpid()).encode(), path)
        yield
    finally:
        os.close(descriptor)


def _read_holder(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 1 << 20, os.SEEK_SET)  # past what others read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
