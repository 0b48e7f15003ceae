"""Where the app's answers come from: the library, asked in threads.

Every method here may take long and is called from a worker, never from the screen.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from bough.config import settings
from bough.library import (
    Project,
    SessionRow,
    find_session,
    list_sessions,
    project_listings,
    projects,
)
from bough.model.usage.amounts import Amount
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.costs import indexed_costs
from bough.query.lists.from_index import indexed_projects, indexed_sessions
from bough.query.lookup import find_project
from bough.tui.style.style import now


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
            return Listed(found.as_read(), {}, names, _troubles(found.problems))
        with self.handle() as handle:
            chosen = None
            if project is not None:
                chosen = find_project(project, project_listings(self.dirs))
            found = indexed_sessions(handle, chosen)
            names = {p.id: p.name for p in indexed_projects(handle)}
            return Listed(found.as_read(), _costs(handle, "session"), names)

    def find(self, wanted: str) -> Path:
        """Find the file of a session by its id."""
        return find_session(wanted, self.dirs)


def _costs(handle: IndexHandle, report: str) -> Mapping[str, Amount]:
    return indexed_costs(report, handle, now=now(), settings=settings())


def _troubles(problems: Sequence[object]) -> str:
    count = len(problems)
    return "" if not count else f"{count:,} files could not be read. The rest is shown."
