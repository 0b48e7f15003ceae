"""The numbers that a status line cannot count itself, in a small file per Claude folder.

What the day and the five-hour block cost, and which sessions wait, is known to any bough that
runs, and it renews the file. A status line only reads it. Where the file is old it starts one
`bough statusline refresh`, at most once a minute for all sessions together: a lock file that
only one of them can make decides who. Whole files take the place of whole files.
"""

import json
import os
import sys
from binascii import crc32
from collections.abc import Mapping

from bough import paths
from bough.status_line.client_status import ClientStatus

FRESH_SECONDS = 60
"""So old numbers may be without anybody looking for newer ones."""
SHOWN_SECONDS = 600
"""Older numbers are not shown."""
STALE_SECONDS = 120
"""A lock that is older was left behind."""
MOST_BYTES = 4_096
_SHARE = 20
"""A refresh may take a twentieth of one processor over time."""
_MOST_WAITING = 60


class BudgetStatus:
    """A budget in USD, of a `session` or a `day`, and what was spent of it."""

    def __init__(self, of: str, spent: float | None, usd: float | None) -> None:
        self.of = of
        self.spent = spent or 0.0
        self.usd = usd or 0.0

    @property
    def is_used_up(self) -> bool:
        """Tell whether there is a budget, and it is used up; what is not known is not."""
        return 0 < self.usd <= self.spent


class StatusNumbers:
    """Numbers as they were `at` a moment."""

    def __init__(self, document: Mapping[str, object], now: float) -> None:
        self._status = ClientStatus(document)
        self.at = self._status.number("at") or 0.0
        self.age = max(0.0, now - self.at)
        self._now = now

    @property
    def is_shown(self) -> bool:
        """Tell whether they are new enough to be shown."""
        return self.age <= SHOWN_SECONDS

    @property
    def is_due(self) -> bool:
        """Tell whether somebody should look for newer ones; rarely where that takes long."""
        took = self._status.number("took") or 0.0
        return self.age > max(FRESH_SECONDS, _SHARE * took)

    @property
    def day_cost(self) -> float | None:
        """Give what was spent today; None where the day is another one."""
        return self._before("day", "day_ends")

    @property
    def block_cost(self) -> float | None:
        """Give what was spent in the five-hour block; None where it is over."""
        return self._before("block", "block_ends")

    @property
    def block_ends(self) -> float | None:
        """Tell when the five-hour block ends."""
        return self._status.number("block_ends")

    @property
    def zone_offset(self) -> float | None:
        """Give the seconds that the person's zone is ahead of UTC."""
        return self._status.number("zone_offset")

    @property
    def has_twelve_hours(self) -> bool:
        """Tell whether hours are counted to twelve."""
        return self._status.value("twelve_hours") is True

    def count_waiting(self, session: str = "") -> int:
        """Count the sessions that wait for a person, without this one."""
        count = self._status.number("waits") or 0
        ids = self._status.value("waiting")
        own = isinstance(ids, list) and bool(session) and session in ids
        return max(0, int(count) - own)

    def list_used_budgets(self, session: str = "") -> list[BudgetStatus]:
        """List the budgets that are used up: of this session, and of the day."""
        over = self._status.value("over")
        spent = ClientStatus(over).number(session) if isinstance(over, Mapping) else None
        found = [
            BudgetStatus("session", spent, self._status.number("session_budget")),
            BudgetStatus("day", self.day_cost, self._status.number("day_budget")),
        ]
        return [one for one in found if one.is_used_up]

    def _before(self, name: str, end: str) -> float | None:
        ends = self._status.number(end)
        return self._status.number(name) if ends is None or self._now < ends else None


def find_cache_path(folder: str, suffix: str = ".json") -> str | None:
    """Name the file of a Claude folder, which need not exist."""
    data = paths.find_data_dir()
    if data is None:
        return None
    name = f"{crc32(_real(folder).encode('utf-8', 'surrogateescape')):08x}{suffix}"
    return os.path.join(data, "status", name)  # noqa: PTH118 - pathlib costs 4 ms


def read_numbers(folder: str, now: float) -> StatusNumbers | None:
    """Read the numbers of a Claude folder; None where there are none that are sound."""
    path = find_cache_path(folder)
    try:
        if path is None:
            return None
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            data = os.read(descriptor, MOST_BYTES + 1)
        finally:
            os.close(descriptor)
        document = json.loads(data) if len(data) <= MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("folder") != _real(folder):
        return None  # another folder of that number
    found = StatusNumbers(document, now)
    return found if found.at <= now + FRESH_SECONDS else None  # a clock that was set back


def write_numbers(folder: str, document: Mapping[str, object], waiting: list[str]) -> None:
    """Keep the numbers of a Claude folder; a lock of who was to find them is let go.

    Raises:
        OSError: They cannot be kept.
    """
    path = find_cache_path(folder)
    if path is None:
        return
    ids = waiting[:_MOST_WAITING]
    whole = {**document, "folder": _real(folder), "waiting": ids, "waits": len(waiting)}
    data = json.dumps(whole).encode("utf-8", "surrogateescape")
    if len(data) > MOST_BYTES:
        # Who waits is counted still; a session that is over its budget is warned of in any case.
        data = json.dumps({**whole, "waiting": []}).encode("utf-8", "surrogateescape")
    beside = f"{path}.{os.getpid()}"
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
    os.replace(beside, path)  # noqa: PTH105 - pathlib costs 4 ms
    _remove(find_cache_path(folder, ".lock"))


def claim_refresh(folder: str, now: float) -> bool:
    """Tell whether this process is the one that looks for newer numbers."""
    path = find_cache_path(folder, ".lock")
    if path is None:
        return False
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
        if not _make_lock(path):
            return _is_stale(path, now) and _take_over(path, now)
    except OSError:
        return False
    found = read_numbers(folder, now)
    if found is not None and not found.is_due:
        _remove(path)  # somebody was done between our look and our lock
        return False
    return True


def start_refresh(folder: str) -> None:
    """Start to look for newer numbers, in a process that nobody waits for."""
    import subprocess  # noqa: PLC0415 - once a minute, and 8 ms

    # -P: what lies in the folder of the session is not what is run.
    words = [sys.executable, "-P", "-m", "bough", "statusline", "refresh", "--for", _real(folder)]
    new_group = 0x00000008 | 0x00000200 if sys.platform == "win32" else 0
    subprocess.Popen(  # noqa: S603 - our own program
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=os.path.abspath(os.sep),  # noqa: PTH100 - pathlib costs 4 ms
        start_new_session=True,
        creationflags=new_group,
    )


def _real(folder: str) -> str:
    return os.path.realpath(folder)


def _make_lock(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _is_stale(path: str, now: float) -> bool:
    try:
        changed = os.stat(path).st_mtime  # noqa: PTH116 - pathlib costs 4 ms
    except FileNotFoundError:
        return False
    # Minus: a clock that was set back must not hold it forever.
    return abs(now - changed) > STALE_SECONDS


def _take_over(path: str, now: float) -> bool:
    """Make a lock ours that was left behind; of several who see it only one may."""
    second = f"{path}.taken"
    if not _make_lock(second):
        if _is_stale(second, now):
            _remove(second)  # whoever comes next takes it
        return False
    try:
        if not _is_stale(path, now):
            return False
        os.utime(path)
        return True
    finally:
        _remove(second)


def _remove(path: str | None) -> None:
    try:
        if path is not None:
            os.unlink(path)  # noqa: PTH108 - pathlib costs 4 ms
    except OSError:
        return
