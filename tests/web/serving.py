"""`bough web` as a process of its own, on a free port of this machine."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from tests.cli.fork_server import HAS_FORKS, ForkedProcess
from tests.cli.screens import start_now

PATIENCE = 30.0
_SHARES = 16
_ADDRESS = re.compile(rb"https?://[^\s/]+")
_TOKEN = re.compile(r'<meta name="bough-token" content="([^"]*)"')


class Served:
    """A server that runs until it is ended."""

    def __init__(
        self,
        claude: Path,
        folder: Path,
        *,
        python: Path | str = sys.executable,
        environment: Mapping[str, str] | None = None,
        words: tuple[str, ...] = (),
        ready: bool = True,
        patience: float = PATIENCE,
        is_named: bool = True,
    ) -> None:
        self.claude = claude
        self.folder = folder
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.said = b""
        self._python = python
        self._is_plain = python == sys.executable and environment is None
        self._environment = dict(environment or os.environ)
        self._words = words
        self._ready = ready
        self._is_named = is_named
        self._patience = patience
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None

    def __enter__(self) -> "Served":
        try:
            self.start()
            if self._ready:
                self.read_them()
        except BaseException:  # who could not enter does not leave either
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        places = ["--index", str(self.folder / "index.sqlite")]
        if self._is_named:
            places += ["--claude-dir", str(self.claude)]
        web = ["web", "--port", str(self.port), "--no-browser", *self._words]
        self._process = self._start_process(*places, *web)
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        self.until(lambda: _ADDRESS.search(self.said) is not None)
        self.until(self._answers)

    def _start_process(self, *words: str) -> "subprocess.Popen[bytes] | ForkedProcess":
        """Start an interpreter where one is named or has its own environment, and fork else."""
        environ = {**self._environment, **self._own_places(), **self._own_folder()}
        if HAS_FORKS and self._is_plain:
            return start_now(*words, environ=environ, folder=self.folder)
        return subprocess.Popen(
            [str(self._python), "-m", "bough", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=environ,
        )

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait(PATIENCE)
        self._process = None

    def end(self, number: int) -> int:
        """End it with a signal; give its exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(PATIENCE)

    def read_them(self) -> None:
        """Say yes to the first run, and wait for the index."""
        self.post("/api/ready")
        self.until(lambda: self.get("/api/about")["index"]["state"] == "ready")

    @property
    def pid(self) -> int:
        """Give the number of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def token(self) -> str:
        """Give the token of this start, as the page gets it."""
        with urlopen(self.address) as answer:
            match = _TOKEN.search(answer.read().decode())
        assert match is not None
        return match[1]

    def get(self, path: str) -> Any:
        """Ask for JSON."""
        with urlopen(self.address + path, timeout=PATIENCE) as answer:
            return msgspec.json.decode(answer.read())

    def post(self, path: str, body: object = None) -> Any:
        """Send something that writes, with the token."""
        headers = {"X-Bough-Token": self.token, "Content-Type": "application/json"}
        data = msgspec.json.encode(body or {})
        request = Request(self.address + path, data=data, headers=headers, method="POST")
        with urlopen(request, timeout=PATIENCE) as answer:
            return msgspec.json.decode(answer.read())

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for something to be true of the server."""
        end = time.monotonic() + self._patience
        while not done():
            ended = self._process is None or self._process.poll() is not None
            if ended or time.monotonic() > end:
                raise AssertionError(f"bough web did not do it: {self.said[-3000:].decode()}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            self.get("/api/about")
        except HTTPError:  # it answers, if only to ask for its token
            return True
        except (URLError, ConnectionError):
            return False
        return True

    @property
    def choices(self) -> Path:
        """Name the file of what is chosen in the apps."""
        return self.folder / "data" / "bough" / "settings.json"

    @property
    def config(self) -> Path:
        """Name the settings file that a person writes."""
        return self.folder / "config" / "bough" / "config.toml"

    def _own_places(self) -> dict[str, str]:
        """Keep whatever it remembers between starts beside its index."""
        home = str(self.folder)
        return {"HOME": home, "USERPROFILE": home, "XDG_DATA_HOME": f"{home}/data"} | {
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_STATE_HOME": f"{home}/state",
            "XDG_CACHE_HOME": f"{home}/cache",
        }

    def _own_folder(self) -> dict[str, str]:
        return {} if self._is_named else {"CLAUDE_CONFIG_DIR": str(self.claude)}

    def _read(self, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        assert process.stderr is not None
        with process.stderr as stream:
            while data := os.read(stream.fileno(), 65_536):
                self.said += data


def free_port() -> int:
    """Find a port that nobody uses, and no other worker of these tests finds meanwhile."""
    mine = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SHARES
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        # Linux gives odd ones to who asks for any, so the last bit tells nothing.
        if port // 2 % _SHARES == mine:
            return port
