"""Shells on terminals of their own: what stands on the line after Tab was pressed."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

_PATIENCE = 60.0
_MARKS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07|[\x07\r]")


def find_shell(name: str) -> str:
    """Give the shell's place; a test is skipped where there is none."""
    place = shutil.which(name)
    if place is None:
        pytest.skip(f"{name} is not installed here")
    return place


class Typist:
    """Types into a shell and reads what it shows."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self.shown = ""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def wait_for(self, text: str) -> str:
        """Wait until a text is shown, and give all that was shown until then."""
        end = time.monotonic() + _PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self._terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise AssertionError(f"{text!r} was not shown, but {self.shown!r}")
            self.shown += _MARKS.sub("", os.read(self._terminal, 65_536).decode("utf-8", "replace"))
        found, self.shown = self.shown, ""
        return found


@contextmanager
def open_shell(*words: str, environ: Mapping[str, str], cwd: Path) -> Iterator[Typist]:
    """Start an interactive shell, and end it."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=cwd,
        env={**os.environ, **environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    try:
        yield Typist(ours)
    finally:
        running.kill()
        running.wait(30)
        os.close(ours)
