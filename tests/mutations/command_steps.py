"""Mutated sessions through the commands: lists and sums as processes, each session within ours."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Final

from bough.cli.main import run
from tests.mutations.tally import Tally

_REPORTS: Final = {
    "usage": (
        *("daily", "weekly", "monthly", "session", "project", "model", "agent", "branch"),
        "blocks",
    ),
    "stats": (
        *("tools", "hooks", "errors", "agents", "models", "compactions", "files", "activity"),
    ),
}
_COMMANDS: Final[tuple[tuple[str, ...], ...]] = (
    ("index",),
    ("sessions",),
    ("sessions", "--json"),
    ("conversations",),
    ("conversations", "--json"),
    ("projects",),
    ("projects", "--json"),
    ("status", "--since", "300d"),
    ("status", "--since", "300d", "--json"),
    ("status", "--line"),
    ("stats",),
    *((name, report) for name, reports in _REPORTS.items() for report in reports),
    *((name, report, "--json") for name, reports in _REPORTS.items() for report in reports),
    ("usage", "daily", "--no-index"),
    ("search", "tree"),
    ("search", "tree", "--json", "--newest"),
    ("search", "/o.+d/ is:error"),
    ("search", "branch:active after:2020-01-01 orchard OR script"),
    ("find", "orchard"),
    ("sql", "select * from record_json limit 50"),
    ("sql", "select * from session", "--json"),
)
_PATIENCE: Final = 300.0
FINE: Final = (0, 1)


def run_commands(claude_dir: Path, index: Path, tally: Tally, *, is_apart: bool = True) -> None:
    """Run every command that reads a whole history, each in a process of its own or here."""
    run_one = _run_process if is_apart else _run_timed
    for words in _COMMANDS:
        arguments = ["--claude-dir", str(claude_dir), "--index", str(index), *words]
        seconds, code, said = run_one(arguments)
        tally.add(" ".join(["bough", *words]), seconds, judge(code, said))


def run_session_commands(path: Path, tally: Tally) -> None:
    """Run the commands that read one session, in this process."""
    for words in (
        ("show", "--full", "--all"),
        ("show", "--json"),
        ("show", "--raw"),
        ("tree",),
        ("tree", "--json"),
        ("doctor",),
        ("doctor", "--json"),
    ):
        seconds, code, said = _run_timed([words[0], str(path), *words[1:]])
        step = " ".join(("bough", *words, path.stem[:8]))
        tally.add(step, seconds, judge(code, said))


def run_here(arguments: Sequence[str]) -> tuple[int, str]:
    """Run a command line within this process; give its code and what it complained of."""
    out = TextIOWrapper(BytesIO(), encoding="utf-8")
    errors = TextIOWrapper(BytesIO(), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(errors):
        code = run(arguments)
        errors.flush()
    return code, errors.buffer.getvalue().decode()


def judge(code: int, said: str) -> str | None:
    """Say what is wrong with the end of a command, if anything."""
    if code not in FINE or "error of its own" in said or "Traceback" in said:
        return f"code {code}: {said.strip()[-600:]}"
    return None


def _run_timed(arguments: Sequence[str]) -> tuple[float, int, str]:
    """Run a command within this process; give what `_run_process` gives."""
    began = time.process_time()
    code, said = run_here(arguments)
    return time.process_time() - began, code, said


def _run_process(arguments: Sequence[str]) -> tuple[float, int, str]:
    """Run a command; give the seconds it had of the processor, its code and its complaints."""
    before = os.times()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bough", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "BOUGH_DEBUG": "1"},
            check=False,
            timeout=_PATIENCE,
        )
        code, said = done.returncode, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        code, said = -1, "it did not end"
    after = os.times()
    seconds = after.children_user - before.children_user
    return seconds + after.children_system - before.children_system, code, said
