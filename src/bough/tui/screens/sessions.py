"""Sessions: one row each, newest first; two lines where the terminal is narrow."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.widgets import Input

from bough.library import Project, SessionRow
from bough.query.events import Event
from bough.tui.looks import Line, Role, Sheet, Span, count, now, one_line, pad, plural, spans_styles
from bough.tui.overriding import override
from bough.tui.pieces import Piece, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.rows import cells, cost_words, state_span
from bough.tui.source import Listed

_WIDE = 120
_KINDS = {"plan": "  plan", "implementation": "  built from a plan", "sdk": "  sdk"}


class Sessions(Place):
    """The sessions of a project, or all."""

    KEYS: ClassVar = ("down", "open", "find", "tree", "copy-resume", "help")

    def __init__(self, project: Project | None = None) -> None:
        super().__init__()
        self.project = project
        self.found: Listed | None = None
        self.filter = ""

    @override
    def body(self) -> ComposeResult:
        """Set the list and the filter."""
        yield Reel(id="list")
        yield Input(placeholder="Filter sessions", id="filter", classes="hidden")

    @override
    def where(self) -> list[str]:
        """Name the project."""
        number = f" {len(self.found.rows):,}" if self.found is not None else ""
        name = [self.project.name] if self.project is not None else []
        return [*name, f"Sessions{number}"]

    @override
    def begin(self) -> None:
        """Ask for the sessions."""
        folder = self.project.folder if self.project is not None else None
        self.ask(partial(self.bough.source.sessions, folder), self._show)
        self._draw()

    def indexed(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def hear(self, events: Sequence[Event]) -> None:
        """Show the states anew; a session that began is asked for."""
        if any(event.kind == "started" for event in events):
            self.begin()
        elif self.found is not None:
            self._draw()

    def _show(self, found: object) -> None:
        if isinstance(found, Listed):
            self.found = found
            self.say_where()
            if found.talk:
                self.bough.tell(found.talk, severity="warning")
            self._draw()

    def _draw(self) -> None:
        reel = self.query_one("#list", Reel)
        empty = not any(piece.picked for piece in reel.pieces)
        reel.show(list(self._pieces()))
        if empty:
            reel.to_start()

    def _pieces(self) -> Iterator[Piece]:
        if self.found is None:
            yield say("reading", "Reading the sessions…")
            return
        wanted = self.filter.casefold()
        rows = [
            r for r in self.found.rows if wanted in f"{r.title} {r.id} {r.git_branch}".casefold()
        ]
        for row in rows:
            yield Piece(f"{row.project}/{row.id}", partial(self._lines, row), "session", row)
        if not rows:
            yield say(
                "none",
                "No session matches. Esc clears the filter."
                if wanted
                else "No session with a conversation here.",
            )

    def _lines(self, row: SessionRow, columns: int) -> list[Line]:
        sheet = Sheet(now(), spans_styles(self.bough.glyphs), columns)
        live = self.bough.live_row(row.id)
        state = (
            state_span(live, self.bough.glyphs, wide=14)
            if live is not None
            else (Role.META, " " * 14)
        )
        amount = self.found.costs.get(row.id) if self.found else None
        facts = self._facts(row)
        gone = row.deleted_at is not None
        star = "* " if row.id in self.bough.kept.stars else ""
        title: Span = (Role.LEFT if gone else Role.CLAUDE, star + one_line(row.title))
        kind: Span = (
            Role.META,
            _KINDS.get(row.kind, "") + ("  deleted by the client" if gone else ""),
        )
        ways = f"{row.tips:>4}" if row.tips > 1 else "    "
        agents = f"{self.bough.glyphs.agent}{row.agents}" if row.agents else ""
        spent = f"{cost_words(amount):>8}  {sheet.when(row.ended_at):>10}"
        numbers = f"{count(row.turns):>5} {ways} {pad(agents, 3)} {spent}"
        if columns >= _WIDE:
            left = [title, kind, (Role.META, f"   {facts}")]
            return [cells(left, [state, (Role.META, numbers)], columns)]
        ways_words = f"  {row.tips} ways" if row.tips > 1 else ""
        below: list[Span] = [
            state,
            (Role.META, f"{plural(row.turns, 'turn')}{ways_words}  {facts}"),
        ]
        right = [(Role.META, f"{cost_words(amount):>8}  {sheet.when(row.ended_at):>10}")]
        return [
            cells([title, kind], right, columns),
            cells([(Role.META, "  "), *below], [], columns),
        ]

    def _facts(self, row: SessionRow) -> str:
        names = self.found.names if self.found is not None else {}
        project = "" if self.project is not None else names.get(row.project, row.project)
        models = ", ".join(model.removeprefix("claude-") for model in row.models[:2])
        return one_line("  ".join(word for word in (project, models, row.git_branch) if word))

    # -- keys ---------------------------------------------------------------------------------

    @property
    def row(self) -> SessionRow | None:
        """Give the session under the cursor."""
        picked = self.query_one("#list", Reel).picked
        return picked.about if picked and isinstance(picked.about, SessionRow) else None

    def do_open(self) -> None:
        """Read a session."""
        from bough.tui.screens.conversation import Conversation  # noqa: PLC0415

        if self.row is not None:
            project = self.project.name if self.project is not None else ""
            self.bough.open(Conversation(self.row.path, title=self.row.title, project=project))

    def do_unfold(self) -> None:
        """Read a session."""
        self.do_open()

    def do_tree(self) -> None:
        """Draw a session."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(Tree(self.row.path, title=self.row.title))

    def do_health(self) -> None:
        """Say what is wrong with a session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(HealthScreen(self.row.path))

    def do_rename(self) -> None:
        """Give a session another title."""
        from bough.tui.screens.preview import rename_preview  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(rename_preview(self.row.path, self.row.title))

    def do_star(self) -> None:
        """Star a session, or take its star."""
        if self.row is not None:
            stars = self.bough.kept.stars
            (stars.remove if self.row.id in stars else stars.append)(self.row.id)
            self._draw()

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        if self.row is not None:
            self.bough.copy(f"claude --resume {self.row.id}", "the resume command")

    def do_copy_id(self) -> None:
        """Copy the id."""
        if self.row is not None:
            self.bough.copy(self.row.id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path."""
        if self.row is not None:
            self.bough.copy(self.row.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows it."""
        if self.row is not None:
            self.bough.copy(f"bough show {self.row.id[:8]}", "the link")

    def do_find(self) -> None:
        """Filter the sessions."""
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
        """Clear the filter, then go back."""
        box = self.query_one("#filter", Input)
        if "hidden" in box.classes:
            self.bough.back()
            return
        box.value, self.filter = "", ""
        box.add_class("hidden")
        self.query_one("#list", Reel).focus()
        self._draw()
