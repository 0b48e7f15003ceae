"""What of the archive is sent: what only it has, once, and nothing that was to be forgotten."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bough import library
from tests.team_server import TeamServer
from tests.unit.team.histories import machine, push, read_frames, write_plain

pytestmark = pytest.mark.writes_home


@pytest.fixture
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as made:
        yield made


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Path]:
    with machine(tmp_path):
        folder = tmp_path.resolve() / "claude"
        (folder / "projects").mkdir(parents=True)
        yield folder


def _sent(url: str) -> list[tuple[str, str]]:
    """List the sessions that were sent, each with its machine."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select session, machine_id::text from bough.file where role = 'session' order by 1, 2"
        ).fetchall()


def test_a_session_that_only_the_archive_has_is_sent_from_there(url: str, claude: Path) -> None:
    path = write_plain(claude)
    library.archive_sessions([claude])
    expected = path.read_bytes()
    path.unlink()

    report = push(url, claude)

    assert report.sessions == 1
    assert read_frames(url)[str(path)] == expected


def test_a_forgotten_session_is_not_sent_though_the_client_still_has_it(
    url: str, claude: Path
) -> None:
    forgotten = write_plain(claude, "forgotten")
    other = write_plain(claude, "other")
    library.archive_sessions([claude])
    library.forget_archived_session(forgotten.stem, [claude])
    assert forgotten.exists()

    report = push(url, claude)

    assert (report.sessions, report.forgotten) == (1, 1)
    assert [row[0] for row in _sent(url)] == [other.stem]


def _carry_to_another_machine(claude: Path, tmp_path: Path) -> Path:
    """Carry the archive to a machine that adopts what is in it; gives its Claude folder."""
    library.archive_sessions([claude])
    library.export_archive(tmp_path / "stick")
    return tmp_path.resolve() / "here"


def _adopt(tmp_path: Path, here: Path) -> None:
    (here / "projects").mkdir(parents=True)
    library.import_archive(tmp_path / "stick")
    other = next(one.machine for one in library.archive_machines() if not one.is_own)
    library.adopt_machine(other, here)


def test_an_adopted_session_is_sent_as_ones_own(url: str, claude: Path, tmp_path: Path) -> None:
    path = write_plain(claude)
    here = _carry_to_another_machine(claude, tmp_path)
    with machine(tmp_path / "away"):
        _adopt(tmp_path, here)
        first = push(url, here)
        second = push(url, here)

    assert (first.sessions, first.elsewhere) == (1, 0)
    assert (second.sessions, second.unchanged) == (0, 1)
    assert [row[0] for row in _sent(url)] == [path.stem]


def test_an_adopted_session_is_not_sent_twice_nor_after_it_was_taken_back(
    url: str, claude: Path, tmp_path: Path
) -> None:
    write_plain(claude, "kept")
    back = write_plain(claude, "back")
    push(url, claude)
    library.remove_pushed_session(back.stem, url)
    before = _sent(url)
    here = _carry_to_another_machine(claude, tmp_path)
    with machine(tmp_path / "away"):
        _adopt(tmp_path, here)
        report = push(url, here)

    assert (report.sessions, report.elsewhere, report.removed) == (0, 1, 1)
    assert _sent(url) == before
