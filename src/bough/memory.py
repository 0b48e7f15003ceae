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
young, so only young objects are looked through, and nobody who reads along is stopped.
"""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_COMMAND_NEW: Final = 50_000
_OPENED_BYTES: Final = 32_000_000
"""After so many bytes of opened sessions a process that stays looks through everything."""
_LEAST_SESSION: Final = 300_000
"""So much a session counts at least: what shows it takes memory too."""


_YOUNG: Final = 1
"""The oldest generation that is looked through for what a session that grew has replaced."""


class _OpenedBytes:
    """How much was opened, and made anew, since it was looked through; None: nobody looks."""

    def __init__(self) -> None:
        self.count: int | None = None
        self.renewed = 0
        self.lock = threading.Lock()


_opened: Final = _OpenedBytes()


def collect_rarely(new: int = _COMMAND_NEW, *, stays: bool = False) -> None:
    """Look for circles only once so many new objects are there, from now on.

    In a process that `stays`, objects that have been looked at are looked at again even more
    rarely: large sessions are open there, and all of them at once would be a pause. When that
    is due, `count_opened` knows.
    """
    if stays:
        gc.set_threshold(new, 50, 100)
        _opened.count = _opened.renewed = 0
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
        collect_now()
        return_free_memory()


def count_renewed(size: int) -> None:
    """Count a session of so many bytes as made anew because it grew.

    Where enough were, young objects are looked through. The newest of these sessions is not
    young any more after that, so it counts as opened.
    """
    with _opened.lock:
        if _opened.count is None:
            return
        _opened.renewed += max(size, _LEAST_SESSION)
        is_due = _opened.renewed >= _OPENED_BYTES
        if is_due:
            _opened.renewed = 0
    if is_due:
        gc.collect(_YOUNG)
        count_opened(size)


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
