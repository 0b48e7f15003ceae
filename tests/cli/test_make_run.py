"""`make run`, the first thing a newcomer does, ends with Ctrl-C and no complaint."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.errors import ExitCode

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has neither make nor process groups"),
    pytest.mark.skipif(shutil.which("make") is None, reason="there is no make"),
]

PATIENCE = 60.0


def wait_for(text: str, log: Path, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while text not in log.read_text(encoding="utf-8"):
        assert process.poll() is None, log.read_text(encoding="utf-8")
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
        time.sleep(0.05)


def test_ctrl_c_ends_make_run_without_an_error(root: Path, tmp_path: Path) -> None:
    if not (root / ".venv" / "bin" / "python").exists():
        pytest.skip("there is no .venv, and making one takes minutes")
    log = tmp_path / "log"
    home = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "none")}
    # The page is built already, or this is not what is tested here.
    command = ["make", "--no-print-directory", "--old-file=page", "run"]
    command.append("ARGS=--no-browser --port 0")
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=root,
            env={**os.environ, **home},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_for("bough is at", log, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: make gets it too
        code = process.wait(PATIENCE)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    said = log.read_text(encoding="utf-8").splitlines()
    assert [line.partition(" at ")[0] for line in said] == [
        "There is no history of yours yet, so this one is made up.",
        "bough is",
    ]
    # make ends by the signal itself, which a shell takes for what it is; it has no error to tell.
    assert code in (0, -signal.SIGINT)


INTERRUPTED_EARLY = """
import asyncio.selector_events as loops, os, signal, sys
make_pipe = loops.BaseSelectorEventLoop._make_self_pipe
def make_interrupted(loop):
    os.kill(os.getpid(), signal.SIGINT)
    make_pipe(loop)
loops.BaseSelectorEventLoop._make_self_pipe = make_interrupted
from bough.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def test_ctrl_c_while_the_event_loop_is_made_ends_without_a_word(tmp_path: Path) -> None:
    (tmp_path / "claude" / "projects").mkdir(parents=True)
    words = ["--claude-dir", str(tmp_path / "claude"), "--index", str(tmp_path / "index.sqlite")]
    words += ["web", "--port", "0", "--no-browser"]
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_EARLY, *words],
        env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert ended.returncode == ExitCode.INTERRUPTED
    assert [line.partition(" at ")[0] for line in ended.stderr.splitlines()] == ["bough is"]
