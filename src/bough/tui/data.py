"""Where the app's answers come from: the library, asked in threads.

Every method here may take long and is called from a worker, never from the screen.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.library import (
    Annotations,
    ArchiveConsent,
    ArchiveJob,
    ArchiveQuestion,
    ArchiveStatus,
    BudgetShare,
    Catalog,
    DeletionForecast,
    IndexAccess,
    ListedState,
    Project,
    SessionRow,
    add_session_costs,
    archive_status,
    day_budget,
    describe_unread,
    find_session,
    find_session_states,
    forecast_deletions,
    load_budgets,
    load_readable_annotations,
    open_catalog,
    sort_by_state,
)
from bough.model.usage.costs import UsageTotal
from bough.terminal import clock

_WITH_STATE: Final = 200
"""So many sessions say where they stand; the ends of as many files take a tenth of a second."""


class HomeData(Struct, frozen=True):
    """What Home shows: projects, their costs, what the client deletes next, an open question."""

    projects: Sequence[Project]
    costs: Mapping[str, UsageTotal]
    annotations: Annotations
    talk: str = ""
    forecast: DeletionForecast = DeletionForecast()
    consent: ArchiveConsent | None = None
    day_budget: BudgetShare | None = None


class SessionsData(Struct, frozen=True):
    """What Sessions shows."""

    rows: Sequence[SessionRow]
    costs: Mapping[str, UsageTotal]
    names: Mapping[str, str]
    annotations: Annotations
    talk: str = ""


class ArchiveData(Struct, frozen=True):
    """What the archive's screen shows; sessions by path, names of projects by folder."""

    status: ArchiveStatus
    rows: Mapping[str, SessionRow]
    names: Mapping[str, str]


class LibraryQueries(IndexAccess):
    """Asks the library about some Claude folders."""

    @cached_property
    def archive_question(self) -> ArchiveQuestion:
        """Give the question that Home shows until it is answered."""
        return ArchiveQuestion(self.dirs)

    def load_projects(self) -> HomeData:
        """List the projects."""
        with open_catalog(self.dirs, self.index, fresh=False) as found:
            annotations, trouble = load_readable_annotations()
            costs = _load_costs(found, "project")
            forecast, spent = DeletionForecast(), None
            if found.is_indexed:
                forecast = forecast_deletions(self.dirs, self.index)
                spent = day_budget(self.dirs, index=self.index)
            consent = self.archive_question.find()
            return HomeData(found.projects(), costs, annotations, trouble, forecast, consent, spent)

    def sessions(self, project: str | None) -> SessionsData:
        """List the sessions of a project's folder, or all."""
        with open_catalog(self.dirs, self.index, fresh=False) as found:
            listed = found.sessions(project)
            names = {p.id: p.name for p in found.projects()}
            unread = "" if found.is_indexed else describe_unread(listed.problems)
            annotations = load_readable_annotations()[0]
            costs = _load_costs(found, "session")
            rows = add_session_costs(listed.rows, costs, load_budgets())
            return SessionsData(rows, costs, names, annotations, unread)

    def load_states(self, rows: Sequence[SessionRow]) -> Mapping[str, ListedState]:
        """Say where the newest sessions stand, by file: each state is in the end of one."""
        newest = sorted(rows, key=lambda row: row.ended_at or "", reverse=True)[:_WITH_STATE]
        return find_session_states(newest, self.dirs, clock.now())

    def list_project_sessions(self, folder: str) -> Sequence[SessionRow]:
        """List the sessions of a project, what goes on first, then the newest."""
        rows = self.sessions(folder).rows
        states = find_session_states(rows, self.dirs, clock.now())
        return sort_by_state(rows, lambda row: states[row.path].name)

    def load_archive(self) -> ArchiveData:
        """Say how the archive stands, and what its sessions are called."""
        with open_catalog(self.dirs, self.index, fresh=False) as found:
            rows = {row.path: row for row in found.sessions(everything=True).rows}
            names = {project.id: project.name for project in found.projects()}
        if not found.is_indexed:
            return ArchiveData(archive_status(self.dirs), rows, names)
        with self.open_handle() as handle:
            return ArchiveData(archive_status(index=handle), rows, names)

    @cached_property
    def archive_job(self) -> ArchiveJob:
        """Give what works on the archive, as long as the app runs."""
        return ArchiveJob(self.dirs)

    def find_session_file(self, wanted: str) -> Path:
        """Find the file of a session by its id."""
        return find_session(wanted, self.dirs)


def _load_costs(found: Catalog, report: str) -> Mapping[str, UsageTotal]:
    """Give costs from the index; while it is made nobody counts them a second time."""
    return (found.costs(report, clock.now()) or {}) if found.is_indexed else {}
