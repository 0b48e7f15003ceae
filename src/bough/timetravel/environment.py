"""Where time travel keeps its own things, and what it takes from the world around it.

The data folder, the disk, the clock, the wait, where sessions are read from and the source of
ids come together here, so that everything else can be given others. Times are written as the
clients write them: UTC, milliseconds, a Z at the end.
"""

import time
import uuid
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, data_dir
from bough.files.byte_source import SourceFinder
from bough.query.byte_sources import USUAL_SOURCES
from bough.timetravel.disk import Disk
from bough.timetravel.journal import Journal

_BEGINNING = "1970-01-01T00:00:00.000Z"
_STEP = timedelta(milliseconds=1)


def format_time(moment: datetime) -> str:
    """Write a moment as the clients do."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"


def parse_time(text: str | None) -> datetime | None:
    """Read a time; None where it is none, or one that no calendar has in UTC."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def find_newest(times: Iterable[str | None]) -> datetime | None:
    """Find the newest of some times, leaving out what is none."""
    return max((found for text in times if (found := parse_time(text))), default=None)


def make_later_time(times: Iterable[str | None], now: str | None = None) -> str:
    """Give a time later than all others: `now` where it is, else a millisecond more."""
    latest, present = find_newest(times), parse_time(now)
    if present is not None and (latest is None or present > latest):
        return now or _BEGINNING
    if latest is None:
        return _BEGINNING
    end = datetime.max.replace(tzinfo=UTC)
    return format_time(min(latest, end - _STEP) + _STEP)


def _new_uuid() -> str:
    return str(uuid.uuid4())


def _current_time() -> datetime:
    return datetime.now(UTC)


class TravelEnvironment:
    """The place time travel works at."""

    def __init__(  # noqa: PLR0913 - all that it takes from the world
        self,
        folder: Path | None = None,
        *,
        disk: Disk | None = None,
        clock: Callable[[], datetime] = _current_time,
        sleep: Callable[[float], object] = time.sleep,
        new_uuid: Callable[[], str] = _new_uuid,
        sources: SourceFinder = USUAL_SOURCES,
        archive: Path | None = None,
    ) -> None:
        self.folder = folder or data_dir()
        self.disk = disk or Disk()
        self.clock = clock
        self.sleep = sleep
        self.new_uuid = new_uuid
        self.sources = sources
        self._archive = archive
        self.journal = Journal(self.folder, self.disk)

    @property
    def archive(self) -> ArchiveFolder:
        """Find the archive that deleted sessions come back from."""
        return ArchiveFolder(self._archive or archive_path())

    @property
    def backups(self) -> Path:
        """Name the folder that keeps what files held before they changed."""
        return self.folder / "backups"

    def now(self) -> str:
        """Give the time as the clients write it."""
        return format_time(self.clock())

    def now_ns(self) -> int:
        """Give the time as files have it."""
        return (
            time.time_ns() if self.clock is _current_time else int(self.clock().timestamp() * 1e9)
        )

    def make_folders(self) -> None:
        """Make the folders that are missing."""
        missing = []
        for folder in (self.backups, *self.backups.parents):
            if folder.is_dir():
                break
            missing.append(folder)
        for folder in reversed(missing):
            try:
                self.disk.make_folder(str(folder))
            except FileExistsError:
                continue  # another bough was faster
