"""The process in which patterns are matched: a script that can be ended at any moment.

Python's `re` cannot be stopped, and holds the interpreter meanwhile. So patterns that somebody
typed are matched here, and whoever asked ends this process when it takes too long. It imports
nothing of ours and starts in a few hundredths of a second. Should its owner be killed, it ends
by itself: when nobody asks any more, and soon after the time that a question may take.
"""

import contextlib
import faulthandler
import marshal
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from itertools import islice
from struct import Struct as Layout
from typing import BinaryIO

READY = b"ready"
LENGTH = Layout("<Q")
NUMBER = Layout("<I")
SPAN = Layout("<II")
_MOST_MEMORY = 2 << 30
_GRACE = 1.0


def main() -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner, who ends us
    _limit_memory()
    warnings.simplefilter("ignore")
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sink.write(READY)
    sink.flush()
    while head := source.read(LENGTH.size):
        patterns, most, seconds, texts = marshal.loads(source.read(*LENGTH.unpack(head)))  # noqa: S302 - our own process wrote it
        # It works without the interpreter's lock, which `re` holds; nobody reads our stderr.
        faulthandler.dump_traceback_later(seconds + _GRACE, exit=True)
        _answer(sink, patterns, most, texts)
        faulthandler.cancel_dump_traceback_later()
        del patterns, texts


def _answer(sink: BinaryIO, patterns: list[tuple[str, int]], most: int, texts: list[str]) -> None:
    """Send each text's matches as soon as they are known: who ends us sees how far we came."""
    compiled = [re.compile(pattern, flags) for pattern, flags in patterns]
    for text in texts:
        sink.writelines(b"".join(_pack_spans(pattern, text, most)) for pattern in compiled)
        sink.flush()


def _pack_spans(pattern: re.Pattern[str], text: str, most: int) -> Iterator[bytes]:
    spans = [match.span() for match in islice(pattern.finditer(text), most)]
    yield NUMBER.pack(len(spans))
    yield from (SPAN.pack(*span) for span in spans)


def _limit_memory() -> None:
    """Let a pattern that takes all memory end this process and nobody else's."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, MemoryError):
        main()
