"""Starting the app, and leaving it.

Whatever happens inside, the terminal is given back: screen, cursor, mouse. Something
unforeseen ends with a sentence and the place where the details are, not with a wall of text.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

from bough.errors import ExitCode
from bough.terminal.capabilities import ColorDepth, detect_terminal
from bough.terminal.text import clean
from bough.tui.saved_state import find_saved_theme, load_app_state, save_crash
from bough.tui.style.background import TerminalBackground, ask_background

AUTO: Final = "auto"
_SWITCH_INTERVAL: Final = 0.001
_FRAMES_PER_SECOND: Final = "120"
_RESTORE: Final = (
    "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[0m"
)

_SIGNAL_BASE: Final = 128
"""Added to the number of a signal, as shells do."""


def run(dirs: Sequence[str] = (), index: str | None = None, *, theme: str | None = None) -> int:
    """Open the app on this terminal; give the exit code once it is left.

    Args:
        dirs: The Claude folders to read.
        index: Where the index is.
        theme: dark or light; auto asks the terminal, whatever was chosen before. Without one,
            what was chosen in the settings or by key counts, and the terminal is asked where
            nothing was.
    """
    # What is appended waits for the next picture; Textual reads this when it is imported.
    os.environ.setdefault("TEXTUAL_FPS", _FRAMES_PER_SECOND)
    from bough.tui.app.app import Bough  # noqa: PLC0415 - costs a third of a second

    terminal = detect_terminal(sys.stdout, os.environ, "auto")
    plain = terminal.depth is ColorDepth.ATTRIBUTES
    chosen = theme or find_saved_theme(load_app_state())
    asks = not plain and (chosen is None or chosen == AUTO)
    ground = ask_background() if asks else TerminalBackground()
    light = terminal.light if ground.light is None else ground.light
    app = Bough(
        dirs,
        index,
        theme=("light" if light else "dark") if theme == AUTO else theme,
        light=light,
        unicode=terminal.unicode,
        plain=plain,
    )
    app.receive_background(ground)
    # What is read in threads must not keep the screen waiting: the turns they take are short.
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        app.run()
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the top of a face
        return _report_crash(error)
    if app.crash is not None:
        return _report_crash(app.crash)
    return _SIGNAL_BASE + app.end_signal if app.end_signal else ExitCode.FINE


def _report_crash(error: BaseException) -> int:
    """Say what happened, and keep the details in a file."""
    with contextlib.suppress(OSError):  # the terminal itself may be gone
        sys.stdout.write(_RESTORE)
        sys.stdout.flush()
    details = "".join(traceback.format_exception(error))
    path = save_crash(details)
    where = f"Details are in {path}." if path is not None else ""
    what = clean(f"{type(error).__name__}: {error}").replace("\n", " ")[:300]
    with contextlib.suppress(OSError):
        sys.stderr.write(f"bough has stopped: {what} {where} Nothing of yours was changed.\n")
    return ExitCode.FAILED
