"""Backups go by age and size, and never while an operation may still need them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bough.timetravel.backups import BackupLimits, prune_backups
from bough.timetravel.environment import TravelEnvironment, format_time
from bough.timetravel.journal import OperationBegin, OperationEnd

NOW = datetime(2026, 6, 1, tzinfo=UTC)
LIMITS = BackupLimits(days=90, bytes=100)


def world(tmp_path: Path, *operations: tuple[int, str | None, int]) -> TravelEnvironment:
    """Make backups of 60 bytes each: how many days old, how they ended, what they undo."""
    environment = TravelEnvironment(tmp_path, clock=lambda: NOW)
    environment.make_folders()
    for number, (days, outcome, undoes) in enumerate(operations, 1):
        at = format_time(NOW - timedelta(days=days))
        begin = OperationBegin(
            number=number,
            at=at,
            operation="goto",
            session="s",
            headline="h",
            steps=(),
            undoes=(undoes,) if undoes else (),
        )
        environment.journal.write(begin)
        if outcome is not None:
            environment.journal.write(OperationEnd(number=number, at=at, outcome=outcome))
        folder = environment.backups / str(number)
        folder.mkdir()
        (folder / "0-s.jsonl").write_bytes(b"x" * 60)
    return environment


def pruned(environment: TravelEnvironment, limits: BackupLimits = LIMITS) -> list[int]:
    return [one.number for one in prune_backups(limits, environment).removed]


def test_what_is_older_than_the_age_goes_and_the_rest_stays(tmp_path: Path) -> None:
    environment = world(tmp_path, (91, "done", 0), (89, "done", 0))

    report = prune_backups(LIMITS, environment)

    assert [(one.number, one.why) for one in report.removed] == [(1, "older than 90 days")]
    assert (report.kept, report.kept_bytes) == (1, 60)
    assert [path.name for path in environment.backups.iterdir()] == ["2"]


def test_a_size_removes_only_what_no_operation_needs_the_oldest_first(tmp_path: Path) -> None:
    environment = world(
        tmp_path,
        (80, "done", 0),
        (70, "taken back", 0),
        (60, "done", 0),
        (50, "done", 3),
        (45, "abandoned", 0),
    )

    assert pruned(environment) == [2, 3]


def test_a_size_that_is_not_reached_removes_nothing(tmp_path: Path) -> None:
    environment = world(tmp_path, (80, "done", 0), (70, "taken back", 0))

    assert pruned(environment, BackupLimits(days=90, bytes=120)) == []


def test_nothing_goes_in_the_first_thirty_days(tmp_path: Path) -> None:
    environment = world(tmp_path, (29, "taken back", 0), (31, "taken back", 0))

    assert pruned(environment, BackupLimits.from_settings(days=1, megabytes=0)) == [2]


def test_what_was_stopped_in_the_middle_never_goes(tmp_path: Path) -> None:
    assert pruned(world(tmp_path, (400, None, 0))) == []


def test_a_backup_without_an_entry_goes_by_the_time_of_its_folder(tmp_path: Path) -> None:
    environment = TravelEnvironment(tmp_path)
    environment.make_folders()
    (environment.backups / "7").mkdir()
    (environment.backups / "notes").mkdir()

    assert pruned(environment) == []
    environment.clock = lambda: datetime.now(UTC) + timedelta(days=91)
    assert pruned(environment) == [7]
    assert [path.name for path in environment.backups.iterdir()] == ["notes"]


@pytest.mark.parametrize("dry_run", [True, False])
def test_without_a_folder_there_is_nothing_to_prune(tmp_path: Path, *, dry_run: bool) -> None:
    report = prune_backups(LIMITS, TravelEnvironment(tmp_path / "none"), dry_run=dry_run)

    assert (report.removed, report.kept) == ((), 0)
    assert not (tmp_path / "none").exists()
