"""Where nothing changed no folder is listed; whatever changes is seen all the same."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.files.discover import discover_projects
from bough.ingest.index.history_snapshot import is_snapshot_current, take_snapshot
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home

pytestmark = pytest.mark.writes_home

_LONG_AGO = 1_700_000_000
_A_MINUTE = 60 * 10**9
_opened: list[str] | None = None


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if event == "os.scandir" and _opened is not None:
        _opened.append(os.fsdecode(arguments[0]))  # type: ignore[arg-type]


sys.addaudithook(_note_opened)


@contextmanager
def _opened_folders() -> Iterator[list[str]]:
    """Note the folders whose names are read, for as long as it lasts."""
    global _opened  # noqa: PLW0603 - a hook of the interpreter cannot be taken out again
    found: list[str] = []
    _opened = found
    try:
        yield found
    finally:
        _opened = None


def _write_history(home: Home) -> Path:
    """Write a session with everything that can lie beside one; give its project's folder."""
    project = home.projects / "-home-dev-orchard"
    agents = project / "one" / "subagents"
    runs = agents / "workflows" / "run-1"
    for folder in (runs, project / "one" / "tool-results", project / "memory", project / "empty"):
        folder.mkdir(parents=True)
    (project / "one" / "workflows" / "deeper").mkdir(parents=True)
    line = session("one", cwd="/home/dev/orchard").user("Make it resumable").bytes()
    for path in (
        *(project / "one.jsonl", project / "two.jsonl", project / "agent-loose.jsonl"),
        *(agents / "agent-a.jsonl", runs / "agent-b.jsonl"),
    ):
        path.write_bytes(line)
    (agents / "agent-a.meta.json").write_text('{"agentType": "scout"}')
    (project / "one" / "custom-title.json").write_text('{"customTitle": "A title"}')
    for place, _, names in os.walk(home.projects):
        for name in names:
            os.utime(Path(place, name), (_LONG_AGO, _LONG_AGO))
        os.utime(place, (_LONG_AGO, _LONG_AGO))
    return project


def _take(home: Home, tmp_path: Path, *, listed_in: int = _A_MINUTE) -> bytes | None:
    """Take a snapshot of what is indexed, as if a minute later: folders are not young then."""
    store = SqliteStore(tmp_path / "index.sqlite")
    try:
        refresh_index(store, [home.path])
        projects = list(discover_projects(home.path, DISK_THEN_ARCHIVE))
        return take_snapshot([home.path], projects, store.stamps(), time.time_ns() + listed_in)
    finally:
        store.close()


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b'{"type":"user"}\n')


def _rewrite(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data)


_CHANGES: dict[str, Callable[[Path], object]] = {
    "lines of a session": lambda project: _append(project / "one.jsonl"),
    "lines of an agent": lambda project: _append(project / "one/subagents/agent-a.jsonl"),
    "lines of a workflow's agent": lambda project: _append(
        project / "one/subagents/workflows/run-1/agent-b.jsonl"
    ),
    "lines of an agent without an owner": lambda project: _append(project / "agent-loose.jsonl"),
    "the time of a session alone": lambda project: _rewrite(project / "two.jsonl"),
    "what tells about an agent": lambda project: _rewrite(
        project / "one/subagents/agent-a.meta.json"
    ),
    "what tells about another agent": lambda project: (
        project / "one/subagents/workflows/run-1/agent-b.meta.json"
    ).touch(),
    "a title": lambda project: _rewrite(project / "one" / "custom-title.json"),
    "a title gone": lambda project: (project / "one" / "custom-title.json").unlink(),
    "a session": lambda project: (project / "three.jsonl").touch(),
    "a session gone": lambda project: (project / "two.jsonl").unlink(),
    "an agent": lambda project: (project / "one/subagents/agent-c.jsonl").touch(),
    "something in an empty folder": lambda project: (project / "empty" / "subagents").mkdir(),
    "a project": lambda project: (project.parent / "-home-dev-other").mkdir(),
    "a report": lambda project: (project / "one/workflows/run-1.json").touch(),
    "another folder in the place of one": lambda project: [
        (project / "empty").rename(project / "memory" / "old"),
        (project / "memory" / "old").rename(project / "empty"),
    ],
    "all gone": lambda project: project.parent.rename(project.parent.parent / "elsewhere"),
}


@pytest.mark.parametrize("change", _CHANGES)
def test_whatever_changes_is_seen(home: Home, tmp_path: Path, change: str) -> None:
    project = _write_history(home)
    kept = _take(home, tmp_path)
    assert kept is not None
    assert is_snapshot_current(kept)

    _CHANGES[change](project)

    assert not is_snapshot_current(kept)


def test_what_no_list_shows_changes_nothing(home: Home, tmp_path: Path) -> None:
    project = _write_history(home)
    kept = _take(home, tmp_path)
    assert kept is not None

    (project / "one" / "tool-results" / "output.txt").write_text("much")
    (project / "memory" / "MEMORY.md").write_text("what to remember")

    assert is_snapshot_current(kept)


def test_an_archive_that_comes_into_being_is_seen(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    _write_history(home)
    kept = _take(home, tmp_path)
    assert kept is not None
    assert is_snapshot_current(kept)

    (tmp_path / "data" / "bough" / "archive" / "v1").mkdir(parents=True)

    assert not is_snapshot_current(kept)


def test_the_folders_looked_at_are_those_that_a_listing_opens(home: Home, tmp_path: Path) -> None:
    _write_history(home)

    with _opened_folders() as listed:
        for _ in discover_projects(home.path, DISK_THEN_ARCHIVE):
            pass
    _take(home, tmp_path)
    with _opened_folders() as twice:
        _take(home, tmp_path)

    assert listed
    # Once for the refresh, once for the listing here, once for the snapshot.
    assert sorted(twice) == sorted(listed * 3)


def test_links_are_listed_every_time(home: Home, tmp_path: Path) -> None:
    project = _write_history(home)
    (project / "linked").symlink_to(tmp_path)

    assert _take(home, tmp_path) is None


def test_a_folder_that_was_changed_just_now_is_listed_once_more(home: Home, tmp_path: Path) -> None:
    _write_history(home)

    assert _take(home, tmp_path, listed_in=0) is None


def test_bytes_that_are_no_snapshot_are_listed_anew() -> None:
    assert not is_snapshot_current(b"\x93nothing")


def test_where_nothing_changed_a_third_command_opens_no_folder(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _write_history(home)
    for number in range(500):
        (project / f"{number}.jsonl").write_bytes(b'{"type":"mode"}\n')
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + _A_MINUTE)
    store = SqliteStore(tmp_path / "index.sqlite")

    try:
        for _ in range(2):
            refresh_index(store, [home.path])
        with _opened_folders() as unchanged:
            report = refresh_index(store, [home.path])
        _append(project / "7.jsonl")
        with _opened_folders() as changed:
            after = refresh_index(store, [home.path])
    finally:
        store.close()

    assert (unchanged, report.files) == ([], 0)
    assert changed
    assert after.changed == [str(project / "7.jsonl")]
