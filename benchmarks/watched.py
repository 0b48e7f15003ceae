"""Run `bough watch` beside writers and note when each record comes out of it.

A record is out when the line that shows it has been read from the pipe. What a process
costs while it runs is read from /proc, so this part needs Linux.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

# Lines say a record by the mark in its text; a failed call is named again by its end.
_MARK = re.compile(rb"(mark|call)-([0-9a-f-]{36})")
_FIELD = re.compile(rb'"(uuid)":"([0-9a-f-]{36})"')
# The title of a session may be a prompt with a mark in it.
_HEADING = re.compile(rb"(?m)^(?:\x1b\[\d+m)?\xe2\x95\x8c.*")
_TICKS = os.sysconf("SC_CLK_TCK")
_REPOSITORY = Path(__file__).resolve().parents[1]


class Seen(Struct, frozen=True):
    """A record that came out: its uuid and when."""

    uuid: str
    at: int
    again: bool = False
    """It may well have been named before."""


class Outcome(Struct, frozen=True):
    """What became of the written records: delays in seconds, and what went wrong."""

    delays: list[float]
    lost: int
    twice: int
    disordered: int


class Watched:
    """A running `bough watch`."""

    def __init__(self, claude_dir: Path, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        self.seen: list[Seen] = []
        self._mark = _FIELD if "--json" in arguments else _MARK
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "bough", "--claude-dir", str(claude_dir)),
                *("watch", "--since", "1h", *arguments),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_REPOSITORY,
            env={**os.environ, **env},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Give the process's number."""
        return self._process.pid

    def cpu(self) -> float:
        """Give the seconds of CPU it took so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self) -> int:
        """Give its resident memory in bytes."""
        text = Path(f"/proc/{self.pid}/status").read_text("ascii")
        found = re.search(r"(?m)^VmRSS:\s+(\d+) kB", text)
        return int(found[1]) * 1024 if found else 0

    def threads_and_files(self) -> tuple[int, int]:
        """Count its threads and open files."""
        folder = Path(f"/proc/{self.pid}")
        return len(list((folder / "task").iterdir())), len(list((folder / "fd").iterdir()))

    def stop(self) -> int:
        """End it; give its exit code."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(20)
        self._reader.join(20)
        return code

    def wait_for(self, count: int, seconds: float) -> None:
        """Wait until so many records came out, but not for ever."""
        end = time.monotonic() + seconds
        while len(self.seen) < count and time.monotonic() < end:
            time.sleep(0.05)

    def _read(self) -> None:
        stream = self._process.stdout
        if stream is None:
            return
        rest = b""
        while data := os.read(stream.fileno(), 1 << 20):
            at = time.monotonic_ns()
            rest += data
            whole, end, rest = rest.rpartition(b"\n")
            if end:
                for found in self._mark.finditer(_HEADING.sub(b"", whole)):
                    self.seen.append(Seen(found[2].decode(), at, found[1] == b"call"))


def compare(notes: Path, seen: Sequence[Seen]) -> Outcome:
    """Hold what came out against what was written."""
    written = [line.split() for line in notes.read_text("ascii").splitlines()]
    order: dict[str, list[str]] = {}
    began = {identity: int(at) for _, identity, at in written}
    session_of = {identity: session for session, identity, _ in written}
    delays, times = [], dict.fromkeys(began, 0)
    for one in seen:
        if one.uuid not in began:
            continue
        if one.again and times[one.uuid]:
            continue
        times[one.uuid] += 1
        if times[one.uuid] == 1:
            delays.append((one.at - began[one.uuid]) / 1e9)
            order.setdefault(session_of[one.uuid], []).append(one.uuid)
    wanted: dict[str, list[str]] = {}
    for session, identity, _ in written:
        wanted.setdefault(session, []).append(identity)
    disordered = sum(
        [u for u in wanted[session] if times[u]] != found for session, found in order.items()
    )
    return Outcome(
        delays,
        sum(1 for count in times.values() if not count),
        sum(1 for count in times.values() if count > 1),
        disordered,
    )
