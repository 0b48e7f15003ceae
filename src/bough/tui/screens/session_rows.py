"""What lists of sessions have in common: a filter, and the keys for the row under the cursor."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from textual.widgets import Input

from bough.library import LiveSession, SessionRow
from bough.model.text.formats import format_count
from bough.tui.screens.annotations.annotation_actions import (
    AnnotationHost,
    AnnotationSubject,
    toggle_star,
    write_note,
)
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_view import ListView

if TYPE_CHECKING:
    from bough.tui.app.app import Bough

AnySession = SessionRow | LiveSession


def open_conversation(app: "Bough", row: AnySession, project: str = "") -> None:
    """Open the conversation of a session."""
    from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

    app.open(ConversationScreen(row.path, title=row.title, project=project))


def name_session(row: AnySession | None) -> AnnotationSubject | None:
    """Give the session that a star or a note is about."""
    return None if row is None else AnnotationSubject("session", row.id, row.title)


class SessionListHost(AnnotationHost, Protocol):
    """A screen with a list of sessions."""

    @property
    def row(self) -> AnySession | None:
        """Give the session under the cursor."""

    def project_of(self, row: AnySession) -> str:
        """Name the project of a session, for the bar."""

    def do(self, name: str) -> bool:
        """Do what a key stands for."""


class SessionActions:
    """What can be done with the session under the cursor of a list."""

    def __init__(self, screen: SessionListHost) -> None:
        self.screen = screen

    def do_open(self) -> None:
        """Read a session."""
        if self.screen.row is not None:
            open_conversation(
                self.screen.bough, self.screen.row, self.screen.project_of(self.screen.row)
            )

    def do_unfold(self) -> None:
        """Read a session, as the screen opens one."""
        self.screen.do("open")

    def do_tree(self) -> None:
        """Draw a session."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        if self.screen.row is not None:
            self.screen.bough.open(TreeScreen(self.screen.row.path, title=self.screen.row.title))

    def do_health(self) -> None:
        """Say what is wrong with a session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        if self.screen.row is not None:
            self.screen.bough.open(HealthScreen(self.screen.row.path))

    def do_rename(self) -> None:
        """Give a session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        if self.screen.row is not None:
            self.screen.bough.open(make_rename_screen(self.screen.row.path, self.screen.row.title))

    def do_star(self) -> None:
        """Star the session under the cursor, or take its star."""
        toggle_star(self.screen, name_session(self.screen.row))

    def do_note(self) -> None:
        """Write a note on the session under the cursor."""
        write_note(self.screen, name_session(self.screen.row))

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        if self.screen.row is not None:
            self.screen.bough.copy_resume_command(self.screen.row.path)

    def do_copy_id(self) -> None:
        """Copy the id."""
        if self.screen.row is not None:
            self.screen.bough.copy(self.screen.row.id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path."""
        if self.screen.row is not None:
            self.screen.bough.copy(self.screen.row.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows it."""
        if self.screen.row is not None:
            self.screen.bough.copy(f"bough show {self.screen.row.id[:8]}", "the link")


def matches_words(wanted: str, row: str) -> bool:
    """Tell whether all words of a text stand somewhere in a row."""
    text = row.casefold()
    return all(word in text for word in wanted.casefold().split())


class RowFilter:
    """A box below a list, which narrows it while one types."""

    def __init__(self, screen: BaseScreen, words: str, draw: Callable[[], None]) -> None:
        self.screen = screen
        self.box = Input(placeholder=words, id="filter", classes="hidden")
        """Seen once it is asked for."""
        self.text = ""
        self._draw = draw

    def fits(self, row: str) -> bool:
        """Tell whether all words of the filter stand somewhere in a row, as it is read."""
        return matches_words(self.text, row)

    def count(self, shown: int, total: int) -> str:
        """Write how many rows there are: 30, or 2 of 30 where the filter leaves some out."""
        if not self.text.strip():
            return format_count(total)
        return f"{format_count(shown)} of {format_count(total)}"

    def narrow(self, text: str) -> None:
        """Filter while typing."""
        self.text = text
        self._draw()

    def focus_list(self) -> None:
        """Go to what the filter left."""
        self.screen.query_one("#list", ListView).focus()

    def do_find(self) -> None:
        """Open the filter."""
        self.box.remove_class("hidden")
        self.box.focus()

    def do_down(self) -> None:
        """Go to the list where the filter is being typed, else down in it."""
        if isinstance(self.screen.focused, Input):
            self.focus_list()
        else:
            self.screen.list_keys.do_down()

    def do_back(self) -> None:
        """Clear the filter, then go back."""
        if "hidden" in self.box.classes:
            self.screen.bough.back()
            return
        self.box.value, self.text = "", ""
        self.box.add_class("hidden")
        self.focus_list()
        self._draw()


def find_session_under_cursor(shown: ListView) -> AnySession | None:
    """Give the session under the cursor of a list."""
    about = shown.picked.about if shown.picked is not None else None
    return about if isinstance(about, SessionRow | LiveSession) else None
