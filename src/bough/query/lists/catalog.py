"""Where lists come from: the index where there is one, else the files.

Both give the same rows; only the index still knows what the client has deleted. Costs are
given where they are cheap: from the index, or from files that are few and small.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Final, Protocol

from bough.config import load_settings
from bough.model.text.formats import format_plural
from bough.query.index.handle import IndexHandle, Progress, index_exists, open_index

if TYPE_CHECKING:
    from bough.files.discover import ProjectFiles
    from bough.model.usage.costs import UsageTotal
    from bough.query.lists.list_rows import ConversationList, Dirs, Project, SessionList

# What reads files takes most of the package, so it is loaded only where files are read.
_CHEAP: Final = 20_000_000
"""So many bytes are read for costs where there is no index."""


class Catalog(Protocol):
    """What can be listed."""

    is_indexed: bool
    """Whether the index answers."""
    partial: str | None
    """What the index lacks, in a sentence."""

    def projects(self) -> "list[Project]":
        """List the projects, the most recently active first."""

    def sessions(self, project: str | None = None, *, everything: bool = False) -> "SessionList":
        """List sessions, of one project or of all, newest first."""

    def conversations(self, project: str | None = None) -> "ConversationList":
        """List conversations, of one project or of all, newest first."""

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal] | None":
        """Give the costs by session or project; None where they would take long."""

    def all_costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal]":
        """Give the costs by session, project or branch, however long that takes."""


class FileCatalog:
    """Reads the files for every answer."""

    is_indexed = False
    partial: str | None = None

    def __init__(self, dirs: "Dirs") -> None:
        self._dirs = dirs

    def projects(self) -> "list[Project]":
        """List the projects, the most recently active first."""
        from bough.query.lists.projects import list_projects  # noqa: PLC0415

        return list_projects(self._dirs)

    def sessions(self, project: str | None = None, *, everything: bool = False) -> "SessionList":
        """List sessions, of one project or of all, newest first."""
        from bough.query.lists.from_files import list_sessions  # noqa: PLC0415

        return list_sessions(self._dirs, project, everything=everything)

    def conversations(self, project: str | None = None) -> "ConversationList":
        """List conversations, of one project or of all, newest first."""
        from bough.query.lists.from_files import list_all_conversations  # noqa: PLC0415

        return list_all_conversations(self._dirs, project)

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal] | None":
        """Give the costs by session or project; None where they would take long."""
        from bough.query.lists.projects import project_listings  # noqa: PLC0415

        files = [s for listing in project_listings(self._dirs) for s in listing.sessions]
        if sum(session.size for session in files) > _CHEAP:
            return None
        return self.all_costs(report, now)

    def all_costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal]":
        """Give the costs by session, project or branch, however long that takes."""
        from bough.query.lists.costs import sum_costs  # noqa: PLC0415
        from bough.query.usage.sources import FileUsageSource  # noqa: PLC0415

        return sum_costs(report, FileUsageSource(self._dirs), now=now, settings=load_settings())


class IndexCatalog:
    """Asks the index; the files are only looked at for what a person calls a project."""

    is_indexed = True

    def __init__(self, handle: IndexHandle, dirs: "Dirs") -> None:
        self._handle = handle
        self._dirs = dirs
        self.partial: str | None = handle.partial

    def projects(self) -> "list[Project]":
        """List the projects, the most recently active first."""
        from bough.query.lists.from_index import list_indexed_projects  # noqa: PLC0415

        return list_indexed_projects(self._handle)

    def sessions(self, project: str | None = None, *, everything: bool = False) -> "SessionList":
        """List sessions, of one project or of all, newest first."""
        from bough.query.lists.from_index import list_indexed_sessions  # noqa: PLC0415

        return list_indexed_sessions(
            self._handle, self._find_project(project), everything=everything
        )

    def conversations(self, project: str | None = None) -> "ConversationList":
        """List conversations, of one project or of all, newest first."""
        from bough.query.lists.from_index import list_indexed_conversations  # noqa: PLC0415

        return list_indexed_conversations(self._handle, self._find_project(project))

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal]":
        """Give the costs by session, project or branch."""
        from bough.query.lists.costs import load_indexed_costs  # noqa: PLC0415

        return load_indexed_costs(report, self._handle, now=now, settings=load_settings())

    def all_costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal]":
        """Give the costs by session, project or branch."""
        return self.costs(report, now)

    def _find_project(self, wanted: str | None) -> "ProjectFiles | None":
        if wanted is None:
            return None
        if self._handle.is_team:
            from bough.query.lists.team_lookup import choose_team_project  # noqa: PLC0415

            return choose_team_project(wanted, self._handle.store)
        from bough.query.lists.projects import project_listings  # noqa: PLC0415
        from bough.query.lookup import find_project  # noqa: PLC0415

        return find_project(wanted, project_listings(self._dirs))


@contextmanager
def open_catalog(
    dirs: "Dirs" = (),
    index: str | PathLike[str] | None = None,
    *,
    fresh: bool = True,
    progress: Progress | None = None,
) -> Iterator[Catalog]:
    """Open what lists are made from: the index where there is one.

    Args:
        dirs: Claude folders; none means the usual places.
        index: The index; by default the one of these folders.
        fresh: Read into the index what is new in the files first.
        progress: Is told how far that is.
    """
    if not index_exists(dirs, index):
        yield FileCatalog(dirs)
        return
    with open_index(dirs, index, fresh=fresh, progress=progress) as handle:
        yield IndexCatalog(handle, dirs)


def describe_unread(problems: Sequence[object]) -> str:
    """Say that some files could not be read; nothing where all could."""
    count = len(problems)
    return f"{format_plural(count, 'file')} could not be read. The rest is shown." if count else ""
