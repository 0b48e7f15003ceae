"""Where the programs begin: what must answer in milliseconds is answered here, else click is.

A client calls `bough statusline` after every message of every session. Loading click takes
longer than the whole line, so this module looks at the first word alone, and what it loads is
the standard library and `bough.status_line`; a test holds that.
"""

import os
import sys
from collections.abc import Sequence

_COMMANDS = ("install", "uninstall", "refresh", "--help", "-h")
"""What `bough statusline` does beside its line: click knows."""
_STDERR = 2
_INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process."""
    words = sys.argv[1:]
    if words[:1] == ["statusline"] and not any(word in _COMMANDS for word in words[1:]):
        _answer(words[1:])
    try:
        from bough.memory import collect_rarely  # noqa: PLC0415 - as below

        # Fast path: any command, 2 ms less: what is loaded from here on is not garbage.
        collect_rarely()
        from bough.cli.main import main as run  # noqa: PLC0415 - the point of this module

        run()
    except KeyboardInterrupt:
        # While modules are loaded: what words errors is not there yet.
        _write(b"Interrupted.\n", _STDERR)
        sys.exit(_INTERRUPTED)


def statusline() -> None:
    """Run `bough-statusline`."""
    words = sys.argv[1:]
    if any(word in _COMMANDS for word in words):
        sys.argv[1:] = ["statusline", *words]
        main()
    _answer(words)


def _answer(words: Sequence[str]) -> None:
    """Write the line and end; whatever happens, a client gets a line and no failure."""
    try:
        from bough.status_line.answer import answer  # noqa: PLC0415 - only for this command

        answer(words)
    except BaseException:  # noqa: BLE001 - the top of a face
        _write(b"bough\n")
    # Nothing of ours is left to be closed, and taking an interpreter down costs 2 ms.
    os._exit(0)


def _write(data: bytes, descriptor: int = 1) -> None:
    try:
        os.write(descriptor, data)
    except OSError:
        return  # nobody reads any more
