"""Stars and notes put into the rows of lists, for every face."""

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bough.query.lists.list_rows import Project, SessionRow
    from bough.store.annotations.annotation import Annotations


def annotate_sessions(
    rows: "Iterable[SessionRow]", annotations: "Annotations"
) -> "list[SessionRow]":
    """Give sessions with the star and the note of each."""
    found = []
    for row in rows:
        own = annotations.find("session", row.id)
        found.append(row if own.is_empty else replace(row, starred=own.starred, note=own.note))
    return found


def annotate_projects(projects: "Iterable[Project]", annotations: "Annotations") -> "list[Project]":
    """Give projects with what is said of each: starred, hidden on Home."""
    found = []
    for project in projects:
        own = annotations.find("project", project.id)
        found.append(
            project if own.is_empty else replace(project, starred=own.starred, hidden=own.hidden)
        )
    return found
