"""Projects as a table, worktrees below the repository they belong to."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bough.cli.lists import cost_cell
from bough.looks.sheet import Sheet
from bough.looks.style import Role
from bough.looks.table import Cell, Column, Row, draw_table
from bough.model.numbers import count
from bough.query.rows import Project

if TYPE_CHECKING:
    from bough.query.ledger import Amount


def project_table(
    projects: Sequence[Project], sheet: Sheet, costs: "Mapping[str, Amount] | None"
) -> list[str]:
    """Draw projects: when, how many sessions, what they cost, name and place."""
    columns = [Column("LAST", leaves=3), Column("SESSIONS", right=True, leaves=2)]
    columns += [Column("COST", right=True, leaves=1)] if costs is not None else []
    columns += [Column("PROJECT", least=16), Column("", leaves=4, least=20)]
    rows: list[Row] = []
    for project, below in _in_order(projects):
        name = f"{sheet.styles.glyphs.below} {project.name}" if below else project.name
        cells: list[Cell | str] = [sheet.when(project.last_active), count(project.sessions)]
        cells += [cost_cell(costs.get(project.id))] if costs is not None else []
        place = _worktree(project) if below else _path(project)
        rows.append([*cells, Cell(name), Cell(place, Role.META)])
    return draw_table(columns, rows, sheet.styles, sheet.columns)


def _in_order(projects: Sequence[Project]) -> Iterator[tuple[Project, bool]]:
    """Give projects newest first, each followed by its worktrees.

    A repository counts as active when one of its worktrees is.
    """
    by_path = {project.path: project for project in projects if project.path}
    below: dict[str, list[Project]] = {}
    for project in projects:
        if project.worktree_of in by_path and by_path[project.worktree_of] is not project:
            below.setdefault(project.worktree_of or "", []).append(project)
    nested = {id(project) for found in below.values() for project in found}
    top = [project for project in projects if id(project) not in nested]

    def active(project: Project) -> str:
        family = (project, *below.get(project.path or "", ()))
        return max(one.last_active or "" for one in family)

    for project in sorted(top, key=active, reverse=True):
        yield project, False
        for worktree in below.get(project.path or "", ()):
            yield worktree, True


def _path(project: Project) -> str:
    """Write a path as people do, from their home on."""
    path = project.path or ""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    if home != "~" and path.startswith(home + os.sep):
        return f"~{path[len(home) :]}"
    return path


def _worktree(project: Project) -> str:
    """Say what became of a worktree."""
    there = project.path is not None and _exists(project.path)
    return "worktree" if there else "worktree, folder is gone"


def _exists(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
