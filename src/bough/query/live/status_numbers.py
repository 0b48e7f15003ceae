"""The numbers of the status line: counted here, kept for `bough statusline` to read.

What today and the five-hour block cost is what `bough usage` says. Where there is no index only
the files that changed today are read, which is all that today is made of; blocks are then left
out, because where one begins hangs on what was before. A bough that follows sessions renews
the numbers twice a minute, and rarely where that takes long.
"""

import queue
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from msgspec import Struct

from bough.config import Settings, claude_dirs, load_settings
from bough.errors import BoughError
from bough.files.discover import find_claude_folders
from bough.ingest.index.refresh import RefreshReport
from bough.model.live.status import SessionState
from bough.model.usage.budget_share import BudgetShare
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.list_rows import Dirs
from bough.query.live.budget_events import BudgetWatcher
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import LiveSession, list_live_sessions
from bough.query.usage.calendar import parse_date_range
from bough.query.usage.chosen_budgets import load_budgets
from bough.query.usage.report import UsageQuestion, report_usage
from bough.query.usage.sources import FileUsageSource, IndexUsageSource, UsageSource
from bough.query.usage.time_zones import find_zone
from bough.status_line.number_cache import FRESH_SECONDS, read_numbers, write_numbers
from bough.store.protocol import Store

_FIRST = 2.0
_EVERY = 30.0
_SHARE = 20
_MOST_FOLDERS = 16
_MOST_OVER = 24
"""So many sessions over their budget have room in what the status line reads."""

Numbers = dict[str, object]


def refresh_numbers(folder: Path, index: Path | None = None) -> None:
    """Count the numbers for the sessions of a Claude folder, and keep them.

    They are those of all folders that bough reads together, where this is one of them.

    Raises:
        BoughError: There is no such folder, or the index is in trouble.
        OSError: They cannot be kept.
    """
    found = count_folder_numbers(folder, index)
    keep_numbers(found.folders, found.numbers, found.rows)


class FolderNumbers(Struct, frozen=True):
    """What was counted, of which Claude folders, and the sessions that go on or did lately."""

    folders: Sequence[Path]
    numbers: Numbers
    rows: Sequence[LiveSession]


def find_day_share(folder: Path, index: Path | None = None) -> BudgetShare | None:
    """Say how much of the day's budget is spent; None where there is none, or nobody knows.

    The index knows it at once. Without one, what was counted within the last minute is taken as it
    is; else it is counted, and kept.

    Raises:
        BoughError: There is no such folder, or the index is in trouble.
    """
    budgets = load_budgets()
    if budgets.day is None:
        return None
    dirs = _list_read_together(folder)
    if index_exists(dirs, index):
        with open_index(dirs, index) as handle:
            return budgets.share_day(_count_day(IndexUsageSource(handle), datetime.now(UTC)))
    kept = read_numbers(str(folder), time.time())
    if kept is not None and kept.age <= FRESH_SECONDS and kept.day_cost is not None:
        return budgets.share_day(kept.day_cost)
    found = count_folder_numbers(folder, index)
    with suppress(OSError):  # a convenience for the status line and the guard
        keep_numbers(found.folders, found.numbers, found.rows)
    day = found.numbers.get("day")
    return budgets.share_day(float(day) if isinstance(day, int | float) else None)


def count_folder_numbers(folder: Path, index: Path | None = None) -> FolderNumbers:
    """Count the numbers for the sessions of a Claude folder.

    Raises:
        BoughError: There is no such folder, or the index is in trouble.
    """
    begun = time.monotonic()
    dirs = _list_read_together(folder)
    folders = find_claude_folders(claude_dirs([Path(one) for one in dirs]))
    now = datetime.now(UTC)
    rows = list_live_sessions(dirs, quick=True, now=now)
    if index_exists(dirs, index):
        with open_index(dirs, index) as handle:
            numbers = count_numbers(IndexUsageSource(handle), now, rows, has_blocks=True)
    else:
        numbers = count_numbers(_open_todays_files(dirs, now), now, rows, has_blocks=False)
    numbers["took"] = round(time.monotonic() - begun, 3)
    return FolderNumbers(folders, numbers, rows)


def count_numbers(
    source: UsageSource, now: datetime, rows: Iterable[LiveSession] = (), *, has_blocks: bool
) -> Numbers:
    """Count what today and the five-hour block that is going on cost, and hold it against budgets.

    `rows` are the sessions whose budget is looked at.
    """
    settings = load_settings()
    zone = find_zone(settings.zone)
    numbers: Numbers = {
        "at": round(now.timestamp(), 3),
        "day": _count_day(source, now),
        "day_ends": _find_today(now, zone)[1],
        "twelve_hours": settings.clock == "12h",
    }
    if settings.zone is not None and (offset := now.astimezone(zone).utcoffset()) is not None:
        numbers["zone_offset"] = offset.total_seconds()
    if has_blocks:
        ask = UsageQuestion(report="blocks", since="2d")
        for row in report_usage(ask, source, now=now, settings=settings).rows:
            if row.about["active"]:
                numbers["block"] = row.amount.usd
                numbers["block_ends"] = datetime.fromisoformat(str(row.about["end"])).timestamp()
    if settings.budget_day is not None:
        numbers["day_budget"] = settings.budget_day
    if settings.budget_session is not None:
        numbers["session_budget"] = settings.budget_session
        numbers["over"] = _count_over(source, now, settings, {row.id for row in rows})
    return numbers


def _count_day(source: UsageSource, now: datetime) -> float | None:
    """Count what today cost, as `bough usage` does."""
    ask = UsageQuestion(report="daily", since="today")
    return report_usage(ask, source, now=now, settings=load_settings()).total.usd


def _count_over(
    source: UsageSource, now: datetime, settings: Settings, sessions: Collection[str]
) -> dict[str, float]:
    """Count which of some sessions are over the budget of one, with their agents."""
    table = report_usage(UsageQuestion(report="session"), source, now=now, settings=settings)
    budget = settings.budget_session or 0.0
    over = {
        row.key: row.amount.usd
        for row in table.rows
        if row.key in sessions and row.amount.usd is not None and row.amount.usd >= budget
    }
    return dict(list(over.items())[:_MOST_OVER])


def keep_numbers(folders: Iterable[Path], numbers: Numbers, rows: Iterable[LiveSession]) -> None:
    """Keep numbers for each of some Claude folders, and which sessions wait.

    Raises:
        OSError: They cannot be kept.
    """
    waiting = _list_waiting(rows)
    for folder in list(folders)[:_MOST_FOLDERS]:
        write_numbers(str(folder), numbers, waiting)


def _list_waiting(rows: Iterable[LiveSession]) -> list[str]:
    return [row.id for row in rows if row.state is SessionState.WAITING]


class StatusNumbersKeeper:
    """Renews the numbers while sessions are followed; counting is done in a thread."""

    def __init__(
        self,
        folders: Sequence[Path],
        open_store: Callable[[], Store] | None,
        *,
        keeps: bool = True,
    ) -> None:
        """Prepare to count.

        Args:
            folders: The Claude folders.
            open_store: Opens the index, where there is one.
            keeps: Whether all sessions are followed. Else nothing is kept for the status line, and
                what is counted is held against the budget of a session alone.
        """
        self._folders = folders
        self._keeps = keeps
        self._budgets = BudgetWatcher(with_day=keeps)
        self._crossings: queue.SimpleQueue[StreamEvent] = queue.SimpleQueue()
        self._open_store = open_store
        self._due_at = time.monotonic() + _FIRST
        self._counted: Numbers | None = None
        self._rows: Sequence[LiveSession] = ()
        self._closed = False
        self._thread: threading.Thread | None = None

    def renew_if_due(self, list_rows: Callable[[], list[LiveSession]]) -> None:
        """Renew the numbers, where that was not done just now."""
        if time.monotonic() < self._due_at or (self._thread and self._thread.is_alive()):
            return
        self._due_at = time.monotonic() + _EVERY
        if not self._keeps and not _has_session_budget():
            return
        self._rows = list_rows()
        self._thread = threading.Thread(
            target=self._renew, args=(self._rows,), name="bough-status-numbers", daemon=True
        )
        self._thread.start()

    def note_waiting(self, rows: Sequence[LiveSession]) -> None:
        """Keep who waits now: a session that was answered waits in no status line."""
        before, self._rows = _list_waiting(self._rows), rows
        if self._keeps and self._counted is not None and _list_waiting(rows) != before:
            with suppress(OSError):  # as below
                keep_numbers(self._folders, self._counted, rows)

    def take_crossings(self) -> list[StreamEvent]:
        """Give the budgets that were used up since this was asked."""
        return [self._crossings.get() for _ in range(self._crossings.qsize())]

    def close(self) -> None:
        """Keep nothing any more."""
        self._closed = True

    def _renew(self, rows: Sequence[LiveSession]) -> None:
        try:
            begun = time.monotonic()
            now = datetime.now(UTC)
            if self._open_store is None:
                source = _open_todays_files(self._folders, now)
                numbers = count_numbers(source, now, rows, has_blocks=False)
            else:
                numbers = self._count_in_index(self._open_store(), now, rows)
            took = time.monotonic() - begun
            numbers["took"] = round(took, 3)
            self._due_at = max(self._due_at, time.monotonic() + _SHARE * took)
            if self._closed:
                return
            for event in self._budgets.find_crossings(numbers, rows):
                self._crossings.put(event)
            if self._keeps:
                self._counted = numbers
                # Not those of before it was counted: somebody may have been answered meanwhile.
                keep_numbers(self._folders, numbers, self._rows)
        except (BoughError, OSError):
            return  # a convenience; whoever follows sessions is told of the same trouble

    def _count_in_index(self, store: Store, now: datetime, rows: Sequence[LiveSession]) -> Numbers:
        handle = IndexHandle(store, Path(), self._folders, None, RefreshReport())
        with handle:
            return count_numbers(IndexUsageSource(handle), now, rows, has_blocks=True)


def _has_session_budget() -> bool:
    try:
        return load_settings().budget_session is not None
    except BoughError:
        return False  # who needs the settings says what is wrong with them


def _list_read_together(folder: Path) -> Dirs:
    """Name the folders that are counted together with one; none means the usual places."""
    wanted = folder.resolve()
    try:
        usual = find_claude_folders(claude_dirs())
    except BoughError:
        usual = ()
    return () if any(one.resolve() == wanted for one in usual) else (str(folder),)


def _open_todays_files(dirs: Dirs, now: datetime) -> FileUsageSource:
    begin, _ = _find_today(now, find_zone(load_settings().zone))
    return FileUsageSource(dirs, changed_since=begin)


def _find_today(now: datetime, zone: tzinfo) -> tuple[float, float]:
    """Give when today began and when it ends, where the reader lives."""
    today = parse_date_range("today", "today", now, zone)
    begin, end = (datetime.fromisoformat(text or "") for text in (today.since, today.until))
    return begin.timestamp(), end.timestamp()
