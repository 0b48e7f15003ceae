"""Where the app's answers come from: the library, asked in threads.

Every method here may take long and is called from a worker, never from the screen.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from bough.config import load_settings
from bough.library import (
    Project,
    SessionRow,
    find_session,
    list_sessions,
    project_listings,
    projects,
)
from bough.model.usage.amounts import UsageTotal
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.costs import load_indexed_costs
from bough.query.lists.from_index import list_indexed_projects, list_indexed_sessions
from bough.query.lookup import find_project
from bough.tui.style.style import now


class HomeData(Struct, frozen=True):
    """What Home shows: projects, and what each cost."""

    projects: Sequence[Project]
    costs: Mapping[str, UsageTotal]
    talk: str = ""


class SessionsData(Struct, frozen=True):
    """What Sessions shows."""

    rows: Sequence[SessionRow]
    costs: Mapping[str, UsageTotal]
    names: Mapping[str, str]
    talk: str = ""


class LibraryQueries:
    """Asks the library about some Claude folders."""

    def __init__(self, dirs: Sequence[str] = (), index: str | None = None) -> None:
        self.dirs = list(dirs)
        self.index = index

    @property
    def has_index(self) -> bool:
        """Tell whether there is an index."""
        return index_exists(self.dirs, self.index)

    def open_handle(self) -> IndexHandle:
        """Open the index for one question; close it in the same thread."""
        return open_index(self.dirs, self.index, fresh=False)

    def load_projects(self) -> HomeData:
        """List the projects."""
        if not self.has_index:
            return HomeData(projects(self.dirs), {})
        with self.open_handle() as handle:
            return HomeData(list_indexed_projects(handle), _load_costs(handle, "project"))

    def sessions(self, project: str | None) -> SessionsData:
        """List the sessions of a project's folder, or all."""
        if not self.has_index:
            found = list_sessions(self.dirs, project)
            names = {p.id: p.name for p in projects(self.dirs)}
            return SessionsData(
                found.rows_with_turns(), {}, names, _describe_problems(found.problems)
            )
        with self.open_handle() as handle:
            chosen = None
            if project is not None:
                chosen = find_project(project, project_listings(self.dirs))
            found = list_indexed_sessions(handle, chosen)
            names = {p.id: p.name for p in list_indexed_projects(handle)}
            return SessionsData(found.rows_with_turns(), _load_costs(handle, "session"), names)

    def find_session_file(self, wanted: str) -> Path:
        """Find the file of a session by its id."""
        return find_session(wanted, self.dirs)


def _load_costs(handle: IndexHandle, report: str) -> Mapping[str, UsageTotal]:
    return load_indexed_costs(report, handle, now=now(), settings=load_settings())


def _describe_problems(problems: Sequence[object]) -> str:
    count = len(problems)
    return "" if not count else f"{count:,} files could not be read. The rest is shown."
