"""A process of its own, for work that must not be in the way of whoever is looked at.

It ends with its owner, however that ends: it holds one end of a pipe, and nobody else has the
other. It steps back behind its owner where both want the processor.
"""

import os
import subprocess
import sys
import threading
from typing import Final

_KINDER: Final = 5
"""How far the work steps back behind whoever is looked at."""
_AFTER: Final = 5.0
_STDIN: Final = 0


class BackgroundTask:
    """Runs a module, once; it can be stopped from any thread, also before it runs."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    @property
    def is_stopped(self) -> bool:
        """Tell whether somebody gave it up."""
        return self._stopped.is_set()

    def start(self, given: str, *, is_heard: bool = False) -> "subprocess.Popen[bytes]":
        """Run the module with one word; `is_heard` keeps what it prints for the owner.

        Who leaves the context of what is given lets go of it, and so ends it.
        """
        # In its own group: a Ctrl C in the terminal is for whoever is looked at.
        self._child = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", self._module, given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if is_heard else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        if self.is_stopped:
            self._child.terminate()
        return self._child

    def stop(self) -> None:
        """End the process; what it has not kept is done by the next one."""
        self._stopped.set()
        child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            try:
                child.wait(_AFTER)
            except subprocess.TimeoutExpired:
                child.kill()


def end_with_owner() -> None:
    """Be such a process, from now on."""
    threading.Thread(target=_wait_for_end_of_owner, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_KINDER)


def _wait_for_end_of_owner() -> None:
    """Wait for the owner's end of the pipe to close.

    Read without Python's own reader, whose lock would be held for ever: a process that were
    forked from this one could not even close it.
    """
    while os.read(_STDIN, 1):
        pass
    os._exit(1)
