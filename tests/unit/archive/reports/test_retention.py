"""How long the client keeps sessions is read from all of its settings, and from nothing odd."""

import os
from pathlib import Path

import pytest

from bough import library
from bough.archive.reports.retention import (
    Retention,
    find_shortest,
    read_project_retention,
    read_retention,
)
from bough.query.index.handle import open_index
from tests.unit.archive.kept_history import KeptHistory


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def days(number: float) -> str:
    return f'{{"cleanupPeriodDays": {number}, "permissions": {{"deny": []}}}}'


def test_thirty_days_where_no_settings_say_otherwise(tmp_path: Path) -> None:
    assert read_retention(tmp_path, tmp_path / "none") == Retention(folder=str(tmp_path), days=30)


def test_the_file_that_set_it_is_named_and_an_administrator_wins(tmp_path: Path) -> None:
    claude, project = tmp_path / "claude", tmp_path / "work"
    managed = tmp_path / "managed.json"
    user = write(claude / "settings.json", days(20))
    shared = write(project / ".claude" / "settings.json", days(10))

    assert read_retention(claude, managed).source == str(user)
    (rule,) = read_project_retention(claude, [project, project], managed)
    assert (rule.days, rule.scope, rule.source) == (10, "project", str(shared))
    assert rule.project == str(project)

    local = write(project / ".claude" / "settings.local.json", days(5))
    (rule,) = read_project_retention(claude, [project], managed)
    assert (rule.days, rule.scope, rule.source) == (5, "local", str(local))

    write(managed, days(99))
    found = read_retention(claude, managed)
    assert (found.days, found.scope, found.source) == (99, "managed", str(managed))
    assert read_project_retention(claude, [project], managed) == []


def test_what_an_administrator_adds_in_files_of_its_own_wins_by_the_last_name(
    tmp_path: Path,
) -> None:
    claude, project = tmp_path / "claude", tmp_path / "work"
    managed = write(tmp_path / "managed.json", days(99))
    write(project / ".claude" / "settings.json", days(5))
    write(tmp_path / "managed.d" / "10-first.json", days(60))
    last = write(tmp_path / "managed.d" / "20-last.json", days(50))
    for name in (".30-hidden.json", "30-other.txt", "30-silent.json"):
        write(tmp_path / "managed.d" / name, "{}" if "silent" in name else days(1))

    found = read_retention(claude, managed)
    assert (found.days, found.scope, found.source) == (50, "managed", str(last))

    managed.unlink()
    assert read_project_retention(claude, [project], managed) == []


def test_the_shortest_time_counts() -> None:
    rules = [Retention(folder="/c", days=number) for number in (30, 7, 90)]

    assert find_shortest(rules).days == 7


def test_the_home_folder_as_a_project_has_no_settings_of_its_own(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "settings.json", days(3))

    assert read_project_retention(tmp_path / ".claude", [tmp_path], tmp_path / "none") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        days(-1),
        days(float("inf")),
        '{"cleanupPeriodDays": "7"}',
        "[" * 100_000,
        '{"cleanupPeriodDays": 7' + " " * (1 << 20) + "}",
    ],
    ids=str.__len__,
)
def test_what_makes_no_sense_or_is_too_long_says_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path / "settings.json", text)

    assert read_retention(tmp_path, tmp_path / "none").source is None


@pytest.mark.skipif(os.name != "posix", reason="pipes in folders are of POSIX")
def test_a_pipe_a_folder_and_a_device_are_not_read(tmp_path: Path) -> None:
    files = [tmp_path / str(number) / ".claude" / "settings.json" for number in range(3)]
    for file in files:
        file.parent.mkdir(parents=True)
    os.mkfifo(files[0])
    files[1].mkdir()
    files[2].symlink_to("/dev/zero")

    projects = [tmp_path / str(number) for number in range(3)] + [Path("relative")]
    assert read_project_retention(tmp_path / "claude", projects, tmp_path / "none") == []


def test_the_status_takes_projects_into_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    history = KeptHistory(tmp_path.resolve())
    os.utime(history.transcript)
    before = library.archive_status(history.claude)
    shared = write(history.cwd / ".claude" / "settings.json", days(2))

    after = library.archive_status(history.claude)

    assert history.transcript.stem not in {one.session for one in before.expiring}
    assert history.transcript.stem in {one.session for one in after.expiring}
    assert [rule.source for rule in after.retention] == [None, str(shared)]
    with open_index([history.claude], tmp_path / "index.sqlite") as handle:
        indexed = library.archive_status(index=handle)
        assert library.forecast_deletions(index=handle) == after.forecast
    assert (indexed.retention, indexed.expiring) == (after.retention, after.expiring)
