"""What lists of sessions have in common: a filter, and the keys for the row under the cursor."""

from typing import TYPE_CHECKING

from textual.widgets import Input

from bough.library import LiveSession, Project, SessionRow
from bough.tui.override import override
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

AnySession = SessionRow | LiveSession


def open_conversation(app: "Bough", row: AnySession, project: str = "") -> None:
    """Open the conversation of a session."""
    from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

    app.open(ConversationScreen(row.path, title=row.title, project=project))


class SessionRows(BaseScreen):
    """A list of sessions: what can be done with the one under the cursor."""

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor."""
        picked = self.query_one("#list", ListView).picked
        about = picked.about if picked is not None else None
        return about if isinstance(about, SessionRow | LiveSession) else None

    @property
    def star_target(self) -> AnySession | Project | None:
        """Give what a star would be set on."""
        return self.row

    def draw(self) -> None:
        """Show the list anew."""

    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""
        return row.name if isinstance(row, LiveSession) else ""

    def do_open(self) -> None:
        """Read a session."""
        if self.row is not None:
            open_conversation(self.bough, self.row, self.project_of(self.row))

    def do_unfold(self) -> None:
        """Read a session."""
        self.do_open()

    def do_tree(self) -> None:
        """Draw a session."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(TreeScreen(self.row.path, title=self.row.title))

    def do_health(self) -> None:
        """Say what is wrong with a session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(HealthScreen(self.row.path))

    def do_rename(self) -> None:
        """Give a session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(make_rename_screen(self.row.path, self.row.title))

    def do_star(self) -> None:
        """Star what is under the cursor, or take its star."""
        if self.star_target is not None:
            stars = self.bough.saved_state.stars
            (stars.remove if self.star_target.id in stars else stars.append)(self.star_target.id)
            self.draw()

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


class FilteredRows(SessionRows):
    """A list with a filter below it, which narrows while one types."""

    filter = ""

    def make_filter_box(self, words: str) -> Input:
        """Make the box; it is seen once it is asked for."""
        return Input(placeholder=words, id="filter", classes="hidden")

    def do_find(self) -> None:
        """Open the filter."""
        box = self.query_one("#filter", Input)
        box.remove_class("hidden")
        box.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        self.filter = event.value
        self.draw()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Go to what the filter left."""
        self.query_one("#list", ListView).focus()

    @override
    def do_down(self) -> None:
        """Go to the list where the filter is being typed, else down in it."""
        reel = self.query_one("#list", ListView)
        if isinstance(self.focused, Input):
            reel.focus()
        else:
            super().do_down()

    @override
    def do_back(self) -> None:
        """Clear the filter, then go back."""
        box = self.query_one("#filter", Input)
        if "hidden" in box.classes:
            self.bough.back()
            return
        box.value, self.filter = "", ""
        box.add_class("hidden")
        self.query_one("#list", ListView).focus()
        self.draw()
