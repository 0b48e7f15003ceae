"""The command as people see it: a process with a fixed clock, in a pipe or on a terminal."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec

from tests.cli.fork_server import HAS_FORKS, LARGEST, Asked, ForkedProcess, ForkServer

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 15, 15, 12, 30, tzinfo=UTC)
# Replaced before anything that has it by its own name is loaded.
LOADED = f"""
import sys
from datetime import UTC, datetime
from bough.terminal import clock
from bough.cli.main import run
stopped = []
clock.now = lambda: stopped[0] if stopped else datetime.now(UTC)
def stop_clock():
    stopped.append(datetime.fromisoformat("{NOW.isoformat()}"))
"""
CLOCKED = (
    LOADED
    + """
stop_clock()
sys.exit(run(sys.argv[1:]))
"""
)
SERVER = (
    LOADED
    + """
from tests.cli.fork_server import serve
serve(run, stop_clock, int(sys.argv[1]))
"""
)
# What an interpreter asks for when it starts, and never again.
AT_START = ("PYTHON", "LC_", "LANG")
PROGRAM = (sys.executable, "-c", CLOCKED)
UNSET = (
    *("COLUMNS", "LINES", "NO_COLOR", "COLORTERM", "CLICOLOR_FORCE", "COLORFGBG"),
    *("LC_ALL", "LC_TIME", "LANG", "LESS"),
)
SPEAKS = {"TZ": "UTC", "LC_CTYPE": "C.UTF-8", "PYTHONUTF8": "1"}


def _environ(given: Mapping[str, str] | None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    return {**inherited, **SPEAKS, **(given or {})}


@cache
def fork_server() -> ForkServer:
    """Start the process of which commands are forks, once."""
    # The sources of this clone come first: what is installed may be those of another one.
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return ForkServer(SERVER, {**_environ(None), "PYTHONPATH": path})


def piped(
    *words: str, claude: Path | None = None, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command into pipes."""
    where = () if claude is None else ("--claude-dir", str(claude))
    asked = Asked([*where, *words], _environ(environ), str(ROOT))
    if not _can_fork(asked, environ):
        return run_alone(*asked.words, environ=environ)
    return _forked(asked)


def run_now(
    *words: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command into pipes at the moment it is, in the environment that the tests have."""
    given = {**os.environ, **(environ or {})}
    asked = Asked(list(words), given, str(ROOT), is_clock_stopped=False)
    if _can_fork(asked, environ):
        return _forked(asked)
    return _started((sys.executable, "-m", "bough", *words), given)


def start_now(*words: str, environ: Mapping[str, str], folder: Path) -> ForkedProcess:
    """Start a command that goes on, at the moment it is, in a folder."""
    asked = Asked(list(words), dict(environ), str(folder), is_clock_stopped=False)
    return fork_server().start(asked, os.open(os.devnull, os.O_WRONLY))


def _can_fork(asked: Asked, environ: Mapping[str, str] | None) -> bool:
    size = sum(len(word) for word in (*asked.words, *asked.environ, *asked.environ.values()))
    is_late = any(name.startswith(AT_START) for name in environ or ())
    return HAS_FORKS and size <= LARGEST and not is_late


def _forked(asked: Asked) -> subprocess.CompletedProcess[str]:
    code, *written = fork_server().run(asked, 60)
    out, err = (io.TextIOWrapper(io.BytesIO(one), "utf-8").read() for one in written)
    return subprocess.CompletedProcess(asked.words, code, out, err)


def run_alone(
    *words: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command into pipes, in an interpreter that is started for it."""
    return _started((*PROGRAM, *words), _environ(environ))


def _started(
    command: tuple[str, ...], environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        cwd=ROOT,
        env=environ,
    )


def document(*words: str, claude: Path | None = None) -> object:
    """Run a command for its JSON, which must come alone and well."""
    done = piped(*words, "--json", claude=claude)
    assert (done.returncode, done.stderr) == (0, "")
    return msgspec.json.decode(done.stdout)


def objects(*words: str, claude: Path | None = None) -> list[dict[str, object]]:
    """Run a command whose JSON is a list of objects."""
    return msgspec.convert(document(*words, claude=claude), list[dict[str, object]])


def one(*words: str, claude: Path | None = None) -> dict[str, object]:
    """Run a command whose JSON is one object."""
    return msgspec.convert(document(*words, claude=claude), dict[str, object])


def on_screen(
    *words: str,
    claude: Path | None = None,
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run a command on a terminal of its own, without a pager; give what it showed."""
    import fcntl  # noqa: PLC0415 - not on Windows
    import pty  # noqa: PLC0415
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    where = () if claude is None else ("--claude-dir", str(claude))
    running = subprocess.Popen(
        [*PROGRAM, *where, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=ROOT,
        env=_environ({"TERM": "xterm", "BOUGH_PAGER": "", **(environ or {})}),
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    return running.wait(60), shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says EIO where the program has ended
        return b""
