"""The app in a real terminal, from its start to its end, while a session grows."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample import session
from tests.conftest import Home

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux"),
]
PATIENCE = 20.0


class Tmux:
    """One terminal of 80 columns and 24 rows."""

    def __init__(self, socket: str, environ: dict[str, str]) -> None:
        self._socket = socket
        self._environ = environ

    def __call__(self, *words: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *words]
        done = subprocess.run(
            command, env=self._environ, capture_output=True, text=True, check=True, timeout=20
        )
        return done.stdout

    def screen(self) -> str:
        return self("capture-pane", "-p", "-t", "bough")

    def press(self, *keys: str) -> None:
        self("send-keys", "-t", "bough", *keys)

    def wait_for(self, words: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            seen = self.screen()
            if words in seen:
                return seen
            time.sleep(0.05)
        pytest.fail(f"{words!r} did not appear in:\n{self.screen()}")


@pytest.fixture
def tmux(home: Home, tmp_path: Path) -> Iterator[Tmux]:
    environ = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    terminal = Tmux(str(tmp_path / "tmux"), environ)
    terminal("new-session", "-d", "-s", "bough", "-x", "80", "-y", "24", "sh")
    terminal("set-option", "-g", "escape-time", "0")
    yield terminal
    terminal("kill-server")


def start(terminal: Tmux, home: Home, index: Path) -> None:
    given = f"[{str(home.path)!r}], {str(index)!r}"
    code = f"from bough.tui.app.run import run; raise SystemExit(run({given}))"
    terminal.press(f'{sys.executable} -c "{code}"; echo left with $?', "Enter")


def test_a_growing_session_is_followed_and_quitting_gives_the_terminal_back(
    tmux: Tmux, home: Home, tmp_path: Path
) -> None:
    moment = datetime.now(UTC)
    told = session("tmux", start=moment).user("Begin the work").assistant("I begin.")
    with home.writing():
        path = told.write(home.path)
    tmux.press("echo before", "Enter")
    start(tmux, home, tmp_path / "index.sqlite")
    tmux.wait_for("Begin the work")
    tmux.press("g", "s")
    tmux.wait_for("Sessions 1")
    tmux.press("Enter")
    tmux.wait_for("I begin.")
    tmux.press("G")
    tmux.wait_for("following")

    for number in range(5):
        told.user(f"Question {number}").assistant(f"Answer {number}")
        with home.writing():
            path.write_bytes(told.bytes())
        tmux.wait_for(f"Answer {number}")
    tmux.press("t")
    tmux.wait_for("6 turns")
    tmux.press("q")
    after = tmux.wait_for("left with 0")

    assert "echo before" in after
    assert (
        tmux("display-message", "-p", "-t", "bough", "#{alternate_on}#{mouse_any_flag}") == "00\n"
    )


def test_a_crash_leaves_a_sane_terminal_and_a_sentence(
    tmux: Tmux, home: Home, tmp_path: Path
) -> None:
    code = (
        "from bough.tui.app import run, app; "
        "app.Bough.do_usage = lambda self: 1 // 0; "
        f"raise SystemExit(run.run([{str(home.path)!r}], {str(tmp_path / 'i.sqlite')!r}))"
    )
    tmux.press(f'{sys.executable} -c "{code}"; echo left with $?', "Enter")
    tmux.wait_for("Home")
    tmux.press("5")
    after = tmux.wait_for("left with 1")

    assert "bough has stopped: ZeroDivisionError" in after
    assert "Traceback" not in after
    assert (
        tmux("display-message", "-p", "-t", "bough", "#{alternate_on}#{mouse_any_flag}") == "00\n"
    )


def test_control_c_leaves_at_once(tmux: Tmux, home: Home, tmp_path: Path) -> None:
    start(tmux, home, tmp_path / "index.sqlite")
    tmux.wait_for("Home")

    tmux.press("C-c")

    tmux.wait_for("left with 0")
