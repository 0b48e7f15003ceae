"""A program in a terminal that we play: its keys are pressed, its output is read.

This part needs pseudo-terminals, and for the time of the processor Linux.
"""

import contextlib
import os
import pty
import select
import subprocess
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

_CPU_CLOCK = 2


def make_environment(folder: Path) -> dict[str, str]:
    """Name places in one folder for all that a person has: settings, data, history."""
    return {
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "BOUGH_INDEX": "",
    }


class Terminal:
    """The app in a terminal that we play."""

    def __init__(
        self,
        *command: str,
        variables: Mapping[str, str] | None = None,
        size: tuple[int, int] = (40, 120),
    ) -> None:
        """Start a command; `variables` of its environment are others than ours."""
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, size)
        environ = (
            os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | dict(variables or {})
        )
        self.started_at = perf_counter()
        self._child = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ
        )
        os.close(theirs)
        self._seen = b""

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self._ours, keys)

    def wait_for(self, words: bytes, patience: float = 20.0) -> bool:
        """Read until some words come; what came before them is forgotten."""
        end = perf_counter() + patience
        while words not in self._seen:
            left = end - perf_counter()
            if left <= 0 or not select.select([self._ours], [], [], left)[0]:
                return False
            self._seen = self._seen[-4096:] + os.read(self._ours, 1 << 16)
        self._seen = self._seen.split(words, 1)[1]
        return True

    def listen(self, seconds: float) -> None:
        """Take what comes, for a while."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            if select.select([self._ours], [], [], left)[0]:
                os.read(self._ours, 1 << 16)

    def wait_for_paint(self, least: int, patience: float = 5.0) -> bool:
        """Read until so many bytes came: less than that is a word in a corner."""
        end, got = perf_counter() + patience, 0
        while got < least:
            left = end - perf_counter()
            if left <= 0 or not select.select([self._ours], [], [], left)[0]:
                return False
            got += len(os.read(self._ours, 1 << 16))
        return True

    def settle(self, quiet: float, patience: float = 10.0) -> tuple[float, float] | None:
        """Read until nothing came for a while; give when the first and the last came, if any."""
        end = perf_counter() + patience
        first = last = 0.0
        while select.select([self._ours], [], [], min(quiet, max(0.0, end - perf_counter())))[0]:
            os.read(self._ours, 1 << 16)
            last = perf_counter()
            first = first or last
        return (first, last) if first else None

    @property
    def pid(self) -> int:
        """Name the app's process."""
        return self._child.pid

    @property
    def cpu(self) -> float:
        """Give the seconds of the processor that the process and its threads took, on Linux."""
        return time.clock_gettime((~self.pid << 3) | _CPU_CLOCK)

    def close(self, patience: float = 5.0) -> None:
        """End the app; what it still writes is read, for it waits for that."""
        self._child.terminate()
        end = perf_counter() + patience
        while self._child.poll() is None and perf_counter() < end:
            with contextlib.suppress(OSError):  # it has closed its end
                if select.select([self._ours], [], [], 0.02)[0]:
                    os.read(self._ours, 1 << 16)
        if self._child.poll() is None:
            self._child.kill()
        self._child.wait()
        os.close(self._ours)
