"""How a command that runs until it is left ends: Ctrl-C, a closed terminal, a gone reader.

Signals set an event, so that what is open is closed in order. A reader that went away (`head`)
is noticed also while nothing is written.
"""

import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bough.cli import output
from bough.terminal.capabilities import ColorDepth, Terminal, is_terminal

_RESET = "\x1b[0m"


@contextmanager
def catch_signals() -> Iterator[threading.Event]:
    """Give an event that is set when the process is asked to end."""
    ended = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        ended.set()

    names = ("SIGTERM", "SIGHUP", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield ended
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def is_reader_gone() -> bool:
    """Tell whether nobody reads what we write any more; where that cannot be told, no."""
    if sys.stdout is None or sys.stdout.closed or not hasattr(select, "poll"):
        return False
    try:
        waiting = select.poll()
        waiting.register(sys.stdout.fileno(), 0)
        return bool(waiting.poll(0))
    except (OSError, ValueError):
        return False


def reset_terminal(terminal: Terminal) -> None:
    """Leave a terminal as it was found: no colour, and the prompt on a line of its own."""
    if terminal.width is None:
        return
    try:
        if terminal.depth is not ColorDepth.PLAIN:
            output.write(_RESET)
        output.flush_output()
        if is_terminal(sys.stderr):
            output.say("")
    except (OSError, ValueError):
        return
