"""`push --watch` looks at what changed, and not at everything."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough import library
from bough.errors import IndexTrouble
from bough.team.push_plan import PushReport
from bough.team.push_watcher import PushWatcher
from bough.team.session_groups import choose_sessions, list_pushable
from tests.team_server import TeamServer
from tests.unit.team.histories import machine, write_plain

pytestmark = pytest.mark.writes_home


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Path]:
    with machine(tmp_path):
        folder = tmp_path / "claude"
        (folder / "projects").mkdir(parents=True)
        yield folder


def _grow(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[-1].replace(b"Also done.", b"And more.")]))


def test_everything_is_looked_at_first_and_then_what_changed(claude: Path) -> None:
    path = write_plain(claude)
    stop = threading.Event()
    watcher = PushWatcher([claude], stop)
    try:
        assert watcher.take_changes() is None
        watcher.finish(None)
        assert watcher.take_changes() == frozenset()
        _grow(path)
        while not watcher.wait(5.0):
            pass
        changed = watcher.take_changes()
        assert changed == frozenset({str(path)})
        assert watcher.take_changes() == changed  # until it was sent
        watcher.finish(changed)
        assert watcher.take_changes() == frozenset()
    finally:
        watcher.close()


def test_everything_is_looked_at_again_after_a_while(claude: Path) -> None:
    watcher = PushWatcher([claude], threading.Event(), whole_every=0.0)
    try:
        watcher.finish(None)
        assert watcher.wait(5.0)
        assert watcher.take_changes() is None
    finally:
        watcher.close()


def test_changes_choose_the_sessions_they_belong_to(claude: Path) -> None:
    paths = [write_plain(claude, name) for name in ("one", "two", "three")]
    write_plain(claude, "other", cwd="/home/dev/lantern")
    projects = [one.folder for one in list_pushable([claude])]
    agent = next(paths[1].with_suffix("").rglob("agent-*.jsonl"))
    gone = str(paths[2].with_name("gone.jsonl"))

    chosen = choose_sessions([claude], projects, changed={str(paths[0]), str(agent), gone})

    assert {group.id for group in chosen.groups} == {paths[0].stem, paths[1].stem}
    assert chosen.sessions == tuple(sorted([paths[0].stem, paths[1].stem, "gone"]))
    assert choose_sessions([claude], projects, changed=()).sessions == ()


def test_only_the_session_that_grew_is_compared_and_sent(
    team_server: TeamServer, claude: Path
) -> None:
    paths = [write_plain(claude, name) for name in ("one", "two", "three")]
    stop = threading.Event()
    found: list[PushReport] = []
    with team_server.database() as url:
        reports = library.watch_push(
            library.PushChoice(projects=["*"]), stop, store=url, claude_dir=[claude]
        )
        for report in reports:
            assert not isinstance(report, IndexTrouble)
            if report is None:
                continue
            found.append(report)
            if len(found) == 1:
                _grow(paths[1])
            elif len(found) == 2:
                write_plain(claude, "later", cwd="/home/dev/lantern")
            else:
                stop.set()

    assert [(one.sessions, one.unchanged) for one in found] == [(3, 0), (1, 0), (1, 0)]
