"""Which files changed: told by the system, or found by looking."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bough.files import watcher as module
from bough.files.watcher import Watcher, is_polling_requested
from tests.conftest import Home

pytestmark = pytest.mark.writes_home

PATIENCE = 10.0


@pytest.fixture(params=["notified", "polling"])
def open_watch(request: pytest.FixtureRequest, home: Home) -> Iterator[Callable[[], Watcher]]:
    opened: list[Watcher] = []

    def opening() -> Watcher:
        roots = [home.projects, home.path / "sessions"]
        opened.append(Watcher(roots, polling=request.param == "polling"))
        return opened[-1]

    yield opening
    for one in opened:
        one.close()


def until(watch: Watcher, wanted: Path) -> set[str]:
    """Wait until a path is told of."""
    told: set[str] = set()
    end = time.monotonic() + PATIENCE
    while str(wanted) not in told and time.monotonic() < end:
        told |= watch.wait(0.5)
    return told


def deaf(pause: float) -> set[str]:
    """Hear nothing, as on a network disk."""
    time.sleep(min(pause, 0.05))
    return set()


def write(path: Path, data: bytes = b"{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_an_append_is_told(home: Home, open_watch: Callable[[], Watcher]) -> None:
    path = write(home.projects / "-p" / "s.jsonl")
    watch = open_watch()

    with path.open("ab") as file:
        file.write(b"{}\n")

    assert until(watch, path) == {str(path)}


def test_nothing_is_told_when_nothing_happens(
    home: Home, open_watch: Callable[[], Watcher]
) -> None:
    write(home.projects / "-p" / "s.jsonl")
    watch = open_watch()

    assert watch.wait(0.3) == set()


def test_a_new_folder_with_files_in_it_is_told(
    home: Home, open_watch: Callable[[], Watcher]
) -> None:
    watch = open_watch()

    path = write(home.projects / "-new" / "s" / "subagents" / "agent-1.jsonl")

    assert str(path) in until(watch, path)


@pytest.mark.slow
def test_a_projects_folder_that_comes_later_is_found(
    home: Home, open_watch: Callable[[], Watcher]
) -> None:
    home.projects.rmdir()
    watch = open_watch()
    watch.wait(0.05)

    path = write(home.projects / "-p" / "s.jsonl")

    assert str(path) in until(watch, path)
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert str(path) in until(watch, path)


def test_a_projects_folder_that_is_made_again_is_watched_again(
    home: Home, open_watch: Callable[[], Watcher]
) -> None:
    path = write(home.projects / "-p" / "s.jsonl")
    watch = open_watch()

    shutil.rmtree(home.projects)
    assert str(path) in until(watch, path)
    write(path)

    assert str(path) in until(watch, path)
    assert str(path) in watch.files


@pytest.mark.parametrize("deed", ["unlink", "rename", "truncate", "replace"])
def test_whatever_happens_to_a_file_is_told(
    home: Home, open_watch: Callable[[], Watcher], deed: str
) -> None:
    path = write(home.projects / "-p" / "s.jsonl", b"{}\n{}\n")
    other = write(home.path / "other", b"{}\n")
    watch = open_watch()
    deeds: dict[str, Callable[[], object]] = {
        "unlink": path.unlink,
        "rename": lambda: path.rename(path.with_name("t.jsonl")),
        "truncate": lambda: os.truncate(path, 3),
        "replace": lambda: other.replace(path),
    }

    deeds[deed]()

    assert str(path) in until(watch, path)


def test_a_client_that_registers_is_told(home: Home, open_watch: Callable[[], Watcher]) -> None:
    (home.path / "sessions").mkdir()
    watch = open_watch()

    path = write(home.path / "sessions" / "42.json", b"{}")

    assert until(watch, path) == {str(path)}


def test_an_event_that_nobody_told_is_found_by_looking(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NOTIFIED", module.PollPace(scan_likely=0.05, scan_all=0.1))
    path = write(home.projects / "-p" / "s.jsonl")
    watch = Watcher([home.projects], polling=False)
    monkeypatch.setattr(watch, "_wait_for_notification", deaf)

    write(path, b"{}\n{}\n")

    assert until(watch, path) == {str(path)}
    watch.close()


def test_where_the_system_never_tells_looking_takes_over(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NOTIFIED", module.PollPace(scan_likely=0.05, scan_all=60))
    path = write(home.projects / "-p" / "s.jsonl")
    watch = Watcher([home.projects], polling=False)
    monkeypatch.setattr(watch, "_wait_for_notification", deaf)
    write(path, b"{}\n" * 2)
    until(watch, path)

    for size in range(3, 8):
        write(path, b"{}\n" * size)
        until(watch, path)

    assert watch.polling
    assert watch.trouble is not None
    watch.close()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("limit")])
def test_a_system_that_refuses_to_tell_is_looked_at_instead(
    home: Home, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
    path = write(home.projects / "-p" / "s.jsonl")

    watch = Watcher([home.projects], polling=False)

    assert watch.polling
    assert "looks for them" in (watch.trouble or "")
    write(path, b"{}\n{}\n")
    assert str(path) in until(watch, path)


def test_a_wait_ends_when_it_is_told_to_stop(home: Home) -> None:
    stop = threading.Event()
    watch = Watcher([home.projects], stop=stop)
    threading.Timer(0.1, stop.set).start()
    started = time.monotonic()

    assert watch.wait(30) == set()
    assert time.monotonic() - started < 5
    watch.close()


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("yes", True), ("0", False), ("", False), ("no", False)]
)
def test_the_environment_can_ask_for_looking(
    monkeypatch: pytest.MonkeyPatch, value: str, expected: bool
) -> None:
    monkeypatch.setenv("BOUGH_POLL", value)

    assert is_polling_requested() is expected
