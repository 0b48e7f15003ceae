"""`bough notify` and `watch --notify`: through a real bus, terminal, command and address."""

import json
import os
import pty
import queue
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typing_extensions import override

from bough.sample import SampleSession, session
from tests.cli.screens import ROOT, SPEAKS, piped
from tests.cli.watching import PATIENCE, PROGRAM, Watching
from tests.conftest import Home

pytestmark = [
    pytest.mark.writes_home,
    pytest.mark.skipif(os.name != "posix", reason="needs signals and pseudo-terminals"),
]
needs_bus = pytest.mark.skipif(
    not (shutil.which("dbus-run-session") and shutil.which("gdbus")),
    reason="needs dbus-run-session and gdbus",
)
READY = b"from now on"
ASKS = "Ship <b>it</b> $(touch pwned) `touch pwned`; \\n 'now' & \x1b]0;gone\x07\u202e?"


class Written(NamedTuple):
    """A session on disk that goes on."""

    file: Path
    cwd: str

    def finish(self) -> None:
        self._append(session(f"x{self.file.stem}", cwd=self.cwd).assistant("Done."))

    def ask(self, words: str = ASKS) -> None:
        question = {"questions": [{"question": words, "header": "h", "options": []}]}
        more = session(f"q{self.file.stem}", cwd=self.cwd, start=datetime.now(UTC))
        self._append(more.tool("AskUserQuestion", question, None))

    def _append(self, more: SampleSession) -> None:
        with self.file.open("ab") as file:
            file.write(more.bytes())


def put(home: Home, seed: str = "aaaa", cwd: str = "/home/dev/shop") -> Written:
    builder = session(seed, cwd=cwd, session_id=f"{seed}-0000").user(f"Prompt of {seed}")
    builder.write(home.path)
    return Written(home.projects / builder.project / f"{builder.session_id}.jsonl", cwd)


def listening(home: Home, *words: str, environ: Mapping[str, str] | None = None) -> Watching:
    found = Watching(*words, claude=home.path, environ=environ, command="notify")
    found.until(lambda: READY in found.err)
    return found


class Desktop:
    """A desktop that can be told: its bus, and what it was told."""

    def __init__(self) -> None:
        service = ROOT / "tests" / "cli" / "notification_service.py"
        self._process = subprocess.Popen(
            ["dbus-run-session", "--", sys.executable, str(service)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._lines = self._process.stdout
        address = self._lines.readline().decode().strip()
        assert address
        self._told: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.environ = {"DBUS_SESSION_BUS_ADDRESS": address}

    def next(self) -> list[Any]:
        """Give the next notification; wait for it."""
        try:
            found: list[Any] = json.loads(self._told.get(timeout=PATIENCE))
        except queue.Empty:
            pytest.fail("the desktop was never told")
        return found

    def is_told(self, seconds: float) -> bool:
        """Tell whether something waits to be read, or comes within so many seconds."""
        end = time.monotonic() + seconds
        while self._told.empty() and time.monotonic() < end:
            time.sleep(0.02)
        return not self._told.empty()

    def _read(self) -> None:
        for line in self._lines:
            self._told.put(line)

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._lines.close()


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    found = Desktop()
    yield found
    found.close()


@needs_bus
def test_the_desktop_is_told_by_its_own_service(home: Home, desktop: Desktop) -> None:
    first, second = put(home), put(home, "bbbb", "/home/dev/other")

    with listening(home, environ=desktop.environ) as notify:
        first.ask()
        waits = desktop.next()
        second.finish()
        ends = desktop.next()
        code = notify.end()

    assert code == 130
    assert (waits[0], waits[3]) == ("bough", "shop probably waits for you")
    assert waits[4].startswith("Ship &lt;b&gt;it&lt;/b&gt; $(touch pwned) `touch pwned`; \\n 'now'")
    assert waits[6] == [["urgency", 2]]
    assert (ends[3], ends[6]) == ("other finished", [["urgency", 1]])
    assert not (ROOT / "pwned").exists()
    assert [line[9:] for line in notify.lines][1].startswith("other finished: ")


@needs_bus
def test_watch_tells_the_desktop_of_what_on_names(home: Home, desktop: Desktop) -> None:
    first, second = put(home), put(home, "bbbb", "/home/dev/other")
    words = ("--notify", "--on", "finished", "--since", "2000-01-01")

    with Watching(*words, claude=home.path, environ=desktop.environ) as watching:
        watching.until_says("Prompt of bbbb")
        first.ask()
        watching.until_says("waits for you")
        second.finish()
        told = desktop.next()
        watching.end()

    assert told[3] == "other finished"


@needs_bus
def test_the_web_app_tells_the_desktop_without_a_page_that_is_open(
    home: Home, desktop: Desktop
) -> None:
    sessions = [put(home, f"{number:04}") for number in range(8)]
    assert piped("index", claude=home.path).returncode == 0
    words = ("--no-browser", "--port", "0", "--notify")

    with Watching(*words, claude=home.path, environ=desktop.environ, command="web") as web:
        web.until(lambda: b"bough is at" in web.err)
        # When it has read the past nobody outside can tell, and the past is not told.
        for one in sessions:
            one.finish()
            if desktop.is_told(2.0):
                break
        told = desktop.next()
        web.end()
    while desktop.is_told(0):
        desktop.next()

    assert (told[0], told[3]) == ("bough", "shop finished")


@needs_bus
def test_a_desktop_that_cannot_be_told_is_said_once(home: Home) -> None:
    builder, other = put(home), put(home, "bbbb")
    nobody = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"}

    with listening(home, environ=nobody) as notify:
        builder.finish()
        notify.until(lambda: b"The desktop could not be told: " in notify.err)
        other.finish()
        notify.until(lambda: len(notify.lines) == 2)
        notify.end()

    assert notify.err.count(b"could not be told") == 1


@pytest.mark.parametrize(
    ("words", "environ", "begins"),
    [
        (("--terminal",), {"TERM": "xterm"}, "\x1b]9;shop probably waits for you: Ship <b>it"),
        (("--terminal",), {"TERM": "xterm-kitty"}, "\x1b]99;i=bough:d=0:u=2;shop probably"),
        (("--osc", "777"), {"TMUX": "x"}, "\x1bPtmux;\x1b\x1b]777;notify;shop probably waits"),
    ],
)
def test_a_terminal_is_told_by_its_control_sequence(
    home: Home, words: tuple[str, ...], environ: dict[str, str], begins: str
) -> None:
    builder = put(home)
    ours, theirs = pty.openpty()
    usual = {name: value for name, value in os.environ.items() if name != "TMUX"}
    command = [sys.executable, "-c", PROGRAM, "--claude-dir", str(home.path), "notify", *words]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env={**usual, **SPEAKS, **environ},
    )
    os.close(theirs)
    try:
        read_until(ours, lambda data: READY in data)
        builder.ask()
        end = "\x1b\\" if "i=bough" not in begins else "p=body;"
        data = read_until(ours, lambda data: begins in data.decode("utf-8", "replace"), end)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)
        os.close(ours)

    sent = data.decode()[data.decode().index(begins) :]
    assert "\u202e" not in sent
    assert "\x1b]0;" not in sent
    assert "; \\n" not in sent


def read_until(file: int, is_there: Callable[[bytes], bool], then: str = "") -> bytes:
    """Read a pseudo-terminal until something stands there, and something else behind it."""
    data, end = b"", time.monotonic() + PATIENCE
    while not (is_there(data) and data.decode("utf-8", "replace").count(then) >= 1):
        assert time.monotonic() < end, data
        if select.select([file], [], [], 0.2)[0]:
            data += os.read(file, 4096)
    return data


def test_a_terminal_that_is_none_is_refused(home: Home) -> None:
    put(home)

    done = piped("notify", "--terminal", claude=home.path)

    assert (done.returncode, done.stdout) == (2, "")
    assert "--terminal needs a terminal" in done.stderr


def test_notify_send_gets_its_words_as_arguments(home: Home, tmp_path: Path) -> None:
    builder = put(home)
    programs = tmp_path / "bin"
    programs.mkdir()
    script = f"#!{sys.executable}\nimport json, sys\n"
    script += f"json.dump(sys.argv[1:], open({str(tmp_path / 'part')!r}, 'w'))\n"
    script += f"import os; os.rename({str(tmp_path / 'part')!r}, {str(tmp_path / 'out')!r})\n"
    (programs / "notify-send").write_text(script)
    (programs / "notify-send").chmod(0o755)

    with listening(home, environ={"PATH": str(programs)}) as notify:
        builder.ask()
        notify.until((tmp_path / "out").exists)
        notify.end()

    words = json.loads((tmp_path / "out").read_text())
    assert words[:4] == [
        "--app-name=bough",
        "--urgency=critical",
        "--",
        "shop probably waits for you",
    ]
    assert words[4].startswith(
        "Ship &lt;b&gt;it&lt;/b&gt; $(touch pwned) `touch pwned`; \\\\n 'now'"
    )


def test_a_machine_without_a_desktop_is_told_what_does_without(home: Home, tmp_path: Path) -> None:
    put(home)

    with Watching(claude=home.path, environ={"PATH": str(tmp_path)}, command="notify") as notify:
        code = notify.process.wait(PATIENCE)

    assert code == 1
    assert b"there is no gdbus or notify-send. bough notify --terminal" in notify.err


def test_a_command_gets_the_event_as_that_of_watch_does(home: Home, tmp_path: Path) -> None:
    builder = put(home)
    out = tmp_path / "out"
    run = f'(echo "$BOUGH_EVENT $BOUGH_PROJECT"; cat) > {out}.part; mv {out}.part {out}'

    with listening(home, "--exec", run, "--json", environ={"PATH": "/usr/bin:/bin"}) as notify:
        builder.finish()
        notify.until(out.exists)
        notify.end()

    first, second = out.read_text().splitlines()
    assert first == "finished shop"
    assert json.loads(second)["state"] == "finished"
    (told,) = notify.events
    assert (told["kind"], told["heading"], told["sessions"]) == ("finished", "shop finished", 1)
    assert told["session"] == "aaaa-0000"


def test_only_the_project_and_the_kind_that_were_asked_for(home: Home) -> None:
    first, second = put(home), put(home, "bbbb", "/home/dev/other")
    third = put(home, "cccc", "/home/dev/other")

    with listening(
        home, "--exec", "true", "--only", "other", "--on", "waiting", "--json"
    ) as notify:
        first.ask()
        second.finish()
        third.ask()
        notify.until(lambda: len(notify.lines) > 0)
        notify.end()

    assert [(one["session"], one["kind"]) for one in notify.events] == [("cccc-0000", "waiting")]


class Posted(BaseHTTPRequestHandler):
    """Takes what is posted."""

    bodies: list[dict[str, object]] = []  # noqa: RUF012 - of the one test that serves it

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.bodies.append(json.loads(self.rfile.read(size)))
        # Whoever followed it would ask again, with a GET that is not known here.
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    @override
    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_webhook_gets_json_and_stderr_says_that_it_leaves_the_machine(home: Home) -> None:
    builder = put(home)
    token = "ghp_" + "".join(chr(97 + (7 * n) % 26) + str(n % 10) for n in range(18))
    with HTTPServer(("127.0.0.1", 0), Posted) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/hook"
        with listening(home, "--webhook", address) as notify:
            builder.ask(f"Use {token}?")
            notify.until(lambda: b"The webhook answered 302." in notify.err)
            notify.end()
        server.shutdown()

    assert b"What is told leaves this machine: it is sent to 127.0.0.1" in notify.err
    (told,) = Posted.bodies
    assert told["heading"] == "shop probably waits for you"
    assert str(told["text"]).startswith("Use [hidden: ")
    assert token not in json.dumps(told)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("notify", "--on", "boredom", "--exec", "true"), "--on takes no boredom"),
        (("notify", "--webhook", "file:///etc/passwd"), "--webhook takes an address that begins"),
        (
            ("watch", "--notify", "--on", "interrupted"),
            "--notify tells waiting, finished, error and budget",
        ),
        (("web", "--quiet", "22:00-08:00"), "--quiet is for --notify"),
    ],
)
def test_misuse_is_a_sentence(home: Home, words: tuple[str, ...], says: str) -> None:
    done = piped(*words, claude=home.path)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="plans the service of systemd")
def test_in_the_background_it_runs_as_it_was_installed(home: Home, tmp_path: Path) -> None:
    builder = put(home)
    out = tmp_path / "out"
    words = ("--on", "finished", "--only", "shop", "--exec", f'echo "$BOUGH_EVENT" > "{out}"')
    nowhere = {"PATH": str(tmp_path)}  # no systemctl here: nobody's services are touched

    shown = piped("notify", "install", *words, "--dry-run", claude=home.path, environ=nowhere)
    assert shown.stdout.splitlines()[-1] == "systemctl --user enable --now bough-notify.service"
    done = piped("notify", "uninstall", "--dry-run", environ=nowhere)
    assert (done.stdout, done.stderr) == ("", "Nothing is installed.\n")
    done = piped("notify", "install", *words, claude=home.path, environ=nowhere)
    (line,) = piped("notify", "uninstall", "--dry-run", environ=nowhere).stdout.splitlines()

    assert done.returncode == 0
    assert "systemctl --user enable --now bough-notify.service" in done.stderr
    start = next(
        text for text in Path(line).read_text().splitlines() if text.startswith("ExecStart=")
    )
    command = shlex.split(start.removeprefix("ExecStart=").replace("$$", "$"))
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as service:
        assert service.stderr is not None
        while READY not in service.stderr.readline():
            assert service.poll() is None
        builder.finish()
        end = time.monotonic() + PATIENCE
        while not (out.exists() and out.read_text()):
            assert time.monotonic() < end
            time.sleep(0.05)
        service.terminate()
        code = service.wait(PATIENCE)
    assert out.read_text() == "finished\n"
    assert code == 130
    assert piped("notify", "uninstall", environ=nowhere).returncode == 0
    assert not Path(line).exists()


def test_options_before_install_are_refused(home: Home) -> None:
    put(home)

    done = piped("notify", "--on", "waiting", "install", claude=home.path)

    assert done.returncode == 2
    assert "Options go behind the command" in done.stderr


def test_nobody_is_waited_for_in_the_background_who_is_not_there(
    home: Home, tmp_path: Path
) -> None:
    put(home)

    done = piped(
        "notify", "install", "--exec", "true", "--only", "nonsense", "-n", claude=home.path
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert "nonsense" in done.stderr
