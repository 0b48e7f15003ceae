"""Projects, sessions and conversations as tables; worktrees stand below their repository."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bough import library
from bough.cli.data_source import format_copied_note
from bough.errors import with_tilde
from bough.files.worktrees import is_existing_folder
from bough.model.interpret.kept_places import KeptPlace
from bough.model.interpret.pull_requests import abbreviate_pull_requests
from bough.model.text.formats import format_count
from bough.terminal.canvas import Canvas
from bough.terminal.list_cells import (
    find_alike_projects,
    format_budget_mark,
    format_cost_cell,
    format_kept_sign,
)
from bough.terminal.style import Glyphs, Role, StyledLine
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from bough.library import ConversationRow, Project, SessionRow
    from bough.model.usage.costs import UsageTotal


def render_projects(
    projects: "Sequence[Project]", canvas: Canvas, costs: "Mapping[str, UsageTotal] | None"
) -> "list[StyledLine]":
    """Draw projects: when, how many sessions, what they cost, name and place."""
    columns = [Column("LAST", leaves=3), Column("SESSIONS", right=True, leaves=2)]
    columns += [Column("COST", right=True, leaves=1)] if costs is not None else []
    sent = any(project.machine for project in projects)
    columns += [Column("OWNER", leaves=3), Column("MACHINE", leaves=3)] if sent else []
    columns += [Column("PROJECT", least=16), Column("", leaves=4, least=20)]
    alike = find_alike_projects(projects)
    rows: list[TableRow] = []
    for project, below in library.order_projects(projects):
        marked = f"* {project.name}" if project.starred else project.name
        name = f"{canvas.glyphs.below} {marked}" if below else marked
        cells: list[Cell | str] = [canvas.when(project.last_active), format_count(project.sessions)]
        cells += [format_cost_cell(costs.get(project.id))] if costs is not None else []
        if sent:
            cells += [Cell(project.owner or "", Role.META), Cell(project.machine or "", Role.META)]
        place = _describe_worktree(project) if below else with_tilde(project.path or "")
        place = project.id if project.id in alike else place
        place = f"{place}  hidden on Home" if project.hidden else place
        rows.append([*cells, Cell(name), Cell(place, Role.META)])
    return draw_table(columns, rows, canvas.glyphs, canvas.columns)


def _describe_worktree(project: "Project") -> str:
    """Say what became of a worktree."""
    there = project.path is not None and is_existing_folder(project.path)
    return "worktree" if there else "worktree, folder is gone"


_SHORT: Final = 8
_KINDS: Final = {"plan": "(plan)", "implementation": "(built from a plan)", "sdk": "(sdk)"}
_WITH_GIT: Final = 140
"""From so many columns on git branches are named; below, the title needs the room."""
_RUNS: Final = {"background": "(background)", "cloud": "(cloud)"}


def find_id_length(ids: Sequence[str]) -> int:
    """Find how many characters tell sessions apart, and no fewer than people know them by."""
    longest = max(map(len, ids), default=_SHORT)
    distinct = len(set(ids))
    for length in range(_SHORT, longest):
        if len({one[:length] for one in ids}) == distinct:
            return length
    return longest


def render_sessions(
    rows: "Sequence[SessionRow]",
    canvas: Canvas,
    costs: "Mapping[str, UsageTotal] | None",
    names: Mapping[str, str],
    states: Mapping[str, Cell],
) -> list[StyledLine]:
    """Draw sessions; with `names`, by folder, each says which project it is of.

    With `states`, by file, those that have one say where they stand.
    """
    shown: list[tuple[Column, list[Cell | str]]] = []
    length = find_id_length([row.id for row in rows])
    shown.append((Column("ID", role=Role.META), [row.id[:length] for row in rows]))
    if states:
        shown.append((Column("STATE", leaves=5), [states.get(row.path, "") for row in rows]))
    shown += [
        (Column("WHEN", leaves=8), [*canvas.list_times(row.ended_at for row in rows)]),
        (Column("TURNS", right=True, leaves=6), [format_count(row.turns) for row in rows]),
        (
            Column("BRANCHES", right=True, leaves=4),
            [format_count(row.tips) if row.tips > 1 else "" for row in rows],
        ),
    ]
    if costs is not None:
        prices = [format_cost_cell(costs.get(row.id)) for row in rows]
        shown.append((Column("COST", right=True, leaves=7), [*prices]))
    if any(row.machine for row in rows):
        shown += [
            (Column("OWNER", leaves=3, role=Role.META), [row.owner or "" for row in rows]),
            (Column("MACHINE", leaves=2, role=Role.META), [row.machine or "" for row in rows]),
        ]
    if names:
        named: list[Cell | str] = [names.get(row.project, row.project) for row in rows]
        shown.append((Column("PROJECT", leaves=3, least=12, role=Role.META), named))
    if (canvas.columns or 0) >= _WITH_GIT and any(row.git_branch for row in rows):
        branches: list[Cell | str] = [row.git_branch or "" for row in rows]
        shown.append((Column("GIT BRANCH", leaves=1, least=10, role=Role.META), branches))
    spent = costs or {}
    titles: list[Cell | str] = [
        _render_title(row, format_copied_note(spent.get(row.id)), canvas.glyphs) for row in rows
    ]
    shown.append((Column("TITLE", least=24), titles))
    columns, cells = zip(*shown, strict=True)
    return draw_table(columns, list(zip(*cells, strict=True)), canvas.glyphs, canvas.columns)


def _render_title(row: "SessionRow", copied: str, glyphs: Glyphs) -> Cell | str:
    role = Role.LEFT if row.kept_in is KeptPlace.INDEX or not row.tips else Role.CLAUDE
    notes = [
        _KINDS.get(row.kind, ""),
        _RUNS.get(row.run, ""),
        f"({abbreviate_pull_requests(row.pull_requests)})" if row.pull_requests else "",
        copied,
        format_kept_sign(row.kept_in, glyphs),
        format_budget_mark(row.budget, glyphs),
        one_line(row.note) if row.note else "",
    ]
    title = f"* {row.title}" if row.starred else row.title
    if not any(notes):
        return title if role is Role.CLAUDE else Cell(title, role)
    return Cell(title, role, " ".join(note for note in notes if note))


def _render_branch_title(row: "ConversationRow", glyphs: Glyphs) -> Cell:
    sign = format_kept_sign(row.kept_in, glyphs) if row.kept_in else ""
    return Cell(row.title, Role.CLAUDE if row.active else Role.LEFT, sign)


def render_conversations(rows: "Sequence[ConversationRow]", canvas: Canvas) -> list[StyledLine]:
    """Draw conversations; the active one of each session has its sign and its word."""
    glyphs = canvas.glyphs
    columns = [
        Column("SESSION"),
        Column("TIP"),
        Column("", leaves=1),
        Column("WHEN", leaves=3),
        Column("TURNS", right=True, leaves=2),
        Column("TITLE", least=24),
    ]
    length = find_id_length([row.session for row in rows])
    tips = find_id_length([row.tip or "" for row in rows])
    lines: list[TableRow] = []
    for row in rows:
        state = (
            Cell(f"{glyphs.node} active", Role.ACTIVE)
            if row.active
            else Cell(f"{glyphs.other} left behind", Role.LEFT)
        )
        lines.append(
            [
                Cell(row.session[:length], Role.META),
                Cell((row.tip or "-")[:tips], Role.META),
                state,
                canvas.when(row.ended_at),
                format_count(row.turns),
                _render_branch_title(row, glyphs),
            ]
        )
    return draw_table(columns, lines, canvas.glyphs, canvas.columns)
