"""Projects in the order people look for them: newest first, worktrees below their repository."""

from collections.abc import Iterator, Sequence

from bough.query.lists.rows import Project


def in_order(projects: Sequence[Project]) -> Iterator[tuple[Project, bool]]:
    """Give projects newest first, each followed by its worktrees, which say so.

    A repository counts as active when one of its worktrees is.
    """
    by_path = {project.path: project for project in projects if project.path}
    below: dict[str, list[Project]] = {}
    for project in projects:
        parent = by_path.get(project.worktree_of or "")
        if parent is not None and parent is not project:
            below.setdefault(project.worktree_of or "", []).append(project)
    nested = {id(project) for found in below.values() for project in found}

    def active(project: Project) -> str:
        family = (project, *below.get(project.path or "", ()))
        return max(one.last_active or "" for one in family)

    top = [project for project in projects if id(project) not in nested]
    for project in sorted(top, key=active, reverse=True):
        yield project, False
        for worktree in below.get(project.path or "", ()):
            yield worktree, True
