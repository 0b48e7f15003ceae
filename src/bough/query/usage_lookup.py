"""Projects and sessions by what a person calls them, among the ledger's books.

The ledger also knows sessions and projects that are gone from the disk, so it looks among
its own books.
"""

import difflib
from collections.abc import Sequence
from pathlib import Path

from bough.errors import AmbiguousSession, SessionNotFound
from bough.model.usage.across_files import FileUsage
from bough.query.project_lookup import ProjectNames, find_by_name

LATEST = "latest"


def find_usage_project(wanted: str, books: Sequence[FileUsage]) -> str:
    """Find the folder name of a project by that name, its path or its name."""
    known = {book.project: _usage_project_names(book) for book in reversed(books)}
    return find_by_name(wanted, known.values())


def _usage_project_names(book: FileUsage) -> ProjectNames[str]:
    name = book.project_name or book.project
    return ProjectNames(book.project, _project_folder(book), book.project_path, name, book.project)


def find_usage_session(wanted: str, books: Sequence[FileUsage]) -> str:
    """Find a session's id by a prefix of it, its file's path, or `latest`."""
    if wanted == LATEST:
        return _find_latest_usage(books)
    if wanted.endswith(".jsonl"):
        path = Path(wanted).expanduser().absolute()
        inside = [book.session for book in books if Path(book.path) == path]
        if not inside:
            raise SessionNotFound(wanted)
        return inside[0]
    ids = sorted({book.session for book in books})
    prefix = wanted.casefold()
    found = [one for one in ids if one == wanted]
    found = found or [one for one in ids if prefix and one.casefold().startswith(prefix)]
    if len(found) > 1:
        raise AmbiguousSession(wanted, found)
    if not found:
        titles = {book.session: book.title or "" for book in books if book.agent is None}
        near = difflib.get_close_matches(wanted, [one[: max(len(wanted), 4)] for one in ids], n=1)
        nearest = [one for one in ids if near and one.startswith(near[0])][:1]
        raise SessionNotFound(
            wanted, [f"{one[:8]} {titles.get(one, '')}".strip() for one in nearest]
        )
    return found[0]


def _find_latest_usage(books: Sequence[FileUsage]) -> str:
    """Find the session with the newest call."""
    newest = max(
        ((line.timestamp or "", book.session) for book in books for line in book.lines),
        default=None,
    )
    if newest is None:
        raise SessionNotFound(LATEST)
    return newest[1]


def _project_folder(book: FileUsage) -> str:
    """Give the project's folder, in which the book lies at some depth."""
    inside = (parent for parent in Path(book.path).parents if parent.name == book.project)
    return str(next((p for p in inside if p.parent.name == "projects"), ""))
