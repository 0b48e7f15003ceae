"""The projects, the session and the days that a report is about, looked for in the index."""

from typing import TYPE_CHECKING, Final

from bough.errors import LATEST, SessionNotFound
from bough.query.lookup import ProjectNames, choose_project, choose_session_by_path
from bough.query.usage.calendar import DateRange
from bough.store.stats_protocol import StatsScope

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.store.rows import ListedProject

_ALL_TIME: Final = DateRange()


def find_stats_scope(
    index: "IndexHandle",
    *,
    project: str | None = None,
    session: str | None = None,
    date_range: DateRange = _ALL_TIME,
) -> StatsScope:
    """Find what is meant, among what lies in the Claude folders asked about.

    The index may also know projects of other Claude folders; these are asked about only by
    naming their folder.
    """
    chosen = _find_projects_inside(index)
    if project is None and session is None:
        return StatsScope(chosen, None, date_range.since, date_range.until)
    covered = [one for one in index.store.projects() if index.covers(one.folder)]
    if project is not None:
        chosen = (choose_project(project, map(_indexed_project_names, covered)).id,)
    folders = {one.folder for one in covered}
    found = _find_indexed_session(session, index, folders) if session is not None else None
    return StatsScope(chosen, found, date_range.since, date_range.until)


def _find_projects_inside(index: "IndexHandle") -> tuple[int, ...] | None:
    """Find the projects in the Claude folders asked about; None where all are."""
    known = index.store.project_folders()
    inside = tuple(number for number, folder in known.items() if index.covers(folder))
    return inside if len(inside) < len(known) else None


def _indexed_project_names(one: "ListedProject") -> "ProjectNames[ListedProject]":
    return ProjectNames(one.dir, one.folder, one.path, one.name, one)


def _find_indexed_session(wanted: str, index: "IndexHandle", folders: set[str]) -> str:
    sessions = [one for one in index.store.sessions() if one.folder in folders]
    if wanted == LATEST:
        talking = [one for one in sessions if one.tips and one.deleted_at is None]
        if not talking:
            raise SessionNotFound(LATEST)
        return max(talking, key=lambda one: one.ended_at or "").id
    titles = {one.id: one.title or "" for one in sessions}
    return choose_session_by_path(wanted, {one.path: one.id for one in sessions}, titles)
