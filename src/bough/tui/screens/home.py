"""Home: who waits and works, then the projects with their worktrees; a preview beside them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from bough.backports import override
from bough.errors import with_tilde
from bough.library import (
    BudgetShare,
    DeletionForecast,
    LiveSession,
    Project,
    SessionRow,
    order_projects,
)
from bough.model.live.status import SessionState
from bough.model.text.formats import format_count, format_plural
from bough.terminal import clock
from bough.terminal.list_cells import (
    choose_budget_role,
    find_alike_projects,
    format_cost_cell,
    format_kept_sign,
    render_budget_mark,
)
from bough.terminal.reports.live_status import describe_ask, format_time_in_state
from bough.terminal.state_cells import render_short_state
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import one_line, width, wrap
from bough.tui.content.archive_consent import ConsentAnswer, build_consent_items
from bough.tui.content.session_preview import (
    build_message_items,
    build_project_items,
    build_session_items,
    build_unlisted_items,
)
from bough.tui.data import HomeData, SessionsData
from bough.tui.screens.annotations.annotation_actions import (
    AnnotationSubject,
    toggle_hidden,
    toggle_star,
)
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.screens.preview_pane import PreviewPane
from bough.tui.screens.session_rows import (
    AnySession,
    RowFilter,
    SessionActions,
    find_session_under_cursor,
    name_session,
)
from bough.tui.widgets.cells import align_cells
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.library import StreamEvent
    from bough.tui.content.last_messages import SessionPreview

GOING_ON: Final = (
    SessionState.WAITING,
    SessionState.FAILED,
    SessionState.WORKING,
    SessionState.BACKGROUND,
    SessionState.COMPACTING,
)
_RECENT: Final = 12
_DAY: Final = 86_400
_NEWEST: Final = 20
_WITH_PREVIEW: Final = 132
"""With fewer columns the list itself needs the room."""
_STATE: Final = 12
_ASKED: Final = 4
"""So many lines may a question have; one that is longer is read in the session."""
_NUMBERS: Final = 58
"""With fewer columns a project's name matters more than its numbers."""


class HomeScreen(BaseScreen):
    """Projects, and what is going on."""

    KEYS: ClassVar = ("down", "open", "find", "search", "live", "copy-resume", "help")
    WORDS: ClassVar = {"open": "open", "unfold": "open", "find": "filter", "facts": "preview"}
    TITLE = "Home"

    def __init__(self) -> None:
        super().__init__()
        self.found: HomeData | None = None
        self.alike: frozenset[str] = frozenset()
        self.listed: SessionsData | None = None
        self.shows_hidden = False
        self._is_ticking = False
        self._placed = ""
        """Where the cursor stands by itself: on the first row, until somebody moves it."""
        self.filter = RowFilter(self, "Filter projects and sessions", self.draw)
        self.preview = PreviewPane(self, self._build_preview, _WITH_PREVIEW)
        self.actions = SessionActions(self)
        self.parts = (self.filter, self.preview, self.actions)

    @override
    def body(self) -> ComposeResult:
        """Set the list and the preview side by side, the filter below."""
        with Horizontal(classes="halves"):
            yield ListView(id="list")
            yield self.preview.pane
        yield self.filter.box

    @override
    def begin(self) -> None:
        """Ask for the projects, then for the newest sessions."""
        if not self._is_ticking:
            self._is_ticking = True
            self.query_one("#list", ListView).focus()
            self.set_interval(1.0, self._tick)
        self.run_in_thread(self.bough.source.load_projects, self._show)
        self.run_in_thread(
            partial(self.bough.source.sessions, None), self._show_recent, group="recent"
        )
        self.draw()

    @override
    def reload_from_index(self) -> None:
        """Ask again once the index is current."""
        self.preview.forget()
        self.begin()

    @override
    def receive_events(self, heard: "Sequence[StreamEvent]") -> None:  # noqa: ARG002 - all is shown anew
        """Show who waits and works now."""
        self.draw()

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show the preview where there is room."""
        self.preview.fit(event.size.width)

    @override
    def on_list_view_moved(self, event: ListView.Moved) -> None:
        """Let the preview follow the cursor."""
        self.preview.follow_cursor(event.list_view)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        self.filter.narrow(event.value)

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to what the filter left."""
        self.filter.focus_list()

    def _tick(self) -> None:
        """Let the clocks of what is going on run; nothing else changes by itself."""
        if self.bough.live_rows and self.is_current:
            self.draw()

    def _show(self, found: object) -> None:
        if isinstance(found, HomeData):
            self.found = found
            self.alike = find_alike_projects(found.projects)
            self.bough.annotations = found.annotations
            if found.talk:
                self.bough.show_notice(found.talk, severity="warning")
            self.bough.projects = found.projects
            self.draw()

    def _show_recent(self, found: object) -> None:
        if isinstance(found, SessionsData):
            self.listed = found
            self.bough.annotations = found.annotations
            self.bough.sessions = found.rows
            self.draw()
            self.bough.start_background_work()

    def _show_answer(self, sentence: object) -> None:
        self.bough.show_notice(str(sentence))
        if self.found is not None:
            self.found = replace(self.found, consent=None)
        self.draw()

    # -- the list -----------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the list anew."""
        rows = self.query_one("#list", ListView)
        on_top = not rows.pieces or rows.top is rows.pieces[0]
        first = not any(item.picked for item in rows.pieces)
        first = first or (on_top and self._is_first_seen_live(rows))
        rows.show(list(self._build_items()))
        if first:
            rows.go_to_start()
            # Whoever presses Enter by habit opens a project, and answers no question.
            for _ in (True, False):
                if rows.picked is not None and isinstance(rows.picked.about, ConsentAnswer):
                    rows.step(1)
            self._placed = rows.picked.key if rows.picked is not None else ""
        elif on_top:
            # Who begins to wait appears on top, and is seen there.
            rows.scroll(-len(rows.pieces))

    def _is_first_seen_live(self, rows: ListView) -> bool:
        """Tell whether who waits is only now known, and nobody has moved the cursor yet."""
        if rows.picked is None or rows.picked.key != self._placed:
            return False
        was_there = any(item.key.startswith("live/") for item in rows.pieces)
        return not was_there and any(row.state in GOING_ON for row in self.bough.live_rows)

    def _build_items(self) -> Iterator[ListItem]:
        wanted = self.filter.text.strip()
        going_on = [] if wanted else [r for r in self.bough.live_rows if r.state in GOING_ON]
        for row in going_on:
            yield ListItem(f"live/{row.id}", partial(self._draw_live, row), "session", row)
        if going_on:
            yield make_blank_item("live.")
        if self.found is None:
            yield make_line_item("reading", "Reading the projects…")
            return
        if not wanted:
            # Alone in the list its answers would take the cursor, and Enter would give one.
            if self.found.consent is not None and self.found.projects:
                yield from build_consent_items(self.found.consent)
            yield from self._build_budget_items(self.found.day_budget)
            yield from self._build_forecast_items(self.found.forecast)
        visible = [p for p in self.found.projects if not self._is_hidden(p.id)]
        hidden = [p for p in self.found.projects if self._is_hidden(p.id)]
        shown = [
            (p, below)
            for p, below in order_projects(visible)
            if self.filter.fits(self._describe_project(p))
        ]
        if shown or not wanted:
            number = self.filter.count(len(shown), len(self.found.projects))
            yield ListItem(
                f"projects {number}", partial(self._draw_header, number), "head", picked=False
            )
        for project, below in shown:
            draw = partial(self._draw_project, project, below)
            yield ListItem(f"project/{project.folder}", draw, "project", project)
        yield from self._build_hidden_items([] if wanted else hidden)
        if not shown and not wanted and not hidden:
            yield make_line_item("none", "No projects yet: Claude Code has saved nothing here.")
            yield make_line_item(
                "none.", "Name another folder with --claude-dir, or try bough demo."
            )
        yield from self._build_recent_items(wanted, any_project=bool(shown))

    def _build_budget_items(self, share: BudgetShare | None) -> Iterator[ListItem]:
        """Say how much of the day's budget is spent; nothing where there is none."""
        if share is not None:
            text = f"{share.words[:1].upper()}{share.words[1:]}."
            role = choose_budget_role(share) if share.is_near else Role.META
            draw = partial(_draw_wrapped, text, role)
            yield ListItem(f"budget {text}", draw, "talk", picked=False)
            yield make_blank_item("budget.")

    def _build_forecast_items(self, forecast: DeletionForecast) -> Iterator[ListItem]:
        """Say what the client deletes next, and how to keep it; nothing where nothing is due."""
        if forecast.sentence:
            keep = (
                "Press g a, then A, to keep them."
                if forecast.not_kept
                else "Press g a to see them."
            )
            role = Role.WAITING if forecast.not_kept else Role.META
            text = f"{forecast.sentence}. {keep}"
            draw = partial(_draw_wrapped, text, role)
            yield ListItem(f"forecast {text}", draw, "talk", picked=False)
            yield make_blank_item("forecast.")

    def _is_hidden(self, project: str) -> bool:
        return self.bough.annotations.find("project", project).hidden

    def _build_hidden_items(self, hidden: Sequence[Project]) -> Iterator[ListItem]:
        """Name the projects that are hidden in one line, which opens to all of them."""
        if not hidden:
            return
        words = format_plural(len(hidden), "hidden project")
        line = f"  {words}{'; Z shows one again' if self.shows_hidden else ''}"
        yield ListItem("hidden", draw_fixed([((Role.META, line),)]), "hidden", words)
        for project in hidden if self.shows_hidden else ():
            draw = partial(self._draw_project, project, False)
            yield ListItem(f"project/{project.folder}", draw, "project", project)

    def _build_recent_items(self, wanted: str, *, any_project: bool) -> Iterator[ListItem]:
        rows = self.listed.rows if self.listed is not None else ()
        rows = [row for row in rows if not self._is_hidden(row.project)]
        found = [row for row in rows if self.filter.fits(self._describe_session(row))]
        if found:
            number = self.filter.count(len(found), len(rows))
            yield make_blank_item("recent.")
            yield make_line_item(
                f"recent {number}", f"Sessions {number}" if wanted else "Recent", Role.HEADER
            )
        elif wanted and not any_project:
            yield make_line_item(
                "none", "Nothing matches. Esc clears the filter, s searches all words."
            )
        for one in found[:_RECENT]:
            yield ListItem(f"recent/{one.id}", partial(self._draw_recent, one), "session", one)

    def _describe_project(self, project: Project) -> str:
        """Give all words of a project's row: what the filter looks at."""
        path = project.path or project.folder
        when = self.make_canvas().when(project.last_active)
        folder = project.id if project.id in self.alike else ""
        return f"{project.name} {with_tilde(path)} {path} {folder} {when}"

    def _describe_session(self, row: SessionRow) -> str:
        """Give all words of a session's row: what the filter looks at."""
        names = self.listed.names if self.listed is not None else {}
        when = self.make_canvas().when(row.ended_at)
        name = names.get(row.project, row.project)
        words = f"{row.id} {row.title} {row.excerpt} {name} {row.git_branch or ''} {when}"
        return f"{words} {row.kept_in.label}"

    def _draw_header(self, number: str, columns: int) -> list[StyledLine]:
        words = [(Role.HEADER, f"Projects {number}")]
        right = "Last active  Sessions        Cost" if columns >= _NUMBERS else "Last active"
        return [align_cells(words, [(Role.HEADER, right)], columns)]

    def _draw_project(self, project: Project, below: bool, columns: int) -> list[StyledLine]:
        amount = self.found.costs.get(project.id) if self.found else None
        when = self.make_canvas().when(project.last_active)
        numbers = f"  {format_count(project.sessions):>8}  {format_cost_cell(amount):>10}"
        right: list[Span] = [(Role.META, f"{when:>11}{numbers if columns >= _NUMBERS else ''}")]
        place = "worktree" if below else with_tilde(project.path or project.folder)
        place = project.id if project.id in self.alike else place
        star = "* " if self.bough.annotations.find("project", project.id).starred else ""
        left: list[Span] = [
            (Role.META, f"  {self.bough.glyphs.below} " if below else ""),
            (Role.CLAUDE if below else Role.PROMPT, f"{star}{one_line(project.name)}  "),
            (Role.META, one_line(place)),
        ]
        return [align_cells(left, right, columns)]

    def _draw_live(self, row: LiveSession, columns: int) -> list[StyledLine]:
        lasted = format_time_in_state(row, clock.now())
        left: list[Span] = [
            render_short_state(row.state, self.bough.glyphs, sure=row.sure, wide=_STATE),
            (Role.CLAUDE, f"  {one_line(row.title)}  "),
            *render_budget_mark(row.budget, self.bough.glyphs),
        ]
        right: list[Span] = [(Role.META, f"{one_line(row.name)}  {lasted}")]
        ask = describe_ask(row)
        used = sum(width(text) for _, text in (*left, *right)) + 2
        if ask and used + width(ask) > columns:  # what is asked is never cut: it gets lines
            lines = wrap(ask, max(columns - _STATE - 2, 8))
            below = [((Role.META, f"{'':<{_STATE}}  {line}"),) for line in lines[:_ASKED]]
            return [align_cells(left, right, columns), *below]
        left.append((Role.META, ask or one_line(row.thought or "")))
        return [align_cells(left, right, columns)]

    def _draw_recent(self, row: SessionRow, columns: int) -> list[StyledLine]:
        names = self.listed.names if self.listed is not None else {}
        said = self.bough.annotations.find("session", row.id)
        star = "* " if said.starred else ""
        kept = format_kept_sign(row.kept_in, self.bough.glyphs)
        left: list[Span] = [
            (Role.META, f"{row.id[:8]}  "),
            (Role.CLAUDE, f"{star}{one_line(row.title)}  "),
            (Role.META, f"{kept}  " if kept else ""),
            *render_budget_mark(row.budget, self.bough.glyphs),
            (Role.META, one_line(names.get(row.project, row.project))),
            (Role.META, f"  {one_line(said.note)}" if said.note else ""),
            (Role.META, f"  {one_line(row.excerpt)}" if row.excerpt else ""),
        ]
        return [align_cells(left, [(Role.META, self.make_canvas().when(row.ended_at))], columns)]

    # -- the preview --------------------------------------------------------------------------

    def _build_preview(self, item: ListItem | None) -> Sequence[ListItem]:
        """Show a project's newest sessions, or the last words of a session."""
        about = item.about if item is not None else None
        if isinstance(about, Project):
            return list(self._build_project_preview(about))
        if isinstance(about, SessionRow | LiveSession):
            return [*self._build_session_preview(about), *self._build_last_messages(about)]
        return []

    def _build_project_preview(self, project: Project) -> Iterator[ListItem]:
        listed = self.listed
        rows = [r for r in listed.rows if r.project == project.id] if listed is not None else []
        costs = listed.costs if listed is not None else {}
        amount = self.found.costs.get(project.id) if self.found is not None else None
        return build_project_items(project, rows[:_NEWEST], costs, amount, self.make_canvas())

    def _build_session_preview(self, row: AnySession) -> Iterator[ListItem]:
        listed, glyphs = self.listed, self.bough.glyphs
        rows = listed.rows if listed is not None else ()
        known = next((one for one in rows if one.id == row.id), None)
        live = self.bough.find_live_row(row.id)
        if known is not None and listed is not None:
            return build_session_items(
                known, live, listed.costs.get(row.id), self.make_canvas(), glyphs
            )
        return build_unlisted_items(live, glyphs) if live is not None else iter(())

    def _build_last_messages(self, row: AnySession) -> Iterator[ListItem]:
        seen = self.preview.request(row.path, partial(_read_preview, row.path))
        if seen is not None:
            yield from build_message_items(seen, self.make_canvas(), self.bough.glyphs)

    # -- keys ---------------------------------------------------------------------------------

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor."""
        return find_session_under_cursor(self.query_one("#list", ListView))

    @property
    def project(self) -> Project | None:
        """Give the project under the cursor."""
        picked = self.query_one("#list", ListView).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, Project) else None

    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""
        names = self.listed.names if self.listed is not None else {}
        return row.name if isinstance(row, LiveSession) else names.get(row.project, "")

    def do_open(self) -> None:
        """Open a project's sessions, or a session."""
        from bough.tui.screens.sessions import SessionsScreen  # noqa: PLC0415

        picked = self.query_one("#list", ListView).picked
        if picked is not None and isinstance(picked.about, ConsentAnswer):
            self.run_in_thread(picked.about.keep, self._show_answer, group="consent")
        elif picked is not None and picked.kind == "hidden":
            self.shows_hidden = not self.shows_hidden
            self.draw()
        elif self.project is not None:
            self.bough.open(SessionsScreen(self.project))
        else:
            self.actions.do_open()

    def do_back(self) -> None:
        """Clear the filter; Home itself stays."""
        if self.filter.text or self.focused is None or self.focused is self.filter.box:
            self.filter.do_back()

    def do_star(self) -> None:
        """Star the project or the session under the cursor, or take its star."""
        toggle_star(self, self._name_project() or name_session(self.row))

    def do_hide(self) -> None:
        """Hide the project under the cursor on Home, or show it again."""
        toggle_hidden(self, self._name_project())

    def _name_project(self) -> AnnotationSubject | None:
        project = self.project
        return AnnotationSubject("project", project.id, project.name) if project else None

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session; without one picked, the newest."""
        rows = self.listed.rows if self.listed is not None else ()
        row = self.row or next(iter(rows), None)
        if row is not None:
            self.bough.copy_resume_command(row.path)

    def do_copy_id(self) -> None:
        """Copy the id of a project or of a session."""
        if (picked := self.project or self.row) is not None:
            self.bough.copy(picked.id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path of a project, or of a session's file."""
        if self.project is not None:
            self.bough.copy(self.project.path or self.project.folder, "the path")
        else:
            self.actions.do_copy_path()


def _draw_wrapped(text: str, role: Role, columns: int) -> list[StyledLine]:
    return [((role, line),) for line in wrap(text, columns)]


def _read_preview(path: str) -> "SessionPreview":
    """Read what was said last, in a worker; what reads it is loaded there, after the lists."""
    from bough.tui.content.last_messages import read_last_messages  # noqa: PLC0415

    return read_last_messages(path)
