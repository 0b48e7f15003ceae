"""Home: who waits and works, then the projects with their worktrees."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.widgets import Input

from bough.library import Project, SessionRow
from bough.query.events import Event
from bough.query.live import LiveSession, lasted
from bough.tui.looks import Line, Role, Sheet, Span, count, elapsed, now, one_line, spans_styles
from bough.tui.overriding import override
from bough.tui.pieces import Piece, blank, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.rows import cells, cost_words, state_span
from bough.tui.source import Listed, Overall

if TYPE_CHECKING:
    from bough.query.ledger import Amount


class Home(Place):
    """Projects, and what is going on."""

    KEYS: ClassVar = ("down", "open", "find", "search", "live", "help")
    TITLE = "Home"

    def __init__(self) -> None:
        super().__init__()
        self.found: Overall | None = None
        self.recent: Sequence[SessionRow] = ()
        self.filter = ""
        self._ticks = False

    @override
    def body(self) -> ComposeResult:
        """Set the list and the filter."""
        yield Reel(id="list")
        yield Input(placeholder="Filter projects", id="filter", classes="hidden")

    @override
    def begin(self) -> None:
        """Ask for the projects, then for the newest sessions."""
        if not self._ticks:
            self._ticks = True
            self.set_interval(1.0, self._tick)
        self.ask(self.bough.source.overall, self._show)
        self.ask(partial(self.bough.source.sessions, None), self._recent, group="recent")

    def indexed(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def hear(self, _: Sequence[Event]) -> None:
        """Show who waits and works now."""
        self._draw()

    def _tick(self) -> None:
        """Let the clocks of what is going on run; nothing else changes by itself."""
        if self.bough.live_rows and self.is_current:
            self._draw()

    def _show(self, found: object) -> None:
        if isinstance(found, Overall):
            self.found = found
            self._draw()

    def _recent(self, found: object) -> None:
        if isinstance(found, Listed):
            self.recent = found.rows[:200]
            self._draw()

    def _draw(self) -> None:
        reel = self.query_one("#list", Reel)
        first = not reel.pieces
        reel.show(list(self._pieces()))
        if first:
            reel.to_start()

    def _pieces(self) -> Iterator[Piece]:
        going_on = [
            r
            for r in self.bough.live_rows
            if r.state in ("waiting", "failed", "working", "compacting")
        ]
        for row in going_on:
            yield Piece(f"live/{row.id}", partial(self._live_line, row), "session", row)
        if going_on:
            yield blank("live.")
        if self.found is None:
            yield say("reading", "Reading the projects…")
            return
        wanted = self.filter.casefold()
        shown = [
            (p, below)
            for p, below in in_order(self.found.projects)
            if wanted in f"{p.name} {p.path}".casefold()
        ]
        yield Piece("projects", partial(self._head, len(shown)), "head", picked=False)
        for project, below in shown:
            draw = partial(self._project_line, project, below)
            yield Piece(f"project/{project.folder}", draw, "project", project)
        if not shown:
            words = (
                "No project matches. Esc clears the filter."
                if wanted
                else "No projects yet: Claude Code has saved nothing here. Try bough demo."
            )
            yield say("none", words)
        if self.recent and not wanted:
            yield blank("recent.")
            yield say("recent", "Recent")
            for one in self.recent[:12]:
                yield Piece(f"recent/{one.id}", partial(self._recent_line, one), "session", one)

    def _sheet(self, columns: int) -> Sheet:
        return Sheet(now(), spans_styles(self.bough.glyphs), columns)

    def _head(self, number: int, columns: int) -> list[Line]:
        words = [(Role.HEADER, f"Projects {count(number)}")]
        return [cells(words, [(Role.HEADER, "Last active  Sessions      Cost")], columns)]

    def _project_line(self, project: Project, below: bool, columns: int) -> list[Line]:
        sheet = self._sheet(columns)
        amount: Amount | None = self.found.costs.get(project.id) if self.found else None
        when = sheet.when(project.last_active)
        right: list[Span] = [
            (Role.META, f"{when:>11}  {count(project.sessions):>8}  {cost_words(amount):>8}")
        ]
        name = one_line(project.name)
        place = "worktree" if below else short_path(project.path or project.folder)
        star = "* " if project.id in self.bough.kept.stars else ""
        left: list[Span] = [
            (Role.META, f"  {self.bough.glyphs.below} " if below else ""),
            (Role.CLAUDE if below else Role.PROMPT, f"{star}{name}  "),
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
        when = self._sheet(columns).when(row.ended_at)
        star = "* " if row.id in self.bough.kept.stars else ""
        left: list[Span] = [
            (Role.META, f"  {row.id[:8]}  "),
            (Role.CLAUDE, f"{star}{one_line(row.title)}"),
        ]
        return [cells(left, [(Role.META, when)], columns)]

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Open a project's sessions, or a session."""
        from bough.tui.screens.conversation import Conversation  # noqa: PLC0415
        from bough.tui.screens.sessions import Sessions  # noqa: PLC0415

        about = self._about()
        if isinstance(about, Project):
            self.bough.open(Sessions(about))
        elif about is not None:
            self.bough.open(Conversation(about.path, title=about.title))

    def do_unfold(self) -> None:
        """Open what is under the cursor."""
        self.do_open()

    def do_tree(self) -> None:
        """Draw the session under the cursor."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        about = self._about()
        if about is not None and not isinstance(about, Project):
            self.bough.open(Tree(about.path, title=about.title))

    def do_find(self) -> None:
        """Filter the projects."""
        box = self.query_one("#filter", Input)
        box.remove_class("hidden")
        box.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        self.filter = event.value
        self._draw()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to what the filter left."""
        self.query_one("#list", Reel).focus()

    @override
    def do_back(self) -> None:
        """Clear the filter."""
        box = self.query_one("#filter", Input)
        box.value, self.filter = "", ""
        box.add_class("hidden")
        self.query_one("#list", Reel).focus()
        self._draw()

    def do_star(self) -> None:
        """Star a project or a session, or take its star."""
        about = self._about()
        if about is not None:
            stars = self.bough.kept.stars
            (stars.remove if about.id in stars else stars.append)(about.id)
            self._draw()

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session; without one picked, the first."""
        about = self._about()
        row = (
            about
            if about is not None and not isinstance(about, Project)
            else next(iter(self.recent), None)
        )
        if row is not None:
            self.bough.copy(f"claude --resume {row.id}", "the resume command")

    def do_copy_id(self) -> None:
        """Copy the id."""
        about = self._about()
        if about is not None:
            self.bough.copy(about.id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path."""
        about = self._about()
        if about is not None:
            path = about.path or about.folder if isinstance(about, Project) else about.path
            self.bough.copy(path, "the path")

    def _about(self) -> Project | SessionRow | LiveSession | None:
        picked = self.query_one("#list", Reel).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, Project | SessionRow | LiveSession) else None


def in_order(projects: Sequence[Project]) -> Iterator[tuple[Project, bool]]:
    """Give projects newest first, each followed by its worktrees."""
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


def short_path(path: str) -> str:
    """Write a path as people do, from their home on."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    return f"~{path[len(home) :]}" if home != "~" and path.startswith(home + os.sep) else path
