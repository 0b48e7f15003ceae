"""When Python's garbage collector may work, said once.

The collector looks for objects that hold on to each other in a circle; everything else goes
by itself. Our values are many, small and frozen and hold nothing in a circle, so it finds
next to nothing, and looking through millions of them costs a tenth of a long run and stops
a screen or a server for as long as it takes. Hence: a command looks rarely; a process that
stays looks at what is new now and then and at everything almost never; where rows come and
go by the hundred thousand, nobody looks meanwhile.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_COMMAND_NEW: Final = 50_000


def collect_rarely(new: int = _COMMAND_NEW, *, stays: bool = False) -> None:
    """Look for circles only once so many new objects are there, from now on.

    In a process that `stays`, objects that have been looked at are looked at again even more
    rarely: large sessions are open there, and all of them at once would be a pause.
    """
    if stays:
        gc.set_threshold(new, 50, 100)
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
