"""Sessions: one row each, newest first; two lines where the terminal is narrow."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.widgets import Input

from bough.library import Project, SessionRow, StreamEvent
from bough.model.text.formats import format_count, format_plural
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.reports.usage_tables import shorten_model
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import fit, one_line, pad
from bough.tui.data import SessionsData
from bough.tui.override import override
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.session_rows import (
    AnySession,
    RowFilter,
    SessionActions,
    find_session_under_cursor,
)
from bough.tui.widgets.cells import align_cells, format_cost_cell, render_state
from bough.tui.widgets.frame import ColumnHeader
from bough.tui.widgets.list_items import ListItem, make_line_item
from bough.tui.widgets.list_view import ListView

WIDE: Final = 120
_WITH_BRANCH, _WITH_MODEL = 132, 148
"""From so many columns on these stand in a row; below, the title needs the room."""
_KINDS: Final = {"plan": "plan", "implementation": "built from a plan", "sdk": "sdk"}
_RUNS: Final = {"background": "background", "cloud": "cloud"}
_STATE: Final = 14
_PROJECT, _BRANCH, _MODEL = 18, 16, 14


class _RowTexts(Struct, frozen=True):
    """What a row says besides its title, each as it is written."""

    project: str
    git_branch: str
    model: str
    turns: str
    branches: str
    agents: str
    cost: str
    when: str


_HEADS: Final = _RowTexts("Project", "Git branch", "Model", "Turns", "Branches", "", "Cost", "When")


class SessionsScreen(BaseScreen):
    """The sessions of a project, or all."""

    KEYS: ClassVar = ("down", "open", "find", "tree", "copy-resume", "health", "help")

    def __init__(self, project: Project | None = None) -> None:
        super().__init__()
        self.project = project
        self.found: SessionsData | None = None
        self.filter = RowFilter(self, "Filter by title, id or git branch", self.draw)
        self.actions = SessionActions(self)
        self.parts = (self.filter, self.actions)

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor."""
        return find_session_under_cursor(self.query_one("#list", ListView))

    @override
    def body(self) -> ComposeResult:
        """Set the names of the columns, the list and the filter."""
        yield ColumnHeader(id="head")
        yield ListView(id="list")
        yield self.filter.box

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the project."""
        number = f" {len(self.found.rows):,}" if self.found is not None else ""
        name = [self.project.name] if self.project is not None else []
        return [*name, f"Sessions{number}"]

    @override
    def begin(self) -> None:
        """Ask for the sessions."""
        folder = self.project.folder if self.project is not None else None
        self.run_in_thread(partial(self.bough.source.sessions, folder), self._show)
        self.draw()

    @override
    def on_mount(self) -> None:
        """Begin in the list."""
        self.query_one("#list", ListView).focus()

    @override
    def reload_from_index(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    @override
    def receive_events(self, heard: Sequence[StreamEvent]) -> None:
        """Show the states anew; a session that began is asked for."""
        if any(event.kind == "started" for event in heard):
            self.begin()
        elif self.found is not None:
            self.draw()

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Name the columns where there are some."""
        head = self.query_one("#head", ColumnHeader)
        head.display = event.size.width >= WIDE
        # The list ends two columns before the edge: one for its rail, one for the cursor.
        heads = replace(_HEADS, agents=self.bough.glyphs.agent)
        state = (Role.HEADER, "State")
        head.write(self._render_columns("", "Title", state, heads, event.size.width - 2))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        self.filter.narrow(event.value)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to what the filter left."""
        self.filter.focus_list()

    def _show(self, found: object) -> None:
        if isinstance(found, SessionsData):
            self.found = found
            self.bough.annotations = found.annotations
            self.show_breadcrumbs()
            if found.talk:
                self.bough.show_notice(found.talk, severity="warning")
            self.draw()

    def draw(self) -> None:
        """Show the list anew."""
        rows = self.query_one("#list", ListView)
        empty = not any(item.picked for item in rows.pieces)
        rows.show(list(self._build_items()))
        if empty:
            rows.go_to_start()

    def _build_items(self) -> Iterator[ListItem]:
        if self.found is None:
            yield make_line_item("reading", "Reading the sessions…")
            return
        wanted = self.filter.text.casefold()
        rows = [
            r for r in self.found.rows if wanted in f"{r.title} {r.id} {r.git_branch}".casefold()
        ]
        for row in rows:
            yield ListItem(
                f"{row.project}/{row.id}", partial(self._render_row, row), "session", row
            )
        if not rows:
            yield make_line_item(
                "none",
                "No session matches. Esc clears the filter."
                if wanted
                else "No session with a conversation here.",
            )

    # -- rows ---------------------------------------------------------------------------------

    def _render_row(self, row: SessionRow, columns: int) -> list[StyledLine]:
        canvas = Canvas(clock.now(), self.bough.glyphs, columns)
        live = self.bough.find_live_row(row.id)
        state = (
            render_state(live, self.bough.glyphs)
            if live is not None
            else (Role.META, "deleted" if row.deleted_at is not None else "")
        )
        amount = self.found.costs.get(row.id) if self.found else None
        said = self.bough.annotations.find("session", row.id)
        title = f"{'* ' if said.starred else ''}{one_line(row.title)}"
        facts = _RowTexts(
            project=self._project_name_of(row),
            git_branch=one_line(row.git_branch or ""),
            model=one_line(_format_models(row)),
            turns=format_count(row.turns),
            branches=format_count(row.tips) if row.tips > 1 else "",
            agents=f"{self.bough.glyphs.agent}{row.agents}" if row.agents else "",
            cost=format_cost_cell(amount),
            when=canvas.when(row.ended_at),
        )
        marks = (_KINDS.get(row.kind, ""), _RUNS.get(row.run, ""), one_line(said.note))
        kind = ", ".join(mark for mark in marks if mark)
        role = Role.LEFT if row.deleted_at is not None else Role.CLAUDE
        if columns >= WIDE - 2:
            return [tuple(self._render_columns(kind, title, state, facts, columns, role))]
        right: list[Span] = [(Role.META, f"{facts.cost:>8}  {facts.when:>10}")]
        words = [
            format_plural(row.turns, "turn"),
            f"{facts.branches} branches" if facts.branches else "",
        ]
        words += [facts.agents, facts.project, facts.model, facts.git_branch]
        below: list[Span] = [state, (Role.META, "  ")] if state[1] else []
        below.append((Role.META, "  ".join(word for word in words if word)))
        return [
            align_cells([(role, title), (Role.META, f"  {kind}")], right, columns),
            align_cells([(Role.META, "  "), *below], [], columns),
        ]

    def _render_columns(
        self,
        kind: str,
        title: str,
        state: Span,
        facts: "_RowTexts",
        columns: int,
        role: Role = Role.HEADER,
    ) -> list[Span]:
        """Set a row in columns; the title takes what the others leave."""
        shown = [] if self.project is not None else [(facts.project, _PROJECT)]
        shown += [(facts.git_branch, _BRANCH)] if columns >= _WITH_BRANCH else []
        shown += [(facts.model, _MODEL)] if columns >= _WITH_MODEL else []
        quiet = "  ".join(pad(fit(word, room), room) for word, room in shown)
        numbers = f"{facts.turns:>5}  {facts.branches:>8}  {pad(facts.agents, 3)}"
        spent = f"{facts.cost:>9}  {facts.when:>10}"
        gone = Role.HEADER if role is Role.HEADER else Role.META
        right: list[Span] = [
            (gone, f"{quiet}  " if quiet else ""),
            (state[0], pad(state[1], _STATE)),
            (gone, f"  {numbers}  {spent}"),
        ]
        left = [(role, title), (gone, f"  {kind}" if kind else "")]
        return list(align_cells(left, right, columns))

    def _project_name_of(self, row: SessionRow) -> str:
        if self.project is not None:
            return ""
        names = self.found.names if self.found is not None else {}
        return one_line(names.get(row.project, row.project))

    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""
        if self.project is not None:
            return self.project.name
        return self._project_name_of(row) if isinstance(row, SessionRow) else row.name


def _format_models(row: SessionRow) -> str:
    """Name the models of a session without what all names have."""
    return ", ".join(shorten_model(model) for model in row.models[:2])
