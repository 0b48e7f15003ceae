"""Scope: which projects a server may speak of, said by the person who starts it.

It is one folder with all worktrees of its repository, or everything where that was asked for
by hand. Nothing that an agent sends can widen it: names it gives are looked up among what is
in scope, so that another project is not even named in an error.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from bough import library
from bough.errors import BoughError, IndexTrouble, Misuse

if TYPE_CHECKING:
    from bough.library import IndexHandle, Project, SessionRow

_FRESH_SECONDS: Final = 30.0
_MOST_NEW_BYTES: Final = 16 * 1024 * 1024
"""So much is read inside a call; what is more waits for `bough index`."""
_SHORTEST_PREFIX: Final = 4


class NoIndexYet(IndexTrouble):
    """Say that there is nothing to ask yet; making it could take minutes, so no call does."""

    def __init__(self) -> None:
        super().__init__("There is no index yet. Somebody has to run bough index once.")


class OutOfScope(BoughError):
    """Say that nothing in scope goes by a name; what there is elsewhere is not said."""


class ProjectScope(Struct, frozen=True):
    """The folder that a server was started for; None where everything may be asked about."""

    path: str | None

    @property
    def spellings(self) -> set[str]:
        """List how records may write the folder; none where everything is in scope."""
        return set() if self.path is None else library.list_path_spellings(self.path)

    def select_projects(self, projects: "Sequence[Project]") -> "list[Project]":
        """List the projects that belong to it: the folder's, and those of its repository."""
        if self.path is None:
            return list(projects)
        spelled = self.spellings
        own = [one for one in projects if one.path in spelled]
        roots = {one.worktree_of for one in own if one.worktree_of} | spelled
        return [one for one in projects if one.path in roots or one.worktree_of in roots]

    def take_over(self, project: "Project") -> "Project":
        """Call a project as ours, whose folder has sessions of ours beside those of another."""
        path = self.path or ""
        return replace(project, path=path, name=Path(path).name, worktree_of=None)


class _Selection(Struct, frozen=True):
    """What is in scope: projects, sessions by id, and the folders that others have a part in."""

    projects: "list[Project]"
    rows: "dict[str, SessionRow]"
    shared: set[str]


class ScopedHistory:
    """The history as a server sees it: an open index, and the projects in scope."""

    def __init__(
        self, scope: ProjectScope, claude_dirs: Sequence[str] = (), index: str | None = None
    ) -> None:
        self.scope = scope
        self._claude_dirs = list(claude_dirs)
        self._index = index
        self._handle: IndexHandle | None = None
        self._refreshed_at = float("-inf")

    def refresh(self) -> None:
        """Open the index, or read what is new into it, unless that was done just now."""
        now = time.monotonic()
        if self._handle is not None and now - self._refreshed_at < _FRESH_SECONDS:
            return
        if self._handle is None:
            if not library.index_exists(self._claude_dirs, self._index):
                raise NoIndexYet
            self._handle = library.open_index(self._claude_dirs, self._index, fresh=False)
        library.refresh_handle(self._handle, _MOST_NEW_BYTES)
        self._refreshed_at = time.monotonic()
        vars(self).pop("_selection", None)

    def close(self) -> None:
        """Let go of the index."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    @property
    def handle(self) -> "IndexHandle":
        """Give the open index."""
        if self._handle is None:
            raise NoIndexYet
        return self._handle

    @property
    def partial(self) -> list[str]:
        """Say what the index lacks."""
        return [self.handle.partial] if self.handle.partial else []

    @property
    def projects(self) -> "list[Project]":
        """List the projects in scope, the most recently active first."""
        return self._selection.projects

    @property
    def rows(self) -> "Mapping[str, SessionRow]":
        """Give the sessions in scope by id, the newest first."""
        return self._selection.rows

    @property
    def is_shared(self) -> bool:
        """Tell whether another project's sessions lie in the folders of those in scope."""
        return bool(self._selection.shared)

    @cached_property
    def _selection(self) -> _Selection:
        found = library.projects(self._claude_dirs, index=self.handle)
        own = {one.folder: one for one in self.scope.select_projects(found)}
        paths = self.scope.spellings | {one.path for one in own.values() if one.path}
        sessions = library.sessions_within(
            own, None if self.scope.path is None else paths, self._claude_dirs, self.handle
        )
        folders = {folder_of(row) for row in sessions.rows}
        projects = [
            own.get(one.folder) or self.scope.take_over(one)
            for one in found
            if one.folder in own or one.folder in folders
        ]
        shared = {one.folder for one in projects} & sessions.shared
        return _Selection(projects, {row.id: row for row in sessions.rows}, shared)

    def select_projects(self, wanted: str | None) -> "list[Project]":
        """Narrow the scope to the projects of a name or path; without one all of it."""
        if wanted is None:
            return self.projects
        spelled, folded = library.list_path_spellings(wanted), wanted.casefold()
        found = [
            one
            for one in self.projects
            if one.path in spelled or one.id == wanted or one.name.casefold() == folded
        ]
        if not found:
            raise OutOfScope(f"No project in scope is called {wanted[:80]!r}.")
        return found

    def select_folders(self, wanted: str | None) -> list[str]:
        """List the folders of the projects that are meant; of a shared one the files in scope."""
        folders = [one.folder for one in self.select_projects(wanted)]
        shared = self._selection.shared & set(folders)
        return [one for one in folders if one not in shared] + [
            row.path for row in self.rows.values() if shared and folder_of(row) in shared
        ]

    def find_row(self, wanted: str) -> "SessionRow":
        """Find a session in scope by its id, the beginning of one, or `latest`."""
        rows = self.rows
        if wanted == "latest" and rows:
            return next(iter(rows.values()))
        if wanted in rows:
            return rows[wanted]
        if len(wanted) < _SHORTEST_PREFIX:
            raise Misuse("Name a session by four letters of its id at least, or latest.")
        found = [row for name, row in rows.items() if name.startswith(wanted)]
        if len(found) > 1:
            raise Misuse(f"{len(found)} sessions in scope begin with {wanted[:80]!r}.")
        if not found:
            raise OutOfScope(f"No session in scope begins with {wanted[:80]!r}.")
        return found[0]


def folder_of(row: "SessionRow") -> str:
    """Name the project folder that a session lies in."""
    return row.path.rpartition("/")[0] or row.path.rpartition("\\")[0]
