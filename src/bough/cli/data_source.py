"""Where lists come from: the index where there is one, brought up to date; else the files.

Both give the same rows. Costs are shown where they are cheap: from the index, or from files
that are few and small. What reads files takes most of the package, so it is loaded only
where files are read.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final, Protocol

from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals
from bough.cli.progress import progress_bar
from bough.config import load_settings
from bough.model.text.formats import base_name_of, format_cost
from bough.query.index.handle import IndexHandle, index_exists, open_index
from bough.query.lists.costs import load_indexed_costs, sum_costs
from bough.query.lists.from_index import (
    list_indexed_conversations,
    list_indexed_projects,
    list_indexed_sessions,
)
from bough.query.lists.list_rows import ConversationList, ConversationRow, Project, SessionList

if TYPE_CHECKING:
    from bough.files.directory import Problem
    from bough.files.discover import ProjectFiles
    from bough.model.usage.amounts import UsageTotal

_CHEAP: Final = 20_000_000
"""So many bytes are read for costs where there is no index."""


class ListSource(Protocol):
    """What can be listed."""

    def projects(self) -> list[Project]:
        """List the projects."""

    def sessions(self, project: str | None, *, everything: bool) -> SessionList:
        """List sessions, of one project or of all."""

    def conversations(self, project: str | None) -> ConversationList:
        """List conversations, of one project or of all."""

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal] | None":
        """Give the costs by session or project; None where they would take long."""


class _FileListSource:
    """Reads the files for every answer."""

    def __init__(self, dirs: list[str]) -> None:
        self._dirs = dirs

    def projects(self) -> list[Project]:
        from bough.query.lists.projects import list_projects  # noqa: PLC0415 - 50 ms

        return list_projects(self._dirs)

    def sessions(self, project: str | None, *, everything: bool) -> SessionList:
        from bough.query.lists.from_files import list_sessions  # noqa: PLC0415 - 50 ms

        return list_sessions(self._dirs, project, everything=everything)

    def conversations(self, project: str | None) -> ConversationList:
        from bough.query.lists.from_files import list_all_conversations  # noqa: PLC0415 - 50 ms

        return list_all_conversations(self._dirs, project)

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal] | None":
        from bough.query.lists.projects import project_listings  # noqa: PLC0415 - 50 ms
        from bough.query.usage.sources import FileUsageSource  # noqa: PLC0415 - 70 ms

        files = [s for listing in project_listings(self._dirs) for s in listing.sessions]
        if sum(session.size for session in files) > _CHEAP:
            return None
        return sum_costs(report, FileUsageSource(self._dirs), now=now, settings=load_settings())


class _IndexListSource:
    """Asks the index; the files are only looked at for what a person calls a project."""

    def __init__(self, handle: IndexHandle, dirs: list[str]) -> None:
        self._handle = handle
        self._dirs = dirs

    def projects(self) -> list[Project]:
        return list_indexed_projects(self._handle)

    def sessions(self, project: str | None, *, everything: bool) -> SessionList:
        return list_indexed_sessions(
            self._handle, self._find_project(project), everything=everything
        )

    def conversations(self, project: str | None) -> ConversationList:
        return list_indexed_conversations(self._handle, self._find_project(project))

    def costs(self, report: str, now: datetime) -> "Mapping[str, UsageTotal] | None":
        return load_indexed_costs(report, self._handle, now=now, settings=load_settings())

    def _find_project(self, wanted: str | None) -> "ProjectFiles | None":
        if wanted is None:
            return None
        from bough.query.lists.projects import project_listings  # noqa: PLC0415 - 50 ms
        from bough.query.lookup import find_project  # noqa: PLC0415 - 50 ms

        return find_project(wanted, project_listings(self._dirs))


@contextmanager
def open_lists(given: Globals) -> Iterator[ListSource]:
    """Open what lists are made from."""
    dirs = get_claude_folders(given)
    index = check_name(given.index) if given.index is not None else None
    if not index_exists(dirs, index):
        yield _FileListSource(dirs)
        return
    with progress_bar() as progress, open_index(dirs, index, progress=progress) as handle:
        if handle.partial:
            output.say(handle.partial)
        yield _IndexListSource(handle, dirs)


def list_conversations_seen_by(
    dirs: list[str], project: str | None, client: str
) -> ConversationList:
    """List conversations with the tips that another version of the client would choose."""
    from bough.query.lists.from_files import count_prompts, list_conversations, read_sessions  # noqa: PLC0415 - 50 ms
    from bough.query.lists.projects import project_listings  # noqa: PLC0415 - 50 ms
    from bough.query.lookup import find_project  # noqa: PLC0415 - 50 ms

    listings = project_listings(dirs)
    problems: list[Problem] = []
    rows: list[ConversationRow] = []
    prompts: dict[tuple[str, str | None], int] = {}
    for listing in listings if project is None else [find_project(project, listings)]:
        problems += listing.problems
        for _, session in read_sessions(listing, problems):
            seen = session.with_client(client)
            rows += list_conversations(seen)
            prompts |= count_prompts(seen)
    rows.sort(key=lambda row: row.ended_at or "", reverse=True)
    return ConversationList(rows, problems, prompts)


def label_projects(found: list[Project]) -> dict[str, str]:
    """Name projects, by folder, as people do: a worktree behind its repository."""
    return {
        project.id: f"{base_name_of(project.worktree_of)}/{project.name}"
        if project.worktree_of
        else project.name
        for project in found
    }


def format_cost_cell(amount: "UsageTotal | None") -> str:
    """Write a cost for a table."""
    if amount is None or not amount.tokens:
        return format_cost(0, in_table=True)
    usd = amount.cost_usd if amount.cost or not amount.partly_unknown else None
    return format_cost(usd, partly_unknown=amount.partly_unknown, in_table=True)
