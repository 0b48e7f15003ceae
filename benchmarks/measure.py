"""Run a command and say what it cost.

Wall time runs from just before the start to the exit; CPU time is that of the command and
of every process it waited for, as the kernel counts it. Peak memory is the resident
memory of the whole process tree, summed and sampled every 20 ms, never less than the
kernel's own peak of the largest process. Pages that processes share are counted once for
each, so for a tree of several processes the number is an upper bound.

Two sides are measured in turn, and who goes first changes every round: a machine that
gets busier or slower hits both.
"""

import math
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

_SAMPLE_SECONDS = 0.02
# Linux counts a process's peak in KiB, macOS in bytes.
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
_STDERR_KEPT = 2000
_SIZE = re.compile(rb"(?m)^Vm(RSS|HWM):\s+(\d+) kB")


class BenchmarkError(Exception):
    """Say why a benchmark could not be run."""


class Command(Struct, frozen=True):
    """What to run; the environment is exactly `env`, nothing is inherited."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path
    seconds: float = 1800.0


class Run(Struct, frozen=True):
    """What one run cost: seconds, seconds of CPU, bytes at the peak."""

    wall: float
    cpu: float
    peak: int
    status: int
    output: bytes
    complaint: str


class Series(Struct, frozen=True):
    """Several runs of one command."""

    runs: tuple[Run, ...]

    @property
    def wall(self) -> float:
        """Give the median wall time in seconds."""
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        """Give the median CPU time in seconds."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak(self) -> int:
        """Give the largest peak: memory is a promise, not an average."""
        return max(run.peak for run in self.runs)

    @property
    def spread(self) -> tuple[float, float]:
        """Give the fastest and the slowest wall time."""
        walls = [run.wall for run in self.runs]
        return min(walls), max(walls)


class Side(Struct, frozen=True):
    """One of the things compared: its command, what goes before and after each run."""

    name: str
    command: Command
    before: Callable[[], None]
    after: Callable[[], None]


def run(command: Command) -> Run:
    """Run a command once, to its end, and measure it."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaint:
        started = time.perf_counter()
        process = subprocess.Popen(
            command.argv,
            env=dict(command.env),
            cwd=command.folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=complaint,
            start_new_session=True,
        )
        with _Watch(process.pid, command.seconds) as watch:
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if watch.too_long:
            words = " ".join(command.argv)
            raise BenchmarkError(f"stopped after {command.seconds:.0f} s: {words}")
        output.seek(0)
        complaint.seek(0)
        return Run(
            wall=wall,
            cpu=usage.ru_utime + usage.ru_stime,
            peak=_peak(watch.peak, usage.ru_maxrss),
            status=process.returncode,
            output=output.read(),
            complaint=complaint.read().decode("utf-8", "replace")[-_STDERR_KEPT:],
        )


def alternate(sides: Sequence[Side], rounds: int) -> list[Series]:
    """Run every side once per round, the first one last in every second round."""
    runs: list[list[Run]] = [[] for _ in sides]
    for turn in range(rounds):
        order = range(len(sides)) if turn % 2 == 0 else reversed(range(len(sides)))
        for index in order:
            side = sides[index]
            side.before()
            try:
                runs[index].append(checked(side.command))
            finally:
                side.after()
    return [Series(tuple(found)) for found in runs]


def checked(command: Command) -> Run:
    """Run a command once; raise with its last words if it fails."""
    found = run(command)
    if found.status != 0:
        words = found.complaint.strip() or "nothing on stderr"
        raise BenchmarkError(f"{' '.join(command.argv)} gave {found.status}: {words}")
    return found


def own_peak() -> int:
    """Give this process's own peak in bytes; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_bytes()
    except OSError:
        return 0
    return int(dict(_SIZE.findall(status)).get(b"HWM", 0)) * 1024


def used_cpu(pid: int) -> float:
    """Give the seconds of CPU time that a process has used; 0 where there is no /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], share: float) -> float:
    """Give the smallest value that `share` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def evict(files: Sequence[Path]) -> None:
    """Drop the files from the page cache, where the system can."""
    if not hasattr(os, "posix_fadvise"):
        raise BenchmarkError("this system cannot drop files from the page cache")
    for path in files:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)


def read_once(files: Sequence[Path]) -> None:
    """Bring the files into the page cache."""
    buffer = memoryview(bytearray(1 << 20))
    for path in files:
        with path.open("rb", buffering=0) as handle:
            while handle.readinto(buffer):
                pass


class _Watch:
    """Sample the memory of a process tree from a thread, and stop what runs too long."""

    def __init__(self, pid: int, seconds: float) -> None:
        self.peak = 0
        self.too_long = False
        self._pid = pid
        self._deadline = time.monotonic() + seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)

    def __enter__(self) -> "_Watch":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._done.set()
        self._thread.join()
        if kind is not None:
            # Interrupted: the group is ours, made by start_new_session.
            _stop_group(self._pid)

    def _loop(self) -> None:
        while not self._done.wait(_SAMPLE_SECONDS):
            self.peak = max(self.peak, _resident(self._pid))
            if time.monotonic() > self._deadline:
                self.too_long = True
                _stop_group(self._pid)
                return


def _stop_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _peak(sampled: int, counted: int) -> int:
    """Choose between what was sampled and what the kernel counted, in its own unit.

    The kernel starts a child's count at the size of the process that started it, so a
    count that does not exceed our own says nothing, unless there is nothing else.
    """
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sampled and counted <= own:
        return sampled
    return max(sampled, counted * _MAXRSS_UNIT)


def _resident(root: int) -> int:
    """Sum the memory of a process and all below it; 0 where there is no /proc.

    One process's own peak may lie between two samples; the kernel remembers it.
    """
    total = highest = 0
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            sizes = dict(_SIZE.findall(Path(f"/proc/{pid}/status").read_bytes()))
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += [int(child) for child in (task / "children").read_bytes().split()]
        except OSError:
            # Gone between two looks, or no such file system.
            continue
        total += int(sizes.get(b"RSS", 0)) * 1024
        highest = max(highest, int(sizes.get(b"HWM", 0)) * 1024)
    return max(total, highest)
