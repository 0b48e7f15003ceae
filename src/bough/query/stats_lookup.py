"""What a person asks about, found in the index: a project, a session, a stretch of time.

The index also knows what is gone from disk, and projects of other Claude folders; the
first may be asked about, the second only by naming its folder.
"""

import difflib
from collections.abc import Sequence
from pathlib import Path

from bough.errors import AmbiguousSession, SessionNotFound
from bough.query.index.handle import IndexHandle
from bough.query.project_lookup import ProjectNames, find_by_name
from bough.query.usage.calendar import DateRange
from bough.store.rows import ListedProject, ListedSession
from bough.store.stats_protocol import StatsScope

LATEST = "latest"
_ALL_TIME = DateRange()


def find_stats_scope(
    index: IndexHandle,
    *,
    project: str | None = None,
    session: str | None = None,
    stretch: DateRange = _ALL_TIME,
) -> StatsScope:
    """Find what is meant, among what lies in the Claude folders asked about."""
    known = index.store.projects()
    covered = [one for one in known if index.covers(one.folder)]
    chosen: tuple[int, ...] | None = None
    if project is not None:
        chosen = (find_by_name(project, map(_indexed_project_names, covered)).id,)
    elif len(covered) < len(known):
        chosen = tuple(one.id for one in covered)
    found = _find_indexed_session(session, index, covered) if session is not None else None
    return StatsScope(chosen, found, stretch.since, stretch.until)


def _indexed_project_names(one: ListedProject) -> ProjectNames[ListedProject]:
    return ProjectNames(one.dir, one.folder, one.path, one.name, one)


def _find_indexed_session(
    wanted: str, index: IndexHandle, projects: Sequence[ListedProject]
) -> str:
    """Find a session by its path, the beginning of its id, or `latest`."""
    folders = {one.folder for one in projects}
    sessions = [one for one in index.store.sessions() if one.folder in folders]
    if wanted == LATEST:
        return _find_latest_session(sessions)
    if wanted.endswith(".jsonl") or "/" in wanted or "\\" in wanted:
        wanted = Path(wanted).stem
    prefix = wanted.casefold()
    ids = {one.id for one in sessions if prefix and one.id.casefold().startswith(prefix)}
    if wanted in ids or len(ids) == 1:
        return wanted if wanted in ids else ids.pop()
    if ids:
        raise AmbiguousSession(wanted, sorted(ids))
    by_start = {one.id[: max(len(wanted), 4)]: one for one in sessions}
    nearest = difflib.get_close_matches(wanted, list(by_start), n=1, cutoff=0.5)
    raise SessionNotFound(
        wanted,
        [f"{by_start[near].id[:8]} {by_start[near].title or ''}".strip() for near in nearest],
    )


def _find_latest_session(sessions: Sequence[ListedSession]) -> str:
    talking = [one for one in sessions if one.tips and one.deleted_at is None]
    if not talking:
        raise SessionNotFound(LATEST)
    return max(talking, key=lambda one: one.ended_at or "").id
