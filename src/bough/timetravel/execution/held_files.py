"""Held files: those that bough put another in the place of, or removed, kept by a second name.

A client that opened a file before the rename goes on writing to the old one. So the old one
gets a hard link before the rename, and is looked at afterwards: whole lines that came late are
carried over by an append to the file that is there now. The link's name says how large the file
was and up to where it was read since, so what is behind that came late, also after a stop.
"""

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from bough.timetravel.disk import Disk
from bough.timetravel.execution.journal_steps import (
    is_same_file,
    is_there,
    read_bytes_at,
)
from bough.timetravel.journal import JournalStep
from bough.timetravel.session_file import begins_with

NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_ELSEWHERE = NO_LINKS | {errno.EXDEV}
_HELD = ".old"
_TORN = ".torn"
_NAMES = 100
_NUMBERS = 3

SOON = 0.1
"""Seconds after which a file that was replaced is looked at again."""

LATE = 2.0
"""Seconds for which it is looked at where a client is seen to write to it."""


KEPT = 30 * 24 * 3600.0
"""Seconds for which the next boughs look at it, as long as a client keeps a session."""


class HeldFile(Struct, frozen=True):
    """A file that was replaced: its second name, its size then, and up to where it was read."""

    base: str
    size: int
    read: int
    number: int = 0

    @property
    def path(self) -> str:
        """Give the second name."""
        return f"{self.base}.{self.size}.{self.read}.{self.number}{_HELD}"


class LateWrite(Struct, frozen=True):
    """What came late: how many lines were carried over, whether half a line or a lost file is left.

    `torn` names the file that keeps half a line; `homeless` says that lines came and there is no
    file any more that they could be carried to.
    """

    carried: int = 0
    torn: str | None = None
    homeless: bool = False

    @property
    def has_come(self) -> bool:
        """Tell whether there is anything."""
        return bool(self.carried or self.torn or self.homeless)


def hold_file(step: JournalStep, disk: Disk, size: int) -> str | None:
    """Give a step's file a second name; None where the file system has no links at all."""
    for base in _list_bases(step):
        folder = str(Path(base).parent)
        if not Path(folder).is_dir():
            disk.make_folder(folder)
        try:
            return _link_file(step.path, base, size, disk)
        except OSError as error:
            if error.errno not in _ELSEWHERE:
                raise
    return None


def list_held(step: JournalStep) -> list[HeldFile]:
    """List the files a step holds."""
    return [held for base in _list_bases(step) for held in _find_names(base)]


def find_holding(steps: list[JournalStep]) -> list[JournalStep]:
    """Find the steps that hold a file, with one look at each folder for all of them."""
    names: dict[Path, list[str]] = {}
    for folder in {Path(base).parent for step in steps for base in _list_bases(step)}:
        names[folder] = [name for name in _list_names(folder) if name.endswith(_HELD)]
    return [
        step
        for step in steps
        for base in map(Path, _list_bases(step))
        if any(name.startswith(f"{base.name}.") for name in names[base.parent])
    ]


def release_same(step: JournalStep, disk: Disk) -> None:
    """Give up second names of the very file that is there: it was never replaced, or came back."""
    for held in list_held(step):
        if is_same_file(held.path, step.path):
            disk.remove(held.path)


def carry_late_lines(step: JournalStep, disk: Disk) -> LateWrite:
    """Look once at what a step holds, and carry over the whole lines that came late."""
    release_same(step, disk)
    carried, torn, homeless = 0, None, False
    for held in list_held(step):
        since = read_bytes_at(held.path, held.size)
        late = since[held.read - held.size :]
        end = late.rfind(b"\n") + 1
        if end and not is_there(step.path):
            homeless = True
            continue
        name = held.path
        if end:
            before = Counter(since[: held.read - held.size].split(b"\n"))
            carried += _append_missing(step, late[:end], before, disk)
            name = _mark_read(held, held.read + end, disk)
        if late[end:]:
            torn = name
    return LateWrite(carried, torn, homeless)


def watch_held(
    steps: tuple[JournalStep, ...], disk: Disk, sleep: Callable[[float], object]
) -> LateWrite:
    """Look at what was replaced at once and a moment later; longer where a client is writing."""
    if not any(list_held(step) for step in steps):
        return LateWrite()
    total, waited = _look_at_all(steps, disk), 0.0
    while not total.homeless and waited < LATE:
        sleep(SOON)
        waited += SOON
        now = _look_at_all(steps, disk)
        total = LateWrite(total.carried + now.carried, now.torn, now.homeless)
        if not total.has_come:
            break
    return total


def settle_held(step: JournalStep, disk: Disk, *, old: bool) -> LateWrite:
    """Look at what an operation of before held; give it up where it is old and nothing came.

    Half a line that nobody ended is kept under a name that is not looked at again.
    """
    late = carry_late_lines(step, disk)
    if late.carried or late.homeless or not old:
        return late
    for held in list_held(step):
        if late.torn == held.path:
            kept = held.path.removesuffix(_HELD) + _TORN
            disk.move(held.path, kept)
            return LateWrite(torn=kept)
        disk.remove(held.path)
    return LateWrite()


def _look_at_all(steps: tuple[JournalStep, ...], disk: Disk) -> LateWrite:
    found = [carry_late_lines(step, disk) for step in steps]
    torn = next((late.torn for late in found if late.torn), None)
    homeless = any(late.homeless for late in found)
    return LateWrite(sum(late.carried for late in found), torn, homeless)


def _list_bases(step: JournalStep) -> list[str]:
    """Name the places for a second name: with the backups, or beside the file."""
    beside = [step.temp.removesuffix(".tmp")] if step.temp is not None else []
    return [step.held, *beside] if step.held is not None else []


def _link_file(path: str, base: str, size: int, disk: Disk) -> str:
    for number in range(_NAMES):
        name = HeldFile(base, size, size, number).path
        try:
            disk.link(path, name)
        except FileExistsError:
            if is_same_file(path, name):
                return name
        else:
            return name
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), base)


def _find_names(base: str) -> Iterator[HeldFile]:
    start = f"{Path(base).name}."
    for name in _list_names(Path(base).parent):
        if name.startswith(start) and name.endswith(_HELD):
            numbers = name[len(start) : -len(_HELD)].split(".")
            if len(numbers) == _NUMBERS and all(number.isdecimal() for number in numbers):
                yield HeldFile(base, *map(int, numbers))


def _list_names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - the names alone
    except (FileNotFoundError, NotADirectoryError):
        return []


def _mark_read(held: HeldFile, read: int, disk: Disk) -> str:
    """Note in a held file's name up to where it was read."""
    names = (HeldFile(held.base, held.size, read, number).path for number in range(_NAMES))
    name = next(name for name in names if not is_there(name))
    disk.move(held.path, name)
    return name


def _append_missing(step: JournalStep, late: bytes, before: Counter[bytes], disk: Disk) -> int:
    """Append those lines that the file has not got yet: a stop may have come before the mark.

    `before` are the lines that were carried over earlier.
    """
    data = read_bytes_at(step.path, 0)
    there = Counter(data[_find_base(step, data) :].split(b"\n")) - before
    missing = []
    for line in filter(None, late.split(b"\n")):
        if there[line] > 0:
            there[line] -= 1
        else:
            missing.append(line)
    if not missing:
        return 0
    added = b"".join(line + b"\n" for line in missing)
    if data and not data.endswith(b"\n"):
        added = b"\n" + added
    descriptor = disk.open_for_append(step.path)
    try:
        written = 0
        while written < len(added):
            written += disk.write(descriptor, added[written:], step.path)
        disk.sync(descriptor, step.path)
    finally:
        os.close(descriptor)
    return len(missing)


def _find_base(step: JournalStep, data: bytes) -> int:
    """Find how much of a file was there before anybody could write late."""
    before = step.before
    known = [(step.size, step.sha256)] if step.do != "append" else []
    known += [(before.size, before.sha256)] if before is not None else []
    return max((size for size, digest in known if begins_with(data, size, digest)), default=0)
