"""A project or a session by what a person calls it, looked for in the usage of calls."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from bough.errors import LATEST, SessionNotFound
from bough.model.usage.across_files import FileUsage
from bough.query.lookup import ProjectNames, choose_project, choose_session_by_path


def find_usage_project(wanted: str, usages: Sequence[FileUsage]) -> str:
    """Find the folder name of a project by that name, its path or its name."""
    known = {one.project: _usage_project_names(one) for one in reversed(usages)}
    return choose_project(wanted, known.values())


def _usage_project_names(one: FileUsage) -> ProjectNames[str]:
    # The project's folder, in which the file lies at some depth.
    inside = (parent for parent in Path(one.path).parents if parent.name == one.project)
    folder = str(next((p for p in inside if p.parent.name == "projects"), ""))
    name = one.project_name or one.project
    return ProjectNames(one.project, folder, one.project_path, name, one.project)


def find_usage_session(wanted: str, usages: Sequence[FileUsage]) -> str:
    """Find a session's id by a prefix of it, its file's path, or `latest`."""
    if wanted == LATEST:
        return _find_latest_usage(usages)
    titles = {one.session: "" for one in sorted(usages, key=lambda one: one.session)}
    titles |= {one.session: one.title or "" for one in usages if one.agent is None}
    return choose_session_by_path(wanted, {one.path: one.session for one in usages}, titles)


def _find_latest_usage(usages: Sequence[FileUsage]) -> str:
    """Find the session with the newest call: one without a call has no usage to show."""
    dated = ((one.newest or "", one.session) for one in usages if one.newest or one.lines)
    calls = ((line.timestamp or "", one.session) for one in usages for line in one.lines)
    newest = max(chain(dated, calls), default=None)
    if newest is None:
        raise SessionNotFound(LATEST)
    return newest[1]
