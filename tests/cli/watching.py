"""`bough watch` as a process, with what it wrote so far."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from tests.cli.screens import ROOT, SPEAKS

PATIENCE = 20.0
# A background job, as the tests may be, makes its children ignore Ctrl-C.
PROGRAM = """
import signal, sys
from bough.cli.main import run
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(run(sys.argv[1:]))
"""


class Watching:
    """A watch that runs until it is ended."""

    def __init__(
        self,
        *words: str,
        claude: Path,
        environ: Mapping[str, str] | None = None,
        command: str = "watch",
    ) -> None:
        self.out = b""
        self.err = b""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "--claude-dir", str(claude), command, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **SPEAKS, **(environ or {})},
        )
        self._readers = [
            threading.Thread(target=self._read, args=(name,), daemon=True)
            for name in ("out", "err")
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> "Watching":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    @property
    def lines(self) -> list[str]:
        """Give the whole lines it wrote."""
        return self.out.decode().splitlines() if self.out.endswith(b"\n") else self._whole()

    @property
    def events(self) -> list[dict[str, object]]:
        """Give the events it wrote as JSON."""
        return [msgspec.json.decode(line) for line in self.lines]

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for something to be true of what it wrote."""
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end or (self.process.poll() is not None and not done()):
                raise AssertionError(f"never came: {self.out[-2000:]!r} {self.err[-2000:]!r}")
            time.sleep(0.01)

    def until_says(self, text: str) -> None:
        """Wait until it wrote something."""
        self.until(lambda: text.encode() in self.out)

    def end(self, number: int = signal.SIGINT) -> int:
        """End it with a signal; give its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)
        return code

    def _whole(self) -> list[str]:
        return self.out.rpartition(b"\n")[0].decode().splitlines()

    def _read(self, name: str) -> None:
        stream = getattr(self.process, f"std{name}")
        while data := os.read(stream.fileno(), 65_536):
            setattr(self, name, getattr(self, name) + data)
