"""Backups: how long what files held before they changed is kept, and what goes when.

A backup of an operation that could still be undone stays for the whole time of `days`, however
much there is. What nobody needs any more goes earlier where there is more than `bytes`, the
oldest first. Nothing goes in the first thirty days: so long files that were replaced are
looked at for what a client wrote to them late.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from bough.model.text.formats import format_plural
from bough.timetravel.environment import TravelEnvironment, format_time, parse_time
from bough.timetravel.execution.held_files import KEPT, list_held
from bough.timetravel.execution.lock import hold_lock
from bough.timetravel.journal import TAKEN_BACK, UNDONE, UNFINISHED, Operation

_DAY = 24 * 3600.0
_MEGABYTE = 1_000_000
_NEEDLESS = (UNDONE, TAKEN_BACK)
"""States of operations that take nothing from their backup any more."""


class BackupLimits(Struct, frozen=True):
    """How long backups are kept, and how much of what nobody needs."""

    days: int
    bytes: int

    @classmethod
    def from_settings(cls, days: int, megabytes: int) -> "BackupLimits":
        """Read the settings; thirty days is the least."""
        return cls(max(days, int(KEPT / _DAY)), megabytes * _MEGABYTE)


class Backup(Struct, frozen=True, kw_only=True):
    """What is kept of the files of one operation; `why` says why it goes, where it does."""

    number: int
    at: str
    headline: str = ""
    state: str = ""
    bytes: int
    why: str = ""


class BackupReport(Struct, frozen=True, kw_only=True):
    """Which backups went, or would go, and how many are kept."""

    removed: tuple[Backup, ...]
    kept: int
    kept_bytes: int


def prune_backups(
    limits: BackupLimits,
    environment: TravelEnvironment | None = None,
    *,
    dry_run: bool = False,
) -> BackupReport:
    """Remove the backups whose time is over; with `dry_run` only tell which.

    Raises:
        Busy: Another bough is changing sessions.
    """
    environment = environment or TravelEnvironment()
    if not environment.backups.is_dir():
        return BackupReport(removed=(), kept=0, kept_bytes=0)
    if dry_run:
        return _choose_backups(environment, limits)
    with hold_lock(environment.folder, environment.disk):
        report = _choose_backups(environment, limits)
        for backup in report.removed:
            _remove_backup(environment, backup.number)
    return report


def remove_session_backups(session: str, environment: TravelEnvironment | None = None) -> int:
    """Remove every backup of a session's files, whatever its age; tell how many there were.

    What was done to the session cannot be undone then. What was stopped in the middle keeps its
    backup, for whoever takes it back.

    Raises:
        Busy: Another bough is changing sessions.
    """
    environment = environment or TravelEnvironment()
    if not environment.backups.is_dir():
        return 0
    with hold_lock(environment.folder, environment.disk):
        found = {
            path
            for operation in environment.journal.list_operations()
            if operation.state != UNFINISHED
            for step in operation.steps
            if _is_of_session(step.path, session)
            for path in (step.backup, *(held.path for held in list_held(step)))
            if path is not None and Path(path).is_file()
        }
        for path in sorted(found):
            environment.disk.remove(path)
            folder = Path(path).parent
            if folder.parent == environment.backups and not any(folder.iterdir()):
                environment.disk.remove_folder(str(folder))
    return len(found)


def _is_of_session(path: str, session: str) -> bool:
    """Tell whether a file is a session's own, or lies in its folder."""
    return Path(path).stem == session or session in Path(path).parts


def _choose_backups(environment: TravelEnvironment, limits: BackupLimits) -> BackupReport:
    backups = sorted(_list_backups(environment), key=lambda one: (one.at, one.number))
    now = environment.clock()
    removed = []
    total = sum(backup.bytes for backup in backups)
    for backup in backups:
        if why := _find_reason(backup, limits, _measure_age(backup, now), total):
            removed.append(msgspec.structs.replace(backup, why=why))
            total -= backup.bytes
    return BackupReport(removed=tuple(removed), kept=len(backups) - len(removed), kept_bytes=total)


def _find_reason(backup: Backup, limits: BackupLimits, age: float, total: int) -> str:
    """Say why a backup goes; empty where it stays."""
    if backup.state == UNFINISHED or age <= KEPT:
        return ""
    if age > limits.days * _DAY:
        return f"older than {format_plural(limits.days, 'day')}"
    if total > limits.bytes and backup.state in _NEEDLESS:
        return f"{backup.state}, and more than {limits.bytes // _MEGABYTE:,} MB are kept"
    return ""


def _measure_age(backup: Backup, now: datetime) -> float:
    begun = parse_time(backup.at)
    return 0.0 if begun is None else (now - begun).total_seconds()


def _list_backups(environment: TravelEnvironment) -> Iterator[Backup]:
    """List the folders of backups, each with what the journal says of its operation."""
    known = {one.number: one for one in environment.journal.list_operations()}
    for folder in environment.backups.iterdir():
        if folder.name.isascii() and folder.name.isdigit() and folder.is_dir():
            number = int(folder.name)
            yield _describe_backup(folder, number, known.get(number))


def _describe_backup(folder: Path, number: int, operation: Operation | None) -> Backup:
    size = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    if operation is None:
        # No entry names it: its line in the journal was torn, and nothing came of it.
        at = format_time(datetime.fromtimestamp(folder.stat().st_mtime, UTC))
        return Backup(number=number, at=at, bytes=size, state=TAKEN_BACK)
    return Backup(
        number=number,
        at=operation.at,
        headline=operation.headline,
        state=operation.state,
        bytes=size,
    )


def _remove_backup(environment: TravelEnvironment, number: int) -> None:
    folder = environment.backups / str(number)
    for file in folder.iterdir():
        environment.disk.remove(str(file))
    environment.disk.remove_folder(str(folder))
