"""When Python's garbage collector may work, said once.

The collector looks for objects that hold on to each other in a circle; everything else goes
by itself. Our values are many, small and frozen and hold nothing in a circle, and looking
through millions of them costs a tenth of a long run and stops a screen or a server for as long
as it takes. Hence: a command looks rarely; where rows come and go by the hundred thousand,
nobody looks meanwhile.

An open session is a circle: its conversations know it. So a process that stays looks through
everything whenever so many bytes of sessions were opened, for they were let go since, or will
be: looking then costs a tenth of what opening them did, and what is kept by nobody is bounded.
A session that only grew is made anew with each line, many times a second. What it replaces is
young, so only young objects are looked through, and nobody who reads along is stopped: what was
opened is exempt until everything is looked through, which waits until nothing grows.
"""

import gc
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_COMMAND_NEW: Final = 50_000
_OPENED_BYTES: Final = 32_000_000
"""After so many bytes of opened sessions a process that stays looks through everything."""
_MOST_DEFERRED: Final = 2 * _OPENED_BYTES
"""After so many nobody waits any longer until nothing grows."""
_LEAST_SESSION: Final = 300_000
"""So much a session counts at least: what shows it takes memory too."""
_RENEWED_SHARE: Final = 4
"""A session that was made anew takes such a part of one that was opened: both share records."""
_QUIET_SECONDS: Final = 10.0
"""Nothing grows where no session was made anew for so long."""
_YOUNG: Final = 1
"""The oldest generation that is looked through for what a session that grew has replaced."""


class _OpenedBytes:
    """How much was opened, and made anew, since it was looked through; None: nobody looks."""

    def __init__(self) -> None:
        self.count: int | None = None
        self.renewed = 0
        self.renewed_at = 0.0
        self.is_deferred = False
        self.lock = threading.Lock()


_opened: Final = _OpenedBytes()


def collect_rarely(new: int = _COMMAND_NEW, *, stays: bool = False) -> None:
    """Look for circles only once so many new objects are there, from now on.

    In a process that `stays`, objects that have been looked at are looked at again even more
    rarely: large sessions are open there, and all of them at once would be a pause. When that
    is due, `count_opened` knows. What there is at the start is never looked at.
    """
    if stays:
        gc.set_threshold(new, 50, 100)
        _opened.count = _opened.renewed = 0
        gc.freeze()
    else:
        gc.set_threshold(new, 20, 20)


@contextmanager
def pause_collector() -> Iterator[None]:
    """Look for no circles meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def exempt_existing_objects() -> None:
    """Never again look through what is there now.

    At the end of a process that spares the last look through everything: the system takes
    it all back at once.
    """
    gc.freeze()


def collect_now() -> None:
    """Look for circles at a moment that suits."""
    gc.collect()


def count_opened(size: int) -> None:
    """Count a session of so many bytes as opened; where enough were, look for circles."""
    with _opened.lock:
        if _opened.count is None:
            return
        _opened.count += max(size, _LEAST_SESSION)
        is_due = _opened.count >= _OPENED_BYTES
        if is_due:
            _opened.count = 0
    if is_due:
        _collect_everything()


def exempt_opened() -> None:
    """Look no more through what was opened just now, until everything is looked through."""
    with _opened.lock:
        if _opened.count is None:
            return
        # What nobody holds any more among the young is exempt as well, so it counts.
        _opened.count += _opened.renewed // _RENEWED_SHARE
        _opened.renewed = 0
    gc.freeze()


def count_renewed(size: int) -> None:
    """Count a session of so many bytes as made anew because it grew.

    Where enough were, young objects are looked through. The newest of these sessions is not
    young any more after that, so it counts as opened; but who reads along while sessions grow is
    not stopped for that, unless they grow all the time.
    """
    with _opened.lock:
        if _opened.count is None:
            return
        size = max(size, _LEAST_SESSION)
        _opened.renewed += size
        _opened.renewed_at = time.monotonic()
        if _opened.renewed < _OPENED_BYTES:
            return
        _opened.renewed = 0
        _opened.count += size // _RENEWED_SHARE
        is_late = _opened.count >= _MOST_DEFERRED
        if is_late:
            _opened.count = 0
        begins = _opened.count >= _OPENED_BYTES and not _opened.is_deferred
        _opened.is_deferred = _opened.is_deferred or begins
    gc.collect(_YOUNG)
    if is_late:
        _collect_everything()
    elif begins:
        threading.Thread(target=_collect_when_quiet, name="bough-memory", daemon=True).start()


def _collect_when_quiet() -> None:
    """Wait until nothing grows, then look through everything, unless somebody did meanwhile."""
    while True:
        time.sleep(_QUIET_SECONDS)
        with _opened.lock:
            is_due = (_opened.count or 0) >= _OPENED_BYTES
            if is_due and time.monotonic() - _opened.renewed_at < _QUIET_SECONDS:
                continue
            _opened.is_deferred = False
            if is_due:
                _opened.count = 0
        if is_due:
            _collect_everything()
        return


def _collect_everything() -> None:
    """Look through everything, and then no more through what is left of it."""
    gc.unfreeze()
    collect_now()
    gc.freeze()
    return_free_memory()


def keep_freed_blocks(size: int) -> None:
    """Let the allocator keep blocks of up to that size for the next that is as large.

    glibc gives large blocks back at once until a larger one was freed, and clearing the pages of
    a new one costs more than reading a file into it. The block that is freed here has no page.
    """
    bytes(size)


def return_free_memory() -> None:
    """Give the system back what the allocator holds for later; only glibc holds much.

    Sessions are read in several threads, and each has a heap of its own, which only grows.
    """
    if sys.platform != "linux":
        return
    with suppress(AttributeError, ImportError, OSError):
        import ctypes  # noqa: PLC0415 - most processes never need it

        ctypes.CDLL(None).malloc_trim(0)
