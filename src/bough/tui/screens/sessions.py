"""Sessions: one row each, newest first; two lines where the terminal is narrow.

Where it is very wide, the session under the cursor is shown beside the list.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from bough.backports import override
from bough.library import ListedState, Project, SessionRow, StreamEvent
from bough.model.interpret.kept_places import KeptPlace
from bough.model.interpret.pull_requests import abbreviate_pull_requests
from bough.model.text.formats import format_count, format_plural
from bough.terminal.list_cells import (
    format_budget_mark,
    format_cost_cell,
    format_kept_sign,
    shorten_model,
)
from bough.terminal.state_cells import render_listed_state, render_short_state
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import fit, one_line, pad
from bough.tui.content.last_messages import read_last_messages
from bough.tui.content.session_preview import build_message_items, build_session_items
from bough.tui.data import SessionsData
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.preview_pane import PreviewPane
from bough.tui.screens.session_rows import (
    AnySession,
    RowFilter,
    SessionActions,
    find_session_under_cursor,
)
from bough.tui.widgets.cells import align_cells
from bough.tui.widgets.frame import ColumnHeader
from bough.tui.widgets.list_items import ListItem, make_line_item
from bough.tui.widgets.list_view import ListView

WIDE: Final = 120
_WITH_ID, _WITH_BRANCH, _WITH_MODEL = 126, 142, 158
"""From so many columns on these stand in a row; below, the title needs the room."""
_WITH_PREVIEW: Final = 200
"""From so many columns on the preview leaves the list enough for its columns."""
_KINDS: Final = {"plan": "plan", "implementation": "built from a plan", "sdk": "sdk"}
_RUNS: Final = {"background": "background", "cloud": "cloud"}
_STATE: Final = 14
_ID, _PROJECT, _BRANCH, _MODEL = 8, 18, 16, 14
_SORTS: Final = ("newest", "oldest", "title", "project", "turns", "cost")
_SORTED_COLUMNS: Final = {
    "newest": "when", "oldest": "when", "project": "project", "turns": "turns", "cost": "cost",
}  # fmt: skip
"""The column that says by what the rows are sorted; the title has a head of its own."""


class _RowTexts(Struct, frozen=True):
    """What a row says besides its title, each as it is written."""

    id: str
    project: str
    git_branch: str
    model: str
    turns: str
    branches: str
    agents: str
    cost: str
    when: str


_HEADS: Final = _RowTexts(
    "Id", "Project", "Git branch", "Model", "Turns", "Branches", "", "Cost", "When"
)


class SessionsScreen(BaseScreen):
    """The sessions of a project, or all."""

    KEYS: ClassVar = ("down", "open", "find", "sort-next", "tree", "copy-resume", "health", "help")
    WORDS: ClassVar = {"open": "read", "unfold": "read", "find": "filter", "facts": "preview"}

    def __init__(self, project: Project | None = None) -> None:
        super().__init__()
        self.project = project
        self.found: SessionsData | None = None
        self.states: Mapping[str, ListedState] = {}
        self.sort = _SORTS[0]
        self._shown = 0
        self.filter = RowFilter(self, "Filter by any word of a row", self.draw)
        self.preview = PreviewPane(self, self._build_preview, _WITH_PREVIEW)
        self.actions = SessionActions(self)
        self.parts = (self.filter, self.preview, self.actions)

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor."""
        return find_session_under_cursor(self.query_one("#list", ListView))

    @override
    def body(self) -> ComposeResult:
        """Set the names of the columns, the list and the filter."""
        with Horizontal(classes="halves"):
            with Vertical(id="column"):
                yield ColumnHeader(id="head")
                yield ListView(id="list")
            yield self.preview.pane
        yield self.filter.box

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the project."""
        number = ""
        if self.found is not None:
            number = f" {self.filter.count(self._shown, len(self.found.rows))}"
        order = f", by {self.sort}" if self.sort not in _SORTS[:2] else ""
        oldest = ", oldest first" if self.sort == _SORTS[1] else ""
        name = [self.project.name] if self.project is not None else []
        return [*name, f"Sessions{number}{order}{oldest}"]

    @override
    def begin(self) -> None:
        """Ask for the sessions."""
        folder = self.project.folder if self.project is not None else None
        self.run_in_thread(partial(self.bough.source.sessions, folder), self._show)
        self.draw()

    @override
    def on_mount(self) -> None:
        """Begin in the list; a screen that is left while it opens has none."""
        for listed in self.query("#list").results(ListView):
            listed.focus()

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
        """Name the columns where there are some, and show the preview where there is room."""
        self.preview.fit(event.size.width)
        self.draw_after_layout(self._write_head)

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Let the preview follow the cursor."""
        self.preview.follow_cursor(event.list_view)
        super().on_list_view_moved(event)

    def _write_head(self) -> None:
        """Name the columns; an arrow stands at the one by which the rows are sorted."""
        head = self.query_one("#head", ColumnHeader)
        columns = self.query_one("#list", ListView).item_width
        head.display = columns >= WIDE - 2
        glyphs = self.bough.glyphs
        heads = replace(_HEADS, agents=glyphs.agent)
        if (name := _SORTED_COLUMNS.get(self.sort)) is not None:
            heads = replace(heads, **{name: f"{glyphs.below_arrow}{getattr(heads, name)}"})
        title = f"{glyphs.below_arrow}Title" if self.sort == "title" else "Title"
        head.write(self._render_columns("", title, (Role.HEADER, "State"), heads, columns))

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
            load = partial(self.bough.source.load_states, found.rows)
            self.run_in_thread(load, self._show_states, group="states")

    def _show_states(self, found: object) -> None:
        if isinstance(found, Mapping):
            self.states = found
            self.draw()

    def draw(self) -> None:
        """Show the list anew."""
        rows = self.query_one("#list", ListView)
        empty = not any(item.picked for item in rows.pieces)
        rows.show(list(self._build_items()))
        if empty:
            rows.go_to_start()
        self.show_breadcrumbs()
        self.preview.show()

    def _build_items(self) -> Iterator[ListItem]:
        if self.found is None:
            yield make_line_item("reading", "Reading the sessions…")
            return
        rows = [row for row in self._list_sorted() if self.filter.fits(self._describe_row(row))]
        self._shown = len(rows)
        for row in rows:
            yield ListItem(
                f"{row.project}/{row.id}", partial(self._render_row, row), "session", row
            )
        if not rows:
            yield make_line_item(
                "none",
                "No session matches. Esc clears the filter."
                if self.filter.text
                else "No session with a conversation here.",
            )

    # -- the order ----------------------------------------------------------------------------

    def _list_sorted(self) -> list[SessionRow]:
        """List the sessions in the order that was asked for; they come newest first."""
        found = self.found
        if found is None:
            return []
        keys: dict[str, Callable[[SessionRow], object]] = {
            "title": lambda row: row.title.casefold(),
            "project": lambda row: self._project_name_of(row).casefold(),
            "turns": lambda row: -row.turns,
            "cost": lambda row: -(found.costs[row.id].usd or 0.0) if row.id in found.costs else 0.0,
        }
        if self.sort == "oldest":
            return list(reversed(found.rows))
        key = keys.get(self.sort)
        return list(found.rows) if key is None else sorted(found.rows, key=key)  # type: ignore[arg-type]

    def _change_sort(self, by: int) -> None:
        sorts = [name for name in _SORTS if name != "project" or self.project is None]
        self.sort = sorts[(sorts.index(self.sort) + by) % len(sorts)]
        self.draw()
        self.query_one("#list", ListView).go_to_start()
        self._write_head()

    def do_sort_next(self) -> None:
        """Sort by the next column."""
        self._change_sort(1)

    def do_sort_previous(self) -> None:
        """Sort by the column before."""
        self._change_sort(-1)

    # -- the preview --------------------------------------------------------------------------

    def _build_preview(self, item: ListItem | None) -> Sequence[ListItem]:
        """Show the last words of the session under the cursor."""
        row = item.about if item is not None else None
        if not isinstance(row, SessionRow) or self.found is None:
            return []
        canvas, glyphs = self.make_canvas(), self.bough.glyphs
        live, amount = self.bough.find_live_row(row.id), self.found.costs.get(row.id)
        found = list(build_session_items(row, live, amount, canvas, glyphs))
        seen = self.preview.request(row.path, partial(read_last_messages, row.path))
        if seen is not None:
            found += build_message_items(seen, canvas, glyphs)
        return found

    # -- rows ---------------------------------------------------------------------------------

    def _describe_row(self, row: SessionRow) -> str:
        """Give all words of a row, as it is read: what the filter looks at."""
        if not self.filter.text.strip():
            return ""
        facts, kind, state = self._write_texts(row)
        words = (row.id, row.title, row.excerpt, kind, state[1])
        return " ".join([*words, *(getattr(facts, name) for name in facts.__struct_fields__)])

    def _write_texts(self, row: SessionRow) -> tuple[_RowTexts, str, Span]:
        """Write what a row says besides its title: its columns, its kind, its state."""
        canvas = self.make_canvas()
        live = self.bough.find_live_row(row.id)
        glyphs = self.bough.glyphs
        state = (
            render_short_state(live.state, glyphs, sure=live.sure)
            if live is not None
            else self._render_past_state(row)
        )
        amount = self.found.costs.get(row.id) if self.found else None
        facts = _RowTexts(
            id=row.id[:_ID],
            project=self._project_name_of(row),
            git_branch=one_line(row.git_branch or ""),
            model=one_line(_format_models(row)),
            turns=format_count(row.turns),
            branches=format_count(row.tips) if row.tips > 1 else "",
            agents=f"{self.bough.glyphs.agent}{row.agents}" if row.agents else "",
            cost=format_cost_cell(amount),
            when=canvas.when(row.ended_at),
        )
        pulls = one_line(abbreviate_pull_requests(row.pull_requests))
        budget = format_budget_mark(row.budget, glyphs)
        marks = (_KINDS.get(row.kind, ""), _RUNS.get(row.run, ""), pulls, budget)
        return facts, ", ".join(mark for mark in marks if mark), state

    def _render_past_state(self, row: SessionRow) -> Span:
        """Say where a session stands that nobody works on: how it ended, or that it is gone."""
        glyphs = self.bough.glyphs
        if kept := format_kept_sign(row.kept_in, glyphs):
            return Role.META, kept
        cell = render_listed_state(self.states.get(row.path), glyphs)
        return cell.role, cell.text

    def _render_row(self, row: SessionRow, columns: int) -> list[StyledLine]:
        facts, kind, state = self._write_texts(row)
        said = self.bough.annotations.find("session", row.id)
        title = f"{'* ' if said.starred else ''}{one_line(row.title)}"
        words_beside = (kind, one_line(said.note), one_line(row.excerpt))
        note = "  ".join(word for word in words_beside if word)
        role = Role.LEFT if row.kept_in is KeptPlace.INDEX else Role.CLAUDE
        if columns >= WIDE - 2:
            return [tuple(self._render_columns(note, title, state, facts, columns, role))]
        right: list[Span] = [(Role.META, f"{facts.cost:>8}  {facts.when:>10}")]
        words = [
            facts.id,
            format_plural(row.turns, "turn"),
            f"{facts.branches} branches" if facts.branches else "",
        ]
        words += [facts.agents, facts.project, facts.model, facts.git_branch]
        below: list[Span] = [state, (Role.META, "  ")] if state[1] else []
        below.append((Role.META, "  ".join(word for word in words if word)))
        return [
            align_cells([(role, title), (Role.META, f"  {note}")], right, columns),
            align_cells([(Role.META, "  "), *below], [], columns),
        ]

    def _render_columns(
        self,
        note: str,
        title: str,
        state: Span,
        facts: _RowTexts,
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
        left = [(role, title), (gone, f"  {note}" if note else "")]
        if columns >= _WITH_ID:
            left = [(gone, f"{pad(facts.id, _ID)}  "), *left]
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
