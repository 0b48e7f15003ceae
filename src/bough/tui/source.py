"""Where the app's answers come from: the library, asked in threads.

Every method here may take long and is called from a worker, never from the screen. A session
is opened twice: first the part a person will look at, which is there at once however large
the file is, then the whole.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.config import settings
from bough.files.lines import read_lines
from bough.library import (
    Project,
    Session,
    SessionList,
    SessionRow,
    find_session,
    list_sessions,
    project_listings,
    projects,
    read_session,
)
from bough.query.costs import indexed_costs
from bough.query.finding import find_project
from bough.query.index import IndexHandle, index_exists, open_index
from bough.query.indexed import indexed_projects, indexed_sessions
from bough.query.ledger import Amount
from bough.records.decode import records
from bough.records.record import BadLine, Record
from bough.tui.looks import now

_AT_ONCE: Final = 1_000_000
"""A file of so many bytes is read whole before anything is shown."""
_PART: Final = 400_000
"""So much of a larger one is read first."""
_FEW: Final = 50
"""So many records are read at least: some are as large as a file."""


class Overall(Struct, frozen=True):
    """What Home shows: projects, and what each cost."""

    projects: Sequence[Project]
    costs: Mapping[str, Amount]
    talk: str = ""


class Listed(Struct, frozen=True):
    """What Sessions shows."""

    rows: Sequence[SessionRow]
    costs: Mapping[str, Amount]
    names: Mapping[str, str]
    talk: str = ""


class Source:
    """Asks the library about some Claude folders."""

    def __init__(self, dirs: Sequence[str] = (), index: str | None = None) -> None:
        self.dirs = list(dirs)
        self.index = index

    @property
    def indexed(self) -> bool:
        """Tell whether there is an index."""
        return index_exists(self.dirs, self.index)

    def handle(self) -> IndexHandle:
        """Open the index for one question; close it in the same thread."""
        return open_index(self.dirs, self.index, fresh=False)

    def overall(self) -> Overall:
        """List the projects."""
        if not self.indexed:
            return Overall(projects(self.dirs), {})
        with self.handle() as handle:
            return Overall(indexed_projects(handle), _costs(handle, "project"))

    def sessions(self, project: str | None) -> Listed:
        """List the sessions of a project's folder, or all."""
        if not self.indexed:
            found = list_sessions(self.dirs, project)
            names = {p.id: p.name for p in projects(self.dirs)}
            return Listed(_as_read(found), {}, names, _troubles(found.problems))
        with self.handle() as handle:
            chosen = None
            if project is not None:
                chosen = find_project(project, project_listings(self.dirs))
            found = indexed_sessions(handle, chosen)
            names = {p.id: p.name for p in indexed_projects(handle)}
            return Listed(_as_read(found), _costs(handle, "session"), names)

    def find(self, wanted: str) -> Path:
        """Find the file of a session by its id."""
        return find_session(wanted, self.dirs)


def _as_read(found: SessionList) -> list[SessionRow]:
    """Count turns as people do: an answer belongs to its prompt."""
    prompts = found.prompts
    return [replace(row, turns=prompts.get(row.path, row.turns)) for row in found.rows]


def open_first(path: str, offset: int | None = None) -> tuple[Session, bool]:
    """Read a session whole where that is quick, else a part; tell which it was."""
    return (open_whole(path), True) if is_small(path) else (open_part(path, offset), False)


def is_small(path: str) -> bool:
    """Tell whether a session can be read whole at once."""
    try:
        return Path(path).stat().st_size <= _AT_ONCE
    except OSError:
        return True  # whoever reads it says what is wrong


def open_part(path: str, offset: int | None = None) -> Session:
    """Read a stretch of a session: from an offset on, else its end."""
    file = Path(path)
    size = file.stat().st_size
    start = max(0, size - _PART) if offset is None else min(offset, max(0, size - _PART))
    found, bad = _read(path, start, start + _PART * 2, torn=start > 0 and start != offset)
    return Session(file.stem, found, bad, path=path)


def open_stretch(path: str, start: int, end: int) -> Session:
    """Read the records that begin in a stretch of a session."""
    found, bad = _read(path, start, end, torn=start > 0)
    return Session(Path(path).stem, found, bad, path=path)


def open_from(path: str, offset: int) -> Session:
    """Read a session from where a record begins to its end."""
    found, bad = _read(path, offset, sys.maxsize, torn=False)
    return Session(Path(path).stem, found, bad, path=path)


def _read(path: str, start: int, end: int, *, torn: bool) -> tuple[list[Record], list[BadLine]]:
    """Read records from an offset on; a `torn` first one began before it."""
    found: list[Record] = []
    bad: list[BadLine] = []
    for number, item in enumerate(records(read_lines(path, start))):
        if number == 0 and torn:
            continue
        if item.offset > end and len(found) > _FEW:
            break
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return found, bad


def open_whole(path: str) -> Session:
    """Read a session with everything that lies beside it."""
    return read_session(path)


def _costs(handle: IndexHandle, report: str) -> Mapping[str, Amount]:
    return indexed_costs(report, handle, now=now(), settings=settings())


def _troubles(problems: Sequence[object]) -> str:
    count = len(problems)
    return "" if not count else f"{count:,} files could not be read. The rest is shown."
