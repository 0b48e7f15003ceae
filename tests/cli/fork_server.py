"""Commands in processes that begin where the imports end.

An interpreter that starts and imports bough takes longer than most commands do, and these tests
run more than a thousand of them. So one process imports everything, and every command is a fork
of it: a process of its own, with its own environment, folder, pipes and exit code.
`test_fork_server.py` holds that each command answers as it does in an interpreter of its own.
"""

import atexit
import contextlib
import gc
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import IO

import msgspec

HAS_FORKS = hasattr(os, "pidfd_open") and hasattr(socket, "SOCK_SEQPACKET")
"""Whether this system has what the server needs; Linux does."""
LARGEST = 100_000
"""So many bytes of words and environment fit into one message to the server."""
_CONTROL = 3
_LOADED = (
    "cli",
    "terminal",
    "library",
    "export",
    "timetravel",
    "query",
    "archive",
    "sample",
    "team",
    "web",
)

Run = Callable[[Sequence[str]], int]


class Asked(msgspec.Struct):
    """What a command is started with; its pipes travel beside it."""

    words: list[str]
    environ: dict[str, str]
    folder: str
    is_clock_stopped: bool = True


class ForkServer:
    """The process of which commands are forks."""

    def __init__(self, program: str, environ: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=Path(__file__).parents[2],
                env=dict(environ),
            )
        atexit.register(self.end)

    def end(self) -> None:
        """End it, and wait for that."""
        self._control.close()
        self._process.wait(10)

    def run(self, asked: Asked, timeout: float) -> tuple[int, bytes, bytes]:
        """Run a command; give its exit code and what it wrote."""
        out, their_out = os.pipe()
        running = self.start(asked, their_out)
        with os.fdopen(out, "rb", 0) as stdout, running.stderr as stderr:
            written = _read_all(stdout.fileno(), stderr.fileno(), running.pid, timeout)
            return running.wait(timeout), *written

    def start(self, asked: Asked, stdout: int) -> "ForkedProcess":
        """Start a command that writes to a file of its own, which is closed here."""
        err, their_err = os.pipe()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            pipes = [stdout, their_err, theirs.fileno()]
            with self._lock:
                socket.send_fds(self._control, [msgspec.json.encode(asked)], pipes)
        os.close(stdout)
        os.close(their_err)
        return ForkedProcess(ours, os.fdopen(err, "rb", 0))


class ForkedProcess:
    """A command that is a fork; it has what a process has that was started."""

    def __init__(self, teller: socket.socket, stderr: IO[bytes]) -> None:
        self._teller = teller
        self._code: int | None = None
        self.stderr = stderr
        self.pid = int(teller.recv(64))

    def poll(self) -> int | None:
        """Give its exit code if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self._code

    def wait(self, timeout: float) -> int:
        """Wait for its end; give its exit code."""
        if self._code is None:
            if not select.select([self._teller], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            self._code = int(self._teller.recv(64))
            self._teller.close()
        return self._code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is there."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def _read_all(out: int, err: int, pid: int, timeout: float) -> tuple[bytes, bytes]:
    found = {out: b"", err: b""}
    until = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for number in found:
            selector.register(number, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, until - time.monotonic()))
            if not ready:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)
                raise subprocess.TimeoutExpired(str(pid), timeout, found[out], found[err])
            for key, _ in ready:
                data = os.read(key.fd, 1 << 20)
                found[key.fd] += data
                if not data:
                    selector.unregister(key.fd)
    return found[out], found[err]


def serve(run: Run, stop_clock: Callable[[], None], control: int) -> None:
    """Fork for everybody who asks, until nobody is left who could."""
    load_everything()
    gc.freeze()
    running: dict[int, tuple[int, socket.socket]] = {}
    selector = selectors.DefaultSelector()
    with socket.socket(fileno=control) as door:
        selector.register(door, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not door:
                    selector.unregister(key.fd)
                    _say_how_it_ended(*running.pop(key.fd))
                    os.close(key.fd)
                    continue
                data, fds, _, _ = socket.recv_fds(door, LARGEST * 2, 3)
                if not data:
                    return
                pid = os.fork()
                if pid == 0:
                    asked = msgspec.json.decode(data, type=Asked)
                    if asked.is_clock_stopped:
                        stop_clock()
                    _be_the_command(run, asked, fds)
                os.close(fds[0])
                os.close(fds[1])
                teller = socket.socket(fileno=fds[2])
                teller.send(str(pid).encode())
                ended = os.pidfd_open(pid)
                running[ended] = pid, teller
                selector.register(ended, selectors.EVENT_READ)


def _say_how_it_ended(pid: int, teller: socket.socket) -> None:
    _, status = os.waitpid(pid, 0)
    with teller, contextlib.suppress(OSError):
        teller.send(str(os.waitstatus_to_exitcode(status)).encode())


def _be_the_command(run: Run, asked: Asked, fds: Sequence[int]) -> None:
    """Do what an interpreter does that was started with these words; do not return."""
    code = 1
    try:
        os.dup2(fds[0], 1)
        os.dup2(fds[1], 2)
        os.closerange(_CONTROL, 256)
        os.environ.clear()
        os.environ.update(asked.environ)
        time.tzset()
        os.chdir(asked.folder)
        sys.argv = ["-c", *asked.words]
        code = run(asked.words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - a child must not go on as its parent
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


@cache
def load_everything() -> None:
    """Import what commands import when they are called."""
    for name in _LOADED:
        package = import_module(f"bough.{name}")
        for found in walk_packages(package.__path__, f"bough.{name}."):
            import_module(found.name)
