"""Patterns that never end, sent to a real server, a real command and a real watch."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from bough.sample import session
from tests.web.serving import Served
from tests.web_api.asking import ask

ENDLESS = "/(-|-)*:::q/"
TYPED = "X-Bough-Pattern: run"
SEARCH = f"GET /api/search?q={quote(ENDLESS)} HTTP/1.1"


def write_lines(folder: Path) -> Path:
    told = session("lined", cwd="/home/dev/orchard-shop")
    told.user("-:::q is here", name="first").assistant("-" * 60, name="line")
    told.user("--:::q as well", name="last").assistant("Nothing.", name="end")
    claude = folder / "claude"
    told.write(claude)
    return claude


@pytest.fixture
def lined(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    with Served(write_lines(tmp_path), tmp_path) as server:
        server.until(lambda: server.get("/api/search?q=well")["total"] == 1)
        yield server


def test_an_address_alone_runs_no_pattern(lined: Served) -> None:
    status, data = ask(lined, SEARCH)

    assert status == 409
    assert b"pattern_waits" in data
    assert b"Press Enter" in data


def test_a_word_with_slashes_is_no_pattern(lined: Served) -> None:
    assert ask(lined, "GET /api/search?q=/usr/bin HTTP/1.1")[0] == 200


def test_another_site_cannot_say_that_somebody_typed(lined: Served) -> None:
    assert ask(lined, SEARCH, TYPED, "Sec-Fetch-Site: cross-site")[0] == 403


def test_a_pattern_that_never_ends_is_stopped_and_says_what_was_skipped(lined: Served) -> None:
    status, data = ask(lined, SEARCH, TYPED)

    found = msgspec.json.decode(data.partition(b"\r\n\r\n")[2])
    assert status == 200
    assert [hit["snippet"] for hit in found["hits"]] == ["--:::q as well"]
    assert "was not looked at" in found["partial"]
    assert [one["line"] for one in found["skipped"]] == [2]
    assert found["next"] is not None


@pytest.mark.alone
def test_everybody_else_is_answered_meanwhile(lined: Served) -> None:
    paths = ["/api/about", "/api/sessions", "/api/projects", "/api/search?q=well"]
    for path in paths:
        lined.get(path)
    took: list[float] = []
    threads = [threading.Thread(target=ask, args=(lined, SEARCH, TYPED)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for path in paths:
            begun = time.monotonic()
            lined.get(path)
            took.append(time.monotonic() - begun)

    assert len(took) > 40
    # The slowest few are the machine's, where four patterns take all of it.
    assert sorted(took)[int(len(took) * 0.95)] < 0.1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for one process")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_while_a_pattern_runs(
    lined: Served, number: signal.Signals, code: int
) -> None:
    thread = threading.Thread(target=ask_quietly, args=(lined,))
    thread.start()
    time.sleep(0.5)
    begun = time.monotonic()
    ended = lined.end(number)

    assert ended in (code, 0, -number)
    assert time.monotonic() - begun < 10
    assert b"Traceback" not in lined.said
    thread.join()


def ask_quietly(server: Served) -> None:
    try:
        ask(server, SEARCH, TYPED)
    except OSError:
        return


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for one process")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15)])
def test_a_signal_ends_a_command_while_a_pattern_runs(
    tmp_path: Path, nobodys_home: Path, number: signal.Signals, code: int
) -> None:
    asked = ["--claude-dir", str(write_lines(tmp_path)), "--index", str(tmp_path / "i.sqlite")]
    command = [sys.executable, "-m", "bough", "search", ENDLESS, *asked]
    subprocess.run([*command[:3], "index", *asked], check=True, capture_output=True, timeout=60)

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        wait_for_child(child.pid)
        child.send_signal(number)
        _, said = child.communicate(timeout=30)

    assert child.returncode in (code, 128 + number)
    assert b"Traceback" not in said


def wait_for_child(pid: int) -> None:
    """Wait until a process has started one of its own: the one that matches patterns."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        time.sleep(1.0)
        return
    end = time.monotonic() + 60
    while not children.read_text(encoding="utf-8").strip():
        assert time.monotonic() < end, "no pattern is matched"
        time.sleep(0.01)
    time.sleep(0.2)


def test_a_command_says_what_was_skipped(tmp_path: Path, nobodys_home: Path) -> None:
    asked = ["--claude-dir", str(write_lines(tmp_path)), "--index", str(tmp_path / "i.sqlite")]
    command = [sys.executable, "-m", "bough", "search", ENDLESS, "--json", *asked]

    done = subprocess.run(command, check=False, capture_output=True, timeout=60, env={**os.environ})

    found = msgspec.json.decode(done.stdout)
    assert done.returncode == 0
    assert [one["line"] for one in found["skipped"]] == [2]
    assert b"was not looked at: the pattern was stopped there" in done.stderr
