"""Home: who waits and works, then the projects with their worktrees; a preview beside them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.containers import Horizontal

from bough.errors import with_tilde
from bough.library import Project, SessionRow
from bough.model.live.status import State
from bough.query.lists.projects import in_order
from bough.query.live.events import Event
from bough.query.live.running_sessions import LiveSession, lasted
from bough.tui.content.last_messages import last_words
from bough.tui.content.session_preview import (
    live_only_pieces,
    project_pieces,
    said_pieces,
    session_pieces,
)
from bough.tui.data import Listed, Overall
from bough.tui.override import override
from bough.tui.screens.session_rows import AnySession, Filtered
from bough.tui.screens.with_preview import Beside
from bough.tui.style.style import Line, Role, Span, count, elapsed, now, one_line
from bough.tui.widgets.cells import cells, cost_words, state_span
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

GOING_ON: Final = (State.WAITING, State.FAILED, State.WORKING, State.COMPACTING)
_RECENT: Final = 12
_NEWEST: Final = 20
_NUMBERS: Final = 56
"""With fewer columns a project's name matters more than its numbers."""


class Home(Filtered, Beside):
    """Projects, and what is going on."""

    KEYS: ClassVar = ("down", "open", "find", "search", "live", "copy-resume", "help")
    TITLE = "Home"

    def __init__(self) -> None:
        super().__init__()
        self.found: Overall | None = None
        self.listed: Listed | None = None
        self._ticks = False

    @override
    def body(self) -> ComposeResult:
        """Set the list and the preview side by side, the filter below."""
        with Horizontal(classes="halves"):
            yield Reel(id="list")
            yield Reel(id="preview")
        yield self.filter_box("Filter projects and sessions")

    @override
    def begin(self) -> None:
        """Ask for the projects, then for the newest sessions."""
        if not self._ticks:
            self._ticks = True
            self.query_one("#list", Reel).focus()
            self.set_interval(1.0, self._tick)
        self.ask(self.bough.source.overall, self._show)
        self.ask(partial(self.bough.source.sessions, None), self._recent, group="recent")
        self.draw()

    @override
    def indexed(self) -> None:
        """Ask again once the index is current."""
        self.forget_glimpses()
        self.begin()

    @override
    def hear(self, heard: Sequence[Event]) -> None:  # noqa: ARG002 - all is shown anew
        """Show who waits and works now."""
        self.draw()

    def _tick(self) -> None:
        """Let the clocks of what is going on run; nothing else changes by itself."""
        if self.bough.live_rows and self.is_current:
            self.draw()

    def _show(self, found: object) -> None:
        if isinstance(found, Overall):
            self.found = found
            self.bough.projects = found.projects
            self.draw()

    def _recent(self, found: object) -> None:
        if isinstance(found, Listed):
            self.listed = found
            self.bough.sessions = found.rows
            self.draw()

    # -- the list -----------------------------------------------------------------------------

    @override
    def draw(self) -> None:
        """Show the list anew."""
        reel = self.query_one("#list", Reel)
        first = not any(piece.picked for piece in reel.pieces)
        on_top = not reel.pieces or reel.top is reel.pieces[0]
        reel.show(list(self._pieces()))
        if first:
            reel.to_start()
        elif on_top:
            # Who begins to wait appears on top, and is seen there.
            reel.scroll(-len(reel.pieces))

    def _pieces(self) -> Iterator[Piece]:
        wanted = self.filter.casefold()
        going_on = [] if wanted else [r for r in self.bough.live_rows if r.state in GOING_ON]
        for row in going_on:
            yield Piece(f"live/{row.id}", partial(self._live_line, row), "session", row)
        if going_on:
            yield blank("live.")
        if self.found is None:
            yield say("reading", "Reading the projects…")
            return
        shown = [
            (p, below)
            for p, below in in_order(self.found.projects)
            if wanted in f"{p.name} {p.path}".casefold()
        ]
        if shown or not wanted:
            yield Piece("projects", partial(self._head, len(shown)), "head", picked=False)
        for project, below in shown:
            draw = partial(self._project_line, project, below)
            yield Piece(f"project/{project.folder}", draw, "project", project)
        if not shown and not wanted:
            yield say("none", "No projects yet: Claude Code has saved nothing here.")
            yield say("none.", "Name another folder with --claude-dir, or try bough demo.")
        yield from self._recent_pieces(wanted, any_project=bool(shown))

    def _recent_pieces(self, wanted: str, *, any_project: bool) -> Iterator[Piece]:
        rows = self.listed.rows if self.listed is not None else ()
        found = [row for row in rows if wanted in f"{row.title} {row.id}".casefold()]
        if found:
            yield blank("recent.")
            yield say("recent", "Sessions" if wanted else "Recent", Role.HEADER)
        elif wanted and not any_project:
            yield say("none", "Nothing matches. Esc clears the filter, s searches all words.")
        for one in found[:_RECENT]:
            yield Piece(f"recent/{one.id}", partial(self._recent_line, one), "session", one)

    def _head(self, number: int, columns: int) -> list[Line]:
        words = [(Role.HEADER, f"Projects {count(number)}")]
        right = "Last active  Sessions      Cost" if columns >= _NUMBERS else "Last active"
        return [cells(words, [(Role.HEADER, right)], columns)]

    def _project_line(self, project: Project, below: bool, columns: int) -> list[Line]:
        amount = self.found.costs.get(project.id) if self.found else None
        when = self.sheet().when(project.last_active)
        numbers = f"  {count(project.sessions):>8}  {cost_words(amount):>8}"
        right: list[Span] = [(Role.META, f"{when:>11}{numbers if columns >= _NUMBERS else ''}")]
        place = "worktree" if below else with_tilde(project.path or project.folder)
        star = "* " if project.id in self.bough.kept.stars else ""
        left: list[Span] = [
            (Role.META, f"  {self.bough.glyphs.below} " if below else ""),
            (Role.CLAUDE if below else Role.PROMPT, f"{star}{one_line(project.name)}  "),
            (Role.META, one_line(place)),
        ]
        return [cells(left, right, columns)]

    def _live_line(self, row: LiveSession, columns: int) -> list[Line]:
        seconds = lasted(row, now()) or 0.0
        left: list[Span] = [
            state_span(row, self.bough.glyphs, wide=12),
            (Role.CLAUDE, f"  {one_line(row.title)}  "),
            (Role.META, one_line(f"asks: {row.asks}" if row.asks else row.thought or "")),
        ]
        return [cells(left, [(Role.META, f"{one_line(row.name)}  {elapsed(seconds)}")], columns)]

    def _recent_line(self, row: SessionRow, columns: int) -> list[Line]:
        names = self.listed.names if self.listed is not None else {}
        star = "* " if row.id in self.bough.kept.stars else ""
        left: list[Span] = [
            (Role.META, f"{row.id[:8]}  "),
            (Role.CLAUDE, f"{star}{one_line(row.title)}  "),
            (Role.META, one_line(names.get(row.project, row.project))),
        ]
        return [cells(left, [(Role.META, self.sheet().when(row.ended_at))], columns)]

    # -- the preview --------------------------------------------------------------------------

    @override
    def preview(self, piece: Piece | None) -> Sequence[Piece]:
        """Show a project's newest sessions, or the last words of a session."""
        about = piece.about if piece is not None else None
        if isinstance(about, Project):
            return list(self._project_preview(about))
        if isinstance(about, SessionRow | LiveSession):
            return [*self._session_preview(about), *self._last_words(about)]
        return []

    def _project_preview(self, project: Project) -> Iterator[Piece]:
        listed = self.listed
        rows = [r for r in listed.rows if r.project == project.id] if listed is not None else []
        costs = listed.costs if listed is not None else {}
        amount = self.found.costs.get(project.id) if self.found is not None else None
        return project_pieces(project, rows[:_NEWEST], costs, amount, self.sheet())

    def _session_preview(self, row: AnySession) -> Iterator[Piece]:
        listed, glyphs = self.listed, self.bough.glyphs
        rows = listed.rows if listed is not None else ()
        known = next((one for one in rows if one.id == row.id), None)
        live = self.bough.live_row(row.id)
        if known is not None and listed is not None:
            return session_pieces(known, live, listed.costs.get(row.id), self.sheet(), glyphs)
        return live_only_pieces(live, glyphs) if live is not None else iter(())

    def _last_words(self, row: AnySession) -> Iterator[Piece]:
        seen = self.glimpse(row.path, partial(last_words, row.path))
        if seen is not None:
            yield from said_pieces(seen, self.sheet(), self.bough.glyphs)

    # -- keys ---------------------------------------------------------------------------------

    @property
    def project(self) -> Project | None:
        """Give the project under the cursor."""
        picked = self.query_one("#list", Reel).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, Project) else None

    @property
    @override
    def starred(self) -> AnySession | Project | None:
        """Give what a star would be set on."""
        return self.project or self.row

    @override
    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""
        names = self.listed.names if self.listed is not None else {}
        return row.name if isinstance(row, LiveSession) else names.get(row.project, "")

    @override
    def do_open(self) -> None:
        """Open a project's sessions, or a session."""
        from bough.tui.screens.sessions import Sessions  # noqa: PLC0415

        if self.project is not None:
            self.bough.open(Sessions(self.project))
        else:
            super().do_open()

    @override
    def do_back(self) -> None:
        """Clear the filter; Home itself stays."""
        if self.filter or self.focused is None or self.focused.id == "filter":
            super().do_back()

    @override
    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session; without one picked, the newest."""
        rows = self.listed.rows if self.listed is not None else ()
        row = self.row or next(iter(rows), None)
        if row is not None:
            self.bough.copy(f"claude --resume {row.id}", "the resume command")

    @override
    def do_copy_id(self) -> None:
        """Copy the id."""
        if self.starred is not None:
            self.bough.copy(self.starred.id, "the id")

    @override
    def do_copy_path(self) -> None:
        """Copy the path of a project, or of a session's file."""
        if self.project is not None:
            self.bough.copy(self.project.path or self.project.folder, "the path")
        else:
            super().do_copy_path()
