"""The way into the app and out of it.

Whatever happens inside, the terminal is given back: screen, cursor, mouse. Something
unforeseen ends with a sentence and the place where the details are, not with a wall of text.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from bough.errors import ExitCode
from bough.tui.ground import asked_ground
from bough.tui.looks import Depth, clean, terminal_of
from bough.tui.state import keep_crash

_RESTORE: Final = (
    "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[0m"
)


def run(dirs: Sequence[str] = (), index: str | None = None, *, theme: str | None = None) -> int:
    """Open the app on this terminal; give the exit code once it is left."""
    from bough.tui.app import Bough  # noqa: PLC0415 - costs a third of a second

    terminal = terminal_of(sys.stdout, os.environ, "auto")
    plain = terminal.depth is Depth.ATTRIBUTES
    light = None if plain or theme is not None else asked_ground()
    app = Bough(
        dirs,
        index,
        theme=theme,
        light=terminal.light if light is None else light,
        unicode=terminal.unicode,
        plain=plain,
    )
    try:
        app.run()
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the top of a face
        return _crashed(error)
    failed = app.crash
    return _crashed(failed) if failed is not None else ExitCode.FINE


def _crashed(error: BaseException) -> int:
    """Say what happened, and keep the details in a file."""
    sys.stdout.write(_RESTORE)
    sys.stdout.flush()
    details = "".join(traceback.format_exception(error))
    path = keep_crash(details)
    where = f"Details are in {path}." if path is not None else ""
    what = clean(f"{type(error).__name__}: {error}").replace("\n", " ")[:300]
    sys.stderr.write(f"bough has stopped: {what} {where} Nothing of yours was changed.\n")
    return ExitCode.FAILED
