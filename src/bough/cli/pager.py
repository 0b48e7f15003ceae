"""The person's pager, fed line by line.

Chosen as other tools choose it: $BOUGH_PAGER, $PAGER, else less. An empty name or `cat`
means none. Ctrl-C belongs to the pager while it runs; leaving it early is the normal way.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import PurePath
from typing import IO, Final

from bough.terminal.capabilities import Terminal
from bough.terminal.text import clean, width

# Colours as they are, no pager for one screen, the text stays when it is left.
_LESS: Final = "less -RFX"
# What git sets for pagers that were named without options.
_CUSTOMS: Final = {"LESS": "FRX", "LV": "-c"}
_TAKES_A_LINE: Final = {"less", "more"}


def choose_pager(environ: Mapping[str, str]) -> list[str] | None:
    """Choose the pager, or none."""
    wanted = environ.get("BOUGH_PAGER", environ.get("PAGER", _LESS))
    try:
        command = shlex.split(wanted, posix=os.name != "nt")
    except ValueError:
        return None
    if not command or command == ["cat"] or shutil.which(command[0]) is None:
        return None
    return command


def feed_pager(
    command: list[str],
    lines: Iterable[str],
    terminal: Terminal,
    encoding: str,
    start: int | None = None,
) -> Iterator[str]:
    """Page the lines when they are longer than the screen; give back what was not taken."""
    taken = iter(lines)
    head = list(_take_screenful(taken, terminal))
    beyond = next(taken, None)
    if beyond is None:
        return iter(head)
    head.append(beyond)
    program = PurePath(command[0]).stem
    place = [f"+{start}"] if start and start > 1 and program in _TAKES_A_LINE else []
    try:
        pager = subprocess.Popen(  # noqa: S603 - the person's own choice
            [*command, *place], stdin=subprocess.PIPE, env={**_CUSTOMS, **os.environ}
        )
    except OSError:
        return chain(head, taken)
    try:
        _write_lines(pager.stdin, (line.encode(encoding, "replace") for line in chain(head, taken)))
    finally:
        _wait_for_exit(pager)
    return iter(())


def _take_screenful(lines: Iterator[str], terminal: Terminal) -> Iterator[str]:
    """Take lines until the screen is full, but for the row of the next prompt."""
    columns = terminal.width or 80
    free = (terminal.height or 0) - 1
    while free > 0 and (line := next(lines, None)) is not None:
        yield line
        free -= max(1, -(-width(clean(line).rstrip("\n")) // columns))


def _write_lines(pipe: IO[bytes] | None, lines: Iterable[bytes]) -> None:
    """Write until there is no more, or until the pager was left."""
    if pipe is None:
        return
    try:
        for line in lines:
            if not _try_write(pipe.write, line):
                break
    except KeyboardInterrupt:
        pass
    finally:
        # Also after an error of ours: the pager ends only when its input does.
        _try_write(pipe.close)


def _try_write(action: Callable[..., object], *arguments: bytes) -> bool:
    """Tell whether the pager still reads; Windows says EINVAL where others say EPIPE."""
    try:
        action(*arguments)
    except OSError:
        return False
    return True


def _wait_for_exit(pager: subprocess.Popen[bytes]) -> None:
    """Wait until the person leaves the pager, however often Ctrl-C is pressed in it."""
    while True:
        try:
            pager.wait()
        except KeyboardInterrupt:
            continue
        return
