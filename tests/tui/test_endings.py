"""However the app ends, the terminal is as it was, and what happened is one sentence."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.sample import session
from tests.conftest import Home

if sys.platform == "win32":
    pytest.skip("needs a pty", allow_module_level=True)

import fcntl
import pty
import struct
import termios

pytestmark = pytest.mark.slow
PATIENCE = 30.0
ON_AND_OFF = (1049, 1000, 1003, 1006, 2004)
"""Modes of a terminal that the app sets: the other screen, the mouse, pasting."""


class Terminal:
    """A real pty of 80 columns and 24 rows, with the app in it."""

    def __init__(self, code: str) -> None:
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.theirs)
        self.said = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )

    def read(self, seconds: float = 0.1) -> None:
        if select.select([self.ours], [], [], seconds)[0]:
            self.said += os.read(self.ours, 65_536)

    def wait_for(self, words: bytes) -> None:
        end = time.monotonic() + PATIENCE
        while words not in self.said:
            assert time.monotonic() < end, self.said[-2_000:]
            self.read()

    def press(self, keys: bytes) -> None:
        os.write(self.ours, keys)

    def wait(self) -> int:
        """Wait for the end, reading on meanwhile."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, "it does not end"
            self.read()
        for _ in range(5):
            self.read(0.05)
        return self.process.returncode

    @property
    def is_as_it_was(self) -> bool:
        """Tell whether every mode that was set is reset, the cursor seen, the line as before."""
        for mode in ON_AND_OFF:
            set_at = self.said.rfind(b"\x1b[?%dh" % mode)
            if set_at > self.said.rfind(b"\x1b[?%dl" % mode):
                return False
        seen = self.said.rfind(b"\x1b[?25h") > self.said.rfind(b"\x1b[?25l")
        return seen and termios.tcgetattr(self.theirs) == self.before

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def code(home: Home, tmp_path: Path) -> str:
    with home.writing():
        session("endings").user("Begin the work").assistant("I begin.").write(home.path)
    given = f"[{str(home.path)!r}], {str(tmp_path / 'index.sqlite')!r}"
    return f"from bough.tui.app import run, app\n{{0}}\nraise SystemExit(run.run({given}))"


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    found: list[Terminal] = []
    yield found
    for one in found:
        one.close()


def started(terminals: list[Terminal], code: str) -> Terminal:
    terminal = Terminal(code)
    terminals.append(terminal)
    terminal.wait_for(b"Begin the work")
    return terminal


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_as_a_key_would(
    code: str, terminals: list[Terminal], number: signal.Signals
) -> None:
    terminal = started(terminals, code.format(""))

    terminal.process.send_signal(number)

    assert terminal.wait() == 128 + number
    assert terminal.is_as_it_was
    assert b"Traceback" not in terminal.said


@pytest.mark.parametrize("key", [b"q", b"\x03"])
def test_leaving_gives_the_terminal_back(code: str, terminals: list[Terminal], key: bytes) -> None:
    terminal = started(terminals, code.format(""))

    terminal.press(key)

    assert terminal.wait() == 0
    assert terminal.is_as_it_was


@pytest.mark.parametrize(
    "fault",
    [
        "app.Bough.do_usage = lambda self: 1 // 0",
        "app.Bough.do_usage = lambda self: self.run_worker(lambda: 1 // 0, thread=True)",
        "app.Bough.do_usage = lambda self: self.call_later(lambda: 1 // 0)",
    ],
    ids=["in a key", "in a worker", "in a message"],
)
def test_a_crash_leaves_a_sane_terminal_and_one_sentence(
    code: str, terminals: list[Terminal], fault: str, tmp_path: Path
) -> None:
    terminal = started(terminals, code.format(fault))

    terminal.press(b"5")

    assert terminal.wait() == 1
    assert terminal.is_as_it_was
    left = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", terminal.said)
    assert b"bough has stopped: " in left
    assert b"ZeroDivisionError" in left
    assert b"Traceback" not in left
    kept = next(tmp_path.rglob("crash.txt"))
    assert "ZeroDivisionError" in kept.read_text(encoding="utf-8")


def test_a_closed_terminal_ends_it(code: str, terminals: list[Terminal]) -> None:
    terminal = started(terminals, code.format(""))

    terminal.process.send_signal(signal.SIGHUP)
    os.close(terminal.ours)
    terminal.ours = os.open(os.devnull, os.O_RDONLY)

    assert terminal.process.wait(PATIENCE) is not None


def test_a_terminal_that_is_closed_while_much_is_written_ends_it(
    code: str, terminals: list[Terminal]
) -> None:
    few = "from textual.drivers import _writer_thread\n_writer_thread.MAX_QUEUED_WRITES = 3"
    terminal = started(terminals, code.format(few))

    os.close(terminal.ours)
    terminal.ours = os.open(os.devnull, os.O_RDONLY)
    # A kernel sends both to whom a closed terminal belonged.
    for number in (signal.SIGHUP, signal.SIGCONT):
        terminal.process.send_signal(number)

    assert terminal.process.wait(PATIENCE) == 128 + signal.SIGHUP
