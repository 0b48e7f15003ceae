"""Projects and sessions of a team's store by what a person calls them."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from bough.errors import LATEST, SessionNotFound
from bough.files.discover import ProjectFiles, discover_projects
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.lookup import (
    ProjectNames,
    choose_project,
    choose_session,
    is_session_path,
)
from bough.store.open_store import open_store

if TYPE_CHECKING:
    from bough.store.protocol import Store

_PROJECTS: Final = "/projects/"


def find_team_session(wanted: str, url: str) -> Path:
    """Find the path of a session by a prefix of its id, or `latest`; a path is one already.

    Raises:
        SessionNotFound: No session begins so.
        AmbiguousSession: Several do; a session that several machines have is named by its path.
    """
    if is_session_path(wanted):
        return Path(wanted)
    store = open_store(url)
    try:
        rows = [row for row in store.sessions() if row.deleted_at is None]
    finally:
        store.close()
    if wanted == LATEST:
        talking = [row for row in rows if row.tips]
        if not talking:
            raise SessionNotFound(LATEST)
        return Path(max(talking, key=lambda row: row.ended_at or "").path)
    titles = {row.path: row.title or "" for row in rows}
    found: str = choose_session(
        wanted, [(row.id, row.path) for row in rows], lambda path: titles[path]
    )
    return Path(found)


def list_team_listings(url: str) -> list[ProjectFiles]:
    """List the files of all projects of a team's store."""
    store = open_store(url)
    try:
        found = {row.folder.rpartition(_PROJECTS)[0] for row in store.projects()}
    finally:
        store.close()
    folders = [Path(folder) for folder in sorted(filter(None, found))]
    return [project for folder in folders for project in discover_projects(folder, USUAL_SOURCES)]


def choose_team_project(wanted: str, store: "Store") -> ProjectFiles:
    """Choose a project by its folder's name, its path or its name.

    Raises:
        ProjectNotFound: None is called so.
        AmbiguousProject: Several are.
    """
    known = (
        ProjectNames(row.dir, row.folder, row.path, row.name, ProjectFiles(row.dir, row.folder))
        for row in store.projects()
    )
    return choose_project(wanted, known)
