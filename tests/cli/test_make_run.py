"""`make run`, the first thing a newcomer does, ends with Ctrl-C and no complaint."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
