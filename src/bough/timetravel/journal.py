"""The journal: every operation, what it did to which file, and how it ended.

One JSON line when an operation begins, one when it ends, both on the disk before anything
else happens. What has a beginning and no end was stopped in the middle; whoever writes next
finishes or takes back. The journal lies with bough's own data, never in a Claude folder.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct, field

from bough.config import JOURNAL
from bough.errors import Unreadable, reason_of
from bough.timetravel.disk import Disk
from bough.timetravel.session_file import FileSnapshot
from bough.timetravel.settings_file import SettingsEdit

DONE = "done"
TAKEN_BACK = "taken back"
ABANDONED = "abandoned"
UNFINISHED = "unfinished"
UNDONE = "undone"


class _Uuid(Struct):
    uuid: str | None = None


class JournalStep(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one step does to one file, with all that is needed to take it back.

    `data` is what was appended; other content is known by `sha256` and `size`. `temp` is the
    name it is written under first, `backup` where the file's content before is kept, `held` how
    the second name of a file begins that is replaced or removed; `inode` is that of what moves.
    """

    do: str
    path: str
    target: str | None = None
    before: FileSnapshot | None = None
    sha256: str = ""
    size: int = 0
    data: bytes = b""
    backup: str | None = None
    temp: str | None = None
    held: str | None = None
    names: tuple[str, ...] = ()
    inode: int = 0

    def list_uuids(self) -> list[bytes]:
        """List the uuids of the records that were appended."""
        lines = [line for line in self.data.splitlines() if line.strip()]
        found = [msgspec.json.decode(line, type=_Uuid).uuid for line in lines]
        return [uuid.encode() for uuid in found if uuid]


class OperationBegin(Struct, frozen=True, kw_only=True, tag="begin", omit_defaults=True):
    """The first line of an operation."""

    number: int
    at: str
    operation: str
    session: str
    headline: str
    projects: str = ""
    # Journals on people's disks have this name; an old one must stay readable.
    steps: tuple[JournalStep, ...] = field(name="deeds")
    path: str | None = None
    result: str | None = None
    undoes: tuple[int, ...] = ()
    settings: SettingsEdit | None = None


class OperationEnd(Struct, frozen=True, kw_only=True, tag="end", omit_defaults=True):
    """The last line of an operation; `times` are those of the files it wrote."""

    number: int
    at: str
    outcome: str
    reason: str = ""
    times: dict[str, int] = {}


class Operation(Struct, frozen=True, kw_only=True):
    """An operation as the journal tells it, for a list."""

    number: int
    at: str
    operation: str
    session: str
    headline: str
    state: str
    reason: str = ""
    path: str | None = None
    result: str | None = None
    undoes: tuple[int, ...] = ()
    undone_by: int | None = None
    projects: str = ""
    steps: tuple[JournalStep, ...] = ()
    settings: SettingsEdit | None = None

    @property
    def claude_dir(self) -> str:
        """Name the Claude folder it was done in; empty where nothing tells."""
        return str(Path(self.projects).parent) if self.projects else ""


_decode_event = msgspec.json.Decoder(OperationBegin | OperationEnd).decode


class Journal:
    """The journal in a data folder."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.path = folder / JOURNAL
        self._disk = disk

    def list_operations(self) -> list[Operation]:
        """List all operations, the first one first."""
        begun, ended = self._sort_events()
        undone: dict[int, int] = {}
        for begin in reversed(begun):
            # From the last one on, so that an undo that was itself undone counts for nothing.
            if _outcome_of(ended, begin.number) == DONE and begin.number not in undone:
                undone |= dict.fromkeys(begin.undoes, begin.number)
        return [_build_operation(begin, ended.get(begin.number), undone) for begin in begun]

    def last_own_write_ns(self, path: str) -> int:
        """Give the time of our own last write to a file, 0 where there is none."""
        _, ended = self._sort_events()
        times = (end.times[path] for end in reversed(ended.values()) if path in end.times)
        return next(times, 0)

    def next_number(self) -> int:
        """Give the number of the next operation."""
        begun, _ = self._sort_events()
        return max((begin.number for begin in begun), default=0) + 1

    def has_end(self, number: int) -> bool:
        """Tell whether an operation has its last line."""
        _, ended = self._sort_events()
        return _outcome_of(ended, number) != UNFINISHED

    def write(self, event: OperationBegin | OperationEnd) -> None:
        """Append an event and wait until it is on the disk."""
        path = str(self.path)
        data = msgspec.json.encode(event) + b"\n"
        if not self._has_whole_last_line():
            data = b"\n" + data
        descriptor = self._disk.open_or_create(path)
        try:
            written = self._disk.write(descriptor, data, path)
            while written < len(data):
                written += self._disk.write(descriptor, data[written:], path)
            self._disk.sync(descriptor, path)
        finally:
            os.close(descriptor)

    def _has_whole_last_line(self) -> bool:
        """Tell whether the last line is whole; one may be torn by a stop or a full disk."""
        try:
            with self.path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                return file.read() == b"\n"
        except OSError:
            return True

    def _sort_events(self) -> tuple[list[OperationBegin], dict[int, OperationEnd]]:
        begun: list[OperationBegin] = []
        ended: dict[int, OperationEnd] = {}
        for event in self._read_events():
            if isinstance(event, OperationBegin):
                begun.append(event)
                # The beginning of one before it may have been torn and its number taken again.
                ended.pop(event.number, None)
            else:
                ended[event.number] = event
        return begun, ended

    def _read_events(self) -> Iterable[OperationBegin | OperationEnd]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise Unreadable(self.path, reason_of(error)) from error
        for line in data.splitlines():
            try:
                yield _decode_event(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue  # torn by a stop; what it began never happened


def _outcome_of(ended: dict[int, OperationEnd], number: int) -> str:
    return ended[number].outcome if number in ended else UNFINISHED


def _build_operation(
    begin: OperationBegin, end: OperationEnd | None, undone: dict[int, int]
) -> Operation:
    state = end.outcome if end is not None else UNFINISHED
    return Operation(
        number=begin.number,
        at=begin.at,
        operation=begin.operation,
        session=begin.session,
        headline=begin.headline,
        state=UNDONE if state == DONE and begin.number in undone else state,
        reason=end.reason if end is not None else "",
        path=begin.path,
        result=begin.result,
        undoes=begin.undoes,
        undone_by=undone.get(begin.number),
        projects=begin.projects or _find_projects(begin),
        steps=begin.steps,
        settings=begin.settings,
    )


def _find_projects(begin: OperationBegin) -> str:
    """Find the folder `projects` that an entry without its name belongs to, by its files."""
    paths = [*((begin.path,) if begin.path else ()), *(step.path for step in begin.steps)]
    folders = (folder for path in paths for folder in Path(path).parents)
    return next((str(folder) for folder in folders if folder.name == "projects"), "")
