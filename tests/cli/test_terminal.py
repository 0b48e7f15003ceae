"""The command on a terminal: colours and the pager."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_frame import TESTS_OWN

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import fcntl
import pty
import struct
import termios

UNSET = ("COLUMNS", "LINES", "NO_COLOR", "COLORTERM", "CLICOLOR_FORCE", "LC_ALL", "LESS")


def on_a_terminal(
    *words: str, columns: int = 80, rows: int = 24, environ: dict[str, str] | None = None
) -> tuple[int, str]:
    """Run a command of the tests on a terminal of its own; give its code and what it showed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    running = subprocess.Popen(
        [*TESTS_OWN, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
        env={**inherited, "TERM": "xterm", "LC_CTYPE": "C.UTF-8", **(environ or {})},
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


def head_pager(path: Path) -> str:
    """Make a pager that shows two lines and is left."""
    path.write_text(
        f"#!{sys.executable}\nimport sys\nprint('paged', sys.argv[1:])\n"
        "for _ in range(2): print(sys.stdin.readline(), end='')\n"
    )
    path.chmod(0o755)
    return str(path)


def test_the_size_of_the_window_is_seen() -> None:
    _, shown = on_a_terminal("paint", columns=132, rows=43, environ={"BOUGH_PAGER": ""})

    assert shown.startswith("SIXTEEN 132x43 True\n")


@pytest.mark.parametrize(
    ("words", "environ", "depth"),
    [
        ((), {"COLORTERM": "truecolor"}, "TRUE"),
        ((), {"NO_COLOR": "1"}, "ATTRIBUTES"),
        ((), {"TERM": "dumb"}, "PLAIN"),
        (("--color", "never"), {}, "PLAIN"),
    ],
)
def test_colours_are_those_the_terminal_has(
    words: tuple[str, ...], environ: dict[str, str], depth: str
) -> None:
    _, shown = on_a_terminal(*words, "paint", environ={"BOUGH_PAGER": "", **environ})

    assert shown.split()[0] == depth


def test_what_is_long_goes_through_the_pager_and_may_be_left(tmp_path: Path) -> None:
    code, shown = on_a_terminal("paint", environ={"BOUGH_PAGER": head_pager(tmp_path / "less")})

    assert code == 0
    assert shown.splitlines() == ["paged ['+150']", "SIXTEEN 80x24 True", "0"]


def test_what_is_long_without_a_pager_is_all_shown() -> None:
    code, shown = on_a_terminal("paint", environ={"BOUGH_PAGER": "no-such-pager"})

    assert code == 0
    assert len(shown.splitlines()) == 201


def test_help_on_a_terminal_leaves_it_as_it_was() -> None:
    code, shown = on_a_terminal("--help")

    assert code == 0
    assert re.search("[\x00-\x08\x0b-\x1f]", shown) is None
