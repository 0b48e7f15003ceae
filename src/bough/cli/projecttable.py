"""Projects as a table, worktrees below the repository they belong to."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bough.cli.data_source import cost_cell
from bough.errors import with_tilde
from bough.files.worktrees import is_there
from bough.model.text.numbers import count
from bough.query.lists.families import in_order
from bough.query.lists.rows import Project
from bough.terminal.canvas import Sheet
from bough.terminal.style import Role
from bough.terminal.table import Cell, Column, Row, draw_table

if TYPE_CHECKING:
    from bough.model.usage.amounts import Amount


def project_table(
    projects: Sequence[Project], sheet: Sheet, costs: "Mapping[str, Amount] | None"
) -> list[str]:
    """Draw projects: when, how many sessions, what they cost, name and place."""
    columns = [Column("LAST", leaves=3), Column("SESSIONS", right=True, leaves=2)]
    columns += [Column("COST", right=True, leaves=1)] if costs is not None else []
    columns += [Column("PROJECT", least=16), Column("", leaves=4, least=20)]
    rows: list[Row] = []
    for project, below in in_order(projects):
        name = f"{sheet.styles.glyphs.below} {project.name}" if below else project.name
        cells: list[Cell | str] = [sheet.when(project.last_active), count(project.sessions)]
        cells += [cost_cell(costs.get(project.id))] if costs is not None else []
        place = _worktree(project) if below else with_tilde(project.path or "")
        rows.append([*cells, Cell(name), Cell(place, Role.META)])
    return draw_table(columns, rows, sheet.styles, sheet.columns)


def _worktree(project: Project) -> str:
    """Say what became of a worktree."""
    there = project.path is not None and is_there(project.path)
    return "worktree" if there else "worktree, folder is gone"
